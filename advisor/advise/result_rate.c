/* Builds the part of the result about images that come at a rate (--rate). */
#include "advisor/advise/result.h"

static ResultInt time_if_finite(double ns)
{
    return result_int_if(isfinite(ns), result_ns(ns));
}

static const ResultLess *less_of(const AdviseRun *run)
{
    const CapacitySmaller *x = &run->capacity.less;
    if (!x->any)
        return NULL;
    bool nothing = !x->scarce && (x->run > 0 || x->least_ns > run->rate.limit_ns);
    return RESULT_NEW(run->arena, ResultLess,
                      {.workers = result_int_if(x->workers != 0, x->workers),
                       .devices = x->devices,
                       .holds = nothing ? RESULT_HOLDS_NO : RESULT_HOLDS_MAYBE,
                       .least_ns = time_if_finite(x->least_ns),
                       .latency_ns = time_if_finite(x->latency_ns),
                       .run = (int64_t)x->run,
                       .run_ns = time_if_finite(x->run ? x->run_ns : INFINITY)});
}

static const ResultServed *served_of(const AdviseRun *run)
{
    Arena *a = run->arena;
    const CapacityPlan *p = &run->capacity;
    if (!p->found)
        return NULL;
    ResultInterval runs = result_objective(OBJECTIVE_LATENCY, p->run_ns);
    return RESULT_NEW(
        a, ResultServed,
        {.latency_ns = result_ns(p->latency_ns),
         .with_headroom_ns = result_ns(p->with_headroom_ns),
         .slower = result_real(p->slower),
         .run_ns = p->was_run ? RESULT_NEW(a, ResultInterval, runs) : NULL,
         .runner = p->was_run ? p->runner : NULL,
         .less = less_of(run),
         .collecting_ns = result_ns(p->collecting_ns),
         .busy = result_real(p->busy),
         .requests_per_s = result_real(run->rate.images_per_s / p->point.build->images)});
}

const ResultRate *result_rate(const AdviseRun *run)
{
    const CapacityGoal *g = &run->rate;
    if (!(g->images_per_s > 0))
        return NULL;
    double highest = run->capacity.highest_per_s;
    return RESULT_NEW(run->arena, ResultRate,
                      {.images_per_s = result_real(g->images_per_s),
                       .arrivals = g->equal_gaps ? RESULT_ARRIVALS_FIXED : RESULT_ARRIVALS_POISSON,
                       .quantile = result_real(g->quantile),
                       .served = served_of(run),
                       .highest_per_s = result_real_if(highest > 0, result_real(highest))});
}
