/* Builds what is done by hand, observations, and changes that are in no plan. */
#include "advisor/advise/result.h"

#include "advisor/candidate/proposal.h"
#include "advisor/report/result_json.h"
#include "graph/compile/machine.h"

/* ---- of a proposal ---- */

static ResultPlace occurrence_of(const AdviseRun *run, const Proposal *p, size_t i, size_t attempt)
{
    const Occurrence *x = &p->match->place[i];
    const Gain *g = &p->place[i];
    Objective o = run->request->objective;
    ResultWhere where = result_where(run, x);
    return (ResultPlace){
        .node = where.node,
        .tensor = where.tensor,
        .op = where.op,
        .text = x->text,
        .fix = p->match->withheld ? "" : x->fix[attempt], /* another SDK's is not one */
        .gain =
            g->known ? RESULT_NEW(run->arena, ResultInterval, result_difference(o, g->gain)) : NULL,
        .local_ns = result_int_if(g->known, result_ns(g->local_ns))};
}

ResultPlaceList result_occurrences(const AdviseRun *run, const Proposal *p, size_t attempt)
{
    size_t n = p->match->nplace;
    ResultPlace *list = ARENA_ARRAY(run->arena, ResultPlace, n);
    for (size_t i = 0; i < n; i++)
        list[i] = occurrence_of(run, p, i, attempt);
    return (ResultPlaceList){list, n};
}

ResultGain result_gain(const AdviseRun *run, const Proposal *p)
{
    Objective o = run->request->objective;
    bool is_time = o == OBJECTIVE_LATENCY, has = proposal_has_gain(p);
    const Gain *g = &p->gain;
    return (ResultGain){
        .metric = is_time ? RESULT_OBJECTIVE_LATENCY : RESULT_OBJECTIVE_THROUGHPUT,
        .unit = is_time ? RESULT_UNIT_NS : RESULT_UNIT_PER_S,
        .basis = has ? result_word(result_basis_words, basis_name(p->basis)) : RESULT_BASIS_UNSET,
        .at_least = has && g->at_least,
        .predicted =
            has ? RESULT_NEW(run->arena, ResultInterval, result_difference(o, g->gain)) : NULL,
        .baseline = result_real_if(has, result_amount(o, g->before)),
        .reason_if_null = RESULT_SENTENCE(run, p->unknown),
        .local_ns = result_int_if(has, result_ns(g->local_ns))};
}

/* ---- the steps that a finding is about ---- */

static bool holds_id(const uint32_t *list, uint32_t n, uint32_t id)
{
    return LIST_ANY(i, n, list[i] == id);
}

static bool holds_tensor(const Program *p, const PTensorId *list, uint32_t n, TensorId id)
{
    return LIST_ANY(i, n, p->tensor[list[i]].tensor == id);
}

/* The step that the pass names, else the conversions of an input or output, else the node's own. */
static bool is_at_step(const Program *p, const Occurrence *x, size_t i)
{
    const Step *s = &p->step[i];
    if (s->nop) /* a task of the NPU is what its operators are */
        return s->id == x->step && x->node == NODE_NONE;
    if (x->step != STEP_NONE)
        return s->id == x->step;
    if (x->io == IO_NONE)
        return x->node != NODE_NONE && holds_id(s->node, s->nnode, x->node);
    return s->kind == STEP_HOST && s->io == x->io &&
           (holds_tensor(p, s->input, s->ninput, x->tensor) ||
            holds_tensor(p, s->output, s->noutput, x->tensor));
}

static bool is_at_op(const Program *p, const Occurrence *x, size_t i)
{
    const LowOp *op = &p->op[i];
    return (x->step == STEP_NONE || x->step == op->step) && x->io == IO_NONE &&
           x->node != NODE_NONE && holds_id(op->node, op->nnode, x->node);
}

/* The numbers, below `count`, of those that stand at a place of the match. */
static ResultInts numbers_at(const AdviseRun *run, const Match *m, size_t count,
                             bool (*is_at)(const Program *p, const Occurrence *x, size_t i))
{
    int64_t *id = ARENA_ARRAY(run->arena, int64_t, count);
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        size_t k = LIST_INDEX(j, m->nplace, is_at(run->program, &m->place[j], i));
        if (k < m->nplace)
            id[n++] = (int64_t)i;
    }
    return (ResultInts){id, n};
}

static ResultInts steps_of(const AdviseRun *run, const Match *m)
{
    return numbers_at(run, m, run->program->nstep, is_at_step);
}

static ResultInts operators_of(const AdviseRun *run, const Match *m)
{
    return numbers_at(run, m, run->program->nop, is_at_op);
}

/* ---- by hand ---- */

enum { BY_HAND_MAX = 5 };

static ResultHandWork hand_work_of(const AdviseRun *run, const HandWork *x, int64_t id)
{
    const Proposal *p = x->proposal;
    Objective o = run->request->objective;
    ResultHandWork h = result_hand_work(run->arena, p->match, p->chosen,
                                        sdk_text(run->variant.compile.sdk), x->needs);
    h.id = id;
    h.fingerprint = p->fingerprint;
    h.where = result_where(run, &p->match->place[0]);
    h.occurrences = result_occurrences(run, p, p->chosen);
    h.up_to = (ResultUpTo){o == OBJECTIVE_LATENCY ? RESULT_UNIT_NS : RESULT_UNIT_PER_S,
                           result_amount(o, x->up_to)};
    if (o == OBJECTIVE_LATENCY && attempt_setting(proposal_attempt(p), LEVER_SPARED_NS))
        h.spares = phrase_text(run->request->lang, PHRASE_SPARES);
    h.alone = result_gain(run, p);
    h.steps = steps_of(run, p->match);
    h.operators = operators_of(run, p->match);
    return h;
}

/* Numbered after the changes. */
static ResultHandWorkList by_hand_of(const AdviseRun *run, size_t nchange)
{
    const Outcomes *x = &run->outcomes;
    size_t n = x->nby_hand < BY_HAND_MAX ? x->nby_hand : BY_HAND_MAX;
    ResultHandWork *list = ARENA_ARRAY(run->arena, ResultHandWork, n);
    for (size_t i = 0; i < n; i++)
        list[i] = hand_work_of(run, &x->by_hand[i], (int64_t)(nchange + i + 1));
    return (ResultHandWorkList){list, n};
}

/* ---- observations ---- */

/* The cost of all occurrences, as far as it is known. */
static ResultInt cost_of(const Match *m)
{
    double sum = 0;
    bool known = false;
    for (size_t i = 0; i < m->nplace; i++)
        if (m->place[i].cost_ns > 0) {
            sum += m->place[i].cost_ns;
            known = true;
        }
    return result_int_if(known, result_ns(sum));
}

static ResultObservation observation_of(const AdviseRun *run, const Proposal *p,
                                        const Message *said)
{
    ResultObservation x =
        result_observation(p->match, p->chosen, sdk_text(run->variant.compile.sdk));
    x.where = result_where(run, &p->match->place[0]);
    x.cost_ns = cost_of(p->match);
    x.fingerprint = p->fingerprint;
    x.reason = said ? RESULT_SENTENCE(run, said)
                    : RESULT_SENTENCE(run, MESSAGE(run->arena, phrase_arg(PHRASE_REPEATS_COST)));
    x.occurrences = result_occurrences(run, p, p->chosen);
    x.steps = steps_of(run, p->match);
    x.operators = operators_of(run, p->match);
    return x;
}

static ResultObservationList observations_of(const AdviseRun *run)
{
    const Outcomes *x = &run->outcomes;
    size_t more = x->nby_hand > BY_HAND_MAX ? x->nby_hand - BY_HAND_MAX : 0, n = 0;
    ResultObservation *list = ARENA_ARRAY(run->arena, ResultObservation, x->nobservation + more);
    for (size_t i = 0; i < x->nobservation; i++)
        list[n++] = observation_of(run, x->observation[i].proposal, x->observation[i].said);
    for (size_t i = 0; i < more; i++)
        list[n++] = observation_of(run, x->by_hand[BY_HAND_MAX + i].proposal,
                                   MESSAGE(run->arena, phrase_arg(PHRASE_LESS_THAN_OTHERS)));
    return (ResultObservationList){list, n};
}

/* ---- suppressed ---- */

static ResultSuppressed suppressed_of(const AdviseRun *run, const Suppressed *x)
{
    const Proposal *p = x->proposal;
    const Match *m = p->match;
    return (ResultSuppressed){.rule_id = m->rule->id,
                              .fingerprint = p->fingerprint,
                              .reason =
                                  result_word(result_reason_words, suppress_reason_name(x->reason)),
                              .text = RESULT_SENTENCE(run, x->said),
                              .title = m->title[p->chosen],
                              .level = result_word(result_level_words, level_name(m->level)),
                              .where = result_where(run, &m->place[0]),
                              .occurrences = result_occurrences(run, p, p->chosen),
                              .alone = result_gain(run, p)};
}

static ResultSuppressedList suppressed_list(const AdviseRun *run)
{
    const Outcomes *x = &run->outcomes;
    ResultSuppressed *list = ARENA_ARRAY(run->arena, ResultSuppressed, x->nsuppressed);
    for (size_t i = 0; i < x->nsuppressed; i++)
        list[i] = suppressed_of(run, &x->suppressed[i]);
    return (ResultSuppressedList){list, x->nsuppressed};
}

void result_set_findings(Result *ret, const AdviseRun *run)
{
    ret->by_hand = by_hand_of(run, ret->changes.count);
    ret->observations = observations_of(run);
    ret->suppressed = suppressed_list(run);
}
