/* Draws the Pareto front of latency and throughput, from which a plan is chosen, and what each plan
 * sets.
 *
 * A point is a link to its description; which one is shown is the style's business, so that it
 * works without scripts, and the address keeps it. */
#include "advisor/render/html/html_svg.h"

#include "advisor/report/summary_total.h"

#include <assert.h>
#include <math.h>

/* In units of the drawing; a label has ROOM to every side. */
enum { WIDTH = 460, HEIGHT = 290, LEFT = 74, RIGHT = 22, TOP = 18, BOTTOM = 44, TOUCH = 17 };
enum { ROOM_X = 15, ROOM_Y = 13 };

/* ---- the picture ---- */

typedef struct {
    double lo, hi;     /* of the logarithms */
    double from, upto; /* on the picture */
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
static double latency_of(const ResultPoint *x)
{
    return fmax(x->latency_ns.mid, 1e-9);
}

static double rate_of(const ResultPoint *x)
{
    return fmax(x->throughput_per_s.mid, 1e-9);
}

/* From the least to the most, with a tenth of an octave at least to either side. */
static Axis axis_of(const ResultPointList *front, double (*figure_of)(const ResultPoint *), Axis a)
{
    a.lo = INFINITY;
    a.hi = -INFINITY;
    for (size_t i = 0; i < front->count; i++) {
        double v = log10(figure_of(&front->item[i]));
        a.lo = fmin(a.lo, v);
        a.hi = fmax(a.hi, v);
    }
    double room = fmax(0.03, 0.06 * (a.hi - a.lo));
    a.lo -= room;
    a.hi += room;
    return a;
}

/* One, two and five of each power of ten; over more than four powers, ones alone. */
static void put_axis_ticks(Page *p, const Axis *a)
{
    static const double step[] = {1, 2, 5};
    int steps = a->hi - a->lo > 4 ? 1 : 3;
    double last = -1e9;
    for (int e = (int)floor(a->lo); e <= (int)ceil(a->hi); e++)
        for (int k = 0; k < steps; k++) {
            double v = step[k] * pow(10, e), where = axis_position(a, v);
            Figure f;
            if (log10(v) < a->lo || log10(v) > a->hi || fabs(where - last) < (a->upright ? 16 : 52))
                continue;
            last = where;
            if (a->upright) {
                html_svg_line(p, "grid", LEFT, where, WIDTH - RIGHT, where);
                html_svg_text(p, "tick", LEFT - 6, where + 4, "end", figure_value(&f, v, a->unit));
            } else {
                html_svg_line(p, "grid", where, TOP, where, HEIGHT - BOTTOM);
                html_svg_text(p, "tick", where, HEIGHT - BOTTOM + 16, "middle",
                              figure_value(&f, v, a->unit));
            }
        }
}

/* Efforts differ by their shape: circle, diamond, triangle, square. */
static void put_effort_marker(Page *p, ResultEffort effort, double x, double y)
{
    html_open(p->h, "path", "class", result_effort_words[effort], NULL);
    if (effort == RESULT_EFFORT_CHECK)
        html_attr(p->h, "d", "M%.1f %.1fl7 7l-7 7l-7 -7z", x, y - 7);
    else if (effort == RESULT_EFFORT_MANUAL)
        html_attr(p->h, "d", "M%.1f %.1fl7 12h-14z", x, y - 7);
    else if (effort == RESULT_EFFORT_RETRAIN)
        html_attr(p->h, "d", "M%.1f %.1fh11v11h-11z", x - 5.5, y - 5.5);
    else
        html_attr(p->h, "d", "M%.1f %.1fa6 6 0 1 0 12 0a6 6 0 1 0 -12 0z", x - 6, y);
    html_close(p->h);
}

/* "point 3: 716 µs, 1397 /s". */
static const char *point_label(const Page *p, const ResultPoint *x, size_t number)
{
    Figure latency, rate;
    return arena_printf(p->a, "%s %zu: %s, %s", phrase_text(p->lang, PHRASE_TUNE_COL_POINT), number,
                        figure_time(&latency, x->latency_ns.mid),
                        figure_rate(&rate, x->throughput_per_s.mid));
}

/* Where labels may not be: those that are there, and the marks. */
typedef struct {
    double x, y;
} Spot;

typedef struct {
    Spot *spot;
    size_t n;
} Spots;

static bool is_free(const Spots *s, Spot x, size_t but)
{
    for (size_t i = 0; i < s->n; i++)
        if (i != but && fabs(s->spot[i].x - x.x) < ROOM_X && fabs(s->spot[i].y - x.y) < ROOM_Y)
            return false;
    return x.x > LEFT && x.x < WIDTH - RIGHT + 8 && x.y > TOP && x.y < HEIGHT - BOTTOM;
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
    for (size_t i = 0; i < sizeof way / sizeof *way; i++) {
        Spot x = {mark.x + way[i].x, mark.y + way[i].y};
        if (!is_free(s, x, number - 1))
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
    return fmax(r, 4);
}

static void put_mark(Page *p, const ResultPoint *x, Spots *s, size_t number, bool best,
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
    put_effort_marker(p, x->effort, mark.x, mark.y);
    put_label(p, s, number, best);
    html_close(p->h);
}

static void put_marks(Page *p, const ResultPointList *front, const Axis *latency, const Axis *rate,
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

static void put_front_chart(Page *p, const ResultPointList *front, size_t best)
{
    Axis latency =
             axis_of(front, latency_of, (Axis){.from = LEFT, .upto = WIDTH - RIGHT, .unit = "ns"}),
         rate = axis_of(
             front, rate_of,
             (Axis){.from = HEIGHT - BOTTOM, .upto = TOP, .unit = "per_s", .upright = true});
    html_open(p->h, "svg", "class", "front", "role", "group", "aria-label",
              phrase_text(p->lang, PHRASE_TUNE_FRONT), NULL);
    html_attr(p->h, "viewBox", "0 0 %d %d", WIDTH, HEIGHT);
    put_axis_ticks(p, &latency);
    put_axis_ticks(p, &rate);
    html_svg_text(p, "tick", WIDTH - RIGHT, HEIGHT - 6, "end",
                  phrase_text(p->lang, PHRASE_FRONT_LATENCY));
    html_svg_text(p, "tick", LEFT + 6, TOP - 6, "start", phrase_text(p->lang, PHRASE_FRONT_RATE));
    put_marks(p, front, &latency, &rate, best);
    html_close(p->h);
}

/* The shapes that are on the picture. */
static void put_effort_legend(Page *p, const ResultPointList *front)
{
    bool is_used[RESULT_EFFORT_COUNT] = {false};
    for (size_t i = 0; i < front->count; i++)
        is_used[front->item[i].effort] = true;
    html_open(p->h, "p", "class", "legend", NULL);
    for (unsigned e = RESULT_EFFORT_SAFE; e < RESULT_EFFORT_COUNT; e++) {
        if (!is_used[e])
            continue;
        html_open(p->h, "svg", "class", "front", "width", "16", "height", "16", "viewBox",
                  "0 0 16 16", "aria-hidden", "true", NULL);
        put_effort_marker(p, (ResultEffort)e, 8, 8);
        html_close(p->h);
        html_textf(p->h, " %s ", result_effort_words[e]);
    }
    html_text(p->h, phrase_text(p->lang, PHRASE_FRONT_NOTE));
    html_close(p->h);
}

/* ---- what a point is set to ---- */

static void put_part(Page *p, const ResultPart *part)
{
    html_open(p->h, "li", NULL);
    if (part->rule_id) {
        html_open(p->h, "a", NULL);
        html_attr(p->h, "href", "#%s", part->fingerprint ? part->fingerprint : "");
        html_text(p->h, part->rule_id);
        html_close(p->h);
        html_text(p->h, " ");
    }
    html_name(p->h, part->what, PAGE_NAME);
    html_textf(p->h, " (%s)", result_effort_words[part->effort]);
    if (part->share.known)
        html_textf(p->h, ": %.1f %%", 100 * part->share.value);
    html_close(p->h);
}

/* The best of a latency is what nothing beats: asked for by its limit it is found again. */
static void put_command(Page *p, const ResultPoint *x, bool best)
{
    const char *words = best ? p->again_tune : p->again_tune_any;
    if (!words)
        words = render_command_words(p->a, p->result, best ? WORDS_TO_TUNE : WORDS_TO_TUNE_ANY);
    html_open(p->h, "pre", "class", "fix", "tabindex", "0", NULL);
    html_open(p->h, "code", NULL);
    if (best)
        html_textf(p->h, "npu-advise tune %s --output tuned", words);
    else
        html_textf(p->h,
                   "npu-advise tune %s --objective throughput --latency-limit %.0fns --effort %s "
                   "--output tuned",
                   words, ceil(x->latency_ns.mid), result_effort_words[x->effort]);
    html_close(p->h);
    html_close(p->h);
}

static void put_point(Page *p, const ResultPoint *x, size_t number, bool best)
{
    const ResultPointOptions *o = &x->options;
    html_open(p->h, "article", "class", best ? "point best" : "point", NULL);
    html_attr(p->h, "id", "point-%zu", number);
    html_open(p->h, "h4", NULL);
    html_textf(p->h, "%s %zu%s%s", phrase_text(p->lang, PHRASE_TUNE_COL_POINT), number,
               best ? ": " : "", best ? phrase_text(p->lang, PHRASE_TUNE_BEST) : "");
    html_close(p->h);
    html_open(p->h, "p", NULL);
    page_interval(p, &x->latency_ns, "ns");
    html_text(p->h, ", ");
    page_interval(p, &x->throughput_per_s, "per_s");
    html_close(p->h);
    html_open(p->h, "p", NULL);
    html_open(p->h, "code", NULL);
    html_textf(p->h, "--target %s --batch %lld --workers %lld --devices %lld", o->target,
               (long long)o->batch, (long long)o->workers, (long long)o->devices);
    html_close(p->h);
    html_close(p->h);
    html_open(p->h, "ul", NULL);
    for (size_t i = 0; i < x->parts.count; i++)
        put_part(p, &x->parts.item[i]);
    if (!x->parts.count)
        html_leaf(p->h, "li", phrase_text(p->lang, PHRASE_TUNE_AS_IT_IS), NULL);
    html_close(p->h);
    if (x->parts.count)
        put_command(p, x, best);
    html_close(p->h);
}

static void put_front_table(Page *p, const ResultPointList *front)
{
    static const PhraseId head[] = {PHRASE_TUNE_COL_POINT,    PHRASE_TUNE_COL_LATENCY,
                                    PHRASE_TUNE_COL_RATE,     PHRASE_TUNE_COL_EFFORT,
                                    PHRASE_TUNE_COL_SETTINGS, PHRASE_COUNT};
    html_open(p->h, "details", NULL);
    html_leaf(p->h, "summary", phrase_text(p->lang, PHRASE_NUMBERS), NULL);
    page_table_open(p, "", PHRASE_TUNE_FRONT, head);
    for (size_t i = 0; i < front->count; i++) {
        const ResultPoint *x = &front->item[i];
        const char *settings = summary_point_settings(p->a, x);
        page_row_open(p);
        html_open(p->h, "th", "scope", "row", NULL);
        html_open(p->h, "a", NULL);
        html_attr(p->h, "href", "#point-%zu", i + 1);
        html_textf(p->h, "%zu", i + 1);
        html_close(p->h);
        html_close(p->h);
        page_cell_interval(p, &x->latency_ns, "ns");
        page_cell_interval(p, &x->throughput_per_s, "per_s");
        page_cell_text(p, result_effort_words[x->effort]);
        page_cell_text(p, settings ? settings : phrase_text(p->lang, PHRASE_TUNE_AS_IT_IS));
        page_row_close(p);
    }
    page_table_close(p);
    html_close(p->h);
}

void html_front(Page *p)
{
    const ResultTuned *tuned = p->result->tuned;
    SummaryDeploy d = summary_deploy(p->a, p->result);
    Phrase buf;
    if (!d.point)
        return;
    const ResultPointList *front = &tuned->front;
    size_t best = (size_t)d.point->point.value;
    html_open(p->h, "div", "class", "deploy", "id", "deploy", NULL);
    page_heading(p, "h3", PHRASE_HEAD_DEPLOY);
    html_leaf(p->h, "p", summary_deploy_text(&buf, &d, p->lang), "class", "lede", NULL);
    html_leaf(p->h, "p", tuned->why, "class", "sub", NULL);
    html_open(p->h, "div", "class", "beside", NULL);
    if (front->count > 1) {
        html_open(p->h, "figure", NULL);
        html_leaf(p->h, "figcaption", phrase_text(p->lang, PHRASE_TUNE_FRONT), NULL);
        put_front_chart(p, front, best);
        put_effort_legend(p, front);
        put_front_table(p, front);
        html_close(p->h);
    }
    html_open(p->h, "div", "class", "points", NULL);
    for (size_t i = 0; i < front->count; i++)
        put_point(p, &front->item[i], i + 1, i + 1 == best);
    html_close(p->h);
    html_close(p->h);
    html_close(p->h);
}
