/* Prints the graph, its stages and the slowest layers of a compiled graph. */
#include "advisor/render/text/text_parts.h"

#include "advisor/message/figure.h"
#include "advisor/message/plain.h"

enum { NAME = 60, SLOWEST = 5 };

static void put_graph_line(TextOut *t, const Result *r)
{
    Plain name;
    Phrase p;
    bool engine = r->compiled->kind == RESULT_KIND_TENSORRT,
         table = r->compiled->kind == RESULT_KIND_RKNN;
    text_label(t, PHRASE_LABEL_MODEL);
    text_put(t, STYLE_NONE, plain(&name, r->model.file, NAME));
    text_put(t, STYLE_NONE, ": ");
    text_put(t, STYLE_NONE,
             phrase_format(&p, t->lang,
                           engine  ? PHRASE_ENGINE_LINE
                           : table ? PHRASE_RKNN_LINE
                                   : PHRASE_COMPILED_LINE,
                           engine || table ? r->sdk : result_kind_words[r->compiled->kind], NULL));
    text_end(t);
    for (size_t i = 0; !table && i < r->traces.count; i++) {
        text_label(t, PHRASE_LABEL_TRACE);
        text_put(t, STYLE_NONE, plain(&name, r->traces.item[i].file, NAME));
        text_putf(t, STYLE_DIM, " (%s)", r->traces.item[i].format);
        text_end(t);
    }
}

static void put_layer_line(TextOut *t, const ResultCompiled *c)
{
    char all[32], joined[32], runs[32];
    Figure sum;
    Phrase p;
    text_count(all, c->layers);
    text_label(t, PHRASE_LABEL_LAYERS);
    if (c->sum_ns.known)
        text_put(t, STYLE_NONE,
                 phrase_format(
                     &p, t->lang, c->runs ? PHRASE_LAYERS_LINE : PHRASE_LAYERS_LINE_ANY_RUNS, all,
                     text_count(joined, c->joined), figure_time(&sum, (double)c->sum_ns.value),
                     text_count(runs, c->runs), NULL));
    else
        text_put(t, STYLE_NONE, phrase_format(&p, t->lang, PHRASE_LAYERS_UNTIMED, all, NULL));
    text_end(t);
}

static void put_compute(TextOut *t, const ResultStage *x, const ResultReal *event_ns)
{
    Figure compute, event;
    Phrase p;
    text_label(t, PHRASE_LABEL_MEASURED);
    figure_time(&compute, (double)x->mean);
    text_put(t, STYLE_NONE,
             event_ns->known
                 ? phrase_format(&p, t->lang, PHRASE_LAYERS_COMPUTE, compute.text,
                                 figure_time(&event, event_ns->value), NULL)
                 : phrase_format(&p, t->lang, PHRASE_LAYERS_COMPUTE_ONLY, compute.text, NULL));
    text_end(t);
}

static void put_reformats(TextOut *t, const ResultReformats *x)
{
    Figure moved, share;
    char n[32];
    Phrase p;
    text_label(t, PHRASE_LABEL_MEASURED);
    text_put(t, STYLE_NONE,
             phrase_format(&p, t->lang, PHRASE_LAYERS_REFORMATS, text_count(n, x->layers),
                           figure_time(&moved, (double)x->ns), figure_share(&share, x->share),
                           NULL));
    text_end(t);
}

static int64_t layer_mean_ns(const ResultStep *s)
{
    return s->layer && s->measured_ns ? s->measured_ns->mean.value : 0;
}

/* The slowest that is not slower than `after`; of equal ones those after it in the list. */
static const ResultStep *next_slowest(const ResultStepList *steps, const ResultStep *after)
{
    const ResultStep *best = NULL;
    int64_t limit = after ? layer_mean_ns(after) : INT64_MAX, most = 0;
    for (const ResultStep *s = steps->item; s < steps->item + steps->count; s++) {
        int64_t ns = layer_mean_ns(s);
        bool follows = ns < limit || (ns == limit && s > after);
        if (follows && ns > most) {
            best = s;
            most = ns;
        }
    }
    return best;
}

static void put_slowest_layers(TextOut *t, const ResultStepList *steps, double sum_ns)
{
    const ResultStep *s = next_slowest(steps, NULL);
    for (int i = 0; i < SLOWEST && s; i++) {
        Figure time, share;
        Plain name;
        double ns = (double)layer_mean_ns(s);
        text_label(t, PHRASE_LABEL_SLOWEST);
        text_putf(t, STYLE_NONE, "%s, %s  ", figure_time(&time, ns),
                  figure_share(&share, ns / sum_ns));
        text_put(t, STYLE_DIM, plain(&name, s->layer->name, NAME));
        text_end(t);
        s = next_slowest(steps, s);
    }
}

static void put_layers(TextOut *t, const Result *r)
{
    const ResultCompiled *c = r->compiled;
    put_layer_line(t, c);
    if (c->stages.compute)
        put_compute(t, c->stages.compute, &c->event_ns);
    if (c->sum_ns.known && c->reformats.layers)
        put_reformats(t, &c->reformats);
    if (c->sum_ns.value > 0)
        put_slowest_layers(t, &r->steps, (double)c->sum_ns.value);
}

/* Without times there is no work by hand: what the structure shows, one line each. */
static void put_findings(TextOut *t, const Result *r)
{
    for (size_t i = 0; i < r->observations.count && !r->compiled->sum_ns.known; i++) {
        const ResultObservation *x = &r->observations.item[i];
        text_label(t, PHRASE_LABEL_FINDING);
        text_put(t, STYLE_BOLD, x->title);
        text_putf(t, STYLE_DIM, "  %s, %zux", x->rule_id, x->occurrences.count);
        text_end(t);
    }
}

void text_compiled(TextOut *t, const Result *r)
{
    put_graph_line(t, r);
    put_layers(t, r);
    text_evidence(t, &r->evidence);
    if (r->compiled->table)
        put_findings(t, r);
}
