/* Adds an assertion to the result, and tells whether it holds enough to assert. */
#include "advisor/act/gate/gate_parts.h"
#include "advisor/report/result_json.h"

static const char *relation_text(const GateLimit *l)
{
    return l->at_least ? ">=" : "<=";
}

static const char *expected_text(Arena *a, const Assertion *x)
{
    const GateLimit *l = x->limit;
    if (x->expected || !l)
        return x->expected;
    return l->unit == RESULT_ASSERTION_LIMIT_UNIT_NS
               ? arena_printf(a, "%s %.0f ns", relation_text(l), l->value)
               : arena_printf(a, "%s %.6g", relation_text(l), l->value);
}

static const ResultAssertionLimit *limit_of(Arena *a, const GateLimit *l)
{
    if (!l)
        return NULL;
    ResultAssertionLimit *ret = ARENA_NEW(a, ResultAssertionLimit);
    *ret = (ResultAssertionLimit){
        .relation = (ResultRelation)result_word(result_relation_words, relation_text(l)),
        .value = l->value,
        .unit = l->unit ? l->unit : RESULT_ASSERTION_LIMIT_UNIT_NONE};
    return ret;
}

static ResultReals values_of(Arena *a, const Assertion *x)
{
    size_t n = x->has_found ? x->nvalue : 0;
    double *value = ARENA_ARRAY(a, double, n + 1);
    for (size_t i = 0; i < n; i++)
        value[i] = x->value[i];
    return (ResultReals){value, n};
}

void gate_assert(Gate *g, const Assertion *x)
{
    assert(x->name && (x->expected || x->limit) && (x->has_found || x->decision == UNDECIDED));
    *VEC_PUSH(g->arena, g->assertion, g->nassertion, g->cap_assertion) =
        (ResultAssertion){.name = x->name,
                          .expected = expected_text(g->arena, x),
                          .limit = limit_of(g->arena, x->limit),
                          .found = {x->has_found ? x->found : 0, x->has_found},
                          .values = values_of(g->arena, x),
                          .pass = {x->decision == HOLDS, x->decision != UNDECIDED},
                          .detail = x->detail ? x->detail : "",
                          .findings = x->findings};
}

bool gate_has_evidence(const Result *r)
{
    if (r->measured && r->measured->inferences > 0)
        return true;
    const ResultStep *s = r->steps.item;
    if (LIST_ANY(i, r->steps.count, s[i].predicted_ns || (s[i].layer && s[i].measured_ns)))
        return true;
    return r->steps.count == 0 && r->coverage.nodes > 0 && r->coverage.nodes_known > 0;
}

const char gate_single_result_doubt[] = "one sample does not tell how far the next is from it";

bool gate_has_unknown_cost(const Result *r)
{
    return LIST_ANY(i, r->steps.count,
                    !r->steps.item[i].predicted_ns && !r->steps.item[i].measured_ns);
}

bool gate_trace_is_refuted(const Result *r)
{
    return r->evidence.refuted != RESULT_REFUTED_UNSET;
}

const char *gate_why_unknown(const Result *r, const char *otherwise)
{
    return gate_trace_is_refuted(r)
               ? "the trace is not of this model and set-up, so none of its times counts"
               : otherwise;
}

bool gate_is_of_run(const ReportedFinding *f)
{
    const char *group = f->group ? f->group : "";
    bool sets = f->change || f->by_hand;
    return !strcmp(group, "evidence") || (!strcmp(group, "runtime") && !sets);
}
