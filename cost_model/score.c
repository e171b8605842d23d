/* Computes errors, coverage of intervals and rank correlation. */
#include "cost_model/score.h"
#include "graph/base/statistics.h"

/* Ranks from 0; equal values share the mean of theirs. */
static void mean_ranks(Arena *a, const double *v, size_t n, double *ret)
{
    double *sorted = ARENA_ARRAY(a, double, n + 1);
    for (size_t i = 0; i < n; i++)
        sorted[i] = v[i];
    statistics_sort_reals(sorted, n);
    for (size_t i = 0; i < n; i++) {
        size_t first = 0, last;
        while (sorted[first] < v[i])
            first++;
        for (last = first; last + 1 < n && sorted[last + 1] <= v[i];)
            last++;
        ret[i] = (double)(first + last) / 2;
    }
}

static double pearson_correlation(const double *x, const double *y, size_t n)
{
    double mx = 0, my = 0, xx = 0, yy = 0, xy = 0;
    for (size_t i = 0; i < n; i++) {
        mx += x[i] / (double)n;
        my += y[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        xx += (x[i] - mx) * (x[i] - mx);
        yy += (y[i] - my) * (y[i] - my);
        xy += (x[i] - mx) * (y[i] - my);
    }
    return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : 1;
}

static double spearman_correlation(Arena *a, const double *measured, const Interval *predicted,
                                   size_t n)
{
    double *mid = ARENA_ARRAY(a, double, n + 1), *x = ARENA_ARRAY(a, double, n + 1),
           *y = ARENA_ARRAY(a, double, n + 1);
    for (size_t i = 0; i < n; i++)
        mid[i] = predicted[i].mid;
    mean_ranks(a, measured, n, x);
    mean_ranks(a, mid, n, y);
    return pearson_correlation(x, y, n);
}

Score score(Arena *a, const double *measured, const Interval *predicted, size_t n)
{
    Score s = {.n = n, .spearman = 1};
    if (!n)
        return s;
    double *error = ARENA_ARRAY(a, double, n), *width = ARENA_ARRAY(a, double, n), inside = 0;
    for (size_t i = 0; i < n; i++) {
        error[i] = fabs(predicted[i].mid / measured[i] - 1);
        width[i] =
            predicted[i].mid > 0 ? (predicted[i].hi - predicted[i].lo) / predicted[i].mid : 0;
        s.mean_abs_error += error[i] / (double)n;
        inside += predicted[i].lo <= measured[i] && measured[i] <= predicted[i].hi;
    }
    assert(inside <= (double)n);
    s.interval_coverage = inside / (double)n;
    s.spearman = spearman_correlation(a, measured, predicted, n);
    s.median_abs_error = statistics_median(error, n);
    s.median_width = statistics_median(width, n);
    return s;
}
