/* The Mann-Whitney deviate against hand calculations. */
#include "cost_model/ranksum.h"

#include "tests/unit/check.h"

#define CHECK_DEVIATE(n_first, n, expected, ...)                                                   \
    CHECK_NEAR(ranksum_deviate(a, (const int64_t[]){__VA_ARGS__}, n_first, n), expected, 5e-5)

int main(void)
{
    Arena *a = arena_new(0);
    /* second ranks 6…10: sum 40, U 25, mean 12.5, variance 25/12*11 = 22.9167: (12.5 - 0.5)
     * / 4.7871 */
    CHECK_DEVIATE(5, 10, 2.5067, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    CHECK_DEVIATE(5, 10, -2.5067, 9, 8, 10, 7, 6, 1, 5, 2, 4, 3);
    /* ranks 1.5 1.5 3.5 | 3.5 5.5 5.5: U 8.5, mean 4.5, variance 9/12*(7 - 18/30) = 4.8: (4 - 0.5)
     * / 2.1909 */
    CHECK_DEVIATE(3, 6, 1.5975, 1, 1, 2, 2, 3, 3);
    CHECK_DEVIATE(2, 4, 0, 7, 7, 7, 7);
    CHECK_NEAR(ranksum_deviate(a, NULL, 0, 0), 0, 0);
    CHECK_DEVIATE(0, 1, 0, 7);
    /* 4 + 4 as far apart as can be: (8 - 0.5) / sqrt(12), below 2.576 */
    CHECK_DEVIATE(4, 8, 2.1651, 1, 2, 3, 4, 5, 6, 7, 8);
    arena_free(a);
    return check_failures() != 0;
}
