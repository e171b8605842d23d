/* Section 4: one inference from beginning to end, now and after the advice: lanes for the threads
 * of the host, the runtime, PCIe and each PE, and what the critical chain waits for in between.
 *
 * The two are switched by radio buttons and the style alone, so that it works with scripts off; in
 * print both are shown. */
#include "advisor/html/html_svg.h"

#include "advisor/say/json.h"

#include <string.h>

enum {
    WIDTH = 1080,
    GUTTER = 116,
    RIGHT = 24,
    LANE = 36,
    BLOCK = 26,
    TOP = 8,
    HOST_LANES = 8, /* threads beyond share the last one */
    PES = 8,
    LANES = HOST_LANES + PES + 3,
};

typedef struct {
    const char *kind; /* "host", "runtime" …; "waiting" for the gaps */
    int index;
    bool numbered;
    double drawn_to; /* x up to which it is filled, so that slivers are not drawn twice */
} DrawnLane;

typedef struct {
    const cJSON *t;
    double total, scale; /* ns; units per ns */
    DrawnLane lane[LANES];
    int nlane;
} Chart;

static double at_x(const Chart *c, double ns)
{
    return GUTTER + ns * c->scale;
}

static double at_y(int lane)
{
    return TOP + lane * LANE;
}

static int limit_of(const char *kind)
{
    return !strcmp(kind, "host") ? HOST_LANES : !strcmp(kind, "pe") ? PES : 1;
}

/* How many lanes of a kind the spans use. */
static int lanes_used(const cJSON *t, const char *kind)
{
    const cJSON *s;
    int used = 0, limit = limit_of(kind);
    cJSON_ArrayForEach(s, json_at(t, "spans"))
    {
        double last = json_number_or(s, "index", 0) + json_number_or(s, "count", 1);
        if (!strcmp(json_text(s, "lane", ""), kind) && last > used)
            used = last < limit ? (int)last : limit;
    }
    return used;
}

static void add_lanes(Chart *c, const char *kind, int n)
{
    for (int i = 0; i < n && c->nlane < LANES; i++)
        c->lane[c->nlane++] = (DrawnLane){kind, i, n > 1 || !strcmp(kind, "pe"), 0};
}

static Chart chart_of(const cJSON *t)
{
    static const char *const kind[] = {"host", "runtime", "pcie", "pe"};
    Chart c = {.t = t, .total = json_number_or(t, "total_ns", 0)};
    for (size_t i = 0; i < sizeof kind / sizeof *kind; i++)
        add_lanes(&c, kind[i], lanes_used(t, kind[i]));
    add_lanes(&c, "waiting", json_count(t, "gaps") > 0);
    c.scale = c.total > 0 ? (WIDTH - GUTTER - RIGHT) / c.total : 0;
    return c;
}

static int lane_find(const Chart *c, const char *kind, double index)
{
    int found = -1;
    for (int i = 0; i < c->nlane; i++)
        if (!strcmp(c->lane[i].kind, kind) && c->lane[i].index <= index)
            found = i;
    return found;
}

static const char *lane_name(const Page *p, const char *kind, int index, bool numbered,
                             char text[64])
{
    const char *name = say_key(p->lang, "LANE_", kind);
    if (!numbered)
        return name;
    snprintf(text, 64, "%.48s %d", name, index);
    return text;
}

static void draw_frame(Page *p, const Chart *c)
{
    double step = svg_tick_step(c->total), bottom = at_y(c->nlane);
    for (int i = 0; i * step <= c->total * 1.0001; i++) {
        Figure f;
        svg_line(p, "grid", at_x(c, i * step), TOP, at_x(c, i * step), bottom);
        svg_text(p, "tick", at_x(c, i * step), bottom + 16, "middle", figure_time(&f, i * step));
    }
    for (int i = 0; i < c->nlane; i++) {
        const DrawnLane *l = &c->lane[i];
        char text[64];
        svg_text(p, "label", GUTTER - 10, at_y(i) + BLOCK - 8, "end",
                 lane_name(p, l->kind, l->index, l->numbered, text));
        svg_line(p, "grid", GUTTER, at_y(i) + BLOCK, WIDTH - RIGHT, at_y(i) + BLOCK);
    }
}

/* What a span is called: the step's title where it is one, else the trace's own name. */
static const char *span_title(const Page *p, const cJSON *span)
{
    const char *name = json_text(span, "name", "?");
    if (!cJSON_IsTrue(json_at(span, "own")))
        return say(p->lang, SAY_OTHER_REQUEST);
    if (!strcmp(name, "npu"))
        return say(p->lang, SAY_STEP_NPU);
    if (!strcmp(name, "h2d") || !strcmp(name, "WriteToDram"))
        return say(p->lang, SAY_STEP_H2D);
    if (!strcmp(name, "d2h") || !strcmp(name, "ReadFromDram"))
        return say(p->lang, SAY_STEP_D2H);
    return name;
}

static const char *span_class(const cJSON *span)
{
    const char *lane = json_text(span, "lane", "");
    if (!cJSON_IsTrue(json_at(span, "own")))
        return "other";
    return !strcmp(lane, "host")   ? "host"
           : !strcmp(lane, "pe")   ? "npu"
           : !strcmp(lane, "pcie") ? "io"
                                   : "runtime";
}

static void draw_block(Page *p, Chart *c, int lane, int lanes, const char *class, const char *name,
                       double from, double to)
{
    double x = at_x(c, from), w = (to - from) * c->scale;
    if (lane < 0 || (w < 0.6 && x < c->lane[lane].drawn_to))
        return;
    char title[220];
    Figure length, start;
    Plain fit;
    Box b = {x, at_y(lane), w < 0.6 ? 0.6 : w, (lanes - 1) * LANE + BLOCK};
    snprintf(title, sizeof title, "%.80s: %s, %s %s", name, figure_time(&length, to - from),
             say(p->lang, SAY_STARTS_AT), figure_time(&start, from));
    svg_rect(p, class, b, title);
    svg_text(p, "on", x + w / 2, b.y + b.h / 2 + 5, "middle", svg_fit(&fit, name, w - 8));
    c->lane[lane].drawn_to = x + b.w;
}

/* How many lanes a span takes from `lane` on: fused PEs. */
static int lanes_of(const Chart *c, const cJSON *span, int lane)
{
    double count = json_number_or(span, "count", 1);
    return count > 1 && count <= PES && lane + (int)count <= c->nlane ? (int)count : 1;
}

static void draw_span(Page *p, Chart *c, const cJSON *span)
{
    int lane = lane_find(c, json_text(span, "lane", ""), json_number_or(span, "index", 0));
    draw_block(p, c, lane, lanes_of(c, span, lane), span_class(span), span_title(p, span),
               json_number_or(span, "start_ns", 0), json_number_or(span, "end_ns", 0));
}

/* The chain that makes the inference as long as it is: a line under its spans, up and down between
 * lanes where one hands over to the next. */
static void draw_critical(Page *p, const Chart *c)
{
    const cJSON *s;
    double x = GUTTER, y = -1;
    cJSON_ArrayForEach(s, json_at(c->t, "spans"))
    {
        int lane = lane_find(c, json_text(s, "lane", ""), json_number_or(s, "index", 0));
        if (!cJSON_IsTrue(json_at(s, "critical")) || lane < 0)
            continue;
        double from = at_x(c, json_number_or(s, "start_ns", 0)),
               to = at_x(c, json_number_or(s, "end_ns", 0));
        int last = lane + lanes_of(c, s, lane) - 1;
        double at = at_y(last) + BLOCK + 3;
        if (y >= 0)
            svg_line(p, "critical thin", x, y, from, at);
        svg_line(p, "critical", from, at, to, at);
        x = to;
        y = at;
    }
}

static const char *cause_class(const char *cause)
{
    return !strcmp(cause, "queue") ? "other" : !strcmp(cause, "unexplained") ? "lost" : "gap";
}

static void draw_gap(Page *p, Chart *c, const cJSON *gap)
{
    const char *cause = json_text(gap, "cause", "?");
    const char *name = json_text(gap, "name", say_key(p->lang, "GAP_", cause));
    draw_block(p, c, lane_find(c, "waiting", 0), 1, cause_class(cause), name,
               json_number_or(gap, "start_ns", 0), json_number_or(gap, "end_ns", 0));
}

static void picture(Page *p, const cJSON *t)
{
    const cJSON *x;
    Chart c = chart_of(t);
    svg_open(p, "timeline", WIDTH, at_y(c.nlane) + 24, say(p->lang, SAY_TIMELINE));
    draw_frame(p, &c);
    cJSON_ArrayForEach(x, json_at(t, "spans")) draw_span(p, &c, x);
    cJSON_ArrayForEach(x, json_at(t, "gaps")) draw_gap(p, &c, x);
    draw_critical(p, &c);
    svg_close(p);
}

static void causes(Page *p, const cJSON *t)
{
    static const PhraseId head[] = {SAY_COL_CAUSE, SAY_COL_TIME, SAY_COL_SHARE, SAY_COL_TIMES,
                                    SAY_COUNT};
    const cJSON *c;
    double total = json_number_or(t, "total_ns", 0);
    if (json_count(t, "causes") == 0)
        return;
    page_table_open(p, "causes", SAY_CAUSES_TABLE, head);
    cJSON_ArrayForEach(c, json_at(t, "causes"))
    {
        Figure f;
        double ns = json_number_or(c, "ns", 0);
        const char *cause = json_text(c, "cause", "?");
        page_row_open(p);
        html_open(p->h, "th", "scope", "row", NULL);
        html_textf(p->h, "%s: %s", say_key(p->lang, "GAP_", cause),
                   say_key(p->lang, "CAUSE_", cause));
        html_close(p->h);
        page_cell_value(p, ns, "ns");
        html_leaf(p->h, "td", figure_share(&f, total > 0 ? ns / total : 0), "class", "number",
                  NULL);
        html_open(p->h, "td", "class", "number", NULL);
        page_number(p, json_number_or(c, "count", 0));
        html_close(p->h);
        page_row_close(p);
    }
    page_table_close(p);
}

static void span_row(Page *p, const cJSON *s)
{
    char text[64];
    Figure f;
    const char *lane = json_text(s, "lane", "?");
    double from = json_number_or(s, "start_ns", 0), to = json_number_or(s, "end_ns", 0);
    page_row_open(p);
    html_open(p->h, "th", "scope", "row", NULL);
    html_name(p->h, span_title(p, s), 48);
    html_close(p->h);
    page_cell_text(p, lane_name(p, lane, (int)json_number_or(s, "index", 0),
                                strcmp(lane, "pcie") && strcmp(lane, "runtime"), text));
    page_cell_value(p, from, "ns");
    html_leaf(p->h, "td", figure_time(&f, to - from), "class", "number", NULL);
    page_cell_text(p, say(p->lang, cJSON_IsTrue(json_at(s, "critical")) ? SAY_YES : SAY_NO));
    page_row_close(p);
}

static void left_out(Page *p, const cJSON *t, const char *key, PhraseId phrase)
{
    double n = json_number_or(t, key, 0);
    char count[32];
    Phrase buf;
    if (n <= 0)
        return;
    snprintf(count, sizeof count, "%.0f", n);
    html_leaf(p->h, "p", say_with(&buf, p->lang, phrase, count, NULL), "class", "note", NULL);
}

static void spans_table(Page *p, const cJSON *t)
{
    enum { ROWS_SHOWN = 100 };
    static const PhraseId head[] = {SAY_COL_WHAT,   SAY_COL_WHERE,    SAY_COL_START,
                                    SAY_COL_LENGTH, SAY_COL_CRITICAL, SAY_COUNT};
    const cJSON *s;
    size_t n = 0, all = json_count(t, "spans");
    html_open(p->h, "details", NULL);
    html_open(p->h, "summary", NULL);
    html_textf(p->h, "%s (%zu)", say(p->lang, SAY_SPANS_TABLE), all);
    html_close(p->h);
    page_table_open(p, "spans", SAY_SPANS_TABLE, head);
    cJSON_ArrayForEach(s, json_at(t, "spans"))
    {
        if (n++ < ROWS_SHOWN)
            span_row(p, s);
    }
    page_table_close(p);
    page_and_more(p, all, ROWS_SHOWN);
    html_close(p->h);
}

static void panel(Page *p, const cJSON *t, const char *class, PhraseId title)
{
    Figure f;
    const cJSON *id;
    html_open(p->h, "div", "class", class, NULL);
    html_open(p->h, "h3", NULL);
    html_text(p->h, say(p->lang, title));
    cJSON_ArrayForEach(id, json_at(t, "rule_ids"))
        html_textf(p->h, " %s", cJSON_IsString(id) ? id->valuestring : "?");
    bool measured = !strcmp(json_text(t, "source", ""), "measured");
    double total = json_number_or(t, "total_ns", 0);
    html_text(p->h, ": ");
    html_leaf(p->h, "data", figure_time(&f, total), "value", json_number_text((char[40]){0}, total),
              NULL);
    html_textf(p->h, ", %s", say(p->lang, measured ? SAY_LABEL_MEASURED : SAY_LABEL_PREDICTED));
    html_close(p->h);
    picture(p, t);
    left_out(p, t, "spans_outside", SAY_SPANS_OUTSIDE);
    left_out(p, t, "spans_omitted", SAY_SPANS_OMITTED);
    causes(p, t);
    spans_table(p, t);
    html_close(p->h);
}

/* A radio button and its label; which panel is shown follows from which is checked. */
static void choice(Page *p, const char *id, PhraseId name, const cJSON *t, bool checked)
{
    Figure f;
    html_void(p->h, "input", "type", "radio", "name", "timeline", "id", id,
              checked ? "checked" : NULL, "", NULL);
    html_open(p->h, "label", "for", id, NULL);
    html_textf(p->h, "%s: %s", say(p->lang, name),
               figure_time(&f, json_number_or(t, "total_ns", 0)));
    html_close(p->h);
}

void html_timeline(Page *p)
{
    const cJSON *now = json_at(p->r, "timeline.now"), *after = json_at(p->r, "timeline.after");
    bool both = cJSON_IsObject(now) && cJSON_IsObject(after);
    if (cJSON_IsObject(now)) {
        bool measured = !strcmp(json_text(now, "source", ""), "measured");
        page_note(p, measured ? SAY_TIMELINE_NOTE_MEASURED : SAY_TIMELINE_NOTE_PREDICTED);
    } else {
        page_note(p, SAY_NO_TIMELINE);
    }
    if (both) {
        html_open(p->h, "div", "class", "toggle", "role", "radiogroup", "aria-label",
                  say(p->lang, SAY_TIMELINE), NULL);
        choice(p, "timeline-now", SAY_TOGGLE_NOW, now, true);
        choice(p, "timeline-after", SAY_TOGGLE_AFTER, after, false);
        page_note(p, SAY_TIMELINE_SCALES);
    }
    if (cJSON_IsObject(now))
        panel(p, now, "panel now", SAY_TOGGLE_NOW);
    if (cJSON_IsObject(after))
        panel(p, after, "panel after", SAY_TOGGLE_AFTER);
    if (both)
        html_close(p->h);
    html_steps(p);
}
