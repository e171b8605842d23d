/* Writes the matches of a compiled graph as recommendations and observations of the result. */
#include "advisor/advise/compiled/compiled_json.h"

#include "advisor/advise/tree_value.h"
#include "advisor/message/json.h"
#include "advisor/rules/rule.h"
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

static cJSON *json_bound(const CompiledRun *run, const CompiledAdvice *x)
{
    const Bound *b = &x->bound;
    bool has = b->known && !run->no_gain && b->at_most_ns > 0;
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "metric", "latency");
    cJSON_AddStringToObject(o, "unit", "ns");
    cJSON_AddItemToObject(o, "basis", tree_text(has ? "bound" : NULL));
    cJSON_AddBoolToObject(o, "at_least", false);
    Interval v = {0, b->removable_ns, b->at_most_ns};
    cJSON_AddItemToObject(o, "predicted", has ? tree_interval_ns(v) : cJSON_CreateNull());
    cJSON_AddItemToObject(o, "baseline", tree_ns_if(has, whole_of(run, b)));
    cJSON_AddNullToObject(o, "verified");
    cJSON_AddItemToObject(o, "reason_if_null", compiled_message(run, has ? NULL : x->held));
    cJSON_AddItemToObject(o, "local_ns", tree_ns_if(has, b->removable_ns));
    bool events = has && run->layer->event_ns > 0;
    Interval less = {0, b->removable_without_events_ns, b->at_most_without_events_ns};
    cJSON_AddItemToObject(o, "without_events_ns",
                          events ? tree_interval_ns(less) : cJSON_CreateNull());
    cJSON_AddItemToObject(o, "removes", json_ids(b->removes, b->nremoves));
    cJSON_AddItemToObject(o, "changes", json_ids(b->changes, b->nchanges));
    return o;
}

static void add_where(cJSON *o, const CompiledRun *run, const Bound *b)
{
    const ImportOp *op = b->nremoves   ? &run->graph->op[b->removes[0]]
                         : b->nchanges ? &run->graph->op[b->changes[0]]
                                       : NULL;
    bool tied = op && op->layer.nnode;
    cJSON_AddItemToObject(o, "node", tree_text(tied ? op->layer.node[0] : op ? op->name : NULL));
    cJSON_AddNullToObject(o, "tensor");
    cJSON_AddItemToObject(o, "op", tree_text(op ? op->type : NULL));
}

static void add_places(cJSON *parent, const CompiledRun *run, const CompiledAdvice *x)
{
    cJSON *list = cJSON_AddArrayToObject(parent, "places");
    for (size_t i = 0; i < x->match->nplace; i++) {
        const Bound *b = &x->place[i];
        bool has = b->known && !run->no_gain && b->at_most_ns > 0;
        Interval v = {0, b->removable_ns, b->at_most_ns};
        cJSON *o = cJSON_CreateObject();
        add_where(o, run, b);
        cJSON_AddStringToObject(o, "text", x->match->place[i].text);
        cJSON_AddStringToObject(o, "fix", x->match->place[i].fix[0]);
        cJSON_AddItemToObject(o, "gain", has ? tree_interval_ns(v) : cJSON_CreateNull());
        cJSON_AddItemToObject(o, "local_ns", tree_ns_if(has, b->removable_ns));
        cJSON_AddItemToArray(list, o);
    }
}

/* Other recommendations that exclude this one. */
static cJSON *json_conflicts(const CompiledRun *run, const CompiledAdvice *x)
{
    cJSON *list = cJSON_CreateArray();
    const Rule *rule = x->match->rule;
    for (size_t k = 0; k < rule->nconflicts; k++)
        for (size_t i = 0; i < run->nrecommended; i++)
            if (!strcmp(run->advice[i].match->rule->id, rule->conflicts[k])) {
                cJSON_AddItemToArray(list, cJSON_CreateString(rule->conflicts[k]));
                break;
            }
    return list;
}

static cJSON *json_recommendation(const CompiledRun *run, size_t i)
{
    assert(i < run->nrecommended && !run->advice[i].held);
    const CompiledAdvice *x = &run->advice[i];
    const Match *m = x->match;
    cJSON *o = cJSON_CreateObject();
    cJSON_AddNumberToObject(o, "rank", (double)i + 1);
    cJSON_AddStringToObject(o, "rule_id", m->rule->id);
    cJSON_AddStringToObject(o, "fingerprint", x->fingerprint);
    cJSON_AddStringToObject(o, "title", m->title[0]);
    add_where(cJSON_AddObjectToObject(o, "where"), run, &x->bound);
    cJSON_AddArrayToObject(o, "levers");
    tree_add_fix(o, compiled_version(run), m, 0);
    cJSON_AddStringToObject(o, "applicability", applicability_name(m->rule->applicability));
    add_places(o, run, x);
    cJSON_AddItemToObject(o, "gain", json_bound(run, x));
    cJSON_AddNullToObject(o, "accuracy");
    cJSON_AddNullToObject(o, "verdict");
    cJSON_AddItemToObject(o, "conflicts_with", json_conflicts(run, x));
    cJSON_AddArrayToObject(o, "enables");
    tree_add_rule(o, m);
    cJSON_AddStringToObject(o, "risk", m->risk);
    cJSON_AddArrayToObject(o, "sweep");
    cJSON_AddNullToObject(o, "suppression");
    return o;
}

void compiled_add_recommendations(cJSON *root, const CompiledRun *run)
{
    cJSON *list = cJSON_AddArrayToObject(root, "recommendations");
    for (size_t i = 0; i < run->nrecommended; i++)
        cJSON_AddItemToArray(list, json_recommendation(run, i));
}

static cJSON *json_observation(const CompiledRun *run, const CompiledAdvice *x)
{
    const Match *m = x->match;
    bool has = x->bound.known && x->bound.at_most_ns > 0;
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "rule_id", m->rule->id);
    cJSON_AddStringToObject(o, "title", m->title[0]);
    add_where(cJSON_AddObjectToObject(o, "where"), run, &x->bound);
    cJSON_AddStringToObject(o, "text", m->place[0].text);
    cJSON_AddItemToObject(o, "cost_ns", tree_ns_if(has, x->bound.at_most_ns));
    cJSON_AddStringToObject(o, "fingerprint", x->fingerprint);
    cJSON_AddItemToObject(o, "reason", compiled_message(run, x->held));
    tree_add_fix(o, compiled_version(run), m, 0);
    cJSON_AddStringToObject(o, "applicability", applicability_name(m->rule->applicability));
    add_places(o, run, x);
    tree_add_rule(o, m);
    cJSON_AddNullToObject(o, "suppression");
    return o;
}

static bool is_recommended(const CompiledRun *run, const Rule *rule)
{
    for (size_t i = 0; i < run->nrecommended; i++)
        if (run->advice[i].match->rule == rule)
            return true;
    return false;
}

void compiled_add_skipped(cJSON *root, const CompiledRun *run)
{
    cJSON *list = cJSON_AddArrayToObject(root, "suppressed");
    for (size_t i = run->nrecommended; i < run->nadvice; i++) {
        const CompiledAdvice *x = &run->advice[i];
        if ((!x->small && !x->off) || is_recommended(run, x->match->rule))
            continue;
        cJSON *o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "rule_id", x->match->rule->id);
        cJSON_AddStringToObject(o, "reason", x->off ? "configured" : "small");
        cJSON_AddItemToObject(o, "text", compiled_message(run, x->held));
        cJSON_AddStringToObject(o, "fingerprint", x->fingerprint);
        cJSON_AddItemToObject(o, "gain", json_bound(run, x));
        cJSON_AddItemToArray(list, o);
    }
}

void compiled_add_observations(cJSON *root, const CompiledRun *run)
{
    cJSON *list = cJSON_AddArrayToObject(root, "observations");
    for (size_t i = run->nrecommended; i < run->nadvice; i++) {
        const CompiledAdvice *x = &run->advice[i];
        if (!x->small && !x->off && !is_recommended(run, x->match->rule))
            cJSON_AddItemToArray(list, json_observation(run, x));
    }
}

void compiled_add_combined(cJSON *root, const CompiledRun *run)
{
    double sum = 0;
    if (run->nrecommended < 2) {
        cJSON_AddNullToObject(root, "combined");
        return;
    }
    cJSON *o = cJSON_AddObjectToObject(root, "combined");
    cJSON *ids = cJSON_AddArrayToObject(o, "rule_ids"), *ranks = cJSON_AddArrayToObject(o, "ranks");
    for (size_t i = 0; i < run->nrecommended; i++) {
        cJSON_AddItemToArray(ids, cJSON_CreateString(run->advice[i].match->rule->id));
        cJSON_AddItemToArray(ranks, cJSON_CreateNumber((double)i + 1));
        sum += run->advice[i].bound.at_most_ns;
    }
    const Bound *b = &run->combined;
    cJSON_AddArrayToObject(o, "levers");
    cJSON_AddItemToObject(o, "predicted",
                          tree_interval_ns((Interval){0, b->removable_ns, b->at_most_ns}));
    cJSON_AddItemToObject(o, "baseline", tree_ns(whole_of(run, b)));
    cJSON_AddNullToObject(o, "verified");
    cJSON_AddItemToObject(o, "sum_of_parts", tree_ns(sum));
    cJSON_AddItemToObject(o, "overlap", tree_ns(sum - b->at_most_ns));
}
