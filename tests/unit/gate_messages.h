/* Prints what a gate says of a result that holds no more than it reads, as one line. */
#pragma once

#include "advisor/act/gate/gate.h"
#include "advisor/act/gate/gate_parts.h"
#include "tests/unit/check.h"

#include <string.h>

static Arena *arena;

/* "name expected: found [values] holds", joined by semicolons. */
static inline const char *told(const ResultAssertionList *list)
{
    const char *all = "";
    for (size_t i = 0; i < list->count; i++) {
        const ResultAssertion *x = &list->item[i];
        const char *values = "";
        for (size_t k = 0; k < x->values.count; k++)
            values = arena_printf(arena, "%s%s%.9g", values, *values ? " " : "", x->values.item[k]);
        all = arena_printf(
            arena, "%s%s%s %s: %s [%s] %s", all, *all ? "; " : "", x->name, x->expected,
            x->found.known ? arena_printf(arena, "%.9g", x->found.value) : "unknown", values,
            !x->pass.known  ? "undecided"
            : x->pass.value ? "holds"
                            : "fails");
    }
    return *all ? all : "nothing";
}

static inline const char *judged(const Result *r, const GateRequest *q)
{
    Notes notes;
    Diag diag;
    Result ret;
    notes_init(&notes, arena);
    return gate_judge(arena, r, q, &notes, &ret, &diag) ? arena_strdup(arena, diag.text)
                                                        : told(&ret.gate.assertions);
}

/* A list of a result. */
#define LIST(type, ...)                                                                            \
    {                                                                                              \
        (const type[]){__VA_ARGS__}, sizeof((const type[]){__VA_ARGS__}) / sizeof(type)            \
    }

#define EMPTY  .language = "en"
#define TRACED .traces = LIST(ResultTrace, {.file = "trace"})
#define PASSED .passed = LIST(char *const, "R")
#define STEP(step_kind, name, ...)                                                                 \
    {                                                                                              \
        .kind = RESULT_STEP_KIND_##step_kind, .op = (name), __VA_ARGS__                            \
    }
#define PREDICTED                                                                                  \
    .predicted_ns = &(const ResultIntervalNs)                                                      \
    {                                                                                              \
        .mid = 1                                                                                   \
    }
#define MEASURED                                                                                   \
    .measured_ns = &(const ResultMeasuredNs)                                                       \
    {                                                                                              \
        .median = 1                                                                                \
    }
#define UNKNOWN .predicted_ns = NULL
#define INFERENCES(number)                                                                         \
    .measured = &(const ResultMeasured)                                                            \
    {                                                                                              \
        .inferences = (number)                                                                     \
    }

#define STEPS                                                                                      \
    .coverage = {.nodes = 8, .nodes_known = 6},                                                    \
    .steps = LIST(ResultStep, STEP(H2D, "", PREDICTED), STEP(NPU, "", UNKNOWN),                    \
                  STEP(HOST, "Softmax", UNKNOWN), STEP(HOST, "Add", UNKNOWN),                      \
                  STEP(NPU, "", UNKNOWN), STEP(D2H, "", UNKNOWN), STEP(HOST, "Softmax", UNKNOWN))
/* A change, and a result of measured inferences with changes. */
#define FOUND(how, ...)                                                                            \
    {                                                                                              \
        .id = 1, .rule_id = "R", .fingerprint = "f", .level = RESULT_LEVEL_##how,                  \
        .fix = {.text = "do"}, __VA_ARGS__                                                         \
    }
#define OF_MODEL  .group = RESULT_GROUP_COMPUTE
#define WITH(...) INFERENCES(9), .changes = LIST(ResultChange, __VA_ARGS__)
