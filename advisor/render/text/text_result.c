/* Prints the result of one model as text, with verdict, where time is spent, findings, omissions,
 * and the next command. */
#include "advisor/message/figure.h"
#include "advisor/message/phrase.h"
#include "advisor/message/plain.h"
#include "advisor/report/render.h"
#include "advisor/report/result_json.h"
#include "advisor/report/setup_text.h"
#include "advisor/report/summary.h"
#include "advisor/report/verdict.h"
#include "advisor/render/text/text_compiled.h"
#include "advisor/render/text/text_finding.h"
#include "advisor/render/text/text_gate.h"
#include "advisor/render/text/text_label.h"

#include <string.h>

enum { NAME = 60 }; /* columns of a name at most */

static void put_headline(TextOut *t, const Result *r, const Summary *d)
{
    Phrase p;
    text_line(t, 0, 0);
    text_put(t, STYLE_BOLD, verdict_sentence(&p, r, d, t->lang));
    const char *objective = phrase_text(t->lang, d->throughput ? PHRASE_OBJECTIVE_THROUGHPUT
                                                               : PHRASE_OBJECTIVE_LATENCY);
    text_put(t, STYLE_NONE, " ");
    text_put(t, STYLE_NONE,
             phrase_format(&p, t->lang, PHRASE_OBJECTIVE_EVIDENCE, objective,
                           result_grade_words[r->evidence.grade], NULL));
    text_end(t);
}

static const char *format_count(char text[32], int64_t n)
{
    snprintf(text, 32, "%lld", (long long)n);
    return text;
}

static void put_coverage(TextOut *t, const ResultCoverage *c)
{
    enum { SHOWN = 5 };
    char known[32], nodes[32];
    Phrase p;
    if (c->nodes_known == c->nodes)
        return;
    text_label(t, PHRASE_LABEL_MODEL);
    text_put(t, STYLE_NONE,
             phrase_format(&p, t->lang, PHRASE_COVERAGE, format_count(known, c->nodes_known),
                           format_count(nodes, c->nodes), NULL));
    for (size_t i = 0; i < c->unknown_ops.count && i < SHOWN; i++) {
        Plain name;
        text_put(t, STYLE_NONE, i ? ", " : "; ");
        plain(&name, c->unknown_ops.item[i], NAME);
        text_put(t, STYLE_BAD,
                 i ? name.text : phrase_format(&p, t->lang, PHRASE_UNKNOWN_OPS, name.text, NULL));
    }
    if (c->unknown_ops.count > SHOWN)
        text_put(t, STYLE_NONE, " …");
    text_end(t);
}

static void put_subject(TextOut *t, const Result *r)
{
    char batch[32], workers[32];
    Plain name;
    Phrase p;
    text_label(t, PHRASE_LABEL_MODEL);
    text_put(t, STYLE_NONE, plain(&name, r->model.file, NAME));
    text_put(t, STYLE_NONE, ": ");
    text_put(t, STYLE_NONE,
             phrase_format(&p, t->lang, PHRASE_TARGET_LINE, r->target, r->sdk,
                           format_count(batch, r->options.batch.value),
                           format_count(workers, r->options.workers.value), NULL));
    text_end(t);
    put_coverage(t, &r->coverage);
}

/* The last trace is followed by what is known of all together. */
static void put_matched(TextOut *t, const Result *r)
{
    char inferences[32];
    const ResultReal *share = &r->coverage.matched_time_share;
    Figure f;
    Phrase p;
    if (r->measured) {
        format_count(inferences, r->measured->inferences);
        text_put(t, STYLE_NONE, ": ");
        text_put(t, STYLE_NONE, phrase_format(&p, t->lang, PHRASE_INFERENCES, inferences, NULL));
    }
    if (share->known) {
        text_put(t, STYLE_NONE, ", ");
        text_put(t, STYLE_NONE,
                 phrase_format(&p, t->lang, PHRASE_MATCHED, figure_share(&f, share->value), NULL));
    }
}

static void put_traces(TextOut *t, const Result *r)
{
    for (size_t i = 0; i < r->traces.count; i++) {
        Plain name;
        text_label(t, PHRASE_LABEL_TRACE);
        text_put(t, STYLE_NONE, plain(&name, r->traces.item[i].file, NAME));
        if (i + 1 == r->traces.count)
            put_matched(t, r);
        text_end(t);
    }
}

/* Where a trace says how it was set up, that is told. */
static void put_setup(TextOut *t, const Result *r)
{
    Phrase p;
    if (!r->traces.count || !*setup_sentence(&p, r->setup, RESULT_SETUP_SOURCE_TRACE, t->lang))
        return;
    text_label(t, PHRASE_LABEL_SETUP);
    text_put(t, STYLE_NONE, p.text);
    text_end(t);
}

/* ": host 62.0 ms, NPU 7.60 ms, transfers 210 µs" */
static void put_parts(TextOut *t, int64_t host_ns, int64_t npu_ns, int64_t io_ns)
{
    Figure host, npu, io;
    Phrase p;
    text_put(t, STYLE_NONE, ": ");
    text_put(t, STYLE_NONE,
             phrase_format(&p, t->lang, PHRASE_PARTS, figure_time(&host, (double)host_ns),
                           figure_time(&npu, (double)npu_ns), figure_time(&io, (double)io_ns),
                           NULL));
}

static void put_measured(TextOut *t, const ResultMeasured *m)
{
    Figure f, p90;
    Phrase p;
    text_label(t, PHRASE_LABEL_MEASURED);
    figure_time(&f, (double)m->latency_ns.median);
    text_put(t, STYLE_NONE, phrase_format(&p, t->lang, PHRASE_PER_INFERENCE, f.text, NULL));
    text_putf(t, STYLE_NONE, " (p90 %s)", figure_time(&p90, (double)m->latency_ns.p90));
    put_parts(t, m->host_ns, m->npu_ns, m->io_ns);
    text_put(t, STYLE_NONE, ", ");
    if (m->waiting_ns > 0) {
        figure_time(&f, (double)m->waiting_ns);
        text_put(t, STYLE_NONE, phrase_format(&p, t->lang, PHRASE_WAITING, f.text, NULL));
        text_put(t, STYLE_NONE, ", ");
    }
    figure_time(&f, (double)m->unattributed_ns);
    text_put(t, STYLE_NONE, phrase_format(&p, t->lang, PHRASE_UNEXPLAINED, f.text, NULL));
    text_end(t);
}

/* "98.2 %, 97.9 %": each lane of the NPU by itself, as long as they are few. */
static const char *format_lanes(char text[64], const ResultReals *pe)
{
    enum { SHOWN = 4 };
    size_t used = 0;
    for (size_t i = 0; i < pe->count && i < SHOWN && used < 64; i++) {
        Figure f;
        used += (size_t)snprintf(text + used, 64 - used, "%s%s", i ? ", " : "",
                                 figure_share(&f, pe->item[i]));
    }
    if (pe->count > SHOWN && used < 60)
        snprintf(text + used, 64 - used, " …");
    return used ? text : "?";
}

/* What the run kept busy, of the time that passed. */
static void put_load(TextOut *t, const Result *r, const ResultMeasured *m)
{
    Figure rate, link;
    char npu[64], requests[32], host[32], cores[32];
    Phrase p;
    text_label(t, PHRASE_LABEL_LOAD);
    snprintf(requests, sizeof requests, "%.1f", m->concurrency);
    text_put(t, STYLE_NONE,
             phrase_format(&p, t->lang, PHRASE_LOAD, figure_rate(&rate, m->throughput_per_s),
                           requests, NULL));
    snprintf(host, sizeof host, "%.2f", m->busy.host);
    text_put(t, STYLE_NONE,
             phrase_format(&p, t->lang, PHRASE_BUSY, format_lanes(npu, &m->busy.pe),
                           figure_share(&link, m->busy.link), host,
                           format_count(cores, r->options.host_cores.value), NULL));
    text_end(t);
}

static void put_prediction(TextOut *t, const ResultPrediction *x, const Summary *d)
{
    const ResultFigureNs *latency = &x->latency_ns;
    const ResultFigure *rate = &x->throughput_per_s;
    Figure f;
    Phrase p;
    text_label(t, PHRASE_LABEL_PREDICTED);
    figure_interval(&f, (double)latency->lo, (double)latency->mid, (double)latency->hi, "ns");
    text_put(t, STYLE_NONE, phrase_format(&p, t->lang, PHRASE_PER_INFERENCE, f.text, NULL));
    put_parts(t, x->host_ns.mid, x->npu_ns.mid, x->io_ns.mid);
    if (d->throughput) {
        text_put(t, STYLE_NONE, "; ");
        text_put(t, STYLE_NONE, figure_interval(&f, rate->lo, rate->mid, rate->hi, "per_s"));
    }
    text_end(t);
}

static void put_ceiling(TextOut *t, const ResultCeiling *c)
{
    Figure host, npu;
    Phrase p;
    figure_time(&host, (double)c->host_free_ns);
    figure_time(&npu, (double)c->npu_free_ns);
    text_label(t, PHRASE_LABEL_CEILING);
    text_put(t, STYLE_NONE, phrase_format(&p, t->lang, PHRASE_CEILING, host.text, npu.text, NULL));
    text_end(t);
}

static void put_runner_note(TextOut *t, const Summary *d)
{
    char pairs[32];
    Phrase p;
    if (!d->verified)
        return;
    text_line(t, 0, 0);
    text_put(t, STYLE_DIM,
             phrase_format(&p, t->lang, d->simulated ? PHRASE_SIMULATION : PHRASE_RUN_BY, d->runner,
                           format_count(pairs, d->pairs), NULL));
    text_end(t);
}

/* True when some recommendation of the rule is not to be applied. */
static bool is_partial(const Result *r, const char *rule_id)
{
    for (size_t i = 0; i < r->recommendations.count; i++) {
        const ResultRecommendation *x = &r->recommendations.item[i];
        if (!strcmp(x->rule_id, rule_id) && !summary_is_combined(r, x))
            return true;
    }
    return false;
}

/* True when one of the first `n` recommendations is of the rule. */
static bool is_rule_before(const Result *r, size_t n, const char *rule_id)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(r->recommendations.item[i].rule_id, rule_id))
            return true;
    return false;
}

/* The combination, or the first recommendation: by rule ids, or by fingerprints where others of the
 * rule are not meant; ranks may change with --verify. */
static const char *rules_to_apply(const Result *r, char *text, size_t size)
{
    size_t used = 0;
    for (size_t i = 0; i < r->recommendations.count && used + 32 <= size; i++) {
        const ResultRecommendation *x = &r->recommendations.item[i];
        bool partial = is_partial(r, x->rule_id);
        if (summary_is_combined(r, x) && (partial || !is_rule_before(r, i, x->rule_id)))
            used += (size_t)snprintf(text + used, size - used, "%s%.24s", used ? "," : "",
                                     partial ? x->fingerprint : x->rule_id);
    }
    return text;
}

/* What to type next: verify what was predicted, apply what was verified, look at the other
 * objective when there is nothing to gain in this one. */
static void next_command(TextOut *t, const Result *r, const Summary *d, const View *view)
{
    char chosen[256] = "";
    bool advice = d->outcome == SUMMARY_ADVICE;
    text_line(t, 0, 6);
    text_put(t, STYLE_DIM, phrase_text(t->lang, PHRASE_NEXT));
    text_put(t, STYLE_NONE, " ");
    t->command = true;
    if (advice && d->verified)
        text_putf(t, STYLE_FIX, "npu-advise apply %s --set %s --output fixed", view->again_apply,
                  rules_to_apply(r, chosen, sizeof chosen));
    else if (advice)
        text_putf(t, STYLE_FIX, "npu-advise %s --verify", view->again_next);
    else if (d->outcome == SUMMARY_UNDECIDED)
        text_putf(t, STYLE_FIX, "npu-advise inspect %s", view->again_inspect);
    else
        text_putf(t, STYLE_FIX, "npu-advise %s --objective %s", view->again_other,
                  d->throughput ? "latency" : "throughput");
    text_end(t);
}

static void put_result(TextOut *t, const Result *r, const View *view)
{
    Summary d = summary_of(r);
    if (r->compiled) {
        text_compiled(t, r, &d, view);
        return;
    }
    put_headline(t, r, &d);
    put_subject(t, r);
    put_traces(t, r);
    put_setup(t, r);
    if (r->measured) {
        put_measured(t, r->measured);
        put_load(t, r, r->measured);
    }
    if (r->prediction)
        put_prediction(t, r->prediction, &d);
    if (r->ceiling)
        put_ceiling(t, r->ceiling);
    text_evidence(t, &r->evidence);
    text_gate(t, &r->gate);
    text_findings(t, r, view);
    text_tail(t, r, view);
    put_runner_note(t, &d);
    next_command(t, r, &d, view);
}

/* The view with all commands, from the result where it has none. */
static View with_commands(Arena *a, const Result *r, const View *view)
{
    View v = *view;
    if (v.again)
        return v;
    const char *words = render_command_words(a, r, WORDS_AS_IT_RAN);
    v.again_next = v.again_apply = v.again_inspect = words;
    v.again_other = render_command_words(a, r, WORDS_OF_ANY_OBJECTIVE);
    v.again_tune = render_command_words(a, r, WORDS_TO_TUNE);
    return v;
}

void text_result(FILE *out, const Result *r, const View *view)
{
    TextOut t = {.out = out, .colour = view->colour, .lang = view->lang};
    Arena *a = arena_new(0);
    View all = with_commands(a, r, view);
    put_result(&t, r, &all);
    arena_free(a);
}
