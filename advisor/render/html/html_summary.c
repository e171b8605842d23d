/* Writes the first screen, with one sentence, before and after on one axis, the parts and the gate.
 */
#include "advisor/render/html/html_bars.h"

#include "advisor/report/tree_finding.h"
#include "advisor/report/tree_summary_total.h"
#include "advisor/report/tree_verdict.h"
#include "advisor/message/json.h"

#include <ctype.h>
#include <string.h>

/* What an inference is made of.  The last is what is left: hand-overs, waiting, unexplained. */
static const struct {
    const char *class, *key;
    PhraseId name;
} part[BAR_PARTS] = {{"host", "host_ns", PHRASE_PART_HOST},
                     {"npu", "npu_ns", PHRASE_PART_NPU},
                     {"io", "io_ns", PHRASE_PART_IO},
                     {"rest", "rest_ns", PHRASE_PART_REST}};

static Bar bar_of(PhraseId name)
{
    Bar b = {.name = name, .nparts = BAR_PARTS};
    for (int i = 0; i < BAR_PARTS; i++)
        b.part[i] = (BarPart){part[i].class, part[i].name, 0};
    return b;
}

/* Medians of the trace add up, for what no part explains is what is left of the latency; of a
 * prediction its own parts. */
static bool bar_now(const Page *p, Bar *b)
{
    bool measured = !p->d.refuted && cJSON_IsObject(json_at(p->r, "measured"));
    const cJSON *from = json_at(p->r, measured ? "measured" : "prediction");
    double sum = 0;
    char path[32];
    *b = bar_of(PHRASE_TOGGLE_NOW);
    b->total = json_number_or(from, measured ? "latency_ns.median" : "latency_ns.mid", 0);
    for (int i = 0; i < BAR_PARTS - 1; i++) {
        snprintf(path, sizeof path, measured ? "%s" : "%s.mid", part[i].key);
        sum += b->part[i].size = json_number_or(from, path, 0);
    }
    b->part[BAR_PARTS - 1].size = b->total > sum ? b->total - sum : 0;
    return b->total > 0;
}

/* The parts as predicted, scaled to the figure that the sentence says. */
static bool bar_after(const Page *p, const TreeSummaryTotal *o, Bar *b)
{
    const cJSON *t = json_at(p->r, "timeline.after.parts");
    double sum = 0;
    if (!o->known || !cJSON_IsObject(t))
        return false;
    *b = bar_of(PHRASE_TOGGLE_AFTER);
    for (int i = 0; i < BAR_PARTS; i++)
        sum += b->part[i].size = json_number_or(t, part[i].key, 0);
    b->total = p->d.throughput ? sum : o->after;
    for (int i = 0; i < BAR_PARTS && sum > 0; i++)
        b->part[i].size *= b->total / sum;
    if (!p->d.throughput) {
        b->lo = o->lo;
        b->hi = o->hi;
    }
    return sum > 0;
}

static void share_cells(Page *p, const Bar *b, int i)
{
    Figure f;
    html_leaf(p->h, "td", figure_time(&f, b->part[i].size), "class", "number", NULL);
    html_leaf(p->h, "td", figure_share(&f, b->part[i].size / b->total), "class", "number", NULL);
}

static void write_parts_table(Page *p, const Bar *now, const Bar *after)
{
    static const PhraseId one[] = {PHRASE_COL_PART, PHRASE_COL_NOW, PHRASE_COL_SHARE, PHRASE_COUNT};
    static const PhraseId two[] = {PHRASE_COL_PART,  PHRASE_COL_NOW,   PHRASE_COL_SHARE,
                                   PHRASE_COL_AFTER, PHRASE_COL_SHARE, PHRASE_COUNT};
    Figure a, b;
    Phrase buf;
    html_open(p->h, "details", "class", "apart", NULL);
    html_leaf(p->h, "summary", phrase_text(p->lang, PHRASE_PARTS_TABLE), NULL);
    page_table_open(p, "", PHRASE_PARTS_TABLE, after ? two : one);
    for (int i = 0; i < BAR_PARTS; i++) {
        page_row_open(p);
        page_cell_head(p, phrase_text(p->lang, part[i].name));
        share_cells(p, now, i);
        if (after)
            share_cells(p, after, i);
        page_row_close(p);
    }
    page_table_close(p);
    if (after && !p->d.throughput)
        page_note(p, PHRASE_PARTS_SCALED);
    html_leaf(p->h, "p",
              phrase_format(&buf, p->lang, PHRASE_CEILINGS,
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
    const cJSON *x = tree_summary_uncovered_cost(p->r, &ns);
    if (!x)
        return;
    html_open(p->h, "p", "class", "apart", NULL);
    html_leaf(p->h, "b", phrase_text(p->lang, PHRASE_NOT_IN_FIGURE), NULL);
    html_text(p->h, " ");
    html_open(p->h, "a", NULL);
    html_attr(p->h, "href", "#%s", json_text(x, "fingerprint", ""));
    html_text(p->h, json_text(x, "title", "?"));
    html_close(p->h);
    html_textf(p->h, ": %s. ", figure_time(&f, ns));
    html_text(p->h, json_text(x, "reason", ""));
    html_close(p->h);
}

void page_context(Page *p)
{
    html_open(p->h, "p", "class", "context", NULL);
    const char *sdk = json_text(p->r, "sdk", "unknown");
    html_textf(p->h, "npu-advise · %s · ", json_text(p->r, "target", "?"));
    if (strcmp(sdk, "unknown"))
        html_textf(p->h, "SDK %s · ", sdk);
    html_textf(p->h, "%s · ",
               phrase_text(p->lang, p->d.throughput ? PHRASE_OBJECTIVE_THROUGHPUT
                                                    : PHRASE_OBJECTIVE_LATENCY));
    html_open(p->h, "a", "href", "#evidence", NULL);
    html_textf(p->h, "%s %s", phrase_text(p->lang, PHRASE_LABEL_EVIDENCE),
               json_text(p->r, "evidence.grade", "?"));
    html_close(p->h);
    html_close(p->h);
}

/* How it is known, its interval, and what it does not test. */
static void how_known(Page *p, const TreeSummaryTotal *o)
{
    char pairs[32];
    Phrase buf;
    if (!o->known)
        return;
    html_open(p->h, "p", "class", "lede", NULL);
    html_textf(
        p->h, "%s ",
        phrase_text(p->lang, o->verified ? PHRASE_GAIN_VERIFIED_IS : PHRASE_GAIN_PREDICTED_IS));
    page_interval(p, o->verified ? tree_gain_verified(o->gain) : json_at(o->gain, "predicted"),
                  p->d.unit);
    html_text(p->h, ". ");
    snprintf(pairs, sizeof pairs, "%.0f", json_number_or(o->gain, "verified.n", 0));
    if (o->verified)
        html_text(p->h,
                  phrase_format(&buf, p->lang, p->d.simulated ? PHRASE_SIMULATION : PHRASE_RUN_BY,
                                p->d.runner ? p->d.runner : "", pairs, NULL));
    html_close(p->h);
}

/* Of a rate: how many a second, for with batches and workers one inference may take longer. */
static void write_rate_bars(Page *p, const TreeSummaryTotal *o)
{
    Bar b[2] = {
        {.name = PHRASE_TOGGLE_NOW, .nparts = 1, .total = o->now},
        {.name = PHRASE_TOGGLE_AFTER, .nparts = 1, .total = o->after, .lo = o->lo, .hi = o->hi}};
    b[0].part[0] = (BarPart){"now", PHRASE_TOGGLE_NOW, o->now};
    b[1].part[0] = (BarPart){"gain", PHRASE_TOGGLE_AFTER, o->after};
    page_bars(p, b, o->known ? 2 : 1, p->d.unit);
}

static void write_bars(Page *p, const TreeSummaryTotal *o)
{
    Bar b[2];
    if (!bar_now(p, &b[0]))
        return;
    const Bar *after = bar_after(p, o, &b[1]) ? &b[1] : NULL;
    if (p->d.throughput) {
        write_rate_bars(p, o);
        html_leaf(p->h, "p", phrase_text(p->lang, PHRASE_BATCH_TIME), "class", "apart", NULL);
    } else {
        page_bars(p, b, after ? 2 : 1, "ns");
    }
    page_bars_legend(p, &b[0], after, "ns");
    left_out(p);
    write_parts_table(p, &b[0], after);
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
void page_sentence(Page *p)
{
    Phrase buf;
    const char *text = tree_verdict_sentence(&buf, p->r, &p->d, p->lang);
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
    TreeSummaryTotal o = tree_summary_total_of(p->r, &p->d);
    page_context(p);
    page_sentence(p);
    how_known(p, &o);
    write_bars(p, &o);
    html_gate(p);
}
