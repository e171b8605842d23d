/* Declares a figure with the ends of its 90 % range. */
#pragma once

#include <stddef.h>

typedef struct {
    double lo, mid, hi;
} Interval; /* lo <= mid <= hi */

Interval interval_exact(double value);              /* lo = mid = hi */
Interval interval_add(Interval a, Interval b);      /* ends add: the errors go together */
Interval interval_scale(Interval a, double k);      /* k >= 0 */
Interval interval_widen(Interval a, double factor); /* factor >= 1 on both half-widths, lo >= 0 */

/* Sum of independent intervals: mids add, half-widths add in quadrature; no end below 0 unless a
 * mid is. */
Interval interval_sum_independent(const Interval *v, size_t n);
