/* Comparison of two traces: inferences with the interval of their median, and every operator by
 * name. */
#include "advisor/diff.h"

#include "graph/base/strmap.h"

#include <math.h>
#include <stdlib.h>

static int by_value(const void *pa, const void *pb)
{
    int64_t a = *(const int64_t *)pa, b = *(const int64_t *)pb;
    return a < b ? -1 : a > b;
}

/* Median with its 90 % interval by order statistics: ranks n/2 -+ 1.645 sqrt(n)/2 of the sorted
 * sample, which assumes nothing about its distribution.  Fewer than six carry no interval. */
static DiffValue median_of(int64_t *value, size_t n)
{
    DiffValue v = {.known = n > 0};
    if (n == 0)
        return v;
    qsort(value, n, sizeof *value, by_value);
    v.lo = v.mid = v.hi = percentile_sorted(value, n, 0.5);
    double half = 1.645 * sqrt((double)n) / 2, middle = (double)(n - 1) / 2;
    v.interval = n >= 6;
    if (v.interval) {
        v.lo = (double)value[(size_t)fmax(0, floor(middle - half))];
        v.hi = (double)value[(size_t)fmin((double)(n - 1), ceil(middle + half))];
    }
    return v;
}

static DiffValue inferences(Arena *a, const TraceStats *s)
{
    int64_t *value = ARENA_ARRAY(a, int64_t, s->ninference + 1);
    size_t n = 0;
    for (size_t i = 0; i < s->ninference; i++)
        if (!s->inference[i].warm_up)
            value[n++] = s->inference[i].dur_ns;
    return median_of(value, n);
}

/* 0 Total, 1 Run, 2 IoWait of the NPU executions. */
static DiffValue executions(Arena *a, const TraceStats *s, int which)
{
    int64_t *value = ARENA_ARRAY(a, int64_t, s->nexecution + 1);
    for (size_t i = 0; i < s->nexecution; i++) {
        const ExecutionStat *e = &s->execution[i];
        value[i] = which == 0 ? e->total_ns : which == 1 ? e->run_ns : e->io_wait_ns;
    }
    return median_of(value, s->nexecution);
}

static DiffValue one(const NameStat *s)
{
    double mid = (double)s->median_ns;
    return (DiffValue){.known = true, .lo = mid, .mid = mid, .hi = mid};
}

static void names(Arena *a, cJSON *list, const char *kind, const NameStat *old, size_t nold,
                  const NameStat *new, size_t nnew)
{
    StrMap map;
    const DiffValue none = {0};
    bool *seen = ARENA_ARRAY(a, bool, nold + 1);
    strmap_init(&map, a, nold);
    for (size_t i = 0; i < nold; i++)
        strmap_put(&map, old[i].name, (uint32_t)i);
    for (size_t i = 0; i < nnew; i++) {
        uint32_t k = strmap_get(&map, new[i].name);
        if (k != STRMAP_NONE)
            seen[k] = true;
        diff_add(list, kind, new[i].name, "ns", k != STRMAP_NONE ? one(&old[k]) : none,
                 one(&new[i]), true);
    }
    for (size_t i = 0; i < nold; i++)
        if (!seen[i])
            diff_add(list, kind, old[i].name, "ns", one(&old[i]), none, true);
}

cJSON *diff_traces(Arena *a, const TraceStats *old, const TraceStats *new, const char *old_name,
                   const char *new_name)
{
    static const char *const metric[] = {"npu_total_ns", "npu_run_ns", "npu_io_wait_ns"};
    cJSON *root = diff_root("trace", old_name, new_name);
    cJSON *metrics = cJSON_GetObjectItemCaseSensitive(root, "metrics");
    cJSON *parts = cJSON_GetObjectItemCaseSensitive(root, "parts");
    diff_add(metrics, NULL, "inference_ns", "ns", inferences(a, old), inferences(a, new), true);
    for (int i = 0; i < 3; i++)
        diff_add(metrics, NULL, metric[i], "ns", executions(a, old, i), executions(a, new, i),
                 true);
    names(a, parts, "npu", old->npu_name, old->nnpu_name, new->npu_name, new->nnpu_name);
    names(a, parts, "host", old->host_name, old->nhost_name, new->host_name, new->nhost_name);
    diff_sort(parts);
    return root;
}
