/* Drops the chips that contradict the trace and spans the results of the others. */
#include "advisor/candidate/ensemble.h"

#include "graph/base/statistics.h"

enum { ENSEMBLE_MEMBERS_MIN = 2 }; /* the nearest ones, where the trace contradicts all */

/* How far a member's baseline is from the trace, in limits: beyond 1 it contradicts it. */
static double trace_contradiction(const Reconciliation *member, const Reconciliation *trace)
{
    const struct {
        const Measured *found, *wanted;
        double limit;
    } row[] = {
        {&member->npu, &trace->npu, 1.2},
        {&member->host, &trace->host, 1.5},
        {&member->latency, &trace->latency, 1.4},
    };
    double most = 0;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        double found = (double)row[i].found->median_ns, wanted = (double)row[i].wanted->median_ns;
        if (wanted < 0.1 * (double)trace->latency.median_ns || !(found > 0))
            continue;
        most = fmax(most, fabs(log(found / wanted)) / log(row[i].limit));
    }
    return most;
}

/* The farthest of the remaining members; e->count where none is beyond its limits. */
static size_t farthest_member(const Ensemble *e, const double *far)
{
    size_t worst = e->count;
    for (size_t k = 0; k < e->count; k++)
        if (!e->out[k] && far[k] > (worst < e->count ? far[worst] : 1))
            worst = k;
    return worst;
}

/* Members that the trace contradicts drop out; where it contradicts all, the nearest stay. */
void ensemble_drop(Ensemble *e, const WhatIf *w, const Trial *from, TraceStats *const *stats)
{
    double far[ENSEMBLE_MEMBERS_MAX];
    assert(e->count <= ENSEMBLE_MEMBERS_MAX && w->rec);
    Prediction *pure = predict(from->arena, from->program, w->costs, &from->variant.run);
    for (size_t k = 0; k < e->count; k++) {
        Reconciliation *r = reconcile(from->arena, from->program, w->costs, pure, stats[k]);
        far[k] = trace_contradiction(r, w->rec);
    }
    size_t worst = 0;
    for (size_t left = e->count; left > ENSEMBLE_MEMBERS_MIN && worst < e->count; left--)
        if ((worst = farthest_member(e, far)) < e->count)
            e->out[worst] = true;
}

Verified ensemble_span(const Ensemble *e, const Verified *m, double nothing)
{
    double median[ENSEMBLE_MEMBERS_MAX], before[ENSEMBLE_MEMBERS_MAX];
    double share[ENSEMBLE_MEMBERS_MAX];
    assert(e->count > 0 && e->count <= ENSEMBLE_MEMBERS_MAX);
    Verified all = {.lo = INFINITY, .hi = -INFINITY, .share = {INFINITY, 0, -INFINITY}};
    for (size_t k = 0; k < e->count; k++) {
        if (e->out[k] || m[k].n == 0)
            continue;
        median[all.members] = m[k].median;
        share[all.members] = m[k].share.mid;
        all.share.lo = fmin(all.share.lo, m[k].share.lo);
        all.share.hi = fmax(all.share.hi, m[k].share.hi);
        before[all.members++] = m[k].before;
        all.lo = fmin(all.lo, m[k].lo);
        all.hi = fmax(all.hi, m[k].hi);
        all.p = fmax(all.p, m[k].p);
        all.n += m[k].n;
        all.real += m[k].lo > 0 && m[k].median >= nothing * m[k].before;
    }
    if (all.members == 0)
        return (Verified){0};
    assert(all.real <= all.members && all.lo <= all.hi);
    all.median = statistics_median(median, (size_t)all.members);
    all.before = statistics_median(before, (size_t)all.members);
    all.share.mid = statistics_median(share, (size_t)all.members);
    return all;
}

static double median_latency(Arena *a, const Sample *s)
{
    double *copy = ARENA_ARRAY(a, double, s->n + 1);
    memcpy(copy, s->latency_ns, s->n * sizeof *copy);
    return s->n ? statistics_median(copy, s->n) : INFINITY;
}

size_t ensemble_middle(const Ensemble *e, Arena *a, const Sample *s)
{
    double latency[ENSEMBLE_MEMBERS_MAX], sorted[ENSEMBLE_MEMBERS_MAX];
    size_t n = 0, middle = 0;
    for (size_t k = 0; k < e->count; k++) {
        latency[k] = e->out[k] ? INFINITY : median_latency(a, &s[k]);
        if (!e->out[k])
            sorted[n++] = latency[k];
    }
    double wanted = statistics_median(sorted, n);
    for (size_t k = 1; k < e->count; k++)
        if (fabs(latency[k] - wanted) < fabs(latency[middle] - wanted))
            middle = k;
    return middle;
}
