/* Scores predictions against measured values. */
#pragma once

#include "cost_model/interval.h"
#include "graph/base/arena.h"

typedef struct {
    size_t n;
    double mean_abs_error, median_abs_error; /* of predicted / measured - 1 */
    double interval_coverage;                /* share of measured values within [lo, hi] */
    double median_width;                     /* (hi - lo) / mid */
    double spearman;                         /* rank correlation; 1 for fewer than two values */
} Score;

/* measured[i] > 0. */
Score score(Arena *a, const double *measured, const Interval *predicted, size_t n);
