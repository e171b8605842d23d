/* Draws one inference from beginning to end, now and after the recommended plan, on one axis of
 * time.
 *
 * The script draws it from #data, where it can be zoomed; without scripts and on paper, a strip of
 * one line per lane replaces it.  What the critical chain waits for is a table in both. */
#include "advisor/render/html/html_svg.h"

#include "advisor/advise/result_charts.h"

enum { STRIP_LEFT = 90, STRIP_WIDTH = 1000, STRIP_LANE = 16, STRIP_TOP = 20 };
enum { STROKE_MAX = 128 }; /* bytes, of the largest numbers too */

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

static const char *const lane_class[] = {[RESULT_PICTURES_LANE_LANE_HOST] = "host",
                                         [RESULT_PICTURES_LANE_LANE_PCIE] = "io",
                                         [RESULT_PICTURES_LANE_LANE_PE] = "npu"};

/* The path of one lane: each block a stroke, those that touch as one. */
typedef struct {
    double scale, from, to;
    int y;
    char *text;
    size_t used, size;
} Strip;

static void add_stroke(Strip *s)
{
    if (s->to <= s->from || s->size - s->used < STROKE_MAX)
        return;
    double width = s->to - s->from;
    s->used += (size_t)snprintf(s->text + s->used, s->size - s->used, "M%.1f %dh%.1f", s->from,
                                s->y, width < 0.4 ? 0.4 : width);
}

static void add_span(Strip *s, double start, double length)
{
    double from = STRIP_LEFT + start * s->scale, to = from + length * s->scale;
    if (from - s->to > 0.5) {
        add_stroke(s);
        s->from = from;
    }
    s->to = to > s->to ? to : s->to;
}

/* Six numbers for each span: lane, depth, start less that of the span before, length … */
static void put_lane(Page *p, const ResultInts *spans, size_t lane, double scale, int y)
{
    Strip s = {
        .scale = scale, .from = -9, .to = -9, .y = y, .size = 4 * spans->count + 4 * STROKE_MAX};
    double at = 0;
    s.text = ARENA_ARRAY(p->a, char, s.size);
    s.text[0] = '\0';
    for (size_t i = 0; i + 6 <= spans->count; i += 6) {
        const int64_t *v = spans->item + i;
        at += (double)v[2];
        if (v[0] == (int64_t)lane && v[1] == 0)
            add_span(&s, at, (double)v[3]);
    }
    add_stroke(&s);
    if (s.used == 0)
        return;
    html_open(p->h, "path", "class", lane_class[p->result->pictures->lanes.item[lane].lane], NULL);
    html_attr_long(p->h, "d", s.text);
    html_close(p->h);
}

static void put_run(Page *p, const ResultDrawnRun *run, double scale, int *y)
{
    const ResultPicturesLane *lane = p->result->pictures->lanes.item;
    for (size_t i = 0; i < p->result->pictures->lanes.count; i++) {
        html_svg_text(
            p, "tick", STRIP_LEFT - 6, *y + 4, "end",
            phrase_by_key(p->lang, "LANE_", result_pictures_lane_lane_words[lane[i].lane]));
        put_lane(p, &run->spans, i, scale, *y);
        *y += STRIP_LANE;
    }
    *y += STRIP_LANE / 2;
}

/* `after` may be NULL. */
static void put_timeline_strip(Page *p, const ResultDrawnRun *now, const ResultDrawnRun *after)
{
    double full = (double)(after && after->total > now->total ? after->total : now->total);
    double scale = (STRIP_WIDTH - STRIP_LEFT) / full, step = html_svg_tick_step(full);
    int lanes = (int)p->result->pictures->lanes.count, y = STRIP_TOP + STRIP_LANE / 2;
    Figure f;
    if (!(full > 0))
        return;
    html_open(p->h, "svg", "class", "strip", "role", "img", "aria-label",
              phrase_text(p->lang, after ? PHRASE_STRIP_BOTH : PHRASE_STRIP_NOW), NULL);
    html_attr(p->h, "viewBox", "0 0 %d %d", STRIP_WIDTH,
              (lanes * STRIP_LANE + STRIP_LANE / 2) * (after ? 2 : 1) + 2 * STRIP_TOP);
    for (double t = 0; t < 0.95 * full; t += step)
        html_svg_text(p, "tick", STRIP_LEFT + t * scale, 11, "start",
                      figure_time(&f, t * CHART_UNIT_NS));
    put_run(p, now, scale, &y);
    if (after)
        put_run(p, after, scale, &y);
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
    if (p->result->pictures->latencies.count > 1) {
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
static void put_cause_table(Page *p, const ResultTimeline *t)
{
    static const PhraseId head[] = {PHRASE_COL_CAUSE, PHRASE_COL_TIME, PHRASE_COL_SHARE,
                                    PHRASE_COL_TIMES, PHRASE_COUNT};
    double total = (double)t->total_ns;
    if (t->causes.count == 0)
        return;
    html_open(p->h, "details", NULL);
    html_leaf(p->h, "summary", phrase_text(p->lang, PHRASE_CAUSES_TABLE), NULL);
    page_table_open(p, "causes", PHRASE_CAUSES_TABLE, head);
    for (size_t i = 0; i < t->causes.count; i++) {
        const ResultCause *c = &t->causes.item[i];
        const char *cause = result_gap_cause_words[c->cause];
        double ns = (double)c->ns;
        Figure f;
        page_row_open(p);
        page_cell_head(p, arena_printf(p->a, "%s: %s", phrase_by_key(p->lang, "GAP_", cause),
                                       phrase_by_key(p->lang, "CAUSE_", cause)));
        page_cell_value(p, ns, "ns");
        html_leaf(p->h, "td", figure_share(&f, total > 0 ? ns / total : 0), "class", "number",
                  NULL);
        page_cell_count(p, (double)c->count);
        page_row_close(p);
    }
    page_table_close(p);
    html_close(p->h);
}

static void left_out(Page *p, int64_t n, PhraseId phrase)
{
    if (n > 0)
        html_leaf(p->h, "p", page_count(p, phrase, (size_t)n).text, "class", "note", NULL);
}

void html_timeline(Page *p)
{
    const ResultTimeline *now = p->result->timeline.now;
    const ResultPictures *pictures = p->result->pictures;
    const char *note = phrase_text(p->lang, !now ? PHRASE_NO_TIMELINE
                                            : now->source == RESULT_SOURCE_MEASURED
                                                ? PHRASE_TIMELINE_NOTE_MEASURED
                                                : PHRASE_TIMELINE_NOTE_PREDICTED);
    html_open(p->h, "p", "class", "note", NULL);
    html_text(p->h, note);
    if (now && pictures && pictures->after)
        html_textf(p->h, " %s", phrase_text(p->lang, PHRASE_TIMELINE_NOTE_AFTER));
    html_close(p->h);
    if (pictures && pictures->runs.count) {
        const ResultDrawnRun *run = pictures->runs.item;
        put_timeline_canvas(p);
        put_timeline_strip(p, run, pictures->after);
        left_out(p, run->omitted, PHRASE_SPANS_OMITTED);
    }
    if (!now)
        return;
    left_out(p, now->spans_outside, PHRASE_SPANS_OUTSIDE);
    put_cause_table(p, now);
}
