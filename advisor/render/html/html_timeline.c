/* Draws one inference from beginning to end, now and after the recommended changes, on one axis of
 * time.
 *
 * The script draws it from #data, where it can be zoomed; without scripts and on paper a strip of
 * one line per lane stands in.  What the critical chain waits for is a table in both. */
#include "advisor/render/html/html.h"

#include "advisor/message/json.h"

#include <string.h>

enum { STRIP_WIDTH = 1000, STRIP_LANE = 12, STRIP_TOP = 6 };

const char *span_name(const Page *p, const char *name)
{
    if (!strcmp(name, "npu"))
        return phrase_text(p->lang, PHRASE_STEP_NPU);
    if (!strcmp(name, "h2d") || !strcmp(name, "WriteToDram"))
        return phrase_text(p->lang, PHRASE_STEP_H2D);
    if (!strcmp(name, "d2h") || !strcmp(name, "ReadFromDram"))
        return phrase_text(p->lang, PHRASE_STEP_D2H);
    return phrase_by_key(p->lang, "OP_", name);
}

const char *html_lane_name(const Page *p, const cJSON *lane, LaneName *buf)
{
    const char *kind = json_text(lane, "lane", "?"), *name = phrase_by_key(p->lang, "LANE_", kind);
    double index = json_number_or(lane, "index", 0), count = json_number_or(lane, "count", 1);
    if (!strcmp(kind, "pe") && count > 1)
        snprintf(buf->text, sizeof buf->text, "%s %.0f–%.0f", name, index, index + count - 1);
    else if (!strcmp(kind, "pe") || index > 0)
        snprintf(buf->text, sizeof buf->text, "%s %.0f", name, index);
    else
        snprintf(buf->text, sizeof buf->text, "%s", name);
    return buf->text;
}

static const char *lane_class(const cJSON *lane)
{
    const char *kind = json_text(lane, "lane", "");
    return !strcmp(kind, "host") ? "host" : !strcmp(kind, "pcie") ? "io" : "npu";
}

/* The path of one lane: each block a stroke, those that touch as one. */
typedef struct {
    Page *p;
    double scale, from, to;
    int y;
    char *text;
    size_t used, size;
} Strip;

static void add_stroke(Strip *s)
{
    if (s->to <= s->from || s->size - s->used < 48)
        return;
    double width = s->to - s->from;
    s->used += (size_t)snprintf(s->text + s->used, s->size - s->used, "M%.1f %dh%.1f", s->from,
                                s->y, width < 0.4 ? 0.4 : width);
}

static void add_span(Strip *s, double start, double length)
{
    double from = start * s->scale, to = (start + length) * s->scale;
    if (from - s->to > 0.5) {
        add_stroke(s);
        s->from = from;
    }
    s->to = to > s->to ? to : s->to;
}

static void put_lane(Page *p, const cJSON *run, size_t lane, const cJSON *of, double scale, int y)
{
    size_t n = json_count(run, "spans") / 6;
    Strip s = {.p = p, .scale = scale, .from = -9, .to = -9, .y = y, .size = 24 * n + 256};
    double at = 0;
    s.text = ARENA_ARRAY(p->a, char, s.size);
    s.text[0] = '\0';
    for (const cJSON *x = json_first(run, "spans"); x; x = x->next) {
        double v[6] = {0};
        for (int i = 0; i < 6; i++) {
            v[i] = x->valuedouble;
            if (i < 5 && !(x = x->next))
                return;
        }
        at += v[2];
        if (v[0] == (double)lane && v[1] == 0)
            add_span(&s, at, v[3]);
    }
    add_stroke(&s);
    if (s.used == 0)
        return;
    html_open(p->h, "path", "class", lane_class(of), NULL);
    html_attr_long(p->h, "d", s.text);
    html_close(p->h);
}

static void put_run(Page *p, const cJSON *run, double scale, int *y)
{
    size_t i = 0;
    for (const cJSON *lane = json_first(p->r, "pictures.lanes"); lane; lane = lane->next) {
        put_lane(p, run, i++, lane, scale, *y);
        *y += STRIP_LANE;
    }
    *y += STRIP_LANE / 2;
}

static void put_timeline_strip(Page *p, const cJSON *now, const cJSON *after)
{
    double total = json_number_or(now, "total", 0), then = json_number_or(after, "total", 0);
    double full = total > then ? total : then;
    int lanes = (int)json_count(p->r, "pictures.lanes"), y = STRIP_TOP + STRIP_LANE / 2;
    bool both = cJSON_IsObject(after);
    if (!(full > 0))
        return;
    html_open(p->h, "svg", "class", "strip", "role", "img", "preserveAspectRatio", "none",
              "aria-label", phrase_text(p->lang, both ? PHRASE_STRIP_BOTH : PHRASE_STRIP_NOW),
              NULL);
    html_attr(p->h, "viewBox", "0 0 %d %d", STRIP_WIDTH,
              (lanes * STRIP_LANE + STRIP_LANE / 2) * (both ? 2 : 1) + 2 * STRIP_TOP);
    put_run(p, now, STRIP_WIDTH / full, &y);
    if (both)
        put_run(p, after, STRIP_WIDTH / full, &y);
    html_close(p->h);
}

void page_tool(Page *p, const char *id, const char *text, PhraseId label)
{
    html_open(p->h, "button", "type", "button", "id", id, NULL);
    if (label != PHRASE_COUNT)
        html_attr(p->h, "aria-label", "%s", phrase_text(p->lang, label));
    html_text(p->h, text);
    html_close(p->h);
}

void page_advice_select(Page *p, const char *id, PhraseId none)
{
    html_open(p->h, "label", NULL);
    html_textf(p->h, "%s ", phrase_text(p->lang, PHRASE_JS_ADVICE));
    html_open(p->h, "select", "id", id, NULL);
    html_leaf(p->h, "option", phrase_text(p->lang, none), "value", "0", NULL);
    html_close(p->h);
    html_close(p->h);
}

void page_canvas(Page *p, const char *id, PhraseId name, const char *described)
{
    html_open(p->h, "div", "class", "canvas js", NULL);
    html_leaf(p->h, "canvas", "", "id", id, "tabindex", "0", "role", "application", "aria-label",
              phrase_text(p->lang, name), "aria-describedby", described, NULL);
    html_close(p->h);
}

void page_hints(Page *p, PhraseId fine, PhraseId coarse)
{
    html_leaf(p->h, "span", phrase_text(p->lang, fine), "class", "hint fine", NULL);
    html_leaf(p->h, "span", phrase_text(p->lang, coarse), "class", "hint coarse", NULL);
}

static void put_timeline_canvas(Page *p)
{
    html_open(p->h, "div", "class", "tools js", NULL);
    page_tool(p, "timeline-in", "+", PHRASE_ZOOM_IN);
    page_tool(p, "timeline-out", "−", PHRASE_ZOOM_OUT);
    page_tool(p, "timeline-fit", phrase_text(p->lang, PHRASE_FIT), PHRASE_COUNT);
    page_advice_select(p, "timeline-advice", PHRASE_NONE_CHOSEN);
    page_hints(p, PHRASE_TIMELINE_KEYS, PHRASE_TIMELINE_TOUCH);
    html_close(p->h);
    page_canvas(p, "timeline-canvas", PHRASE_TIMELINE_CANVAS, "timeline-detail");
    html_leaf(p->h, "p", phrase_text(p->lang, PHRASE_TIMELINE_CHOOSE), "id", "timeline-detail",
              "class", "detail js", "aria-live", "polite", NULL);
    if (json_count(p->r, "pictures.latencies") > 1) {
        html_open(p->h, "div", "class", "js runs", NULL);
        html_open(p->h, "h3", NULL);
        html_textf(p->h, "%s ", phrase_text(p->lang, PHRASE_ALL_INFERENCES));
        html_leaf(p->h, "small", phrase_text(p->lang, PHRASE_RUNS_NOTE), NULL);
        html_close(p->h);
        html_leaf(p->h, "div", "", "id", "latencies", NULL);
        html_close(p->h);
    }
}

/* What the critical chain waits for. */
static void put_cause_table(Page *p, const cJSON *t)
{
    static const PhraseId head[] = {PHRASE_COL_CAUSE, PHRASE_COL_TIME, PHRASE_COL_SHARE,
                                    PHRASE_COL_TIMES, PHRASE_COUNT};
    double total = json_number_or(t, "total_ns", 0);
    if (json_count(t, "causes") == 0)
        return;
    html_open(p->h, "details", NULL);
    html_leaf(p->h, "summary", phrase_text(p->lang, PHRASE_CAUSES_TABLE), NULL);
    page_table_open(p, "causes", PHRASE_CAUSES_TABLE, head);
    for (const cJSON *c = json_first(t, "causes"); c; c = c->next) {
        Figure f;
        double ns = json_number_or(c, "ns", 0);
        const char *cause = json_text(c, "cause", "?");
        page_row_open(p);
        html_open(p->h, "th", "scope", "row", NULL);
        html_textf(p->h, "%s: %s", phrase_by_key(p->lang, "GAP_", cause),
                   phrase_by_key(p->lang, "CAUSE_", cause));
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
    html_close(p->h);
}

static void left_out(Page *p, const cJSON *t, const char *key, PhraseId phrase)
{
    double n = json_number_or(t, key, 0);
    char count[32];
    Phrase buf;
    if (n <= 0)
        return;
    snprintf(count, sizeof count, "%.0f", n);
    html_leaf(p->h, "p", phrase_format(&buf, p->lang, phrase, count, NULL), "class", "note", NULL);
}

void html_timeline(Page *p)
{
    const cJSON *now = json_at(p->r, "timeline.now"), *runs = json_at(p->r, "pictures.runs");
    if (cJSON_IsObject(now)) {
        bool measured = !strcmp(json_text(now, "source", ""), "measured");
        page_note(p, measured ? PHRASE_TIMELINE_NOTE_MEASURED : PHRASE_TIMELINE_NOTE_PREDICTED);
    } else {
        page_note(p, PHRASE_NO_TIMELINE);
    }
    if (runs && runs->child) {
        put_timeline_canvas(p);
        put_timeline_strip(p, runs->child, json_at(p->r, "pictures.after"));
        left_out(p, runs->child, "omitted", PHRASE_SPANS_OMITTED);
    }
    left_out(p, now, "spans_outside", PHRASE_SPANS_OUTSIDE);
    put_cause_table(p, now);
}
