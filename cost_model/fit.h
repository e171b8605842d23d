/* Solves non-negative linear regression with priors, so that a few outliers do no harm.
 *
 * Minimises  sum_i rho(a_i . x - b_i) + sum_j ((x_j - prior_j) / sd_j)^2,  x >= 0, where rho is
 * Huber's: quadratic up to `huber`, linear beyond.  Rows are relative: a_i and b_i are divided by
 * the measured value, so that a millisecond and a microsecond weigh the same. */
#pragma once

#include "graph/base/libc.h"

enum { FIT_MAX_COLUMNS = 64, FIT_ROUNDS = 10 };

typedef struct {
    const double *a;  /* row-major, nrow * ncolumn */
    const double *b;  /* nrow */
    const bool *skip; /* rows left out; NULL: none */
    size_t nrow, ncolumn;
    const double *prior, *sd; /* ncolumn each; sd 0: no prior. NULL: none at all */
    double huber;             /* 0.15 where nothing else is known */
} FitProblem;

/* Fills x[ncolumn]; returns the sum of rho over the rows used. */
double fit_solve(const FitProblem *p, double *x);
