/* Prints the result of one model as text, with verdict, where time is spent, findings, omissions,
 * and the next command. */
#include "advisor/report/tree_summary.h"
#include "advisor/message/figure.h"
#include "advisor/message/phrase.h"
#include "advisor/message/plain.h"
#include "advisor/report/render.h"
#include "advisor/render/text/text_compiled.h"
#include "advisor/render/text/text_finding.h"
#include "advisor/render/text/text_gate.h"
#include "advisor/render/text/text_label.h"
#include "advisor/report/tree_setup_text.h"
#include "advisor/report/tree_verdict.h"

#include <string.h>

enum { NAME = 60 }; /* columns of a name at most */

static void put_headline(TextOut *t, const cJSON *r, const TreeSummary *d)
{
    Phrase p;
    text_line(t, 0, 0);
    text_put(t, STYLE_BOLD, tree_verdict_sentence(&p, r, d, t->lang));
    const char *objective = phrase_text(t->lang, d->throughput ? PHRASE_OBJECTIVE_THROUGHPUT
                                                               : PHRASE_OBJECTIVE_LATENCY);
    text_put(t, STYLE_NONE, " ");
    text_put(t, STYLE_NONE,
             phrase_format(&p, t->lang, PHRASE_OBJECTIVE_EVIDENCE, objective,
                           json_text(r, "evidence.grade", "?"), NULL));
    text_end(t);
}

static void put_number(char text[32], const cJSON *r, const char *path)
{
    snprintf(text, 32, "%.0f", json_number_or(r, path, 0));
}

static void put_coverage(TextOut *t, const cJSON *r)
{
    char known[32], nodes[32];
    Phrase p;
    put_number(known, r, "coverage.nodes_known");
    put_number(nodes, r, "coverage.nodes");
    if (!strcmp(known, nodes))
        return;
    text_label(t, PHRASE_LABEL_MODEL);
    text_put(t, STYLE_NONE, phrase_format(&p, t->lang, PHRASE_COVERAGE, known, nodes, NULL));
    size_t n = 0, all = json_count(r, "coverage.unknown_ops");
    for (const cJSON *op = json_first(r, "coverage.unknown_ops"); op; op = op->next) {
        Plain name;
        if (n++ == 5)
            break;
        text_put(t, STYLE_NONE, n == 1 ? "; " : ", ");
        plain(&name, cJSON_IsString(op) ? op->valuestring : "?", NAME);
        text_put(t, STYLE_BAD,
                 n == 1 ? phrase_format(&p, t->lang, PHRASE_UNKNOWN_OPS, name.text, NULL)
                        : name.text);
    }
    if (all > 5)
        text_put(t, STYLE_NONE, " …");
    text_end(t);
}

static void put_subject(TextOut *t, const cJSON *r)
{
    char batch[32], workers[32];
    Plain name;
    Phrase p;
    put_number(batch, r, "options.batch");
    put_number(workers, r, "options.workers");
    text_label(t, PHRASE_LABEL_MODEL);
    text_put(t, STYLE_NONE, plain(&name, json_text(r, "model.file", "?"), NAME));
    text_put(t, STYLE_NONE, ": ");
    text_put(t, STYLE_NONE,
             phrase_format(&p, t->lang, PHRASE_TARGET_LINE, json_text(r, "target", "?"),
                           json_text(r, "sdk", "?"), batch, workers, NULL));
    text_end(t);
    put_coverage(t, r);
}

static void put_traces(TextOut *t, const cJSON *r)
{
    char inferences[32];
    double share;
    Phrase p;
    for (const cJSON *trace = json_first(r, "traces"); trace; trace = trace->next) {
        Plain name;
        bool last = !trace->next;
        text_label(t, PHRASE_LABEL_TRACE);
        text_put(t, STYLE_NONE, plain(&name, json_text(trace, "file", "?"), NAME));
        if (last && json_at(r, "measured.inferences")) {
            put_number(inferences, r, "measured.inferences");
            text_put(t, STYLE_NONE, ": ");
            text_put(t, STYLE_NONE,
                     phrase_format(&p, t->lang, PHRASE_INFERENCES, inferences, NULL));
        }
        if (last && json_number(r, "coverage.matched_time_share", &share)) {
            Figure f;
            text_put(t, STYLE_NONE, ", ");
            text_put(t, STYLE_NONE,
                     phrase_format(&p, t->lang, PHRASE_MATCHED, figure_share(&f, share), NULL));
        }
        text_end(t);
    }
}

/* Where a trace says how it was set up, that is told. */
static void put_setup(TextOut *t, const cJSON *r)
{
    Phrase p;
    if (json_count(r, "traces") == 0 || !*tree_setup_sentence(&p, r, "trace", t->lang))
        return;
    text_label(t, PHRASE_LABEL_SETUP);
    text_put(t, STYLE_NONE, p.text);
    text_end(t);
}

/* ": host 62.0 ms, NPU 7.60 ms, transfers 210 µs" of plain numbers or of intervals. */
static void put_parts(TextOut *t, const cJSON *o)
{
    static const char *const path[] = {"host_ns", "npu_ns", "io_ns"};
    Figure f[3];
    Phrase p;
    for (int i = 0; i < 3; i++) {
        double ns;
        const cJSON *v = json_at(o, path[i]);
        if (json_number(v, "", &ns) || json_number(v, "mid", &ns))
            figure_time(&f[i], ns);
        else
            strcpy(f[i].text, "?");
    }
    text_put(t, STYLE_NONE, ": ");
    text_put(t, STYLE_NONE,
             phrase_format(&p, t->lang, PHRASE_PARTS, f[0].text, f[1].text, f[2].text, NULL));
}

static void put_measured(TextOut *t, const cJSON *r)
{
    const cJSON *m = json_at(r, "measured");
    Figure f, p90;
    Phrase p;
    if (!cJSON_IsObject(m))
        return;
    text_label(t, PHRASE_LABEL_MEASURED);
    figure_time(&f, json_number_or(m, "latency_ns.median", 0));
    text_put(t, STYLE_NONE, phrase_format(&p, t->lang, PHRASE_PER_INFERENCE, f.text, NULL));
    text_putf(t, STYLE_NONE, " (p90 %s)",
              figure_time(&p90, json_number_or(m, "latency_ns.p90", 0)));
    put_parts(t, m);
    text_put(t, STYLE_NONE, ", ");
    double waiting = json_number_or(m, "waiting_ns", 0);
    if (waiting > 0) {
        figure_time(&f, waiting);
        text_put(t, STYLE_NONE, phrase_format(&p, t->lang, PHRASE_WAITING, f.text, NULL));
        text_put(t, STYLE_NONE, ", ");
    }
    figure_time(&f, json_number_or(m, "unattributed_ns", 0));
    text_put(t, STYLE_NONE, phrase_format(&p, t->lang, PHRASE_UNEXPLAINED, f.text, NULL));
    text_end(t);
}

/* "98.2 %, 97.9 %": each lane of the NPU by itself, as long as they are few. */
static void format_lanes(char text[64], const cJSON *pe)
{
    enum { SHOWN = 4 };
    size_t used = 0, n = 0;
    text[0] = '\0';
    for (const cJSON *x = json_first(pe, ""); x; x = x->next) {
        Figure f;
        if (n++ < SHOWN && used < 64)
            used += (size_t)snprintf(text + used, 64 - used, "%s%s", n > 1 ? ", " : "",
                                     figure_share(&f, x->valuedouble));
    }
    if (n > SHOWN && used < 60)
        snprintf(text + used, 64 - used, " …");
}

/* What the run kept busy, of the time that passed. */
static void put_load(TextOut *t, const cJSON *r)
{
    const cJSON *m = json_at(r, "measured");
    Figure rate, requests, link, host, cores;
    char npu[64];
    Phrase p;
    double per_s;
    if (!cJSON_IsObject(m) || !json_number(m, "throughput_per_s", &per_s))
        return;
    text_label(t, PHRASE_LABEL_LOAD);
    snprintf(requests.text, sizeof requests.text, "%.1f", json_number_or(m, "concurrency", 0));
    text_put(
        t, STYLE_NONE,
        phrase_format(&p, t->lang, PHRASE_LOAD, figure_rate(&rate, per_s), requests.text, NULL));
    format_lanes(npu, json_at(m, "busy.pe"));
    snprintf(host.text, sizeof host.text, "%.2f", json_number_or(m, "busy.host", 0));
    snprintf(cores.text, sizeof cores.text, "%.0f", json_number_or(r, "options.host_cores", 0));
    figure_share(&link, json_number_or(m, "busy.link", 0));
    text_put(t, STYLE_NONE,
             phrase_format(&p, t->lang, PHRASE_BUSY, *npu ? npu : "?", link.text, host.text,
                           cores.text, NULL));
    text_end(t);
}

static void put_prediction(TextOut *t, const cJSON *r, const TreeSummary *d)
{
    Figure f;
    Phrase p;
    text_label(t, PHRASE_LABEL_PREDICTED);
    figure_json(&f, json_at(r, "prediction.latency_ns"), "ns");
    text_put(t, STYLE_NONE, phrase_format(&p, t->lang, PHRASE_PER_INFERENCE, f.text, NULL));
    put_parts(t, json_at(r, "prediction"));
    if (d->throughput) {
        text_put(t, STYLE_NONE, "; ");
        figure_json(&f, json_at(r, "prediction.throughput_per_s"), "per_s");
        text_put(t, STYLE_NONE, f.text);
    }
    text_end(t);
}

static void put_ceiling(TextOut *t, const cJSON *r)
{
    Figure host, npu;
    Phrase p;
    figure_time(&host, json_number_or(r, "ceiling.host_free_ns", 0));
    figure_time(&npu, json_number_or(r, "ceiling.npu_free_ns", 0));
    text_label(t, PHRASE_LABEL_CEILING);
    text_put(t, STYLE_NONE, phrase_format(&p, t->lang, PHRASE_CEILING, host.text, npu.text, NULL));
    text_end(t);
}

static void put_runner_note(TextOut *t, const TreeSummary *d)
{
    char pairs[32];
    Phrase p;
    if (!d->verified)
        return;
    snprintf(pairs, sizeof pairs, "%d", d->pairs);
    text_line(t, 0, 0);
    text_put(t, STYLE_DIM,
             phrase_format(&p, t->lang, d->simulated ? PHRASE_SIMULATION : PHRASE_RUN_BY, d->runner,
                           pairs, NULL));
    text_end(t);
}

/* True when some recommendation of the rule is not to be applied. */
static bool is_partial(const cJSON *r, const char *rule_id)
{
    for (const cJSON *rec = json_first(r, "recommendations"); rec; rec = rec->next)
        if (!strcmp(json_text(rec, "rule_id", ""), rule_id) && !tree_summary_is_combined(r, rec))
            return true;
    return false;
}

/* The combination, or the first recommendation: by rule ids, or by fingerprints where others of the
 * rule are not meant; ranks may change with --verify. */
static const char *rules_to_apply(const cJSON *r, char *text, size_t size)
{
    size_t used = 0;
    for (const cJSON *rec = json_first(r, "recommendations"); rec; rec = rec->next) {
        const char *id = json_text(rec, "rule_id", "1");
        bool partial = is_partial(r, id), said = false;
        if (used + 32 > size || !tree_summary_is_combined(r, rec))
            continue;
        for (const cJSON *other = rec->prev; !partial && other->next; other = other->prev)
            said |= !strcmp(json_text(other, "rule_id", ""), id);
        if (!said)
            used += (size_t)snprintf(text + used, size - used, "%s%.24s", used ? "," : "",
                                     partial ? json_text(rec, "fingerprint", id) : id);
    }
    return text;
}

/* What to type next: verify what was predicted, apply what was verified, look at the other
 * objective when there is nothing to gain in this one. */
static void next_command(TextOut *t, const cJSON *r, const TreeSummary *d, const View *view)
{
    Arena *a = arena_new(0);
    const char *words = render_command_words(a, r, WORDS_AS_IT_RAN);
    const char *again = view->again ? view->again_next : words;
    const char *to_apply = view->again ? view->again_apply : words;
    const char *to_inspect = view->again ? view->again_inspect : words;
    char chosen[256] = "";
    text_line(t, 0, 6);
    text_put(t, STYLE_DIM, phrase_text(t->lang, PHRASE_NEXT));
    text_put(t, STYLE_NONE, " ");
    t->command = true;
    bool advice = d->outcome == TREE_SUMMARY_ADVICE;
    if (advice && d->verified)
        text_putf(t, STYLE_FIX, "npu-advise apply %s --set %s --output fixed", to_apply,
                  rules_to_apply(r, chosen, sizeof chosen));
    else if (advice)
        text_putf(t, STYLE_FIX, "npu-advise %s --verify", again);
    else if (d->outcome == TREE_SUMMARY_UNDECIDED)
        text_putf(t, STYLE_FIX, "npu-advise inspect %s", to_inspect);
    else
        text_putf(t, STYLE_FIX, "npu-advise %s --objective %s",
                  view->again ? view->again_other
                              : render_command_words(a, r, WORDS_OF_ANY_OBJECTIVE),
                  d->throughput ? "latency" : "throughput");
    text_end(t);
    arena_free(a);
}

void text_result(FILE *out, const cJSON *r, const View *view)
{
    TextOut t = {.out = out, .colour = view->colour, .lang = view->lang};
    TreeSummary d = tree_summary_of(r);
    if (cJSON_IsObject(json_at(r, "compiled"))) {
        text_compiled(&t, r, &d, view);
        return;
    }
    put_headline(&t, r, &d);
    put_subject(&t, r);
    put_traces(&t, r);
    put_setup(&t, r);
    put_measured(&t, r);
    put_load(&t, r);
    put_prediction(&t, r, &d);
    put_ceiling(&t, r);
    text_evidence(&t, r);
    text_gate(&t, r);
    text_findings(&t, r, view);
    text_tail(&t, r, view);
    put_runner_note(&t, &d);
    next_command(&t, r, &d, view);
}
