/* Reads the traces again one by one and takes quantiles with intervals by order statistics. */
#include "advisor/candidate/latency_samples.h"

#include "graph/base/statistics.h"

#include <sys/stat.h>

Interval latency_samples_quantile(const int64_t *v, size_t n, double q)
{
    double mid = statistics_percentile(v, n, (unsigned)lround(q * 1000)),
           range = (double)v[n - 1] - (double)v[0];
    double centre = (double)(n - 1) * q, reach = 1.645 * sqrt((double)n * q * (1 - q));
    double low = floor(centre - reach), high = ceil(centre + reach);
    Interval r = {.mid = mid};
    r.lo = low < 0 ? fmax(0, (double)v[0] - range) : (double)v[(size_t)low];
    r.hi = high > (double)(n - 1) ? (double)v[n - 1] + range : (double)v[(size_t)high];
    r.lo = fmin(r.lo, mid);
    r.hi = fmax(r.hi, mid);
    return r;
}

int64_t *latency_samples_settled(Arena *a, const TraceStats *s, size_t *ret_count)
{
    int64_t *value = ARENA_ARRAY(a, int64_t, s->ninference + 1);
    size_t n = 0;
    for (size_t i = 0; i < s->ninference; i++)
        if (!s->inference[i].warm_up)
            value[n++] = s->inference[i].dur_ns;
    for (size_t i = 0; n == 0 && i < s->ninference; i++)
        value[i] = s->inference[i].dur_ns;
    *ret_count = n ? n : s->ninference;
    return value;
}

static void pick_shown_values(Arena *a, LatencySamples *s, const int64_t *in_order,
                              const int64_t *sorted)
{
    size_t shown = s->n < LATENCY_SAMPLES_SHOWN ? s->n : LATENCY_SAMPLES_SHOWN;
    int64_t *value = ARENA_ARRAY(a, int64_t, shown + 1);
    for (size_t i = 0; i < shown; i++)
        value[i] =
            s->n <= LATENCY_SAMPLES_SHOWN ? in_order[i] : sorted[i * (s->n - 1) / (shown - 1)];
    s->value = value;
    s->nvalue = shown;
}

static int64_t *sorted_copy(Arena *a, const int64_t *value, size_t n)
{
    int64_t *copy = ARENA_ARRAY(a, int64_t, n + 1);
    memcpy(copy, value, n * sizeof *copy);
    statistics_sort_ints(copy, n);
    return copy;
}

static LatencySamples of_inferences(Arena *a, const TraceStats *stats)
{
    LatencySamples s = {0};
    const int64_t *value = latency_samples_settled(a, stats, &s.n);
    if (s.n == 0)
        return s;
    const int64_t *sorted = sorted_copy(a, value, s.n);
    s.median = latency_samples_quantile(sorted, s.n, 0.5);
    s.p90 = latency_samples_quantile(sorted, s.n, 0.9);
    s.max = sorted[s.n - 1];
    pick_shown_values(a, &s, value, sorted);
    return s;
}

static LatencySamples of_traces(Arena *a, const int64_t *median, const int64_t *p90, size_t n)
{
    LatencySamples s = {.per_trace = true, .n = n};
    const int64_t *sorted = sorted_copy(a, median, n), *tails = sorted_copy(a, p90, n);
    s.median = latency_samples_quantile(sorted, n, 0.5);
    s.p90 = latency_samples_quantile(tails, n, 0.5);
    s.max = sorted[n - 1];
    pick_shown_values(a, &s, median, sorted);
    return s;
}

static bool can_be_read_again(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* Median and ninth decile of one trace; 0 inferences: it is only a part of a run. */
static Status read_one(const char *path, const TraceReadOptions *o, int64_t *ret_median,
                       int64_t *ret_p90, size_t *ret_count, Diag *diag)
{
    Arena *scratch = arena_new(0);
    TraceStats *stats = NULL;
    Status st = trace_stats(scratch, &path, 1, o, &stats, diag);
    if (!st) {
        int64_t *value = latency_samples_settled(scratch, stats, ret_count);
        statistics_sort_ints(value, *ret_count);
        *ret_median = (int64_t)statistics_percentile(value, *ret_count, 500);
        *ret_p90 = (int64_t)statistics_percentile(value, *ret_count, 900);
    }
    arena_free(scratch);
    return st;
}

/* Of files that hold spans of their own. */
static Status samples_of(Arena *a, const char *const *path, size_t npath, const TraceReadOptions *o,
                         const TraceStats *merged, LatencySamples *ret, Diag *diag)
{
    bool several = npath > 1 && LIST_ALL(i, npath, can_be_read_again(path[i]));
    int64_t *median = ARENA_ARRAY(a, int64_t, npath + 1), *p90 = ARENA_ARRAY(a, int64_t, npath + 1);
    for (size_t i = 0; i < npath && several; i++) {
        size_t n = 0;
        Status st = read_one(path[i], o, &median[i], &p90[i], &n, diag);
        if (st)
            return st;
        several = n > 0;
    }
    *ret = several ? of_traces(a, median, p90, npath) : of_inferences(a, merged);
    return STATUS_OK;
}

Status latency_samples_read(Arena *a, const char *const *path, size_t npath,
                            const TraceReadOptions *o, const TraceStats *merged,
                            LatencySamples *ret, Diag *diag)
{
    size_t n = 0;
    const char **own = ARENA_ARRAY(a, const char *, npath + 1);
    for (size_t i = 0; i < npath; i++)
        if (!merged->run[i].is_again)
            own[n++] = path[i];
    return samples_of(a, own, n, o, merged, ret, diag);
}
