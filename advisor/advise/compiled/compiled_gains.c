/* Builds work by hand and observations from the matches of a compiled graph. */
#include "advisor/advise/compiled/compiled_result.h"

#include "advisor/message/phrase.h"
#include "advisor/rules/rule.h"
#include "advisor/report/result_json.h"

/* The base of a saving: the layers, or the whole query where part of the saving is of no layer. */
static double whole_of(const CompiledRun *run, const Bound *b)
{
    const EngineStage *s = &run->times.stage[ENGINE_LATENCY];
    if (b->other_ns <= 0)
        return run->layer->sum_ns;
    double least = run->layer->sum_ns + b->other_ns;
    return s->known && s->mean > b->at_most_ns ? s->mean : least;
}

/* NULL where no saving is known. */
static const ResultInterval *saving_of(const CompiledRun *run, const Bound *b)
{
    if (!b->known || run->no_gain || b->at_most_ns <= 0)
        return NULL;
    return RESULT_NEW(
        run->arena, ResultInterval,
        result_objective(OBJECTIVE_LATENCY, (Interval){0, b->removable_ns, b->at_most_ns}));
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

static ResultPlaceList occurrences_of(const CompiledRun *run, const CompiledAdvice *x)
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
    return LIST_ANY(i, run->nrecommended, !strcmp(run->advice[i].match->rule->id, rule_id));
}

enum { BY_HAND_MAX = 5 };

/* The layers that it removes or may change. */
static ResultInts layers_of(const CompiledRun *run, const Bound *b)
{
    uint32_t *id = ARENA_ARRAY(run->arena, uint32_t, b->nremoves + b->nchanges);
    if (b->nremoves)
        memcpy(id, b->removes, b->nremoves * sizeof *id);
    if (b->nchanges)
        memcpy(id + b->nremoves, b->changes, b->nchanges * sizeof *id);
    return result_ids(run->arena, id, b->nremoves + b->nchanges);
}

static NeedSet needs_of(const Rule *rule)
{
    return rule->applicability == APPLY_SAFE                                 ? NEED_NONE
           : rule->applicability == APPLY_RETRAIN                            ? NEED_RETRAIN
           : strstr(rule->of, "rknn") && rule->applicability == APPLY_MANUAL ? NEED_OUTPUT
                                                                             : NEED_ACCURACY;
}

static ResultHandWork hand_work_of(const CompiledRun *run, size_t i)
{
    assert(i < run->nrecommended && !run->advice[i].held);
    const CompiledAdvice *advice = &run->advice[i];
    ResultHandWork x =
        result_hand_work(run->arena, advice->match, 0, run->sdk, needs_of(advice->match->rule));
    x.id = (int64_t)i + 1;
    x.fingerprint = advice->fingerprint;
    x.where = where_of(run, &advice->bound);
    x.occurrences = occurrences_of(run, advice);
    x.alone = gain_of(run, advice);
    x.up_to = (ResultUpTo){RESULT_UNIT_NS, x.alone.predicted ? x.alone.predicted->hi : 0};
    x.steps = layers_of(run, &advice->bound);
    return x;
}

ResultHandWorkList compiled_hand_work(const CompiledRun *run)
{
    size_t n = run->nrecommended < BY_HAND_MAX ? run->nrecommended : BY_HAND_MAX;
    ResultHandWork *item = ARENA_ARRAY(run->arena, ResultHandWork, n);
    for (size_t i = 0; i < n; i++)
        item[i] = hand_work_of(run, i);
    return (ResultHandWorkList){item, n};
}

static ResultObservation observation_of(const CompiledRun *run, const CompiledAdvice *advice)
{
    ResultObservation x = result_observation(advice->match, 0, run->sdk);
    bool has = advice->bound.known && advice->bound.at_most_ns > 0;
    x.where = where_of(run, &advice->bound);
    x.cost_ns = result_int_if(has, result_ns(advice->bound.at_most_ns));
    x.fingerprint = advice->fingerprint;
    x.reason = RESULT_SENTENCE(run, advice->held
                                        ? advice->held
                                        : MESSAGE(run->arena, phrase_arg(PHRASE_LESS_THAN_OTHERS)));
    x.occurrences = occurrences_of(run, advice);
    x.steps = layers_of(run, &advice->bound);
    return x;
}

ResultObservationList compiled_observations(const CompiledRun *run)
{
    ResultObservation *item = ARENA_ARRAY(run->arena, ResultObservation, run->nadvice);
    size_t n = 0, first = run->nrecommended < BY_HAND_MAX ? run->nrecommended : BY_HAND_MAX;
    for (size_t i = first; i < run->nadvice; i++) {
        const CompiledAdvice *x = &run->advice[i];
        bool smaller = i < run->nrecommended;
        if (smaller || (!x->suppressed && !is_recommended(run, x->match->rule->id)))
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
        item[n++] = (ResultSuppressed){
            .rule_id = x->match->rule->id,
            .reason = x->suppressed,
            .text = RESULT_SENTENCE(run, x->held),
            .fingerprint = x->fingerprint,
            .title = x->match->title[0],
            .level = result_word(result_level_words, level_name(x->match->level)),
            .where = where_of(run, &x->bound),
            .occurrences = occurrences_of(run, x),
            .alone = gain_of(run, x)};
    }
    return (ResultSuppressedList){item, n};
}
