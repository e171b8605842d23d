/* Lays out the steps of a program one after the other, with predicted gaps. */
#include "advisor/advise/timeline.h"
#include "graph/compile/program.h"

/* Where the next block begins, not rounded until it is drawn. */
typedef struct {
    Arena *arena;
    Timeline *t;
    double at;
} Pen;

static void put_gap(Pen *pen, double ns, ResultGapCause cause)
{
    double end = pen->at + (ns > 0 ? ns : 0);
    timeline_gap(pen->arena, pen->t, (ResultGap){llround(pen->at), llround(end), cause, NULL});
    pen->at = end;
}

static ResultLane lane_of(const Step *s)
{
    return s->kind == STEP_HOST  ? RESULT_LANE_HOST
           : s->kind == STEP_NPU ? RESULT_LANE_PE
                                 : RESULT_LANE_PCIE;
}

static void put_step(Pen *pen, const Program *p, const Step *s, double ns)
{
    double end = pen->at + ns;
    timeline_block(pen->arena, pen->t,
                   (TimelineBlock){.lane = lane_of(s),
                                   .count = s->kind == STEP_NPU ? p->options.pe : 1,
                                   .step = s->id,
                                   .op = BLOCK_FULL,
                                   .name = s->op,
                                   .start_ns = llround(pen->at),
                                   .end_ns = llround(end),
                                   .own = true,
                                   .critical = true});
    pen->at = end;
}

/* Its operators, one after the other, in the shares of the task that each is predicted to take. */
static void put_operators(Pen *pen, const Program *p, const Prediction *t, const Step *s, double ns)
{
    double sum = 0, at = pen->at;
    for (uint32_t i = 0; i < s->nop; i++)
        sum += t->op[s->first_op + i].total_ns.mid;
    for (uint32_t i = 0; i < s->nop && sum > 0; i++) {
        LowOpId id = s->first_op + i;
        double end = at + t->op[id].total_ns.mid * ns / sum;
        timeline_inner(pen->arena, pen->t,
                       (TimelineBlock){.lane = RESULT_LANE_PE,
                                       .count = p->options.pe,
                                       .step = s->id,
                                       .op = id,
                                       .name = program_lowop_name(p->op[id].kind),
                                       .start_ns = llround(at),
                                       .end_ns = llround(end),
                                       .own = true});
        at = end;
    }
}

Timeline *timeline_predicted(Arena *a, const Program *p, const Prediction *t, const Costs *c)
{
    if (p->nstep == 0)
        return NULL;
    /* Medians of steps may sum up to more than the median of the whole. */
    double waiting = fmax(0, t->gap_ns.mid + fmin(0, t->unattributed_ns.mid));
    Pen pen = {a, ARENA_NEW(a, Timeline), 0};
    pen.t->source = RESULT_SOURCE_PREDICTED;
    size_t tasks = LIST_SUM(size_t, i, p->nstep, p->step[i].kind == STEP_NPU),
           handoffs = p->nstep - 1;
    double launch = tasks ? fmin(t->launch_ns, waiting) : 0;
    double rest = waiting - launch;
    /* In a replay, the measured request overhead is part of the unattributed time. */
    double request = t->unattributed_ns.mid > 0 ? 0
                     : handoffs                 ? fmin(c->request_ns.mid, rest)
                                                : rest;
    put_gap(&pen, request, RESULT_GAP_CAUSE_REQUEST);
    for (size_t i = 0; i < p->nstep; i++) {
        const Step *s = &p->step[i];
        if (i > 0)
            put_gap(&pen, (rest - request) / (double)handoffs, RESULT_GAP_CAUSE_HANDOFF);
        if (s->kind == STEP_NPU)
            put_gap(&pen, launch / (double)tasks, RESULT_GAP_CAUSE_LAUNCH);
        double ns = t->step[i].known ? t->step[i].total_ns.mid : 0;
        if (s->kind == STEP_NPU)
            put_operators(&pen, p, t, s, ns);
        put_step(&pen, p, s, ns);
    }
    put_gap(&pen, round(t->latency_ns.mid) - pen.at, RESULT_GAP_CAUSE_UNEXPLAINED);
    pen.t->total_ns = llround(pen.at);
    timeline_close(pen.t);
    return pen.t;
}
