/* Finds the baseline, the first recommendation and the runner of a result. */
#include "advisor/report/tree_summary.h"

#include "advisor/report/tree_finding.h"

#include <string.h>

bool tree_summary_best_gain(const cJSON *gain, double *ret)
{
    /* For measured layers only the upper bound is known. */
    if (json_at(gain, "removes"))
        return json_number(gain, "predicted.hi", ret);
    return tree_gain_middle(tree_gain_verified(gain), ret) ||
           json_number(gain, "predicted.mid", ret);
}

bool tree_summary_can_help(const cJSON *rec)
{
    const char *verdict = json_text(rec, "verdict", "");
    double gain;
    if (!strcmp(verdict, "no-gain") || !strcmp(verdict, "regression") ||
        !strcmp(verdict, "accuracy-blocked"))
        return false;
    return !tree_summary_best_gain(json_at(rec, "gain"), &gain) || gain > 0;
}

static bool is_member(const cJSON *rec, const cJSON *ranks)
{
    const cJSON *rank;
    cJSON_ArrayForEach(rank, ranks)
    {
        if (cJSON_IsNumber(rank) && rank->valuedouble == json_number_or(rec, "rank", 0))
            return true;
    }
    return false;
}

bool tree_summary_is_combined(const cJSON *result, const cJSON *rec)
{
    const cJSON *ranks = json_at(result, "combined.ranks");
    return cJSON_IsArray(ranks) ? is_member(rec, ranks) : rec == tree_summary_of(result).first;
}

bool tree_summary_combined_ranks(const cJSON *result, const char *separator, char *text,
                                 size_t size)
{
    const cJSON *rec;
    size_t used = 0;
    text[0] = '\0';
    cJSON_ArrayForEach(rec, json_at(result, "recommendations"))
    {
        if (used + 16 < size && is_member(rec, json_at(result, "combined.ranks")))
            used += (size_t)snprintf(text + used, size - used, "%s%.0f", used ? separator : "",
                                     json_number_or(rec, "rank", 0));
    }
    return used > 0;
}

bool tree_summary_step_time_ns(const cJSON *step, double *ret)
{
    return json_number(step, "measured_ns.median", ret) ||
           json_number(step, "predicted_ns.mid", ret);
}

static void find_first(TreeSummary *d, const cJSON *result)
{
    const cJSON *rec;
    cJSON_ArrayForEach(rec, json_at(result, "recommendations"))
    {
        double gain;
        if (!tree_summary_can_help(rec) || !tree_finding_has_action(rec) ||
            !strcmp(json_text(rec, "group", ""), "evidence"))
            continue;
        if (tree_summary_best_gain(json_at(rec, "gain"), &gain)) {
            d->first = rec;
            d->first_gain = gain;
            d->outcome = TREE_SUMMARY_ADVICE;
            return;
        }
    }
}

/* Of predicted rates, some are over the best number of workers. */
static void find_first_baseline(TreeSummary *d)
{
    const cJSON *gain = json_at(d->first, "gain");
    d->first_baseline = d->baseline;
    if (cJSON_IsObject(json_at(gain, "verified")) && !cJSON_IsObject(json_at(gain, "verified.now")))
        d->first_baseline = json_number_or(gain, "verified.baseline", d->baseline);
    else if (d->throughput)
        d->first_baseline = json_number_or(gain, "baseline", d->baseline);
}

static void find_runner(TreeSummary *d, const cJSON *recommendations)
{
    const cJSON *rec;
    cJSON_ArrayForEach(rec, recommendations)
    {
        const cJSON *v = json_at(rec, "gain.verified");
        if (!cJSON_IsObject(v))
            continue;
        d->verified = true;
        d->runner = json_text(v, "runner", "");
        d->simulated = cJSON_IsTrue(json_at(v, "simulated"));
        d->pairs = (int)json_number_or(v, "n", 0);
        return;
    }
}

static bool any_cost_known(const cJSON *steps)
{
    const cJSON *s;
    double ns;
    cJSON_ArrayForEach(s, steps)
    {
        if (tree_summary_step_time_ns(s, &ns))
            return true;
    }
    return false;
}

TreeSummary tree_summary_of(const cJSON *result)
{
    TreeSummary d = {.outcome = TREE_SUMMARY_NOTHING};
    d.throughput = !strcmp(json_text(result, "objective", ""), "throughput");
    d.unit = d.throughput ? "per_s" : "ns";
    d.refuted = json_text(result, "evidence.refuted", NULL);
    d.measured = !d.throughput && !d.refuted &&
                 json_number(result, "measured.latency_ns.median", &d.baseline);
    if (!d.measured)
        d.baseline = json_number_or(
            result, d.throughput ? "prediction.throughput_per_s.mid" : "prediction.latency_ns.mid",
            0);
    if (json_number(result, "compiled.sum_ns", &d.baseline))
        d.measured = true;
    const cJSON *recommendations = json_at(result, "recommendations");
    find_first(&d, result);
    find_first_baseline(&d);
    find_runner(&d, recommendations);
    if (d.outcome == TREE_SUMMARY_NOTHING && json_count(result, "incomplete"))
        d.outcome = TREE_SUMMARY_STOPPED;
    if (!any_cost_known(json_at(result, "steps")))
        d.outcome = TREE_SUMMARY_UNDECIDED;
    return d;
}
