/* Finds the baseline, the first recommendation and the runner of a result. */
#include "advisor/report/summary.h"

#include "advisor/report/finding.h"

#include <stdio.h>

bool summary_best_gain(const ResultGain *gain, double *ret)
{
    ResultInterval run;
    const ResultInterval *predicted = gain->predicted;
    /* For measured layers only the upper bound is known. */
    if (gain->removes.item) {
        *ret = predicted ? predicted->hi : 0;
        return predicted != NULL;
    }
    if (gain_verified(gain->verified, &run))
        *ret = run.mid;
    else if (predicted)
        *ret = predicted->mid;
    return gain->verified || predicted;
}

bool summary_can_help(const ResultRecommendation *x)
{
    double gain = 0;
    if (x->verdict == RESULT_VERDICT_NO_GAIN || x->verdict == RESULT_VERDICT_REGRESSION ||
        x->verdict == RESULT_VERDICT_ACCURACY_BLOCKED)
        return false;
    return !summary_best_gain(&x->gain, &gain) || gain > 0;
}

static bool is_member(const ResultRecommendation *x, const ResultCombined *combined)
{
    for (size_t i = 0; combined && i < combined->ranks.count; i++)
        if (combined->ranks.item[i] == x->rank)
            return true;
    return false;
}

bool summary_is_combined(const Result *r, const ResultRecommendation *x)
{
    return r->combined ? is_member(x, r->combined) : x == summary_of(r).first;
}

bool summary_combined_ranks(const Result *r, const char *separator, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < r->recommendations.count; i++) {
        const ResultRecommendation *x = &r->recommendations.item[i];
        if (used + 16 < size && is_member(x, r->combined))
            used += (size_t)snprintf(text + used, size - used, "%s%lld", used ? separator : "",
                                     (long long)x->rank);
    }
    return used > 0;
}

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

static void find_first(Summary *d, const Result *r)
{
    for (size_t i = 0; i < r->recommendations.count; i++) {
        const ResultRecommendation *x = &r->recommendations.item[i];
        double gain;
        if (!summary_can_help(x) || !finding_has_action(&x->fix) ||
            x->group == RESULT_GROUP_EVIDENCE || !summary_best_gain(&x->gain, &gain))
            continue;
        d->first = x;
        d->first_gain = gain;
        d->outcome = SUMMARY_ADVICE;
        return;
    }
}

/* Of predicted rates, some are over the best number of workers. */
static void find_first_baseline(Summary *d)
{
    d->first_baseline = d->baseline;
    if (!d->first)
        return;
    const ResultGain *gain = &d->first->gain;
    if (gain->verified && !gain->verified->now)
        d->first_baseline = gain->verified->baseline;
    else if (d->throughput && gain->baseline.known)
        d->first_baseline = gain->baseline.value;
}

static void find_runner(Summary *d, const ResultRecommendationList *list)
{
    for (size_t i = 0; i < list->count && !d->verified; i++) {
        const ResultVerified *v = list->item[i].gain.verified;
        if (!v)
            continue;
        d->verified = true;
        d->runner = v->runner;
        d->simulated = v->simulated;
        d->pairs = (int)v->n;
    }
}

static bool any_cost_known(const ResultStepList *steps)
{
    double ns;
    for (size_t i = 0; i < steps->count; i++)
        if (summary_step_time_ns(&steps->item[i], &ns))
            return true;
    return false;
}

static void find_baseline(Summary *d, const Result *r)
{
    d->measured = !d->throughput && !d->refuted && r->measured;
    if (d->measured)
        d->baseline = (double)r->measured->latency_ns.median;
    else if (r->prediction)
        d->baseline = d->throughput ? r->prediction->throughput_per_s.mid
                                    : (double)r->prediction->latency_ns.mid;
    if (r->compiled && r->compiled->sum_ns.known) {
        d->baseline = (double)r->compiled->sum_ns.value;
        d->measured = true;
    }
}

Summary summary_of(const Result *r)
{
    Summary d = {.outcome = SUMMARY_NOTHING, .refuted = r->evidence.refuted};
    d.throughput = r->objective == RESULT_OBJECTIVE_THROUGHPUT;
    d.unit = d.throughput ? "per_s" : "ns";
    find_baseline(&d, r);
    find_first(&d, r);
    find_first_baseline(&d);
    find_runner(&d, &r->recommendations);
    if (d.outcome == SUMMARY_NOTHING && r->incomplete.count)
        d.outcome = SUMMARY_STOPPED;
    if (!any_cost_known(&r->steps))
        d.outcome = SUMMARY_UNDECIDED;
    return d;
}
