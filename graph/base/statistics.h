/* Sorts numbers and computes medians and quantiles of samples. */
#pragma once

#include "graph/base/libc.h"

/* Ascending; `value` may be NULL when n is 0. */
void statistics_sort_ints(int64_t *value, size_t n);
void statistics_sort_reals(double *value, size_t n);

/* Where the quantile lies among n sorted values, from 0: pandas' linear rule, in numpy's order of
 * operations, so that cutting to integers agrees with the vendor's tables to the digit. */
double statistics_percentile_position(size_t n, double q);

/* Linear percentiles of sorted values; q from 0 to 1; 0 without values. */
double statistics_percentile(const int64_t *sorted, size_t n, double q);
double statistics_quantile(const double *sorted, size_t n, double q);

/* Sorts; the mean of the two middle ones of an even number; 0 without values. */
double statistics_median(double *value, size_t n);
