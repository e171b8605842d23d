/* Finds the first inferences of a run, while caches fill and clocks rise.
 *
 * By label where the user gave one; else the smallest number of leading inferences after which the
 * next one lies among the rest (3 scaled MAD or 5 %) and the two halves of the rest have medians
 * within 5 %.  Fewer than MIN_INFERENCES say nothing about drift. */
#include "trace/stats/gather.h"

#include "graph/base/statistics.h"

enum { MIN_INFERENCES = 8 };

static double median_of(int64_t *scratch, const int64_t *value, size_t n)
{
    memcpy(scratch, value, n * sizeof *value);
    statistics_sort_ints(scratch, n);
    return statistics_percentile(scratch, n, 500);
}

/* How far from the median a latency may lie and still be like the others. */
static double latency_tolerance(int64_t *scratch, const int64_t *value, size_t n, double median)
{
    for (size_t i = 0; i < n; i++)
        scratch[i] = llabs(value[i] - (int64_t)median);
    statistics_sort_ints(scratch, n);
    double spread = 3 * 1.4826 * statistics_percentile(scratch, n, 500); /* MAD of a normal */
    return fmax(spread, 0.05 * median);
}

static bool halves_agree(int64_t *scratch, const int64_t *value, size_t n)
{
    double first = median_of(scratch, value, n / 2);
    double second = median_of(scratch, value + n / 2, n - n / 2);
    return fabs(first - second) < 0.05 * second;
}

/* At most a quarter of the run may be warm-up; what drifts longer is no warm-up. */
static size_t leading_outliers(Arena *a, const int64_t *value, size_t n)
{
    int64_t *scratch = ARENA_ARRAY(a, int64_t, n);
    const int64_t *tail = value + n / 2;
    double median = median_of(scratch, tail, n - n / 2);
    double far = latency_tolerance(scratch, tail, n - n / 2, median);
    size_t k = LIST_INDEX(i, n / 4, !((double)value[i] > median + far));
    for (size_t settled = k; settled <= n / 4; settled += 1 + settled / 4)
        if (halves_agree(scratch, value + settled, n - settled))
            return settled;
    return k;
}

void gather_mark_warm_up(TraceStats *stats)
{
    Arena *scratch = arena_new(SIZE_MAX);
    int64_t *value = ARENA_ARRAY(scratch, int64_t, stats->ninference);
    size_t n = 0;
    for (size_t i = 0; i < stats->ninference; i++) {
        InferenceStat *f = &stats->inference[i];
        f->warm_up = f->label && strncasecmp(f->label, "warm", 4) == 0;
        stats->nwarm_up += f->warm_up;
        if (!f->warm_up)
            value[n++] = f->dur_ns;
    }
    size_t k = n >= MIN_INFERENCES ? leading_outliers(scratch, value, n) : 0;
    for (size_t i = 0; k > 0; i++) {
        InferenceStat *f = &stats->inference[i];
        if (f->warm_up)
            continue;
        f->warm_up = true;
        stats->nwarm_up++;
        k--;
    }
    assert(stats->nwarm_up <= stats->ninference);
    arena_free(scratch);
}
