/* Samples: quantiles with the interval of their order statistics, and paired comparisons. */
#include "advisor/candidate/sample.h"
#include "advisor/candidate/latency_samples.h"
#include "tests/unit/check.h"

static int64_t value[100];

static bool is(Interval x, double lo, double mid, double hi)
{
    bool ok = x.lo > lo - 1e-9 && x.lo < lo + 1e-9 && x.mid > mid - 1e-9 && x.mid < mid + 1e-9 &&
              x.hi > hi - 1e-9 && x.hi < hi + 1e-9;
    if (!ok)
        printf("  found %.9g %.9g %.9g\n", x.lo, x.mid, x.hi);
    return ok;
}

/* Of 100 ... 119 the middle is at 9.5, and 1.645 sqrt(20 0.25) = 3.68 ranks either way are 5
 * ... 14. The ninth decile is at 17.1, and 1.645 sqrt(20 0.09) = 2.21 ranks reach 14 below, and
 * above what there is: as far beyond the end as the values are apart. */
static void quantile_checks(void)
{
    for (int i = 0; i < 100; i++)
        value[i] = 100 + i;
    CHECK(is(latency_samples_quantile(value, 20, 0.5), 105, 109.5, 114));
    CHECK(is(latency_samples_quantile(value, 20, 0.9), 114, 117.1, 119 + 19));
    CHECK(is(latency_samples_quantile(value, 2, 0.5), 99, 100.5, 102)); /* and below */
    CHECK(is(latency_samples_quantile(value, 1, 0.5), 100, 100, 100));
    value[0] = 1; /* a time is never negative */
    CHECK(is(latency_samples_quantile(value, 2, 0.5), 0, 51, 201));
}

static Verified latency(Arena *a, const double *before, const double *after, size_t n)
{
    Sample b = {.latency_ns = (double *)before, .n = n},
           c = {.latency_ns = (double *)after, .n = n};
    return sample_compare(a, &b, &c, OBJECTIVE_LATENCY, 1, 1);
}

/* Two pairs, 0 and 10 better: half of all resamples have both, and their median is 5; a quarter has
 * twice the one, a quarter twice the other.  So the ends are 0 and 10, and of twice the smaller
 * tail a quarter is below or at nothing. */
static void latency_checks(Arena *a)
{
    const double before[] = {100, 120}, after[] = {100, 110};
    Verified v = latency(a, before, after, 2);
    CHECK(v.n == 2 && v.median == 5 && v.lo == 0 && v.hi == 10 && v.before == 110);
    CHECK(v.p > 0.4 && v.p < 0.6);
    /* Of their baseline: 5 of 110, at the ends twice the first pair, and 10 of 120. */
    CHECK(is(v.share, 0, 5.0 / 110, 10.0 / 120));
    const double odd[] = {10, 30, 20}, none[] = {0, 0, 0};
    v = latency(a, odd, none, 3);
    CHECK(v.median == 20 && v.before == 20 && v.lo == 10 && v.hi == 30);
    CHECK(is(v.share, 1, 1, 1)); /* all of it, whichever pairs are drawn */
    CHECK_NEAR(v.p, 2. / (BOOTSTRAP_RESAMPLES + 1), 1e-9); /* never nothing, never less */
    /* Of five, the smallest is the middle of a resample in 1 of 17 (three or more draws of it:
     * 0.0579), so that the ends of 90 % are the smallest and the largest. */
    const double five[] = {10, 20, 30, 40, 50}, nothing[] = {0, 0, 0, 0, 0};
    v = latency(a, five, nothing, 5);
    CHECK(v.lo == 10 && v.median == 30 && v.hi == 50);
    v = latency(a, five, nothing, 0);
    CHECK(v.n == 0 && v.median == 0 && v.before == 0);
    const double four[] = {10, 20, 40, 80}, zero[] = {0, 0, 0, 0};
    v = latency(a, four, zero, 4);
    CHECK(v.median == 30 && v.lo >= 10 && v.lo <= 20 && v.hi >= 40 && v.hi <= 80);
}

/* Periods of 1, 3, 1, 3 ... ms against 1: 500/s more.  In blocks of two every block holds one of
 * each and nothing is left to chance; one by one it is not so. */
static void throughput_checks(Arena *a)
{
    double slow[40], fast[40];
    for (int i = 0; i < 40; i++) {
        slow[i] = i % 2 ? 3e6 : 1e6;
        fast[i] = 1e6;
    }
    Sample b = {.period_ns = slow, .nperiod = 40, .images = 1};
    Sample c = {.period_ns = fast, .nperiod = 40, .images = 1};
    Verified v = sample_compare(a, &b, &c, OBJECTIVE_THROUGHPUT, 2, 1);
    CHECK_NEAR(v.median, 500, 1e-9);
    CHECK_NEAR(v.before, 500, 1e-9);
    CHECK_NEAR(v.lo, 500, 1e-9);
    CHECK_NEAR(v.hi, 500, 1e-9);
    CHECK_NEAR(v.share.mid, 1, 1e-9);
    CHECK_NEAR(v.share.hi, 1, 1e-9);
    v = sample_compare(a, &b, &c, OBJECTIVE_THROUGHPUT, 1, 1);
    CHECK(v.lo < 480 && v.lo > 300 && v.hi > 520 && v.hi < 700);
    c.nperiod = 0;
    v = sample_compare(a, &b, &c, OBJECTIVE_THROUGHPUT, 1, 1);
    CHECK(v.n == 0 && v.before == 0);
    c.nperiod = 10; /* a block is no longer than the shorter of the two */
    CHECK(sample_compare(a, &b, &c, OBJECTIVE_THROUGHPUT, 99, 1).n == 10);
    c.nperiod = 40; /* nothing to divide by */
    for (int i = 0; i < 40; i++)
        fast[i] = 0;
    CHECK(sample_compare(a, &b, &c, OBJECTIVE_THROUGHPUT, 1, 1).median == -500);
}

int main(void)
{
    Arena *a = arena_new(0);
    quantile_checks();
    latency_checks(a);
    throughput_checks(a);
    arena_free(a);
    return check_failures() != 0;
}
