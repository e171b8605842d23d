/* Estimates the spread of a difference from intervals, moderated over all steps of one operator
 * (empirical Bayes). */
#include "advisor/fleet/chance.h"

#include "graph/base/libc.h"

static const double floor_share = 0.003, half_of_90 = 1.6448536269514722, known = 1e9;

enum { KIND_MIN = 5 };

Spread spread_of_median(double median, double lo, double hi, double n)
{
    double wide = lo > 0 && hi > lo ? log(hi / lo) : 2 * (hi - median) / median,
           error = wide / (2 * half_of_90);
    if (!(error > floor_share)) /* no estimate */
        return (Spread){floor_share * floor_share, known};
    return (Spread){error * error, half_of_90 * sqrt(n) / 2};
}

Spread spread_between(Spread a, Spread b)
{
    double sum = a.variance + b.variance;
    return (Spread){
        sum,
        sum * sum / (a.variance * a.variance / a.freedom + b.variance * b.variance / b.freedom)};
}

/* ---- a kind of step ---- */

/* Derivatives of the logarithm of the gamma function, x > 0: recurrence to 6, then the asymptotic
 * series (Abramowitz and Stegun 6.3.18, 6.4.12), to nine digits. */
static double digamma(double x)
{
    assert(!(x <= 0));
    double less = 0;
    for (; x < 6; x++)
        less += 1 / x;
    double y = 1 / (x * x);
    return log(x) - 1 / (2 * x) - y * (1. / 12 - y * (1. / 120 - y * (1. / 252 - y / 240))) - less;
}

static double trigamma(double x)
{
    double more = 0;
    for (; x < 6; x++)
        more += 1 / (x * x);
    double y = 1 / (x * x);
    return 1 / x + y / 2 + y / x * (1. / 6 - y * (1. / 30 - y * (1. / 42 - y / 30))) + more;
}

/* Where trigamma falls to `wanted`, by halving: it falls from infinity to 0. */
static double trigamma_inverse(double wanted)
{
    assert(wanted > 0);
    double lo = 1e-6, hi = known;
    while (hi > lo * (1 + 1e-9)) {
        double middle = sqrt(lo * hi);
        *(trigamma(middle) > wanted ? &lo : &hi) = middle;
    }
    return lo;
}

Spread spread_of_kind(const Spread *s, size_t n)
{
    double mean = 0, square = 0, noise = 0, freedom = 0;
    if (n < KIND_MIN)
        return (Spread){0, 0};
    for (size_t i = 0; i < n; i++) {
        double half = s[i].freedom / 2, e = log(s[i].variance) - digamma(half) + log(half),
               before = mean;
        mean += (e - mean) / (double)(i + 1);
        square += (e - before) * (e - mean);
        noise += trigamma(half) / (double)n;
        freedom += s[i].freedom;
    }
    double more = square / (double)(n - 1) - noise; /* than chance alone scatters them */
    double half = more > 0 ? trigamma_inverse(more) : known;
    if (half > freedom / 2)
        half = freedom / 2;
    return (Spread){exp(mean + digamma(half) - log(half)), 2 * half};
}

Spread spread_moderated(Spread own, Spread kind)
{
    double freedom = own.freedom + kind.freedom;
    return (Spread){(own.variance * own.freedom + kind.variance * kind.freedom) / freedom, freedom};
}

Spread spread_of_mean(const double *x, size_t n, double *ret_mean)
{
    double mean = 0, square = 0, least = 2 * floor_share * floor_share;
    for (size_t i = 0; i < n; i++) {
        double before = mean;
        mean += (x[i] - mean) / (double)(i + 1);
        square += (x[i] - before) * (x[i] - mean);
    }
    *ret_mean = mean;
    double variance = n > 1 ? square / (double)(n - 1) : INFINITY;
    return (Spread){(variance > least ? variance : least) / (double)n, (double)n - 1};
}

double chance_of(double difference, Spread s)
{
    assert(!(s.variance <= 0 || s.freedom <= 0)); /* NaN where a file holds no times */
    double t = difference / sqrt(s.variance), z = (8 * s.freedom + 1) / (8 * s.freedom + 3) *
                                                  sqrt(s.freedom * log1p(t * t / s.freedom));
    return erfc(z / sqrt(2));
}

double reach_of_90(Spread s)
{
    double lo = 0, hi = 100 * sqrt(s.variance);
    for (int i = 0; i < 60; i++) {
        double middle = (lo + hi) / 2;
        *(chance_of(middle, s) > 0.1 ? &lo : &hi) = middle;
    }
    return lo;
}
