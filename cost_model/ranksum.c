/* Implements the Mann-Whitney test by its normal approximation. */
#include "cost_model/ranksum.h"

typedef struct {
    int64_t value;
    bool second;
} Ranked;

ORDER_BY(by_value, Ranked, COMPARE(a->value, b->value))

double ranksum_deviate(Arena *a, const int64_t *value, size_t n_first, size_t n)
{
    assert(n_first <= n);
    Ranked *r = ARENA_ARRAY(a, Ranked, n + 1);
    for (size_t i = 0; i < n; i++)
        r[i] = (Ranked){value[i], i >= n_first};
    qsort(r, n, sizeof *r, by_value); /* equal values share one rank: their order is no matter */
    double sum = 0, ties = 0;
    for (size_t i = 0, end; i < n; i = end) {
        size_t second = 0;
        for (end = i; end < n && r[end].value == r[i].value; end++)
            second += r[end].second;
        double t = (double)(end - i);
        sum += (double)second * ((double)(i + end) + 1) / 2;
        ties += t * t * t - t;
    }
    double all = (double)n, n1 = (double)n_first, n2 = all - n1;
    double above = sum - n2 * (n2 + 1) / 2 - n1 * n2 / 2;
    double variance = n > 1 ? n1 * n2 / 12 * (all + 1 - ties / (all * (all - 1))) : 0;
    if (variance <= 0)
        return 0;
    return copysign(fmax(fabs(above) - 0.5, 0), above) / sqrt(variance);
}
