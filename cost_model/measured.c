/* Computes median, interval of the median, and skew of measured durations. */
#include "cost_model/reconcile.h"
#include "graph/base/statistics.h"

static double skew_of(const int64_t *sorted, size_t n, int64_t median)
{
    double sum = 0;
    size_t used = 0;
    while (used < n && (double)sorted[used] <= MEASURED_OUTLIER * (double)median)
        sum += (double)sorted[used++];
    return used && median > 0 ? sum / (double)used / (double)median : 1;
}

Measured measured_of(int64_t *value, size_t n)
{
    if (!n)
        return (Measured){0};
    statistics_sort_ints(value, n);
    size_t reach = n < 8 ? n : (size_t)(0.5 * 1.645 * sqrt((double)n) + 1);
    size_t low = n / 2 > reach ? n / 2 - reach : 0;
    size_t high = (n - 1) / 2 + reach < n ? (n - 1) / 2 + reach : n - 1;
    int64_t median = value[(n - 1) / 2] + (value[n / 2] - value[(n - 1) / 2]) / 2;
    assert(value[low] <= median && median <= value[high]);
    return (Measured){median, value[low], value[high], (uint32_t)n, skew_of(value, n, median)};
}
