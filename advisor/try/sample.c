/* Paired bootstrap. */
#include "advisor/try/sample.h"

#include "graph/base/random.h"
#include "graph/base/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STREAM_BOOTSTRAP = 0x626f6f74 };

static uint64_t draw(uint64_t seed, size_t resample, size_t i, size_t n)
{
    return random_below(random_bits(seed, STREAM_BOOTSTRAP, resample, i), n);
}

/* 90 % interval of a statistic's resamples. */
static void set_interval(Verified *v, double *resample)
{
    sort_reals(resample, BOOTSTRAP_RESAMPLES);
    v->lo = quantile_sorted(resample, BOOTSTRAP_RESAMPLES, 0.05);
    v->hi = quantile_sorted(resample, BOOTSTRAP_RESAMPLES, 0.95);
    size_t below = 0, above = 0;
    for (size_t i = 0; i < BOOTSTRAP_RESAMPLES; i++) {
        below += resample[i] <= 0;
        above += resample[i] >= 0;
    }
    v->p = 2 * ((double)(below < above ? below : above) + 1) / (BOOTSTRAP_RESAMPLES + 1);
}

typedef struct {
    double value;
    size_t place; /* before sorting */
} Placed;

static int by_placed_value(const void *pa, const void *pb)
{
    const Placed *a = pa, *b = pb;
    return a->value != b->value  ? (a->value < b->value ? -1 : 1)
           : a->place < b->place ? -1
                                 : a->place > b->place;
}

/* Median of n draws, given how often each of the sorted values was drawn: what sorting them would
 * give, in linear time. */
static double median_of_drawn(const Placed *sorted, const uint32_t *times, size_t n)
{
    size_t low = (n - 1) / 2, high = n / 2, seen = 0, i = 0;
    while (seen + times[i] <= low)
        seen += times[i++];
    double at_low = sorted[i].value;
    while (seen + times[i] <= high)
        seen += times[i++];
    return at_low + 0.5 * (sorted[i].value - at_low);
}

/* `sorted` are the n differences, `rank` their ranks by place. */
static double resampled_median(const Placed *sorted, const size_t *rank, uint32_t *times, size_t n,
                               uint64_t seed, size_t resample)
{
    memset(times, 0, n * sizeof *times);
    for (size_t i = 0; i < n; i++)
        times[rank[draw(seed, resample, i, n)]]++;
    return median_of_drawn(sorted, times, n);
}

static Verified compare_latency(Arena *a, const Sample *before, const Sample *after, uint64_t seed)
{
    size_t n = before->n < after->n ? before->n : after->n;
    Verified v = {.n = (int)n};
    if (n == 0)
        return v;
    Placed *diff = ARENA_ARRAY(a, Placed, n);
    size_t *rank = ARENA_ARRAY(a, size_t, n);
    uint32_t *times = ARENA_ARRAY(a, uint32_t, n);
    double *resample = ARENA_ARRAY(a, double, BOOTSTRAP_RESAMPLES),
           *base = ARENA_ARRAY(a, double, n);
    for (size_t i = 0; i < n; i++)
        diff[i] = (Placed){before->latency_ns[i] - after->latency_ns[i], i};
    qsort(diff, n, sizeof *diff, by_placed_value);
    for (size_t i = 0; i < n; i++)
        rank[diff[i].place] = i;
    for (size_t r = 0; r < BOOTSTRAP_RESAMPLES; r++)
        resample[r] = resampled_median(diff, rank, times, n, seed, r);
    for (size_t i = 0; i < n; i++)
        times[i] = 1;
    v.median = median_of_drawn(diff, times, n);
    memcpy(base, before->latency_ns, n * sizeof *base);
    v.before = median_real(base, n);
    set_interval(&v, resample);
    return v;
}

static double per_second(double images, double sum_ns, size_t n)
{
    return sum_ns > 0 ? images * 1e9 * (double)n / sum_ns : 0;
}

/* Sum of n periods in blocks that start where the draws say; NULL resample: all in order. */
static double block_sum(const Sample *s, size_t n, size_t block, uint64_t seed, size_t resample)
{
    double sum = 0;
    size_t starts = s->nperiod - block + 1;
    for (size_t done = 0; done < n;) {
        size_t first = draw(seed, resample, done / block, starts);
        for (size_t k = 0; k < block && done < n; k++, done++)
            sum += s->period_ns[first + k];
    }
    return sum;
}

static double plain_sum(const Sample *s, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += s->period_ns[i];
    return sum;
}

static Verified compare_throughput(Arena *a, const Sample *before, const Sample *after,
                                   size_t block, uint64_t seed)
{
    size_t n = before->nperiod < after->nperiod ? before->nperiod : after->nperiod;
    Verified v = {.n = (int)n};
    if (n == 0)
        return v;
    block = block < 1 ? 1 : block > n ? n : block;
    double *resample = ARENA_ARRAY(a, double, BOOTSTRAP_RESAMPLES);
    for (size_t r = 0; r < BOOTSTRAP_RESAMPLES; r++)
        resample[r] = per_second(after->images, block_sum(after, n, block, seed, r), n) -
                      per_second(before->images, block_sum(before, n, block, seed, r), n);
    v.before = per_second(before->images, plain_sum(before, before->nperiod), before->nperiod);
    v.median =
        per_second(after->images, plain_sum(after, after->nperiod), after->nperiod) - v.before;
    set_interval(&v, resample);
    return v;
}

Verified sample_compare(Arena *a, const Sample *before, const Sample *after, Objective o,
                        size_t block, uint64_t seed)
{
    Verified v = o == OBJECTIVE_LATENCY ? compare_latency(a, before, after, seed)
                                        : compare_throughput(a, before, after, block, seed);
    v.lo = fmin(v.lo, v.median); /* few blocks resample to less than all of them in order show */
    v.hi = fmax(v.hi, v.median);
    return v;
}
