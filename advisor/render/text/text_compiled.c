/* Prints the verdict, the graph, its stages and the slowest layers of a compiled graph, and the
 * next command. */
#include "advisor/render/text/text_compiled.h"

#include "advisor/report/tree_verdict.h"
#include "advisor/message/figure.h"
#include "advisor/message/phrase.h"
#include "advisor/message/plain.h"
#include "advisor/render/text/text_finding.h"
#include "advisor/render/text/text_gate.h"
#include "advisor/render/text/text_label.h"

#include <string.h>

enum { NAME = 60, SLOWEST = 5 };

static void put_verdict(TextOut *t, const cJSON *r, const TreeSummary *d)
{
    Phrase p;
    text_line(t, 0, 0);
    text_put(t, STYLE_BOLD, tree_verdict_sentence(&p, r, d, t->lang));
    text_put(t, STYLE_NONE, " ");
    text_put(t, STYLE_NONE,
             phrase_format(&p, t->lang, PHRASE_OBJECTIVE_EVIDENCE,
                           phrase_text(t->lang, PHRASE_OBJECTIVE_LATENCY),
                           json_text(r, "evidence.grade", "?"), NULL));
    text_end(t);
}

static void put_graph_line(TextOut *t, const cJSON *r)
{
    Plain name;
    Phrase p;
    bool engine = !strcmp(json_text(r, "compiled.kind", ""), "tensorrt");
    text_label(t, PHRASE_LABEL_MODEL);
    text_put(t, STYLE_NONE, plain(&name, json_text(r, "model.file", "?"), NAME));
    text_put(t, STYLE_NONE, ": ");
    text_put(t, STYLE_NONE,
             phrase_format(&p, t->lang, engine ? PHRASE_ENGINE_LINE : PHRASE_COMPILED_LINE,
                           engine ? json_text(r, "sdk", "?") : json_text(r, "compiled.kind", "?"),
                           NULL));
    text_end(t);
    for (const cJSON *trace = json_first(r, "traces"); trace; trace = trace->next) {
        text_label(t, PHRASE_LABEL_TRACE);
        text_put(t, STYLE_NONE, plain(&name, json_text(trace, "file", "?"), NAME));
        text_putf(t, STYLE_DIM, " (%s)", json_text(trace, "format", "?"));
        text_end(t);
    }
}

static const char *format_count(char text[32], const cJSON *r, const char *path)
{
    snprintf(text, 32, "%.0f", json_number_or(r, path, 0));
    return text;
}

static void put_layer_line(TextOut *t, const cJSON *r)
{
    char all[32], joined[32], runs[32];
    Figure sum;
    Phrase p;
    double ns;
    format_count(all, r, "compiled.layers");
    format_count(joined, r, "compiled.joined");
    format_count(runs, r, "compiled.runs");
    text_label(t, PHRASE_LABEL_LAYERS);
    if (json_number(r, "compiled.sum_ns", &ns))
        text_put(t, STYLE_NONE,
                 phrase_format(&p, t->lang, PHRASE_LAYERS_LINE, all, joined, figure_time(&sum, ns),
                               runs, NULL));
    else
        text_put(t, STYLE_NONE, phrase_format(&p, t->lang, PHRASE_LAYERS_UNTIMED, all, NULL));
    text_end(t);
}

static void put_stage_times(TextOut *t, const cJSON *r)
{
    Figure compute, event, moved, share;
    char n[32];
    Phrase p;
    double ns, each;
    if (json_number(r, "compiled.stages.compute.mean", &ns)) {
        text_label(t, PHRASE_LABEL_MEASURED);
        figure_time(&compute, ns);
        text_put(t, STYLE_NONE,
                 json_number(r, "compiled.event_ns", &each)
                     ? phrase_format(&p, t->lang, PHRASE_LAYERS_COMPUTE, compute.text,
                                     figure_time(&event, each), NULL)
                     : phrase_format(&p, t->lang, PHRASE_LAYERS_COMPUTE_ONLY, compute.text, NULL));
        text_end(t);
    }
    if (!json_number(r, "compiled.sum_ns", &ns) ||
        json_number_or(r, "compiled.reformats.layers", 0) == 0)
        return;
    text_label(t, PHRASE_LABEL_MEASURED);
    text_put(t, STYLE_NONE,
             phrase_format(&p, t->lang, PHRASE_LAYERS_REFORMATS,
                           format_count(n, r, "compiled.reformats.layers"),
                           figure_time(&moved, json_number_or(r, "compiled.reformats.ns", 0)),
                           figure_share(&share, json_number_or(r, "compiled.reformats.share", 0)),
                           NULL));
    text_end(t);
}

/* The slowest that is not slower than `below`; of equal ones those behind `after` in the list. */
static const cJSON *next_slowest(const cJSON *steps, const cJSON *after)
{
    const cJSON *best = NULL;
    double limit = after ? json_number_or(after, "measured_ns.mean", 0) : 1e300, most = 0;
    bool behind = after == NULL;
    for (const cJSON *s = json_first(steps, ""); s; s = s->next) {
        double ns = json_number_or(s, "measured_ns.mean", 0);
        bool follows = ns < limit || (ns == limit && behind && s != after);
        behind |= s == after;
        if (follows && ns > most) {
            best = s;
            most = ns;
        }
    }
    return best;
}

static void put_slowest_layers(TextOut *t, const cJSON *r)
{
    const cJSON *s = NULL;
    double sum = json_number_or(r, "compiled.sum_ns", 0);
    for (int i = 0; i < SLOWEST && sum > 0; i++) {
        Figure time, share;
        Plain name;
        s = next_slowest(json_at(r, "steps"), s);
        if (!s)
            return;
        double ns = json_number_or(s, "measured_ns.mean", 0);
        text_label(t, PHRASE_LABEL_SLOWEST);
        text_putf(t, STYLE_NONE, "%s, %s  ", figure_time(&time, ns),
                  figure_share(&share, ns / sum));
        text_put(t, STYLE_DIM, plain(&name, json_text(s, "layer.name", "?"), NAME));
        text_end(t);
    }
}

static void next_command(TextOut *t, const cJSON *r)
{
    if (!json_count(r, "recommendations"))
        return;
    text_line(t, 0, 6);
    text_put(t, STYLE_DIM, phrase_text(t->lang, PHRASE_NEXT));
    text_put(t, STYLE_NONE, " ");
    text_put(t, STYLE_NONE, phrase_text(t->lang, PHRASE_NEXT_BUILD));
    t->command = true;
    text_putf(t, STYLE_FIX, "npu-advise diff OLD.json NEW.json");
    t->command = false;
    text_end(t);
}

void text_compiled(TextOut *t, const cJSON *r, const TreeSummary *d, const View *view)
{
    put_verdict(t, r, d);
    put_graph_line(t, r);
    put_layer_line(t, r);
    put_stage_times(t, r);
    put_slowest_layers(t, r);
    text_evidence(t, r);
    text_gate(t, r);
    text_findings(t, r, view);
    text_tail(t, r, view);
    next_command(t, r);
}
