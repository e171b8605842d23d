/* Finds the plans, now and the headline of a result. */
#include "advisor/report/summary.h"

#include "graph/base/list.h"

static bool time_of(const ResultMeasuredNs *measured, const ResultIntervalNs *predicted,
                    double *ret)
{
    if (measured || predicted)
        *ret = (double)(measured ? measured->median : predicted->mid);
    return measured || predicted;
}

bool summary_step_time_ns(const ResultStep *step, double *ret)
{
    return time_of(step->measured_ns, step->predicted_ns, ret);
}

bool summary_operator_time_ns(const ResultOperator *op, double *ret)
{
    return time_of(op->measured_ns, &op->predicted_ns, ret);
}

const char *summary_unit(const Result *r)
{
    return r->objective == RESULT_OBJECTIVE_THROUGHPUT ? "per_s" : "ns";
}

ResultInterval summary_after(const Result *r, const ResultPlan *p)
{
    return r->objective == RESULT_OBJECTIVE_THROUGHPUT ? p->after.throughput_per_s
                                                       : p->after.latency_ns;
}

const ResultChange *summary_change(const Result *r, int64_t id)
{
    return LIST_FIND(i, r->changes.item, r->changes.count, r->changes.item[i].id == id);
}

bool summary_needs(const ResultTexts *needs, const char *need)
{
    return LIST_ANY(i, needs->count, !strcmp(needs->item[i], need));
}

bool summary_plan_has(const ResultPlan *p, int64_t id)
{
    return p && LIST_ANY(i, p->changes.count, p->changes.item[i].id == id);
}

bool summary_host_share(const Result *r, double *ret)
{
    static const char *const other[] = {"npu",      "transfer",     "runtime",
                                        "queueing", "unattributed", "other"};
    double share = 0;
    for (size_t i = 0; i < r->breakdown.count; i++) {
        bool host = LIST_ALL(k, sizeof other / sizeof *other,
                             strcmp(r->breakdown.item[i].kind, other[k]) != 0);
        share += host ? r->breakdown.item[i].share : 0;
    }
    *ret = share;
    return r->breakdown.count > 0;
}

bool summary_any_cost_known(const ResultStepList *steps)
{
    double ns;
    return LIST_ANY(i, steps->count, summary_step_time_ns(&steps->item[i], &ns));
}

static void find_plans(Summary *d, const Result *r)
{
    for (size_t i = 0; i < r->plans.count; i++) {
        const ResultPlan *p = &r->plans.item[i];
        if (p->recommended)
            d->plan = p;
        else if (p->route == RESULT_ROUTE_RETRAIN)
            d->retrain = p;
        else
            d->other = p;
    }
}

static void find_now(Summary *d, const Result *r)
{
    if (r->compiled) {
        d->known = r->compiled->sum_ns.known;
        d->now = (double)r->compiled->sum_ns.value;
        d->source = RESULT_SOURCE_MEASURED;
        return;
    }
    d->known = r->now != NULL;
    if (!r->now)
        return;
    d->source = r->now->source;
    d->now = d->throughput ? r->now->throughput_per_s.value : (double)r->now->latency_ns.value;
}

double summary_least_latency(const Result *r, const Summary *d)
{
    return d->plan ? d->plan->after.latency_ns.mid + d->plan->application_ns.mid
                   : (double)r->now->latency_ns.value;
}

static bool misses_limit(const Result *r, const Summary *d)
{
    if (r->rate)
        return !r->rate->served;
    return r->latency_limit_ns.known && r->now &&
           summary_least_latency(r, d) > (double)r->latency_limit_ns.value;
}

/* Whatever is right of all intervals; a limit that is missed is said instead. */
static bool is_cpu_faster(const Result *r, const Summary *d)
{
    if (!r->now || !r->cpu_alone_ns || misses_limit(r, d))
        return false;
    bool predicted = r->now->source == RESULT_SOURCE_PREDICTED && r->prediction;
    double ns = (double)(predicted ? r->prediction->latency_ns.lo : r->now->latency_ns.value);
    for (size_t i = 0; i < r->plans.count; i++)
        ns = fmin(ns, r->plans.item[i].after.latency_ns.lo + r->plans.item[i].application_ns.lo);
    return (double)r->cpu_alone_ns->hi < ns;
}

static Headline headline_of(const Result *r, const Summary *d)
{
    if (!summary_any_cost_known(&r->steps))
        return HEADLINE_UNDECIDED;
    if (r->refused && !r->measured)
        return HEADLINE_REFUSED;
    if (r->evidence.refuted)
        return HEADLINE_REFUTED;
    if (LIST_VALUE(i, r->breakdown.count, !strcmp(r->breakdown.item[i].kind, "unattributed"),
                   r->measured && r->breakdown.item[i].share > 0.5, false))
        return HEADLINE_UNEXPLAINED;
    if (is_cpu_faster(r, d))
        return HEADLINE_CPU_FASTER;
    if (r->unsuitable)
        return HEADLINE_UNSUITABLE;
    if (misses_limit(r, d))
        return HEADLINE_LIMIT;
    if (d->plan)
        return HEADLINE_PLAN;
    if (r->rate)
        return HEADLINE_SERVES;
    if (r->by_hand.count)
        return HEADLINE_BY_HAND;
    return r->incomplete.count ? HEADLINE_STOPPED : HEADLINE_NOTHING;
}

Summary summary_of(const Result *r)
{
    Summary d = {.unit = summary_unit(r)};
    d.throughput = r->objective == RESULT_OBJECTIVE_THROUGHPUT;
    find_plans(&d, r);
    find_now(&d, r);
    d.headline = headline_of(r, &d);
    if (d.plan && d.known) {
        d.after = summary_after(r, d.plan).mid;
        if (d.after > 0 && d.now > 0 && !d.plan->at_least)
            d.factor = d.throughput ? d.after / d.now : d.now / d.after;
    }
    return d;
}
