/* Draws throughput over workers and over the batch, and the latency of a batch, each with its
 * numbers in a table. */
#include "advisor/render/html/html_svg.h"

enum { WIDTH = 460, HEIGHT = 190, LEFT = 82, RIGHT = 14, TOP = 12, BOTTOM = 30, LETTER_WIDTH = 8 };

typedef struct {
    int64_t setting;
    const ResultInterval *value; /* NULL: unknown */
    double x;                    /* on the chart */
} Point;

typedef struct {
    const Point *point;
    size_t n;
    int64_t now; /* the setting in use */
    const char *unit;
    PhraseId caption, setting, head;
} Curve;

static const Point *points_of_workers(Arena *a, const ResultWorkerList *list)
{
    Point *point = ARENA_ARRAY(a, Point, list->count + 1);
    for (size_t i = 0; i < list->count; i++)
        point[i] = (Point){list->item[i].workers, list->item[i].throughput_per_s, 0};
    return point;
}

static const Point *points_of_batch(Arena *a, const ResultBatchList *list)
{
    Point *point = ARENA_ARRAY(a, Point, list->count + 1);
    for (size_t i = 0; i < list->count; i++)
        point[i] = (Point){list->item[i].batch, list->item[i].throughput_per_s, 0};
    return point;
}

static const Point *points_of_latency(Arena *a, const ResultBatchList *list)
{
    Point *point = ARENA_ARRAY(a, Point, list->count + 1);
    ResultInterval *value = ARENA_ARRAY(a, ResultInterval, list->count + 1);
    for (size_t i = 0; i < list->count; i++) {
        const ResultIntervalNs *ns = list->item[i].latency_ns;
        if (ns)
            value[i] = (ResultInterval){(double)ns->lo, (double)ns->mid, (double)ns->hi};
        point[i] = (Point){list->item[i].batch, ns ? &value[i] : NULL, 0};
    }
    return point;
}

/* Those that are known.  Settings as they lie, one after the other: 1, 2, 4, 8 are as far apart as
 * 1, 2, 3, 4. */
static size_t known_points(const Curve *c, Point *known, size_t most)
{
    size_t n = 0;
    for (size_t i = 0; i < c->n && n < most; i++)
        if (c->point[i].value)
            known[n++] = c->point[i];
    for (size_t i = 0; i < n; i++)
        known[i].x = n < 2 ? (LEFT + WIDTH - RIGHT) / 2.0
                           : LEFT + (double)i / (double)(n - 1) * (WIDTH - LEFT - RIGHT);
    return n;
}

static double at_y(double v, double full)
{
    return HEIGHT - BOTTOM - v / full * (HEIGHT - BOTTOM - TOP);
}

/* The band goes along the lower ends and back along the upper ones. */
static void draw_points(Page *p, const char *class, const Point *point, size_t n, double full)
{
    bool band = !strcmp(class, "band");
    size_t used = 0, all = band ? 2 * n : n;
    char text[2048];
    for (size_t i = 0; i < all && used + 32 < sizeof text; i++) {
        const Point *q = &point[i < n ? i : 2 * n - 1 - i];
        double v = !band ? q->value->mid : i < n ? q->value->lo : q->value->hi;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%.1f,%.1f", i ? " " : "", q->x,
                                 at_y(v, full));
    }
    html_leaf(p->h, band ? "polygon" : "polyline", "", "class", class, "points", text, NULL);
}

static void draw_curve_axes(Page *p, const Curve *c, double full)
{
    double step = html_svg_tick_step(full * 1.3);
    for (int i = 0; i * step <= full * 1.0001; i++) {
        Figure f;
        html_svg_line(p, "grid", LEFT, at_y(i * step, full), WIDTH - RIGHT, at_y(i * step, full));
        html_svg_text(p, "tick", LEFT - 5, at_y(i * step, full) + 4, "end",
                      i ? figure_value(&f, i * step, c->unit) : "0");
    }
}

static void draw_curve_chart(Page *p, const Curve *c, const Point *point, size_t n)
{
    double full = 0, last = -1e9;
    for (size_t i = 0; i < n; i++)
        full = fmax(full, fmax(point[i].value->hi, point[i].value->mid));
    if (!(full > 0))
        return;
    html_open(p->h, "svg", "role", "img", "aria-label", phrase_text(p->lang, c->caption), NULL);
    html_attr(p->h, "viewBox", "0 0 %d %d", WIDTH, HEIGHT);
    draw_curve_axes(p, c, full);
    draw_points(p, "band", point, n, full);
    draw_points(p, "curve", point, n, full);
    for (size_t i = 0; i < n; i++) {
        char text[32];
        html_open(p->h, "circle", "class", point[i].setting == c->now ? "point now" : "point", "r",
                  "3.5", NULL);
        html_attr(p->h, "cx", "%.1f", point[i].x);
        html_attr(p->h, "cy", "%.1f", at_y(point[i].value->mid, full));
        html_close(p->h);
        snprintf(text, sizeof text, "%lld", (long long)point[i].setting);
        if (point[i].x - last < LETTER_WIDTH * (double)(strlen(text) + 1))
            continue;
        last = point[i].x;
        html_svg_text(p, "tick", last, HEIGHT - 10, "middle", text);
    }
    html_close(p->h);
}

static void write_curve_table(Page *p, const Curve *c)
{
    const PhraseId head[] = {c->setting, c->head, PHRASE_COUNT};
    html_open(p->h, "details", NULL);
    html_leaf(p->h, "summary", phrase_text(p->lang, PHRASE_NUMBERS), NULL);
    page_table_open(p, "", c->caption, head);
    for (size_t i = 0; i < c->n; i++) {
        page_row_open(p);
        html_open(p->h, "th", "scope", "row", NULL);
        html_textf(p->h, "%lld", (long long)c->point[i].setting);
        if (c->point[i].setting == c->now)
            html_textf(p->h, " (%s)", phrase_text(p->lang, PHRASE_IN_USE));
        html_close(p->h);
        page_cell_interval(p, c->point[i].value, c->unit);
        page_row_close(p);
    }
    page_table_close(p);
    html_close(p->h);
}

static void write_curve(Page *p, const Curve *c)
{
    enum { POINTS = 40 };
    Point known[POINTS];
    size_t n = known_points(c, known, POINTS);
    if (n == 0)
        return;
    html_open(p->h, "figure", NULL);
    html_leaf(p->h, "figcaption", phrase_text(p->lang, c->caption), NULL);
    draw_curve_chart(p, c, known, n);
    write_curve_table(p, c);
    html_close(p->h);
}

void html_curves(Page *p)
{
    const ResultWorkerList *workers = &p->result->curves.workers;
    const ResultBatchList *batch = &p->result->curves.batch;
    int64_t in_use = p->result->options.workers.value, images = p->result->options.batch.value;
    const Curve curve[] = {
        {points_of_workers(p->a, workers), workers->count, in_use, "per_s", PHRASE_WORKERS_TABLE,
         PHRASE_COL_WORKERS, PHRASE_COL_THROUGHPUT},
        {points_of_batch(p->a, batch), batch->count, images, "per_s", PHRASE_BATCH_TABLE,
         PHRASE_COL_BATCH, PHRASE_COL_THROUGHPUT},
        {points_of_latency(p->a, batch), batch->count, images, "ns", PHRASE_BATCH_LATENCY,
         PHRASE_COL_BATCH, PHRASE_COL_LATENCY},
    };
    html_leaf(p->h, "p", phrase_text(p->lang, PHRASE_CURVES_NOTE), "class", "sub", NULL);
    html_open(p->h, "div", "class", "three", NULL);
    for (size_t i = 0; i < sizeof curve / sizeof *curve; i++)
        write_curve(p, &curve[i]);
    html_close(p->h);
    html_sram(p);
}
