/* Lists the steps and operators that each finding marks in the pictures of the page. */
#include "advisor/advise/result_charts.h"
#include "advisor/candidate/proposal.h"

#include "advisor/advise/result.h"
#include "advisor/candidate/effect.h"
#include "advisor/candidate/proposal.h"

static bool holds_id(const uint32_t *list, uint32_t n, uint32_t id)
{
    for (uint32_t i = 0; i < n; i++)
        if (list[i] == id)
            return true;
    return false;
}

static bool holds_tensor(const Program *p, const PTensorId *list, uint32_t n, TensorId id)
{
    for (uint32_t i = 0; i < n; i++)
        if (p->tensor[list[i]].tensor == id)
            return true;
    return false;
}

/* The step that the pass names, else the conversions of an input or output, else the node's own. */
static bool is_at_step(const Program *p, const Occurrence *x, const Step *s)
{
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

static bool is_at_op(const Occurrence *x, const LowOp *op)
{
    return (x->step == STEP_NONE || x->step == op->step) && x->io == IO_NONE &&
           x->node != NODE_NONE && holds_id(op->node, op->nnode, x->node);
}

static bool is_any_at_step(const Program *p, const Match *m, const Step *s)
{
    for (size_t i = 0; i < m->nplace; i++)
        if (is_at_step(p, &m->place[i], s))
            return true;
    return false;
}

static bool is_any_at_op(const Match *m, const LowOp *op)
{
    for (size_t i = 0; i < m->nplace; i++)
        if (is_at_op(&m->place[i], op))
            return true;
    return false;
}

/* What an observation is about. */
static Effect places_of(Arena *a, const Program *p, const Match *m)
{
    Effect e = {.step = ARENA_ARRAY(a, StepId, p->nstep + 1),
                .op = ARENA_ARRAY(a, LowOpId, p->nop + 1)};
    for (size_t i = 0; i < p->nstep; i++)
        if (is_any_at_step(p, m, &p->step[i]))
            e.step[e.nstep++] = (StepId)i;
    for (size_t i = 0; i < p->nop; i++)
        if (is_any_at_op(m, &p->op[i]))
            e.op[e.nop++] = (LowOpId)i;
    return e;
}

static ResultInts ids_of(Arena *a, const uint32_t *id, size_t n)
{
    int64_t *list = ARENA_ARRAY(a, int64_t, n);
    for (size_t i = 0; i < n; i++)
        list[i] = id[i];
    return (ResultInts){list, n};
}

static ResultMark mark_of(Arena *a, const Effect *e)
{
    return (ResultMark){ids_of(a, e->step, e->nstep), ids_of(a, e->op, e->nop)};
}

ResultMarkList result_marks(const AdviseRun *run, Arena *scratch)
{
    const Ranking *r = &run->ranking;
    size_t n = 0;
    ResultMark *list = ARENA_ARRAY(run->arena, ResultMark, r->nrec + r->nobservation);
    for (size_t i = 0; i < r->nrec; i++) {
        const Attempt *change = proposal_attempt(r->rec[i]);
        Effect e = change ? effect_of(scratch, &run->whatif, change)
                          : places_of(scratch, run->program, r->rec[i]->match);
        list[n++] = mark_of(run->arena, &e);
    }
    for (size_t i = 0; i < r->nobservation; i++) {
        const Match *m = r->observation[i].proposal->match;
        if (result_recommends(r, m->rule))
            continue;
        Effect e = places_of(scratch, run->program, m);
        list[n++] = mark_of(run->arena, &e);
    }
    return (ResultMarkList){list, n};
}
