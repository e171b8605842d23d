/* Prints how long a compiled graph takes, its slowest layers, and their limits. */
#include "advisor/render/text/text_parts.h"

#include "advisor/message/figure.h"
#include "advisor/message/plain.h"
#include "advisor/report/setup_text.h"

enum { INDENT = 2, NAME = 26, SLOWEST = 5 };

static const char *kind_text(Phrase *buf, const TextOut *t, const Result *r)
{
    Phrase kind;
    return phrase_format(buf, t->lang, r->compiled->runs ? PHRASE_COMPILED_RUNS : PHRASE_COMPILED,
                         setup_of_compiled(&kind, r, t->lang), COUNTED(r->compiled->runs), NULL);
}

static const char *time_text(Phrase *buf, const TextOut *t, const ResultCompiled *c)
{
    Figure query = {.text = ""}, sum;
    Phrase layers;
    if (!c->sum_ns.known)
        return phrase_format(buf, t->lang, PHRASE_LAYERS_UNTIMED, COUNTED(c->layers), NULL);
    phrase_format(&layers, t->lang,
                  c->joined < c->layers ? PHRASE_LAYERS_PARTLY : PHRASE_LAYERS_ALL,
                  COUNTED(c->layers), COUNTED(c->joined), NULL);
    if (c->stages.compute)
        figure_time(&query, (double)c->stages.compute->mean);
    return phrase_format(buf, t->lang, c->stages.compute ? PHRASE_LAYERS_QUERY : PHRASE_LAYERS_SUM,
                         figure_time(&sum, (double)c->sum_ns.value), layers.text, query.text, NULL);
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

static void put_share(TextOut *t, const char *name, double share)
{
    Plain p;
    text_put(t, STYLE_NONE, t->column > INDENT ? "  " : "");
    text_putf(t, STYLE_NONE, "%s\xc2\xa0%.0f\xc2\xa0%%", plain(&p, name, NAME), 100 * share);
}

/* "Conv_0 + Relu_1 25 %  Conv_5 6 %  reformats 2 %" */
static void put_slowest_layers(TextOut *t, const ResultCompiled *c, const ResultStepList *steps)
{
    const ResultStep *s = next_slowest(steps, NULL);
    text_line(t, INDENT, INDENT);
    for (int i = 0; i < SLOWEST && s; i++) {
        put_share(t, s->layer->name, (double)layer_mean_ns(s) / (double)c->sum_ns.value);
        s = next_slowest(steps, s);
    }
    if (c->reformats.layers)
        put_share(t, phrase_text(t->lang, PHRASE_FIGURE_COMPILED_REFORMATS_NS), c->reformats.share);
    text_end(t);
}

void text_compiled(TextOut *t, const Result *r)
{
    const ResultCompiled *c = r->compiled;
    Phrase now, kind;
    text_line(t, 0, INDENT);
    text_putf(t, STYLE_BOLD, "%s: %s; %s", r->model.file, time_text(&now, t, c),
              kind_text(&kind, t, r));
    text_end(t);
    if (c->sum_ns.value > 0)
        put_slowest_layers(t, c, &r->steps);
}

/* Without times there is no work by hand: findings of the structure, one line each. */
static void put_findings(TextOut *t, const Result *r)
{
    for (size_t i = 0; i < r->observations.count; i++) {
        const ResultObservation *x = &r->observations.item[i];
        text_line(t, INDENT, INDENT);
        text_putf(t, STYLE_NONE, "%s %s, %zux", x->rule_id, x->title, x->occurrences.count);
        text_end(t);
    }
}

void text_compiled_limits(TextOut *t, const Result *r)
{
    const ResultCompiled *c = r->compiled;
    Figure event;
    Phrase p;
    if (c->table && !c->sum_ns.known)
        put_findings(t, r);
    for (size_t i = 0; i < r->evidence.issues.count; i++)
        text_note(t, r->evidence.issues.item[i].text);
    if (c->event_ns.known)
        text_note(t, phrase_format(&p, t->lang, PHRASE_LAYERS_PROFILED,
                                   figure_time(&event, c->event_ns.value), NULL));
}
