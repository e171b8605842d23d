/* The first screen: one sentence, before and after on one axis, what is not in that figure; then
 * the parts as a table and the gate. */
#include "advisor/html/html_svg.h"

#include "advisor/result/outlook.h"
#include "advisor/result/verdict.h"
#include "advisor/say/json.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* What an inference is made of.  The last is what is left: hand-overs, waiting, unexplained. */
enum { PARTS = 4 };
static const struct {
    const char *class, *key;
    PhraseId name;
} part[PARTS] = {{"host", "host_ns", SAY_PART_HOST},
                 {"npu", "npu_ns", SAY_PART_NPU},
                 {"io", "io_ns", SAY_PART_IO},
                 {"rest", "rest_ns", SAY_PART_REST}};

typedef struct {
    double ns[PARTS], total;
} Split;

/* Medians of the trace add up, for what no part explains is what is left of the latency; of a
 * prediction its own parts. */
static bool split_now(const Page *p, Split *s)
{
    const cJSON *m = json_at(p->r, "measured");
    if (!p->d.refuted && cJSON_IsObject(m)) {
        s->total = json_number_or(m, "latency_ns.median", 0);
        for (int i = 0; i < PARTS - 1; i++)
            s->ns[i] = json_number_or(m, part[i].key, 0);
    } else {
        const cJSON *t = json_at(p->r, "prediction");
        char path[32];
        s->total = json_number_or(t, "latency_ns.mid", 0);
        for (int i = 0; i < PARTS - 1; i++) {
            snprintf(path, sizeof path, "%s.mid", part[i].key);
            s->ns[i] = json_number_or(t, path, 0);
        }
    }
    double sum = s->ns[0] + s->ns[1] + s->ns[2];
    s->ns[PARTS - 1] = s->total > sum ? s->total - sum : 0;
    return s->total > 0;
}

/* The parts as predicted, scaled to the figure that the sentence says. */
static bool split_after(const Page *p, const Outlook *o, Split *s)
{
    const cJSON *t = json_at(p->r, "timeline.after.parts");
    double sum = 0;
    if (!o->known || !cJSON_IsObject(t))
        return false;
    for (int i = 0; i < PARTS; i++)
        sum += s->ns[i] = json_number_or(t, part[i].key, 0);
    s->total = p->d.throughput ? sum : o->after;
    for (int i = 0; i < PARTS && sum > 0; i++)
        s->ns[i] *= s->total / sum;
    return sum > 0;
}

static void percent(Page *p, const char *name, double share)
{
    html_attr(p->h, name, "%.3f%%", 100 * share);
}

/* "Host 37.8 ms" on a chip, where there is room. */
static void chip(Page *p, const char *text, double from, double share)
{
    double width = 8.2 * (double)plain_width(text) + 14;
    if (share < width / 640)
        return;
    html_open(p->h, "svg", "y", "5", "height", "26", "overflow", "visible", NULL);
    percent(p, "x", from);
    html_open(p->h, "rect", "class", "chip", "x", "6", "rx", "4", "height", "26", NULL);
    html_attr(p->h, "width", "%.0f", width);
    html_close(p->h);
    html_leaf(p->h, "text", text, "class", "chipped", "x", "13", "y", "18", NULL);
    html_close(p->h);
}

static void bar_label(Page *p, const Split *s, char text[400])
{
    size_t used = 0;
    for (int i = 0; i < PARTS; i++) {
        Figure f;
        used += (size_t)snprintf(text + used, 400 - used, "%s%s %s", i ? ", " : "",
                                 say(p->lang, part[i].name), figure_time(&f, s->ns[i]));
        used = used < 399 ? used : 399;
    }
}

static void bar(Page *p, PhraseId name, const Split *s, double full, const Outlook *interval)
{
    char label[400];
    Figure f;
    html_open(p->h, "div", "class", "row", NULL);
    html_open(p->h, "div", "class", "of", NULL);
    html_leaf(p->h, "b", say(p->lang, name), NULL);
    html_void(p->h, "br", NULL);
    html_leaf(p->h, "span", figure_time(&f, s->total), "class", "number", NULL);
    html_close(p->h);
    bar_label(p, s, label);
    html_open(p->h, "svg", "role", "img", "aria-label", label, "height", "36", NULL);
    double at = 0;
    for (int i = 0; i < PARTS; i++) {
        html_open(p->h, "rect", "class", part[i].class, "height", "36", NULL);
        percent(p, "x", at);
        percent(p, "width", s->ns[i] / full);
        html_close(p->h);
        snprintf(label, sizeof label, "%s %s", say(p->lang, part[i].name),
                 figure_time(&f, s->ns[i]));
        chip(p, label, at, s->ns[i] / full);
        at += s->ns[i] / full;
    }
    if (interval && interval->hi > interval->lo) {
        double lo = interval->lo / full, hi = fmin(interval->hi / full, 1);
        const double x[3][2] = {{lo, lo}, {hi, hi}, {lo, hi}};
        for (int i = 0; i < 3; i++) {
            html_open(p->h, "line", "class", "whisker", "y1", i < 2 ? "2" : "18", "y2",
                      i < 2 ? "34" : "18", NULL);
            percent(p, "x1", x[i][0]);
            percent(p, "x2", x[i][1]);
            html_close(p->h);
        }
    }
    html_close(p->h);
    html_close(p->h);
}

static void axis(Page *p, double full)
{
    double step = svg_tick_step(full * 1.3);
    html_open(p->h, "div", "class", "row", NULL);
    html_leaf(p->h, "div", "", "class", "of", NULL);
    html_open(p->h, "svg", "class", "axis", "height", "18", "aria-hidden", "true", NULL);
    for (int i = 0; i * step <= full; i++) {
        Figure f;
        html_open(p->h, "text", "class", "tick", "y", "13", "text-anchor",
                  i == 0                   ? "start"
                  : i * step > 0.93 * full ? "end"
                                           : "middle",
                  NULL);
        percent(p, "x", i * step / full);
        html_text(p->h, i ? figure_time(&f, i * step) : "0");
        html_close(p->h);
    }
    html_close(p->h);
    html_close(p->h);
}

void page_key(Page *p, const char *class)
{
    html_open(p->h, "svg", "class", "key", "width", "14", "height", "14", "aria-hidden", "true",
              NULL);
    html_leaf(p->h, "rect", "", "class", class, "width", "14", "height", "14", NULL);
    html_close(p->h);
}

static void legend(Page *p, const Split *now, const Split *after)
{
    html_open(p->h, "ul", "class", "parts", NULL);
    for (int i = 0; i < PARTS; i++) {
        Figure f;
        html_open(p->h, "li", NULL);
        page_key(p, part[i].class);
        html_textf(p->h, "%s ", say(p->lang, part[i].name));
        html_leaf(p->h, "b", figure_time(&f, now->ns[i]), NULL);
        if (after) {
            html_text(p->h, " → ");
            html_leaf(p->h, "b", figure_time(&f, after->ns[i]), NULL);
        }
        html_close(p->h);
    }
    html_close(p->h);
}

static void share_cells(Page *p, const Split *s, int i)
{
    Figure f;
    html_leaf(p->h, "td", figure_time(&f, s->ns[i]), "class", "number", NULL);
    html_leaf(p->h, "td", figure_share(&f, s->ns[i] / s->total), "class", "number", NULL);
}

static void table(Page *p, const Split *now, const Split *after)
{
    static const PhraseId one[] = {SAY_COL_PART, SAY_COL_NOW, SAY_COL_SHARE, SAY_COUNT};
    static const PhraseId two[] = {SAY_COL_PART,  SAY_COL_NOW,   SAY_COL_SHARE,
                                   SAY_COL_AFTER, SAY_COL_SHARE, SAY_COUNT};
    Figure a, b;
    Phrase buf;
    html_open(p->h, "details", "class", "apart", NULL);
    html_leaf(p->h, "summary", say(p->lang, SAY_PARTS_TABLE), NULL);
    page_table_open(p, "", SAY_PARTS_TABLE, after ? two : one);
    for (int i = 0; i < PARTS; i++) {
        page_row_open(p);
        page_cell_head(p, say(p->lang, part[i].name));
        share_cells(p, now, i);
        if (after)
            share_cells(p, after, i);
        page_row_close(p);
    }
    page_table_close(p);
    if (after && !p->d.throughput)
        page_note(p, SAY_PARTS_SCALED);
    html_leaf(p->h, "p",
              say_with(&buf, p->lang, SAY_CEILINGS,
                       figure_time(&a, json_number_or(p->r, "ceiling.host_free_ns", 0)),
                       figure_time(&b, json_number_or(p->r, "ceiling.npu_free_ns", 0)), NULL),
              NULL);
    html_close(p->h);
}

/* The largest cost that no figure is about: without it a small gain would hide a large block. */
static void left_out(Page *p)
{
    double ns;
    Figure f;
    const cJSON *x = outlook_left_out(p->r, &ns);
    if (!x)
        return;
    html_open(p->h, "p", "class", "apart", NULL);
    html_leaf(p->h, "b", say(p->lang, SAY_NOT_IN_FIGURE), NULL);
    html_text(p->h, " ");
    html_open(p->h, "a", NULL);
    html_attr(p->h, "href", "#%s", json_text(x, "fingerprint", ""));
    html_text(p->h, json_text(x, "title", "?"));
    html_close(p->h);
    html_textf(p->h, ": %s. ", figure_time(&f, ns));
    html_text(p->h, json_text(x, "reason", ""));
    html_close(p->h);
}

static void context(Page *p)
{
    html_open(p->h, "p", "class", "context", NULL);
    html_textf(p->h, "npu-advise · %s · SDK %s · %s · ", json_text(p->r, "target", "?"),
               json_text(p->r, "sdk", "?"),
               say(p->lang, p->d.throughput ? SAY_OBJECTIVE_THROUGHPUT : SAY_OBJECTIVE_LATENCY));
    html_open(p->h, "a", "href", "#evidence", NULL);
    html_textf(p->h, "%s %s", say(p->lang, SAY_LABEL_EVIDENCE),
               json_text(p->r, "evidence.grade", "?"));
    html_close(p->h);
    html_close(p->h);
}

/* How it is known, its interval, and what it does not test. */
static void how_known(Page *p, const Outlook *o)
{
    char pairs[32];
    Phrase buf;
    if (!o->known)
        return;
    html_open(p->h, "p", "class", "lede", NULL);
    html_textf(p->h, "%s ",
               say(p->lang, o->verified ? SAY_GAIN_VERIFIED_IS : SAY_GAIN_PREDICTED_IS));
    page_interval(p, json_at(o->gain, o->verified ? "verified" : "predicted"), p->d.unit);
    html_text(p->h, ". ");
    snprintf(pairs, sizeof pairs, "%.0f", json_number_or(o->gain, "verified.n", 0));
    if (o->verified)
        html_text(p->h, say_with(&buf, p->lang, p->d.simulated ? SAY_SIMULATION : SAY_RUN_BY,
                                 p->d.runner ? p->d.runner : "", pairs, NULL));
    html_close(p->h);
}

static void bars(Page *p, const Outlook *o)
{
    Split now = {{0}, 0}, after = {{0}, 0};
    if (!split_now(p, &now))
        return;
    bool both = split_after(p, o, &after);
    double full = both && after.total > now.total ? after.total : now.total;
    Outlook ends = *o;
    if (both && p->d.throughput)
        ends.lo = ends.hi = 0; /* the interval is one of a rate, the bars are one inference */
    if (both)
        full = fmax(full, fmin(ends.hi, 1.5 * full));
    full *= 1.01;
    html_open(p->h, "div", "class", "bars", NULL);
    bar(p, SAY_TOGGLE_NOW, &now, full, NULL);
    if (both)
        bar(p, SAY_TOGGLE_AFTER, &after, full, &ends);
    axis(p, full);
    html_close(p->h);
    legend(p, &now, both ? &after : NULL);
    left_out(p);
    table(p, &now, both ? &after : NULL);
}

/* True for the blank between a figure and its unit: ns, µs, ms, s, /s. */
static bool is_before_unit(const char *text, const char *s)
{
    if (*s != ' ' || s == text || !isdigit((unsigned char)s[-1]))
        return false;
    bool short_unit = s[1] == 's' && !isalpha((unsigned char)s[2]);
    return short_unit || s[1] == '/' || s[1] == '\xc2' ||
           ((s[1] == 'm' || s[1] == 'n') && s[2] == 's');
}

/* A figure and its unit stay on one line. */
static void sentence(Page *p)
{
    Phrase buf;
    const char *text = verdict_sentence(&buf, p->r, &p->d, p->lang);
    char *tied = ARENA_ARRAY(p->a, char, 2 * strlen(text) + 1), *w = tied;
    for (const char *s = text; *s; s++) {
        if (is_before_unit(text, s))
            *w++ = '\xc2', *w++ = '\xa0';
        else
            *w++ = *s;
    }
    *w = '\0';
    html_leaf(p->h, "h1", tied, "id", "top-heading", NULL);
}

void html_summary(Page *p)
{
    Outlook o = outlook_of(p->r, &p->d);
    context(p);
    sentence(p);
    how_known(p, &o);
    bars(p, &o);
    html_gate(p);
}
