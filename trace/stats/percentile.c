/* Computes distributions with pandas' percentiles, as the vendor prints. */
#include "graph/base/statistics.h"
#include "trace/stats/stats.h"

#include <assert.h>

Distribution distribution_of(int64_t *value, size_t n)
{
    Distribution d = {.count = n};
    if (n == 0)
        return d;
    statistics_sort_ints(value, n);
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (double)value[i];
    d.min = value[0];
    d.max = value[n - 1];
    assert(d.min <= d.max);
    d.mean = sum / (double)n;
    d.median = (int64_t)statistics_percentile(value, n, 0.5);
    d.p90 = (int64_t)statistics_percentile(value, n, 0.9);
    d.p95 = (int64_t)statistics_percentile(value, n, 0.95);
    d.p97 = (int64_t)statistics_percentile(value, n, 0.97);
    d.p99 = (int64_t)statistics_percentile(value, n, 0.99);
    d.p99_9 = (int64_t)statistics_percentile(value, n, 0.999);
    return d;
}
