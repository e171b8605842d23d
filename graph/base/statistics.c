/* Sorts with qsort and interpolates between neighbours. */
#include "graph/base/statistics.h"
#include "graph/base/compare.h"

ORDER_BY(by_number, int64_t, COMPARE(*a, *b))

ORDER_BY(by_real, double, COMPARE(*a, *b))

void statistics_sort_ints(int64_t *value, size_t n)
{
    ORDER_LIST(value, n, by_number);
}

void statistics_sort_reals(double *value, size_t n)
{
    ORDER_LIST(value, n, by_real);
}

double statistics_percentile(const int64_t *sorted, size_t n, unsigned per_mille)
{
    if (n == 0)
        return 0;
    assert(per_mille <= 1000);
    size_t at = (n - 1) * per_mille, i = at / 1000, next = i + 1 < n ? i + 1 : i;
    return (double)sorted[i] +
           ((double)sorted[next] - (double)sorted[i]) * (double)(at % 1000) / 1000;
}

double statistics_quantile(const double *sorted, size_t n, double q)
{
    if (n == 0)
        return 0;
    double at = q * (double)(n - 1);
    size_t i = (size_t)at;
    assert(q >= 0 && q <= 1 && i < n);
    double rest = at - (double)i;
    return i + 1 < n ? sorted[i] + rest * (sorted[i + 1] - sorted[i]) : sorted[i];
}

double statistics_median(double *value, size_t n)
{
    if (n == 0)
        return 0;
    statistics_sort_reals(value, n);
    return (value[(n - 1) / 2] + value[n / 2]) / 2;
}
