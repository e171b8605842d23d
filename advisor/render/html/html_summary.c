/* Writes the first screen, with one sentence, before and after on one axis, the parts and the gate.
 */
#include "advisor/render/html/html_bars.h"

#include "advisor/report/finding.h"
#include "advisor/report/summary_total.h"
#include "advisor/report/verdict.h"

#include <ctype.h>
#include <string.h>

/* What an inference is made of.  The last is what is left: hand-overs, waiting, unexplained. */
static const struct {
    const char *class;
    PhraseId name;
} part[BAR_PARTS] = {{"host", PHRASE_PART_HOST},
                     {"npu", PHRASE_PART_NPU},
                     {"io", PHRASE_PART_IO},
                     {"rest", PHRASE_PART_REST}};

static Bar bar_of(PhraseId name, ResultParts size)
{
    const int64_t ns[BAR_PARTS] = {size.host_ns, size.npu_ns, size.io_ns, size.rest_ns};
    Bar b = {.name = name, .nparts = BAR_PARTS};
    for (int i = 0; i < BAR_PARTS; i++)
        b.part[i] = (BarPart){part[i].class, part[i].name, (double)ns[i]};
    return b;
}

/* Medians of the trace add up, for what no part explains is what is left of the latency; of a
 * prediction its own parts. */
static bool bar_now(const Page *p, Bar *b)
{
    const ResultMeasured *m = p->summary.refuted ? NULL : p->result->measured;
    const ResultPrediction *q = p->result->prediction;
    if (!m && !q)
        return false;
    ResultParts parts = m ? (ResultParts){m->host_ns, m->npu_ns, m->io_ns, 0}
                          : (ResultParts){q->host_ns.mid, q->npu_ns.mid, q->io_ns.mid, 0};
    double total = (double)(m ? m->latency_ns.median : q->latency_ns.mid), sum = 0;
    *b = bar_of(PHRASE_TOGGLE_NOW, parts);
    for (int i = 0; i < BAR_PARTS - 1; i++)
        sum += b->part[i].size;
    b->part[BAR_PARTS - 1].size = total > sum ? total - sum : 0;
    b->total = total;
    return total > 0;
}

/* The parts as predicted, scaled to the figure that the sentence says. */
static bool bar_after(const Page *p, const SummaryTotal *o, Bar *b)
{
    const ResultTimeline *t = p->result->timeline.after;
    double sum = 0;
    if (!o->known || !t)
        return false;
    *b = bar_of(PHRASE_TOGGLE_AFTER, t->parts);
    for (int i = 0; i < BAR_PARTS; i++)
        sum += b->part[i].size;
    b->total = p->summary.throughput ? sum : o->after;
    for (int i = 0; i < BAR_PARTS && sum > 0; i++)
        b->part[i].size *= b->total / sum;
    if (!p->summary.throughput) {
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
    const ResultCeiling *ceiling = p->result->ceiling;
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
    if (after && !p->summary.throughput)
        page_note(p, PHRASE_PARTS_SCALED);
    html_leaf(p->h, "p",
              phrase_format(&buf, p->lang, PHRASE_CEILINGS,
                            figure_time(&a, ceiling ? (double)ceiling->host_free_ns : 0),
                            figure_time(&b, ceiling ? (double)ceiling->npu_free_ns : 0), NULL),
              NULL);
    html_close(p->h);
}

/* The largest cost that no figure is about: without it a small gain would hide a large block. */
static void left_out(Page *p)
{
    double ns;
    Figure f;
    const ResultObservation *x = summary_uncovered_cost(p->result, &ns);
    if (!x)
        return;
    html_open(p->h, "p", "class", "apart", NULL);
    html_leaf(p->h, "b", phrase_text(p->lang, PHRASE_NOT_IN_FIGURE), NULL);
    html_text(p->h, " ");
    html_open(p->h, "a", NULL);
    html_attr(p->h, "href", "#%s", x->fingerprint);
    html_text(p->h, x->title);
    html_close(p->h);
    html_textf(p->h, ": %s. ", figure_time(&f, ns));
    html_text(p->h, x->reason);
    html_close(p->h);
}

void page_context(Page *p)
{
    const Result *r = p->result;
    html_open(p->h, "p", "class", "context", NULL);
    html_textf(p->h, "npu-advise · %s · ", r->target);
    if (strcmp(r->sdk, "unknown"))
        html_textf(p->h, "SDK %s · ", r->sdk);
    html_textf(p->h, "%s · ",
               phrase_text(p->lang, p->summary.throughput ? PHRASE_OBJECTIVE_THROUGHPUT
                                                          : PHRASE_OBJECTIVE_LATENCY));
    html_open(p->h, "a", "href", "#evidence", NULL);
    html_textf(p->h, "%s %s", phrase_text(p->lang, PHRASE_LABEL_EVIDENCE),
               result_grade_words[r->evidence.grade]);
    html_close(p->h);
    html_close(p->h);
}

/* How it is known, its interval, and what it does not test. */
static void how_known(Page *p, const SummaryTotal *o)
{
    char pairs[32];
    Phrase buf;
    ResultInterval run;
    if (!o->known)
        return;
    html_open(p->h, "p", "class", "lede", NULL);
    html_textf(
        p->h, "%s ",
        phrase_text(p->lang, o->verified ? PHRASE_GAIN_VERIFIED_IS : PHRASE_GAIN_PREDICTED_IS));
    page_interval(p, gain_verified(o->run, &run) ? &run : o->predicted, p->summary.unit);
    html_text(p->h, ". ");
    if (o->run) {
        snprintf(pairs, sizeof pairs, "%lld", (long long)o->run->n);
        html_text(p->h, phrase_format(&buf, p->lang,
                                      p->summary.simulated ? PHRASE_SIMULATION : PHRASE_RUN_BY,
                                      p->summary.runner ? p->summary.runner : "", pairs, NULL));
    }
    html_close(p->h);
}

/* Of a rate: how many a second, for with batches and workers one inference may take longer. */
static void write_rate_bars(Page *p, const SummaryTotal *o)
{
    Bar b[2] = {
        {.name = PHRASE_TOGGLE_NOW, .nparts = 1, .total = o->now},
        {.name = PHRASE_TOGGLE_AFTER, .nparts = 1, .total = o->after, .lo = o->lo, .hi = o->hi}};
    b[0].part[0] = (BarPart){"now", PHRASE_TOGGLE_NOW, o->now};
    b[1].part[0] = (BarPart){"gain", PHRASE_TOGGLE_AFTER, o->after};
    page_bars(p, b, o->known ? 2 : 1, p->summary.unit);
}

static void write_bars(Page *p, const SummaryTotal *o)
{
    Bar b[2];
    if (!bar_now(p, &b[0]))
        return;
    const Bar *after = bar_after(p, o, &b[1]) ? &b[1] : NULL;
    if (p->summary.throughput) {
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
    const char *text = verdict_sentence(&buf, p->result, &p->summary, p->lang);
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
    SummaryTotal o = summary_total_of(p->result, &p->summary);
    page_context(p);
    page_sentence(p);
    how_known(p, &o);
    write_bars(p, &o);
    html_gate(p);
}
