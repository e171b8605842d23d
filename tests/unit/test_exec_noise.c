/* The tables of noise against the functions that they stand for. */
#include "npu_exec/sim/noise.h"
#include "tests/unit/check.h"

#include <math.h>

/* The standard normal's quantile, by halving. */
static double quantile(double p)
{
    double lo = -10, hi = 10;
    for (int i = 0; i < 80; i++) {
        double z = (lo + hi) / 2;
        *(erfc(-z / sqrt(2)) / 2 < p ? &lo : &hi) = z;
    }
    return lo;
}

/* Each corner of the table is the nearest whole number, and its sign is the lowest bit's. */
static void normal_checks(void)
{
    int far = 0, odd = 0;
    for (uint64_t i = 0; i < 256; i++) {
        int64_t z = noise_normal_q16(i << 56);
        far += fabs((double)z - 65536 * quantile(0.5 + (double)i / 512)) > 0.5001;
        odd += noise_normal_q16(i << 56 | 1) != -z;
    }
    CHECK(far == 0);
    CHECK(odd == 0);
    /* Between corners a straight line: half way from the first to the second, 321 / 2. */
    CHECK(noise_normal_q16(UINT64_C(1) << 55) == 160);
    /* The last corner stands for infinity: 3.9, of which the last step takes 65535 parts. */
    CHECK(noise_normal_q16(~UINT64_C(0) - 1) ==
          189113 + (255590 - 189113) * INT64_C(65535) / 65536);
}

/* Straight lines between 64 corners of 2^x are off by (ln 2 / 64)^2 / 8 at most, 1.5e-5. */
static void exponential_checks(void)
{
    double most = 0;
    for (int64_t x = -4 * 65536; x <= 4 * 65536; x += 97) {
        double e = (double)noise_exp_q16(x) / NOISE_ONE / exp((double)x / 65536) - 1;
        most = fabs(e) > most ? fabs(e) : most;
    }
    CHECK(most < 1e-4);
    CHECK(noise_exp_q16(0) == NOISE_ONE);
    CHECK_NEAR((double)noise_exponential(UINT64_C(1) << 63) / NOISE_ONE, log(2), 2e-5);
    CHECK_NEAR((double)noise_exponential(UINT64_C(1) << 54) / NOISE_ONE, 10 * log(2), 2e-5);
    CHECK_NEAR((double)noise_exponential(UINT64_C(3) << 62) / NOISE_ONE, -log(0.75), 1e-3);
}

static void factor_checks(void)
{
    CHECK(noise_factor(1, 2, 3, 4, 0) == NOISE_ONE);
    CHECK(noise_apply(1000, NOISE_ONE) == 1000);
    CHECK(noise_apply(1001, NOISE_ONE / 2) == 500); /* down */
    double mean = 0, square = 0;
    enum { DRAWS = 20000 };
    for (uint64_t i = 0; i < DRAWS; i++) {
        double x = log((double)noise_factor(1, 2, i, 4, 100000) / NOISE_ONE);
        mean += x / DRAWS;
        square += x * x / DRAWS;
    }
    CHECK(fabs(mean) < 4 * 0.1 / sqrt(DRAWS));
    CHECK_NEAR(sqrt(square), 0.1, 0.03);
}

int main(void)
{
    normal_checks();
    exponential_checks();
    factor_checks();
    return check_failures() != 0;
}
