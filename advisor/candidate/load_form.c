/* Predicts the throughput again under each assumption and keeps the largest differences. */
#include "advisor/candidate/load_form.h"

#include "cost_model/interval.h"
#include "cost_model/queueing.h"

/* How the stations of a loaded run may work other than the middle has it. */
typedef enum {
    FORM_AT_RANDOM, /* requests never synchronize; one I/O thread per card */
    FORM_REGULAR,   /* nothing ever waits for anything but the busiest station */
    FORM_AHEAD,     /* a PE fetches the next task's weights while it computes this one */
    FORM_COUNT
} LoadForm;

/* Time of a task in which a PE could fetch for the next one. */
static double fetched_ahead_ns(const Trial *t)
{
    double npu = t->time->npu_ns.mid, dram = fmin(t->time->dram_ns, npu);
    return t->variant.run.workers > 1 ? fmin(dram, npu - dram) : 0;
}

/* Images per second then: the truth lies between them. */
static double throughput_if(const Trial *t, const Costs *c, LoadForm form)
{
    RunOptions run = t->variant.run;
    run.io_threads = form == FORM_AT_RANDOM ? 1 : run.io_threads;
    QueueDemand d = predict_demand(t->program, &run, t->time);
    int cap = predict_worker_cap(t->program, c), n = t->variant.run.workers;
    n = n < cap ? n : cap;
    if (form == FORM_AHEAD)
        d.npu_ns -= fetched_ahead_ns(t);
    double ceiling = queueing_ceiling(&d);
    d.at_random = form == FORM_AT_RANDOM;
    double own_ns =
        t->time->latency_ns.mid - t->time->waiting_ns; /* without waiting for other requests */
    double alone = own_ns > 0 ? 1e9 / own_ns : 0;
    double per_s = form == FORM_REGULAR ? fmin(ceiling, alone * n) : queueing_throughput(&d, n);
    return per_s * (double)t->program->images;
}

static double throughput_with(const Trial *t, const Costs *c, double npu_ns)
{
    QueueDemand d = predict_demand(t->program, &t->variant.run, t->time);
    d.npu_ns += npu_ns - predict_npu_beside(t->program, &t->variant.run, t->time).mid;
    int n = predict_workers(t->program, c, &t->variant.run);
    return queueing_throughput(&d, n) * (double)t->program->images;
}

/* Tasks on the PEs of a card that are all alike fall into step: they ask for the DRAM at the same
 * time, or never, and the middle has them do so by chance. */
static Interval step_error(const Trial *t, const Costs *c)
{
    Interval npu = predict_npu_beside(t->program, &t->variant.run, t->time);
    double mid = throughput_with(t, c, npu.mid);
    return (Interval){throughput_with(t, c, npu.hi) - mid, 0, throughput_with(t, c, npu.lo) - mid};
}

Interval load_form_error(const Trial *from, const Trial *to, const Costs *c, double mid)
{
    Interval off = step_error(to, c);
    for (int k = 0; k < FORM_COUNT; k++) {
        double by = throughput_if(to, c, (LoadForm)k) - throughput_if(from, c, (LoadForm)k) - mid;
        off.lo = fmin(off.lo, by);
        off.hi = fmax(off.hi, by);
    }
    return off;
}
