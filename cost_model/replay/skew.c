/* Computes the scatter of host times as that of sums of lognormal times. */
#include "cost_model/replay/skew.h"

/* Mean over median of the measured host steps of an operator, by time; of all for HOST_NONE.  0 if
 * no step was measured. */
static double skew_like(const Program *p, const Reconciliation *r, HostOp op)
{
    double mean = 0, median = 0;
    for (size_t i = 0; i < p->nstep; i++) {
        const Measured *m = &r->step[i];
        if (p->step[i].kind != STEP_HOST || !m->count ||
            (op != HOST_NONE && p->step[i].host_op != op))
            continue;
        mean += m->skew * (double)m->median_ns;
        median += (double)m->median_ns;
    }
    return median > 0 ? mean / median : 0;
}

static double step_skew(const Program *baseline, const Reconciliation *r, const Step *s,
                        uint32_t found)
{
    if (found != UINT32_MAX) {
        assert(found < baseline->nstep);
        return r->step[found].skew;
    }
    double like = skew_like(baseline, r, s->host_op);
    if (!(like > 0))
        like = skew_like(baseline, r, HOST_NONE);
    return like > 1 ? like : 1;
}

/* Fenton and Wilkinson: a sum of lognormal times is nearly lognormal, with the sum of the means and
 * of the variances.  Of one time, mean over median is exp(s^2 / 2) and variance over mean^2 is
 * exp(s^2) - 1. */
void skew_fill(const Program *baseline, const Reconciliation *r, const Program *v,
               const uint32_t *found, Prediction *t)
{
    double medians = 0, mean = 0, variance = 0;
    for (size_t i = 0; i < v->nstep; i++) {
        if (v->step[i].kind != STEP_HOST)
            continue;
        double ns = t->step[i].total_ns.mid, skew = step_skew(baseline, r, &v->step[i], found[i]);
        medians += ns;
        mean += ns * skew;
        variance += ns * skew * ns * skew * fmax(0, skew * skew - 1);
    }
    t->host_more_ns = mean - medians;
    t->host_skew_ns = mean > 0 ? mean * mean / sqrt(mean * mean + variance) - medians : 0;
}
