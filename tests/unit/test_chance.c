/* How far medians may differ by chance, against SciPy 1.10. */
#include "advisor/fleet/chance.h"
#include "tests/unit/check.h"

#include <math.h>

int main(void)
{
    /* scipy.stats.t.sf, t.ppf */
    CHECK_NEAR(chance_of(3, (Spread){1, 5}), 0.0300992, 0.02);
    CHECK_NEAR(chance_of(-4, (Spread){1, 20}), 0.000703523, 0.02);
    CHECK_NEAR(chance_of(0.5, (Spread){0.04, 3}), 0.0877066, 0.02);
    CHECK_NEAR(reach_of_90((Spread){4, 6}), 2 * 1.94318, 0.01);

    /* e^(+-0.1) at 100 samples: 0.1 / 1.645, with 1.645 x 10 / 2 degrees of freedom. */
    Spread s = spread_of_median(1e5, 1e5 * exp(-0.1), 1e5 * exp(0.1), 100);
    CHECK_NEAR(sqrt(s.variance), 0.0607957, 1e-5);
    CHECK_NEAR(s.freedom, 8.22427, 1e-5);
    CHECK_NEAR(sqrt(spread_of_median(1e5, 1e5, 1e5, 100).variance), 0.003, 1e-9);
    Spread two = spread_between(s, s);
    CHECK_NEAR(two.variance, 2 * s.variance, 1e-9);
    CHECK_NEAR(two.freedom, 2 * s.freedom, 1e-9);

    /* Smyth's moments by scipy.special.digamma, polygamma and a root. */
    const Spread kind[] = {{1e-3, 12}, {2e-3, 12}, {4e-3, 10}, {1.5e-3, 8}, {8e-3, 12}, {3e-4, 14}};
    Spread of_kind = spread_of_kind(kind, 6);
    CHECK_NEAR(of_kind.freedom, 2.652607, 1e-5);
    CHECK_NEAR(of_kind.variance, 0.00126090285, 1e-5);
    Spread moderated = spread_moderated(kind[4], of_kind);
    CHECK_NEAR(moderated.freedom, 14.652607, 1e-5);
    CHECK_NEAR(moderated.variance, (8e-3 * 12 + 0.00126090285 * 2.652607) / 14.652607, 1e-5);
    CHECK(spread_of_kind(kind, 4).freedom == 0);
    CHECK_NEAR(spread_moderated(kind[0], spread_of_kind(kind, 4)).variance, 1e-3, 1e-12);

    /* Alike to the digit: as much freedom as all of them have, and no more. */
    const Spread alike[] = {{1e-3, 12}, {1e-3, 12}, {1e-3, 12}, {1e-3, 12}, {1e-3, 12}};
    CHECK_NEAR(spread_of_kind(alike, 5).freedom, 60, 1e-9);

    /* 0.01, 0.02, 0.06: variance 0.0007, of the mean a third. */
    const double x[] = {0.01, 0.02, 0.06};
    double mean;
    s = spread_of_mean(x, 3, &mean);
    CHECK_NEAR(mean, 0.03, 1e-9);
    CHECK_NEAR(s.variance, 0.0007 / 3, 1e-9);
    CHECK_NEAR(s.freedom, 2, 1e-9);
    const double same[] = {0.05, 0.05}; /* known no better than to the floor */
    CHECK_NEAR(spread_of_mean(same, 2, &mean).variance, 9e-6, 1e-9);
    return check_failures() != 0;
}
