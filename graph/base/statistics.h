/* Sorts numbers and computes medians and quantiles of samples. */
#pragma once

#include "graph/base/libc.h"

/* Ascending; `value` may be NULL when n is 0. */
void statistics_sort_ints(int64_t *value, size_t n);
void statistics_sort_reals(double *value, size_t n);

/* Linear percentiles of sorted values, in thousandths so that a whole result is whole; 0 without
 * values. */
double statistics_percentile(const int64_t *sorted, size_t n, unsigned per_mille);
double statistics_quantile(const double *sorted, size_t n, double q);

/* Sorts; the mean of the two middle ones of an even number; 0 without values. */
double statistics_median(double *value, size_t n);
