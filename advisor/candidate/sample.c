/* Resamples pairs of latencies, and blocks of completion times for throughput. */
#include "advisor/candidate/sample.h"

#include "graph/base/random.h"
#include "graph/base/statistics.h"

enum { STREAM_BOOTSTRAP = 0x626f6f74 };

static uint64_t draw_index(uint64_t seed, size_t resample, size_t i, size_t n)
{
    return random_below(random_bits(seed, STREAM_BOOTSTRAP, resample, i), n);
}

/* 90 % interval of a statistic's resamples. */
static void set_interval(Verified *v, double *resample)
{
    statistics_sort_reals(resample, BOOTSTRAP_RESAMPLES);
    v->lo = statistics_quantile(resample, BOOTSTRAP_RESAMPLES, 0.05);
    v->hi = statistics_quantile(resample, BOOTSTRAP_RESAMPLES, 0.95);
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

ORDER_BY(by_placed_value, Placed, COMPARE(a->value, b->value), COMPARE(a->place, b->place))

/* Median of n draws, given how often each of the sorted values was drawn, in linear time. */
static double median_of_drawn(const Placed *sorted, const uint32_t *times, size_t n)
{
    assert(n > 0);
    size_t low = (n - 1) / 2, high = n / 2, seen = 0, i = 0;
    while (seen + times[i] <= low)
        seen += times[i++];
    double at_low = sorted[i].value;
    while (seen + times[i] <= high)
        seen += times[i++];
    return at_low + 0.5 * (sorted[i].value - at_low);
}

/* n values in order, and the rank of each of them. */
typedef struct {
    Placed *sorted;
    size_t *rank; /* by place */
    uint32_t *times;
    size_t n;
} Ranked;

static Ranked rank_values(Arena *a, const double *value, size_t n)
{
    Ranked r = {ARENA_ARRAY(a, Placed, n), ARENA_ARRAY(a, size_t, n), ARENA_ARRAY(a, uint32_t, n),
                n};
    for (size_t i = 0; i < n; i++)
        r.sorted[i] = (Placed){value[i], i};
    ORDER_LIST(r.sorted, n, by_placed_value);
    for (size_t i = 0; i < n; i++)
        r.rank[r.sorted[i].place] = i;
    return r;
}

static double median_of_ranked(const Ranked *r)
{
    for (size_t i = 0; i < r->n; i++)
        r->times[i] = 1;
    return median_of_drawn(r->sorted, r->times, r->n);
}

/* All get the same draws. */
static void draw_pairs(const Ranked *x, const Ranked *y, const Ranked *z, uint64_t seed,
                       size_t resample)
{
    const Ranked *const all[] = {x, y, z};
    for (size_t k = 0; k < 3; k++)
        memset(all[k]->times, 0, x->n * sizeof *x->times);
    for (size_t i = 0; i < x->n; i++) {
        size_t place = draw_index(seed, resample, i, x->n);
        for (size_t k = 0; k < 3; k++)
            all[k]->times[all[k]->rank[place]]++;
    }
}

static Interval share_interval(double *share, double mid)
{
    statistics_sort_reals(share, BOOTSTRAP_RESAMPLES);
    return (Interval){fmin(mid, statistics_quantile(share, BOOTSTRAP_RESAMPLES, 0.05)), mid,
                      fmax(mid, statistics_quantile(share, BOOTSTRAP_RESAMPLES, 0.95))};
}

static Verified compare_latency(Arena *a, const Sample *before, const Sample *after, uint64_t seed)
{
    size_t n = before->n < after->n ? before->n : after->n;
    Verified v = {.n = (int)n};
    if (n == 0)
        return v;
    double *gain = ARENA_ARRAY(a, double, n),
           *resample = ARENA_ARRAY(a, double, BOOTSTRAP_RESAMPLES),
           *share = ARENA_ARRAY(a, double, BOOTSTRAP_RESAMPLES);
    for (size_t i = 0; i < n; i++)
        gain[i] = before->latency_ns[i] - after->latency_ns[i];
    Ranked gained = rank_values(a, gain, n), base = rank_values(a, before->latency_ns, n);
    Ranked left = rank_values(a, after->latency_ns, n);
    for (size_t r = 0; r < BOOTSTRAP_RESAMPLES; r++) {
        draw_pairs(&gained, &base, &left, seed, r);
        resample[r] = median_of_drawn(gained.sorted, gained.times, n);
        share[r] = 1 - median_of_drawn(left.sorted, left.times, n) /
                           fmax(1, median_of_drawn(base.sorted, base.times, n));
    }
    v.median = median_of_ranked(&gained);
    v.before = median_of_ranked(&base);
    v.share = share_interval(share, 1 - median_of_ranked(&left) / fmax(1, v.before));
    set_interval(&v, resample);
    return v;
}

static double per_second(double images, double sum_ns, size_t n)
{
    return sum_ns > 0 ? images * 1e9 * (double)n / sum_ns : 0;
}

/* Sum of n periods in blocks that start at drawn positions. */
static double block_sum(const Sample *s, size_t n, size_t block, uint64_t seed, size_t resample)
{
    assert(block > 0 && block <= s->nperiod);
    double sum = 0;
    size_t starts = s->nperiod - block + 1;
    for (size_t done = 0; done < n;) {
        size_t first = draw_index(seed, resample, done / block, starts);
        for (size_t k = 0; k < block && done < n; k++, done++)
            sum += s->period_ns[first + k];
    }
    return sum;
}

static double plain_sum(const Sample *s, size_t n)
{
    return LIST_SUM(double, i, n, s->period_ns[i]);
}

static Verified compare_throughput(Arena *a, const Sample *before, const Sample *after,
                                   size_t block, uint64_t seed)
{
    size_t n = before->nperiod < after->nperiod ? before->nperiod : after->nperiod;
    Verified v = {.n = (int)n};
    if (n == 0)
        return v;
    block = block < 1 ? 1 : block > n ? n : block;
    double *resample = ARENA_ARRAY(a, double, BOOTSTRAP_RESAMPLES),
           *share = ARENA_ARRAY(a, double, BOOTSTRAP_RESAMPLES);
    for (size_t r = 0; r < BOOTSTRAP_RESAMPLES; r++) {
        double base = per_second(before->images, block_sum(before, n, block, seed, r), n);
        resample[r] = per_second(after->images, block_sum(after, n, block, seed, r), n) - base;
        share[r] = base > 0 ? resample[r] / base : 0;
    }
    v.before = per_second(before->images, plain_sum(before, before->nperiod), before->nperiod);
    v.median =
        per_second(after->images, plain_sum(after, after->nperiod), after->nperiod) - v.before;
    v.share = share_interval(share, v.before > 0 ? v.median / v.before : 0);
    set_interval(&v, resample);
    return v;
}

Verified sample_compare(Arena *a, const Sample *before, const Sample *after, Objective o,
                        size_t block, uint64_t seed)
{
    Verified v = o == OBJECTIVE_LATENCY ? compare_latency(a, before, after, seed)
                                        : compare_throughput(a, before, after, block, seed);
    v.lo = fmin(v.lo, v.median); /* few blocks may resample to less than all of them in order */
    v.hi = fmax(v.hi, v.median);
    assert(v.n >= 0 && v.p >= 0);
    return v;
}

/* The number of completions while all workers are busy. */
static size_t busy_ends(const TraceStats *stats, const double *end, size_t settled)
{
    size_t n = stats->ninference;
    double last = -INFINITY;
    for (size_t i = 0; i < n; i++)
        last = fmax(last, (double)stats->inference[i].start_ns);
    while (n > settled + 1 && end[n - 1] > last)
        n--;
    return n > settled + 1 ? n : stats->ninference;
}

void sample_add(Arena *a, Sample *s, const Trial *t, const TraceStats *stats)
{
    size_t n = stats->ninference, settled = (size_t)t->variant.run.workers;
    double *end = ARENA_ARRAY(a, double, n);
    int patches = t->variant.run.patches > 1 ? t->variant.run.patches : 1; /* runs per image */
    for (size_t i = 0; i < n; i++) {
        const InferenceStat *x = &stats->inference[i];
        *VEC_PUSH(a, s->latency_ns, s->n, s->latency_cap) =
            (double)x->dur_ns * patches - t->variant.run.spared_ns;
        end[i] = (double)(x->start_ns + x->dur_ns);
        if (x->warm_up && i + 1 > settled && i + 1 < n / 2)
            settled = i + 1;
    }
    statistics_sort_reals(end, n);
    size_t busy = busy_ends(stats, end, settled);
    for (size_t i = settled < n ? settled : n; i < busy; i++)
        if (i)
            *VEC_PUSH(a, s->period_ns, s->nperiod, s->period_cap) = end[i] - end[i - 1];
    s->images = predict_images(t->program, &t->variant.run) / patches;
}
