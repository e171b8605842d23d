/* Distributions as the vendor prints them: pandas' linear percentiles, cut to integers. */
#include "trace/stats/rows.h"
#include "trace/stats/stats.h"

double percentile_position(size_t n, double q)
{
    /* The order of operations is numpy's, so that cutting to integers agrees to the digit. */
    double at = (double)n * q + (1 - q) - 1;
    return at > 0 ? at : 0;
}

double percentile_sorted(const int64_t *sorted, size_t n, double q)
{
    if (n == 0)
        return 0;
    double at = percentile_position(n, q);
    size_t i = (size_t)at;
    size_t next = i + 1 < n ? i + 1 : i;
    double low = (double)sorted[i], high = (double)sorted[next], t = at - (double)i;
    return t >= 0.5 ? high - (high - low) * (1 - t) : low + (high - low) * t;
}

Distribution distribution_of(int64_t *value, size_t n)
{
    Distribution d = {.count = n};
    if (n == 0)
        return d;
    sort_numbers(value, n);
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (double)value[i];
    d.min = value[0];
    d.max = value[n - 1];
    d.mean = sum / (double)n;
    d.median = (int64_t)percentile_sorted(value, n, 0.5);
    d.p90 = (int64_t)percentile_sorted(value, n, 0.9);
    d.p95 = (int64_t)percentile_sorted(value, n, 0.95);
    d.p97 = (int64_t)percentile_sorted(value, n, 0.97);
    d.p99 = (int64_t)percentile_sorted(value, n, 0.99);
    d.p99_9 = (int64_t)percentile_sorted(value, n, 0.999);
    return d;
}
