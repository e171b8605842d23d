/* Computes distributions with percentiles as the vendor or trtexec prints them. */
#include "graph/base/statistics.h"
#include "trace/readers/engine.h"
#include "trace/stats/stats.h"

PercentileRule stats_percentile_rule(const TraceStats *s)
{
    return LIST_ANY(i, s->nfile, s->file[i].format != TRACE_TENSORRT) ? PERCENTILE_LINEAR
                                                                      : PERCENTILE_TRTEXEC;
}

static int64_t percentile_of(PercentileRule rule, const int64_t *sorted, size_t n,
                             unsigned per_mille)
{
    return rule == PERCENTILE_TRTEXEC ? sorted[engine_percentile_index(n, per_mille / 1000.0)]
                                      : (int64_t)statistics_percentile(sorted, n, per_mille);
}

Distribution distribution_of(int64_t *value, size_t n)
{
    return distribution_by(PERCENTILE_LINEAR, value, n);
}

Distribution distribution_by(PercentileRule rule, int64_t *value, size_t n)
{
    Distribution d = {.count = n};
    if (n == 0)
        return d;
    statistics_sort_ints(value, n);
    double sum = LIST_SUM(double, i, n, (double)value[i]);
    d.min = value[0];
    d.max = value[n - 1];
    assert(d.min <= d.max);
    d.mean = sum / (double)n;
    d.median = (int64_t)statistics_percentile(value, n, 500);
    d.p90 = percentile_of(rule, value, n, 900);
    d.p95 = percentile_of(rule, value, n, 950);
    d.p97 = percentile_of(rule, value, n, 970);
    d.p99 = percentile_of(rule, value, n, 990);
    d.p99_9 = percentile_of(rule, value, n, 999);
    return d;
}
