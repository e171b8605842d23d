/* Adds one assertion to the result, and tells whether a result holds enough to assert anything. */
#include "advisor/act/gate/gate_parts.h"

#include <assert.h>
#include <string.h>

static const char *relation_text(const GateLimit *l)
{
    return l->at_least ? ">=" : "<=";
}

static const char *expected_text(Arena *a, const Assertion *x)
{
    const GateLimit *l = x->limit;
    if (x->expected || !l)
        return x->expected;
    return l->is_time ? arena_printf(a, "%s %.0f ns", relation_text(l), l->value)
                      : arena_printf(a, "%s %.6g", relation_text(l), l->value);
}

static cJSON *json_limit(const GateLimit *l)
{
    if (!l)
        return cJSON_CreateNull();
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "relation", relation_text(l));
    cJSON_AddNumberToObject(o, "value", l->value);
    cJSON_AddStringToObject(o, "unit", l->is_time ? "ns" : "");
    return o;
}

void gate_assert(const Gate *g, const Assertion *x)
{
    assert(x->name && (x->expected || x->limit) && (x->has_found || x->decision == UNDECIDED));
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "name", x->name);
    cJSON_AddStringToObject(o, "expected", expected_text(g->arena, x));
    cJSON_AddItemToObject(o, "limit", json_limit(x->limit));
    cJSON_AddItemToObject(o, "found",
                          x->has_found ? cJSON_CreateNumber(x->found) : cJSON_CreateNull());
    cJSON *values = cJSON_AddArrayToObject(o, "values");
    for (size_t i = 0; x->has_found && i < x->nvalue; i++)
        cJSON_AddItemToArray(values, cJSON_CreateNumber(x->value[i]));
    bool undecided = x->decision == UNDECIDED;
    cJSON_AddItemToObject(o, "pass",
                          undecided ? cJSON_CreateNull() : cJSON_CreateBool(x->decision == HOLDS));
    cJSON_AddStringToObject(o, "detail", x->detail ? x->detail : "");
    cJSON_AddItemToArray(cJSON_GetObjectItemCaseSensitive(g->gate, "assertions"), o);
}

bool gate_has_evidence(const cJSON *result)
{
    if (json_number_or(result, "measured.inferences", 0) > 0)
        return true;
    for (const cJSON *s = json_first(result, "steps"); s; s = s->next)
        if (cJSON_IsObject(json_at(s, "predicted_ns")) ||
            (json_at(s, "layer") && cJSON_IsObject(json_at(s, "measured_ns"))))
            return true;
    return json_count(result, "steps") == 0 && json_number_or(result, "coverage.nodes", 0) > 0 &&
           json_number_or(result, "coverage.nodes_known", 0) > 0;
}

const char gate_single_result_doubt[] = "one sample does not tell how far the next is from it";

bool gate_has_unknown_cost(const cJSON *result)
{
    for (const cJSON *s = json_first(result, "steps"); s; s = s->next)
        if (!cJSON_IsObject(json_at(s, "predicted_ns")) &&
            !cJSON_IsObject(json_at(s, "measured_ns")))
            return true;
    return false;
}

bool gate_trace_is_refuted(const cJSON *result)
{
    return cJSON_IsString(json_at(result, "evidence.refuted"));
}

bool gate_is_of_run(const cJSON *rec)
{
    const char *group = json_text(rec, "group", "");
    return !strcmp(group, "evidence") ||
           (!strcmp(group, "runtime") && json_count(rec, "levers") == 0);
}
