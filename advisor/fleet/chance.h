/* Computes how far two measured medians may differ by chance.
 *
 * Differences are of logarithms: 0.05 is 5 %. */
#pragma once

#include <stddef.h>

/* A variance, and the degrees of freedom that it is known with. */
typedef struct {
    double variance, freedom;
} Spread;

/* Of the logarithm of a median, from its 90 % interval and the number of samples.  The interval
 * spans k = 2 x 1.645 x sqrt(n) / 2 of their gaps; a sum of k gaps has a relative variance of 1 /
 * k, which is that of a standard error of k / 2 degrees of freedom.  A median is never known to
 * better than 0.3 %, however narrow its interval: clocks and traces are rounded. */
Spread spread_of_median(double median, double lo, double hi, double n);

/* Of the difference of two: Welch and Satterthwaite. */
Spread spread_between(Spread a, Spread b);

/* What the spreads of steps of one kind say of another of that kind: a scaled inverse chi-squared
 * law, by the mean and variance of their logarithms (Smyth, Statistical Applications in Genetics
 * and Molecular Biology 3, 2004).  Its freedom is 0 for fewer than five, which say nothing, and at
 * most that of all of them together. */
Spread spread_of_kind(const Spread *s, size_t n);

/* One's own, moderated by its kind's. */
Spread spread_moderated(Spread own, Spread kind);

/* Of the mean of n values; it is known no better than medians are. */
Spread spread_of_mean(const double *x, size_t n, double *ret_mean);

/* Probability of a difference so large either way with nothing changed: Student's t, by Wallace's
 * normal approximation (Bell System Technical Journal 1959), within 2 % from three degrees on. */
double chance_of(double difference, Spread s);

/* Half the width of the interval that holds the difference nine times of ten. */
double reach_of_90(Spread s);
