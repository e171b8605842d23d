/* Section 6: NPU operators, predicted against measured: a picture of the ratio where both are
 * known, and the table of those that take longest. */
#include "advisor/html/html_svg.h"

#include "advisor/say/json.h"

#include <math.h>
#include <stdlib.h>

enum { WIDTH = 640, HEIGHT = 420, LEFT = 76, BOTTOM = 46, EDGE = 26, ROWS_SHOWN = 400, DOTS = 600 };

typedef struct {
    const cJSON *op;
    double ns;
    size_t order;
} Ranked;

static int by_time(const void *pa, const void *pb)
{
    const Ranked *a = pa, *b = pb;
    if (a->ns != b->ns)
        return a->ns < b->ns ? 1 : -1;
    return a->order < b->order ? -1 : 1;
}

static Ranked *rank(Page *p, const char *path, size_t *ret_count)
{
    size_t n = json_count(p->r, path), i = 0;
    Ranked *list = ARENA_ARRAY(p->a, Ranked, n + 1);
    const cJSON *op;
    cJSON_ArrayForEach(op, json_at(p->r, path))
    {
        double ns;
        list[i] = (Ranked){op, work_time_ns(op, &ns) ? ns : 0, i};
        i++;
    }
    qsort(list, n, sizeof *list, by_time);
    *ret_count = n;
    return list;
}

/* Decades that both axes span. */
typedef struct {
    double lo, hi; /* log10 of ns */
} Span;

static bool both(const cJSON *op, double *predicted, double *measured)
{
    return json_number(op, "predicted_ns.mid", predicted) && *predicted > 0 &&
           json_number(op, "measured_ns.median", measured) && *measured > 0;
}

static bool widen(Span *s, const Ranked *list, size_t n)
{
    double x, y;
    for (size_t i = 0; i < n; i++) {
        if (!both(list[i].op, &x, &y))
            continue;
        s->lo = fmin(s->lo, floor(log10(fmin(x, y))));
        s->hi = fmax(s->hi, ceil(log10(fmax(x, y)) + 1e-9));
    }
    return s->hi > s->lo;
}

static double at_x(const Span *s, double ns)
{
    return LEFT + (log10(ns) - s->lo) / (s->hi - s->lo) * (WIDTH - LEFT - EDGE);
}

static double at_y(const Span *s, double ns)
{
    return HEIGHT - BOTTOM - (log10(ns) - s->lo) / (s->hi - s->lo) * (HEIGHT - BOTTOM - EDGE);
}

static void draw_axes(Page *p, const Span *s)
{
    for (double d = s->lo; d <= s->hi; d++) {
        Figure f;
        double ns = pow(10, d);
        svg_line(p, "grid", at_x(s, ns), EDGE, at_x(s, ns), HEIGHT - BOTTOM);
        svg_line(p, "grid", LEFT, at_y(s, ns), WIDTH - EDGE, at_y(s, ns));
        svg_text(p, "tick", at_x(s, ns), HEIGHT - BOTTOM + 17,
                 d == s->hi   ? "end"
                 : d == s->lo ? "start"
                              : "middle",
                 figure_time(&f, ns));
        svg_text(p, "tick", LEFT - 6, at_y(s, ns) + (d == s->lo ? -2 : 4), "end", f.text);
    }
    svg_text(p, "label", (LEFT + WIDTH) / 2.0, HEIGHT - 8, "middle",
             say(p->lang, SAY_AXIS_PREDICTED));
    svg_text(p, "label", 4, 12, "start", say(p->lang, SAY_AXIS_MEASURED));
}

/* Measured = factor x predicted, inside the frame. */
static void draw_ratio(Page *p, const Span *s, double factor, const char *class)
{
    double lo = pow(10, s->lo), hi = pow(10, s->hi);
    double from = factor < 1 ? lo / factor : lo, to = factor > 1 ? hi / factor : hi;
    svg_line(p, class, at_x(s, from), at_y(s, from * factor), at_x(s, to), at_y(s, to * factor));
}

static void draw_dot(Page *p, const Span *s, const cJSON *op, const char *class, const char *name)
{
    double x, y;
    char title[200];
    Figure fx, fy;
    if (!both(op, &x, &y))
        return;
    snprintf(title, sizeof title, "%.80s: %s %s, %s %s", name, say(p->lang, SAY_LABEL_PREDICTED),
             figure_time(&fx, x), say(p->lang, SAY_LABEL_MEASURED), figure_time(&fy, y));
    if (*class == 'n') { /* NPU operators round, steps of the host square */
        html_open(p->h, "circle", "class", class, "r", "4", NULL);
        html_attr(p->h, "cx", "%.1f", at_x(s, x));
        html_attr(p->h, "cy", "%.1f", at_y(s, y));
        html_leaf(p->h, "title", title, NULL);
        html_close(p->h);
    } else {
        svg_rect(p, class, (Box){at_x(s, x) - 4, at_y(s, y) - 4, 8, 8}, title);
    }
}

static void picture(Page *p, const Ranked *op, size_t nop, const Ranked *step, size_t nstep)
{
    Span s = {99, -99};
    bool any = widen(&s, op, nop < DOTS ? nop : DOTS);
    any |= widen(&s, step, nstep < DOTS ? nstep : DOTS);
    if (!any) {
        page_note(p, SAY_NOT_MEASURED);
        return;
    }
    svg_open(p, "scatter", WIDTH, HEIGHT, say(p->lang, SAY_SCATTER));
    draw_axes(p, &s);
    draw_ratio(p, &s, 1, "equal");
    draw_ratio(p, &s, 2, "band");
    draw_ratio(p, &s, 0.5, "band");
    for (size_t i = 0; i < nop && i < DOTS; i++)
        draw_dot(p, &s, op[i].op, "npu", operator_title(p, op[i].op));
    for (size_t i = 0; i < nstep && i < DOTS; i++)
        draw_dot(p, &s, step[i].op,
                 step_class(step[i].op)[0] == 'n' ? "npu task" : step_class(step[i].op),
                 step_title(p, step[i].op));
    svg_close(p);
    page_note(p, SAY_SCATTER_NOTE);
}

/* MACs of the peak in the time that they take; false where nothing multiplies or tells. */
static bool mac_use(const Page *p, double macs, double ns, double *ret)
{
    double peak;
    if (!json_number(p->r, "machine.peak_macs_per_s", &peak) || peak <= 0 || macs <= 0 || ns <= 0)
        return false;
    *ret = macs / ns * 1e9 / peak;
    return true;
}

static void use_cell(Page *p, const cJSON *op)
{
    double ns, use;
    Figure f;
    bool known = work_time_ns(op, &ns) && mac_use(p, json_number_or(op, "macs", 0), ns, &use);
    html_leaf(p->h, "td", known ? figure_share(&f, use) : "–", "class", "number", NULL);
}

/* Of all operators together, and how much of an inference the NPU works. */
static void use_note(Page *p)
{
    double macs = 0, ns = 0, one, use, busy = 0;
    char pes[32];
    Figure f, g;
    Phrase buf;
    for (size_t i = 0; i < p->nop; i++) {
        macs += json_number_or(p->op[i], "macs", 0);
        ns += work_time_ns(p->op[i], &one) ? one : 0;
    }
    if (!mac_use(p, macs, ns, &use))
        return;
    if (!json_number(p->r, "measured.npu_utilisation", &busy)) {
        double latency = json_number_or(p->r, "prediction.latency_ns.mid", 0);
        busy = latency > 0 ? json_number_or(p->r, "prediction.npu_ns.mid", 0) / latency : 0;
    }
    snprintf(pes, sizeof pes, "%.0f", json_number_or(p->r, "machine.pe_count", 0));
    html_leaf(p->h, "p",
              say_with(&buf, p->lang, SAY_USE_NOTE, pes, figure_share(&f, use),
                       figure_share(&g, busy), NULL),
              "class", "note", NULL);
}

static void row(Page *p, const Ranked *ranked)
{
    const cJSON *op = ranked->op;
    Figure f;
    double x, y;
    page_row_open(p);
    html_open(p->h, "td", "class", "number", NULL);
    html_textf(p->h, "%zu", ranked->order);
    html_close(p->h);
    html_open(p->h, "th", "scope", "row", NULL);
    html_name(p->h, operator_title(p, op), 40);
    html_close(p->h);
    html_open(p->h, "td", NULL);
    page_nodes(p, json_at(op, "onnx_nodes"));
    html_close(p->h);
    html_open(p->h, "td", "class", "number", NULL);
    html_leaf(p->h, "data", figure_count(&f, json_number_or(op, "macs", 0)), "value",
              json_number_text((char[40]){0}, json_number_or(op, "macs", 0)), NULL);
    html_close(p->h);
    html_open(p->h, "td", "class", "number", NULL);
    html_leaf(p->h, "data", figure_bytes(&f, json_number_or(op, "bytes", 0)), "value",
              json_number_text((char[40]){0}, json_number_or(op, "bytes", 0)), NULL);
    html_close(p->h);
    html_open(p->h, "td", "class", "number", NULL);
    html_leaf(p->h, "data", figure_bytes(&f, json_number_or(op, "sram_bytes", 0)), "value",
              json_number_text((char[40]){0}, json_number_or(op, "sram_bytes", 0)), NULL);
    html_close(p->h);
    page_cell_interval(p, json_at(op, "predicted_ns"), "ns");
    page_cell_interval(p, json_at(op, "measured_ns"), "ns");
    html_open(p->h, "td", "class", "number", NULL);
    if (both(op, &x, &y))
        html_textf(p->h, "%.2f", y / x);
    else
        html_text(p->h, "–");
    html_close(p->h);
    use_cell(p, op);
    page_cell_text(p, say_key(p->lang, "LIMIT_", json_text(op, "limited_by", "?")));
    page_row_close(p);
}

static void table(Page *p, const Ranked *op, size_t n)
{
    static const PhraseId head[] = {SAY_COL_NUMBER,    SAY_COL_OPERATOR, SAY_COL_NODES,
                                    SAY_COL_MACS,      SAY_COL_BYTES,    SAY_COL_SRAM,
                                    SAY_COL_PREDICTED, SAY_COL_MEASURED, SAY_COL_RATIO,
                                    SAY_COL_MAC_USE,   SAY_COL_LIMITED,  SAY_COUNT};
    double rest = 0;
    if (n == 0)
        return;
    page_fold_open(p, SAY_OPERATORS_TABLE, n);
    page_table_open(p, "sortable operators", SAY_OPERATORS_TABLE, head);
    for (size_t i = 0; i < n && i < ROWS_SHOWN; i++)
        row(p, &op[i]);
    page_table_close(p);
    for (size_t i = ROWS_SHOWN; i < n; i++)
        rest += op[i].ns;
    if (n > ROWS_SHOWN) {
        char more[32];
        Figure f;
        Phrase buf;
        snprintf(more, sizeof more, "%zu", n - ROWS_SHOWN);
        html_leaf(p->h, "p", say_with(&buf, p->lang, SAY_REST, more, figure_time(&f, rest), NULL),
                  "class", "note", NULL);
    }
    page_fold_close(p, n);
}

void html_operators(Page *p)
{
    size_t nop, nstep;
    Ranked *op = rank(p, "operators", &nop), *step = rank(p, "steps", &nstep);
    picture(p, op, nop, step, nstep);
    html_roofline(p);
    use_note(p);
    table(p, op, nop);
}
