/* Builds recommendations and observations of the result from the matches of a compiled graph. */
#include "advisor/advise/compiled/compiled_result.h"

#include "advisor/rules/rule.h"
#include "advisor/report/result_json.h"
#include "graph/import/imported.h"
#include "trace/readers/engine.h"

#include <assert.h>
#include <string.h>

/* The base of a saving: the layers, or the whole query where part of the saving is of no layer. */
static double whole_of(const CompiledRun *run, const Bound *b)
{
    const EngineStage *s = &run->times.stage[ENGINE_LATENCY];
    if (b->other_ns <= 0)
        return run->layer->sum_ns;
    double least = run->layer->sum_ns + b->other_ns;
    return s->known && s->mean > b->at_most_ns ? s->mean : least;
}

/* From nothing to all that the change touches; in the middle, what goes. */
static Interval interval_of(const Bound *b)
{
    return (Interval){0, b->removable_ns, b->at_most_ns};
}

/* NULL where no saving is known. */
static const ResultInterval *saving_of(const CompiledRun *run, const Bound *b)
{
    if (!b->known || run->no_gain || b->at_most_ns <= 0)
        return NULL;
    return RESULT_NEW(run->arena, ResultInterval,
                      result_objective(OBJECTIVE_LATENCY, interval_of(b)));
}

static const ResultIntervalNs *saving_without_events(const CompiledRun *run, const Bound *b)
{
    Interval v = {0, b->removable_without_events_ns, b->at_most_without_events_ns};
    if (run->layer->event_ns <= 0)
        return NULL;
    return RESULT_NEW(run->arena, ResultIntervalNs, result_interval_ns(v));
}

static ResultGain gain_of(const CompiledRun *run, const CompiledAdvice *x)
{
    const Bound *b = &x->bound;
    ResultGain g = {.metric = RESULT_OBJECTIVE_LATENCY,
                    .unit = RESULT_UNIT_NS,
                    .predicted = saving_of(run, b),
                    .without_events_ns_given = true,
                    .removes = result_ids(run->arena, b->removes, b->nremoves),
                    .changes = result_ids(run->arena, b->changes, b->nchanges)};
    if (!g.predicted) {
        g.reason_if_null = RESULT_SENTENCE(run, x->held);
        return g;
    }
    g.basis = RESULT_BASIS_BOUND;
    g.baseline = result_real_if(true, result_amount(OBJECTIVE_LATENCY, whole_of(run, b)));
    g.local_ns = result_int_if(true, result_ns(b->removable_ns));
    g.without_events_ns = saving_without_events(run, b);
    return g;
}

static ResultWhere where_of(const CompiledRun *run, const Bound *b)
{
    if (!b->nremoves && !b->nchanges)
        return (ResultWhere){.node = NULL};
    const ImportOp *op = &run->graph->op[b->nremoves ? b->removes[0] : b->changes[0]];
    return (ResultWhere){.node = op->layer.nnode ? op->layer.node[0] : op->name, .op = op->type};
}

static ResultPlaceList places_of(const CompiledRun *run, const CompiledAdvice *x)
{
    const Match *m = x->match;
    ResultPlace *item = ARENA_ARRAY(run->arena, ResultPlace, m->nplace);
    for (size_t i = 0; i < m->nplace; i++) {
        const Bound *b = &x->place[i];
        ResultWhere where = where_of(run, b);
        const ResultInterval *gain = saving_of(run, b);
        item[i] = (ResultPlace){.node = where.node,
                                .op = where.op,
                                .text = m->place[i].text,
                                .fix = m->place[i].fix[0],
                                .gain = gain,
                                .local_ns = result_int_if(gain, result_ns(b->removable_ns))};
    }
    return (ResultPlaceList){item, m->nplace};
}

static bool is_recommended(const CompiledRun *run, const char *rule_id)
{
    for (size_t i = 0; i < run->nrecommended; i++)
        if (!strcmp(run->advice[i].match->rule->id, rule_id))
            return true;
    return false;
}

/* Other recommendations that exclude this one. */
static ResultTexts conflicts_of(const CompiledRun *run, const Rule *rule)
{
    const char **item = ARENA_ARRAY(run->arena, const char *, rule->nconflicts);
    size_t n = 0;
    for (size_t k = 0; k < rule->nconflicts; k++)
        if (is_recommended(run, rule->conflicts[k]))
            item[n++] = rule->conflicts[k];
    return (ResultTexts){item, n};
}

static ResultRecommendation recommendation_of(const CompiledRun *run, size_t i)
{
    static const char *const no_rule[1];
    assert(i < run->nrecommended && !run->advice[i].held);
    const CompiledAdvice *advice = &run->advice[i];
    ResultRecommendation x = result_recommendation(advice->match, 0, run->sdk);
    x.rank = (int64_t)i + 1;
    x.fingerprint = advice->fingerprint;
    x.where = where_of(run, &advice->bound);
    x.places = places_of(run, advice);
    x.gain = gain_of(run, advice);
    x.conflicts_with = conflicts_of(run, advice->match->rule);
    x.enables = (ResultTexts){no_rule, 0};
    return x;
}

ResultRecommendationList compiled_recommendations(const CompiledRun *run)
{
    ResultRecommendation *item = ARENA_ARRAY(run->arena, ResultRecommendation, run->nrecommended);
    for (size_t i = 0; i < run->nrecommended; i++)
        item[i] = recommendation_of(run, i);
    return (ResultRecommendationList){item, run->nrecommended};
}

static ResultObservation observation_of(const CompiledRun *run, const CompiledAdvice *advice)
{
    ResultObservation x = result_observation(advice->match, 0, run->sdk);
    bool has = advice->bound.known && advice->bound.at_most_ns > 0;
    x.where = where_of(run, &advice->bound);
    x.cost_ns = result_int_if(has, result_ns(advice->bound.at_most_ns));
    x.fingerprint = advice->fingerprint;
    x.reason = RESULT_SENTENCE(run, advice->held);
    x.places = places_of(run, advice);
    return x;
}

ResultObservationList compiled_observations(const CompiledRun *run)
{
    ResultObservation *item = ARENA_ARRAY(run->arena, ResultObservation, run->nadvice);
    size_t n = 0;
    for (size_t i = run->nrecommended; i < run->nadvice; i++) {
        const CompiledAdvice *x = &run->advice[i];
        if (!x->suppressed && !is_recommended(run, x->match->rule->id))
            item[n++] = observation_of(run, x);
    }
    return (ResultObservationList){item, n};
}

ResultSuppressedList compiled_suppressed(const CompiledRun *run)
{
    ResultSuppressed *item = ARENA_ARRAY(run->arena, ResultSuppressed, run->nadvice);
    size_t n = 0;
    for (size_t i = run->nrecommended; i < run->nadvice; i++) {
        const CompiledAdvice *x = &run->advice[i];
        if (!x->suppressed || is_recommended(run, x->match->rule->id))
            continue;
        item[n++] = (ResultSuppressed){.rule_id = x->match->rule->id,
                                       .reason = x->suppressed,
                                       .text = RESULT_SENTENCE(run, x->held),
                                       .fingerprint = x->fingerprint,
                                       .gain = gain_of(run, x)};
    }
    return (ResultSuppressedList){item, n};
}

const ResultCombined *compiled_combined(const CompiledRun *run)
{
    size_t n = run->nrecommended;
    const Bound *b = &run->combined;
    double sum = 0;
    if (n < 2)
        return NULL;
    const char **id = ARENA_ARRAY(run->arena, const char *, n);
    int64_t *rank = ARENA_ARRAY(run->arena, int64_t, n);
    for (size_t i = 0; i < n; i++) {
        id[i] = run->advice[i].match->rule->id;
        rank[i] = (int64_t)i + 1;
        sum += run->advice[i].bound.at_most_ns;
    }
    return RESULT_NEW(run->arena, ResultCombined,
                      {.rule_ids = {id, n},
                       .ranks = {rank, n},
                       .predicted = result_objective(OBJECTIVE_LATENCY, interval_of(b)),
                       .baseline = (double)result_ns(whole_of(run, b)),
                       .sum_of_parts = (double)result_ns(sum),
                       .overlap = (double)result_ns(sum - b->at_most_ns)});
}
