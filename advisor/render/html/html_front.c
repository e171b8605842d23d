/* Draws the Pareto front of latency and throughput, from which a plan is chosen, and what each plan
 * sets.
 *
 * A point is a link to its description; which one is shown is the style's business, so that it
 * works without scripts, and the address keeps it. */
#include "advisor/render/html/html_svg.h"

#include "advisor/report/verdict.h"

/* In units of the drawing; a label has ROOM to every side. */
enum { WIDTH = 460, HEIGHT = 290, LEFT = 74, RIGHT = 22, TOP = 18, BOTTOM = 44, TOUCH = 17 };
enum { ROOM_X = 15, ROOM_Y = 13 };

typedef struct {
    double lo, hi;     /* of the logarithms */
    double from, upto; /* on the chart */
    const char *unit;
    bool upright;
} Axis;

static double axis_position(const Axis *a, double v)
{
    assert(v > 0);
    double share = a->hi > a->lo ? (log10(v) - a->lo) / (a->hi - a->lo) : 0.5;
    return a->from + share * (a->upto - a->from);
}

/* Of the points of the front; a logarithm is taken of each. */
static double latency_of(const ResultFront *x)
{
    return fmax(x->latency_ns, 1e-9);
}

static double rate_of(const ResultFront *x)
{
    return fmax(x->throughput_per_s, 1e-9);
}

/* From the least to the most, with a tenth of an octave at least to either side. */
static Axis axis_of(const ResultFrontList *front, double (*figure_of)(const ResultFront *), Axis a)
{
    a.lo = INFINITY;
    a.hi = -INFINITY;
    for (size_t i = 0; i < front->count; i++) {
        double v = log10(figure_of(&front->item[i]));
        a.lo = fmin(a.lo, v);
        a.hi = fmax(a.hi, v);
    }
    double room = fmax(0.03, 0.09 * (a.hi - a.lo));
    a.lo -= room;
    a.hi += room;
    return a;
}

/* Where there is room after the tick at *last. */
static void put_tick(Page *p, const Axis *a, double v, double *last)
{
    double where = axis_position(a, v);
    Figure f;
    if (log10(v) < a->lo || log10(v) > a->hi || fabs(where - *last) < (a->upright ? 16 : 52))
        return;
    *last = where;
    if (a->upright) {
        html_svg_line(p, "grid", LEFT, where, WIDTH - RIGHT, where);
        html_svg_text(p, "tick", LEFT - 6, where + 4, "end", figure_value(&f, v, a->unit));
    } else {
        html_svg_line(p, "grid", where, TOP, where, HEIGHT - BOTTOM);
        html_svg_text(p, "tick", where, HEIGHT - BOTTOM + 16, "middle",
                      figure_value(&f, v, a->unit));
    }
}

/* One, two and five of each power of ten; over more than four powers, ones alone; within one,
 * equal steps. */
static void put_axis_ticks(Page *p, const Axis *a)
{
    static const double lead[] = {1, 2, 5};
    double last = -1e9, lo = pow(10, a->lo), hi = pow(10, a->hi),
           step = html_svg_tick_step(hi - lo);
    for (double v = step * ceil(lo / step); a->hi - a->lo < 1 && v <= hi; v += step)
        put_tick(p, a, v, &last);
    for (int e = (int)floor(a->lo); a->hi - a->lo >= 1 && e <= (int)ceil(a->hi); e++)
        for (int k = 0; k < (a->hi - a->lo > 4 ? 1 : 3); k++)
            put_tick(p, a, lead[k] * pow(10, e), &last);
}

enum { SHAPES = 4 }; /* of no need, one, two, three and more */

/* Circle, diamond, triangle, square: the more a point needs, the more corners. */
static void put_shape(Page *p, size_t needs, double x, double y)
{
    static const char *const class[SHAPES] = {"needs0", "needs1", "needs2", "needs3"};
    size_t shape = needs < SHAPES ? needs : SHAPES - 1;
    html_open(p->h, "path", "class", class[shape], NULL);
    if (shape == 0)
        html_attr(p->h, "d", "M%.1f %.1fa6 6 0 1 0 12 0a6 6 0 1 0 -12 0z", x - 6, y);
    else if (shape == 1)
        html_attr(p->h, "d", "M%.1f %.1fl7 7l-7 7l-7 -7z", x, y - 7);
    else if (shape == 2)
        html_attr(p->h, "d", "M%.1f %.1fl7 12h-14z", x, y - 7);
    else
        html_attr(p->h, "d", "M%.1f %.1fh11v11h-11z", x - 5.5, y - 5.5);
    html_close(p->h);
}

/* "point 3: 716 µs, 1397 /s". */
static const char *point_label(const Page *p, const ResultFront *x, size_t number)
{
    Figure latency, rate;
    return arena_printf(p->a, "%s %zu: %s, %s", phrase_text(p->lang, PHRASE_TUNE_COL_POINT), number,
                        figure_time(&latency, x->latency_ns),
                        figure_rate(&rate, x->throughput_per_s));
}

/* Where labels may not be: those that are there, and the marks. */
typedef struct {
    double x, y;
} Spot;

typedef struct {
    Spot *spot;
    size_t n;
} Spots;

static bool is_free(const Spots *s, Spot x, size_t but, double room)
{
    return !LIST_ANY(i, s->n,
                     i != but && fabs(s->spot[i].x - x.x) < room &&
                         fabs(s->spot[i].y - x.y) < ROOM_Y) &&
           x.x > LEFT + 8 && x.x < WIDTH - RIGHT + 8 && x.y > TOP + 6 && x.y < HEIGHT - BOTTOM;
}

/* Beside, above or below its mark, the first that is free; else it goes without: the link and its
 * description have the number. */
static void put_label(Page *p, Spots *s, size_t number, bool best)
{
    static const Spot way[] = {{0, -15}, {0, 15}, {17, 0}, {-17, 0}, {13, -13}, {-13, 13}};
    char label[32];
    assert(number > 0 && number <= s->n);
    Spot mark = s->spot[number - 1];
    snprintf(label, sizeof label, "%zu%s", number, best ? "*" : "");
    double more = 4 * ((double)strlen(label) - 1); /* on either side, than one letter */
    for (size_t i = 0; i < sizeof way / sizeof *way; i++) {
        Spot x = {mark.x + way[i].x + more * ((way[i].x > 0) - (way[i].x < 0)), mark.y + way[i].y};
        if (!is_free(s, x, number - 1, ROOM_X + more))
            continue;
        s->spot[s->n++] = x;
        html_svg_text(p, best ? "label" : "tick", x.x, x.y + 4, "middle", label);
        return;
    }
}

/* Half the way to the next mark: where marks are close each has what is nearest to it. */
static double touch_of(const Spots *s, size_t marks, size_t i)
{
    double r = TOUCH;
    for (size_t k = 0; k < marks; k++)
        if (k != i)
            r = fmin(r, hypot(s->spot[i].x - s->spot[k].x, s->spot[i].y - s->spot[k].y) / 2);
    return fmax(r, 1); /* the label can be clicked, too */
}

static void put_mark(Page *p, const ResultFront *x, Spots *s, size_t number, bool best,
                     double touch)
{
    Spot mark = s->spot[number - 1];
    html_open(p->h, "a", "class", best ? "best" : "other", NULL);
    html_attr(p->h, "href", "#point-%zu", number);
    html_attr(p->h, "aria-label", "%s", point_label(p, x, number));
    html_open(p->h, "circle", "class", "touch", NULL);
    html_attr(p->h, "cx", "%.1f", mark.x);
    html_attr(p->h, "cy", "%.1f", mark.y);
    html_attr(p->h, "r", "%.1f", touch);
    html_close(p->h);
    put_shape(p, x->needs.count, mark.x, mark.y);
    put_label(p, s, number, best);
    html_close(p->h);
}

static void put_marks(Page *p, const ResultFrontList *front, const Axis *latency, const Axis *rate,
                      size_t best)
{
    size_t all = front->count;
    Spots s = {ARENA_ARRAY(p->a, Spot, 2 * all + 1), 0};
    for (size_t i = 0; i < all; i++)
        s.spot[s.n++] = (Spot){axis_position(latency, latency_of(&front->item[i])),
                               axis_position(rate, rate_of(&front->item[i]))};
    for (size_t i = 0; i < all; i++)
        put_mark(p, &front->item[i], &s, i + 1, i + 1 == best, touch_of(&s, all, i));
}

static void put_front_chart(Page *p, const ResultFrontList *front, size_t best)
{
    Axis latency =
             axis_of(front, latency_of, (Axis){.from = LEFT, .upto = WIDTH - RIGHT, .unit = "ns"}),
         rate = axis_of(
             front, rate_of,
             (Axis){.from = HEIGHT - BOTTOM, .upto = TOP, .unit = "per_s", .upright = true});
    html_open(p->h, "svg", "class", "front", "role", "group", "aria-label",
              phrase_text(p->lang, PHRASE_FRONT_HEAD), NULL);
    html_attr(p->h, "viewBox", "0 0 %d %d", WIDTH, HEIGHT);
    put_axis_ticks(p, &latency);
    put_axis_ticks(p, &rate);
    html_svg_text(p, "tick", WIDTH - RIGHT, HEIGHT - 6, "end",
                  phrase_text(p->lang, PHRASE_FRONT_LATENCY));
    html_svg_text(p, "tick", LEFT + 6, TOP - 6, "start", phrase_text(p->lang, PHRASE_FRONT_RATE));
    put_marks(p, front, &latency, &rate, best);
    html_close(p->h);
}

/* The shapes that are on the chart. */
static void put_needs_legend(Page *p, const ResultFrontList *front)
{
    bool is_used[SHAPES] = {false};
    for (size_t i = 0; i < front->count; i++) {
        size_t needs = front->item[i].needs.count;
        is_used[needs < SHAPES ? needs : SHAPES - 1] = true;
    }
    html_open(p->h, "p", "class", "legend", NULL);
    html_textf(p->h, "%s: ", phrase_text(p->lang, PHRASE_COL_NEEDS));
    for (size_t i = 0; i < SHAPES; i++) {
        if (!is_used[i])
            continue;
        html_open(p->h, "svg", "class", "front", "width", "16", "height", "16", "viewBox",
                  "0 0 16 16", "aria-hidden", "true", NULL);
        put_shape(p, i, 8, 8);
        html_close(p->h);
        html_textf(p->h, " %zu%s ", i, i == SHAPES - 1 ? "+" : "");
    }
    html_close(p->h);
}

/* "NPU101 NPU302 --batch 4": each rule once, then the settings that differ from those in use. */
static const char *settings_text(const Page *p, const ResultFront *x)
{
    const ResultOptions *now = &p->result->options;
    const char *text = "";
    for (size_t i = 0; i < x->rules.count; i++)
        if (!i || strcmp(x->rules.item[i], x->rules.item[i - 1]))
            text = arena_printf(p->a, "%s%s ", text, x->rules.item[i]);
    if (strcmp(x->target, p->result->target))
        text = arena_printf(p->a, "%s--target %s ", text, x->target);
    const struct {
        const char *option;
        int64_t value, now;
    } setting[] = {{"batch", x->batch, now->batch.value},
                   {"workers", x->workers, now->workers.value},
                   {"devices", x->devices, now->devices.value}};
    for (size_t i = 0; i < sizeof setting / sizeof *setting; i++)
        if (setting[i].value != setting[i].now)
            text = arena_printf(p->a, "%s--%s %lld ", text, setting[i].option,
                                (long long)setting[i].value);
    return *text ? text : phrase_text(p->lang, PHRASE_TUNE_AS_IT_IS);
}

static void put_point(Page *p, const ResultFront *x, size_t number, bool best)
{
    const ResultPlanList *plans = &p->result->plans;
    Phrase needs;
    html_open(p->h, "article", "class", best ? "spot best" : "spot", NULL);
    html_attr(p->h, "id", "point-%zu", number);
    html_open(p->h, "h4", NULL);
    html_textf(p->h, "%s %zu", phrase_text(p->lang, PHRASE_TUNE_COL_POINT), number);
    html_close(p->h);
    html_open(p->h, "p", NULL);
    page_value(p, x->latency_ns, "ns");
    html_text(p->h, ", ");
    page_value(p, x->throughput_per_s, "per_s");
    html_close(p->h);
    html_leaf(p->h, "p", settings_text(p, x), NULL);
    html_open(p->h, "p", NULL);
    html_textf(p->h, "%s: %s", phrase_text(p->lang, PHRASE_COL_NEEDS),
               verdict_needs(&needs, &x->needs, p->lang));
    html_close(p->h);
    if (x->plan && !LIST_ANY(i, plans->count,
                             plans->item[i].bundle.refused && !strcmp(plans->item[i].id, x->plan)))
        page_command(p, page_apply_command(p, x->plan));
    html_close(p->h);
}

static void put_front_table(Page *p, const ResultFrontList *front)
{
    static const PhraseId head[] = {PHRASE_TUNE_COL_POINT,    PHRASE_TUNE_COL_LATENCY,
                                    PHRASE_TUNE_COL_RATE,     PHRASE_COL_NEEDS,
                                    PHRASE_TUNE_COL_SETTINGS, PHRASE_COUNT};
    html_open(p->h, "details", NULL);
    html_leaf(p->h, "summary", phrase_text(p->lang, PHRASE_NUMBERS), NULL);
    page_table_open(p, "", PHRASE_FRONT_HEAD, head);
    for (size_t i = 0; i < front->count; i++) {
        const ResultFront *x = &front->item[i];
        Phrase needs;
        page_row_open(p);
        html_open(p->h, "th", "scope", "row", NULL);
        html_leaf(p->h, "a", arena_printf(p->a, "%zu", i + 1), "href",
                  arena_printf(p->a, "#point-%zu", i + 1), NULL);
        html_close(p->h);
        page_cell_value(p, x->latency_ns, "ns");
        page_cell_value(p, x->throughput_per_s, "per_s");
        page_cell_text(p, verdict_needs(&needs, &x->needs, p->lang));
        page_cell_text(p, settings_text(p, x));
        page_row_close(p);
    }
    page_table_close(p);
    html_close(p->h);
}

static void put_searched(Page *p, const ResultSearched *s)
{
    Phrase buf;
    if (!s)
        return;
    html_leaf(p->h, "p",
              phrase_format(&buf, p->lang,
                            s->exhaustive ? PHRASE_TUNE_SEARCHED : PHRASE_TUNE_SEARCHED_NEAR,
                            COUNTED(s->points), NULL),
              "class", "sub", NULL);
}

/* The point that the recommended plan is, else that of any plan, else the first. */
static size_t chosen_point(const Page *p)
{
    const ResultFrontList *front = &p->result->front;
    size_t any = 0;
    for (size_t i = 0; i < front->count; i++) {
        const char *plan = front->item[i].plan;
        if (plan && p->summary.plan && !strcmp(plan, p->summary.plan->id))
            return i + 1;
        any = plan && !any ? i + 1 : any;
    }
    return any ? any : 1;
}

void html_front(Page *p)
{
    const ResultFrontList *front = &p->result->front;
    size_t best = chosen_point(p);
    if (front->count < 2)
        return;
    html_open(p->h, "div", "class", "deploy", "id", "deploy", NULL);
    page_heading(p, "h3", PHRASE_FRONT_HEAD);
    put_searched(p, p->result->searched);
    html_open(p->h, "div", "class", "beside", NULL);
    html_open(p->h, "figure", NULL);
    put_front_chart(p, front, best);
    put_needs_legend(p, front);
    put_front_table(p, front);
    html_close(p->h);
    html_open(p->h, "div", "class", "points", NULL);
    for (size_t i = 0; i < front->count; i++)
        put_point(p, &front->item[i], i + 1, i + 1 == best);
    html_close(p->h);
    html_close(p->h);
    html_close(p->h);
}
