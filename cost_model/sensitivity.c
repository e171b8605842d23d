/* Computes how much of the objective depends on each kind of step. */
#include "cost_model/sensitivity.h"

#define LESS 0.01 /* a percent less of one demand */

static double period_ns(const QueueDemand *d, int workers)
{
    double per_s = queueing_throughput(d, workers);
    return per_s > 0 ? 1e9 / per_s : 0;
}

/* Share of the period that goes when `demand`, which is part of *d, takes 1 % less; per ns of it.
 */
static double per_ns(const QueueDemand *d, double *demand, double ns, int workers)
{
    double before = period_ns(d, workers), kept = *demand;
    *demand -= LESS * ns;
    double after = period_ns(d, workers);
    *demand = kept;
    /* Rounding can make a demand that no request waits for look harmful by 1e-14. */
    return before > after && ns > 0 ? (before - after) / before / LESS / ns : 0;
}

Sensitivity sensitivity_of(const Program *p, const Costs *c, const RunOptions *run,
                           const Prediction *t, Objective o)
{
    if (o == OBJECTIVE_LATENCY) {
        double share = t->latency_ns.mid > 0 ? 1 / t->latency_ns.mid : 0;
        return (Sensitivity){share, share, share};
    }
    QueueDemand d = predict_demand(p, run, t);
    int workers = predict_workers(p, c, run);
    return (Sensitivity){.host = per_ns(&d, &d.host_ns, t->host_ns.mid, workers),
                         .npu = per_ns(&d, &d.npu_ns, t->npu_ns.mid, workers),
                         .io = per_ns(&d, &d.pcie_ns, t->io_ns.mid, workers)};
}

double sensitivity_step(const Sensitivity *s, const Program *p, const Prediction *t, StepId step)
{
    assert(step < p->nstep);
    StepKind kind = p->step[step].kind;
    double per_ns = kind == STEP_NPU ? s->npu : kind == STEP_HOST ? s->host : s->io;
    /* A prediction may exceed the measured whole that it is a part of. */
    return t->step[step].known ? fmin(1, per_ns * t->step[step].total_ns.mid) : 0;
}
