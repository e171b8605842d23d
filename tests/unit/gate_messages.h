/* What a gate says of a result that holds no more than it reads, as one line.  In JSON ' stands for
 * ". */
#ifndef TESTS_UNIT_GATE_MESSAGES_H
#define TESTS_UNIT_GATE_MESSAGES_H

#include "advisor/act/gate/gate.h"
#include "advisor/act/gate/gate_parts.h"
#include "tests/unit/check.h"
#include "tests/unit/json_quoted.h"

#include <string.h>

static Arena *arena;

/* "name expected: found [values] holds", one behind the other. */
static inline const char *told(const cJSON *result)
{
    const char *all = "";
    const cJSON *x, *v;
    cJSON_ArrayForEach(x, json_at(result, "gate.assertions"))
    {
        const cJSON *pass = json_at(x, "pass"), *found = json_at(x, "found");
        const char *values = "";
        cJSON_ArrayForEach(v, json_at(x, "values")) values =
            arena_printf(arena, "%s%s%.9g", values, *values ? " " : "", v->valuedouble);
        all = arena_printf(arena, "%s%s%s %s: %s [%s] %s", all, *all ? "; " : "",
                           json_text(x, "name", "?"), json_text(x, "expected", "?"),
                           cJSON_IsNumber(found) ? arena_printf(arena, "%.9g", found->valuedouble)
                                                 : "unknown",
                           values,
                           cJSON_IsNull(pass)   ? "undecided"
                           : cJSON_IsTrue(pass) ? "holds"
                                                : "fails");
    }
    return *all ? all : "nothing";
}

static const char no_gate[] = "'gate':{'status':'none','baseline':null,'assertions':[]}";

static inline cJSON *result_of(const char *inside)
{
    return json_from_quoted(arena_printf(arena, "{%s%s%s}", inside, *inside ? "," : "", no_gate));
}

static inline const char *judged(const char *inside, const GateRequest *q)
{
    Notes notes;
    Diag diag;
    cJSON *result = result_of(inside);
    notes_init(&notes, arena);
    const char *text =
        gate_apply(arena, result, q, &notes, &diag) ? arena_strdup(arena, diag.text) : told(result);
    cJSON_Delete(result);
    return text;
}

#define STEPS                                                                                      \
    "'coverage':{'nodes':8,'nodes_known':6},'steps':[{'kind':'h2d','predicted_ns':{}},"            \
    "{'kind':'npu'},{'kind':'host','op':'Softmax'},{'kind':'host','op':'Add'},{'kind':'npu'},"     \
    "{'kind':'d2h'},{'kind':'host','op':'Softmax'}]"
/* A recommendation, and a result of measured inferences with such. */
#define FOUND(level, more)                                                                         \
    "{'rank':1,'fingerprint':'f','level':'" level "','fix':{'text':'do'},'group':'model'" more "}"
#define WITH(finding) "'measured':{'inferences':9},'recommendations':[" finding "]"

#endif
