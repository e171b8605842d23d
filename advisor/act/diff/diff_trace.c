/* Compares two traces by the median of their inferences, with its interval, and by the time per
 * inference of every operator. */
#include "advisor/act/diff/diff.h"

#include "advisor/candidate/latency_samples.h"
#include "graph/base/statistics.h"

/* Of fewer than six, the median has no interval. */
static DiffValue median_of(int64_t *value, size_t n)
{
    if (n == 0)
        return (DiffValue){.known = false};
    statistics_sort_ints(value, n);
    Interval x = latency_samples_quantile(value, n, 0.5);
    return (DiffValue){true, n >= 6, false, x.lo, x.mid, x.hi};
}

static DiffValue inference_median(Arena *a, const TraceStats *s)
{
    size_t n;
    int64_t *value = latency_samples_settled(a, s, &n);
    return median_of(value, n);
}

/* 0 Total, 1 Run, 2 IoWait of the NPU executions of an inference, in all: those of which the file
 * tells it.  One that is in no inference is by itself. */
static DiffValue execution_median(Arena *a, const TraceStats *s, int which)
{
    int64_t *value = ARENA_ARRAY(a, int64_t, s->nexecution + 1);
    uint32_t last = INFERENCE_NONE;
    size_t n = 0;
    for (size_t i = 0; i < s->nexecution; i++) {
        const ExecutionStat *e = &s->execution[i];
        if (which > 0 && !e->has_run)
            continue;
        if (last == INFERENCE_NONE || e->inference != last)
            value[n++] = 0;
        last = e->inference;
        value[n - 1] += which == 0 ? e->total_ns : which == 1 ? e->run_ns : e->io_wait_ns;
    }
    return median_of(value, n);
}

/* Entries of a table by name; several have one name where kinds or types differ. */
typedef struct {
    const NameStat *name;
    StrMap first;
    uint32_t *next;
} NameIndex;

static NameIndex index_names(Arena *a, const NameStat *name, size_t n)
{
    NameIndex x = {.name = name, .next = ARENA_ARRAY(a, uint32_t, n + 1)};
    strmap_init(&x.first, a, n);
    for (size_t i = n; i-- > 0;) {
        x.next[i] = strmap_get(&x.first, name[i].name);
        strmap_put(&x.first, name[i].name, (uint32_t)i);
    }
    return x;
}

static uint32_t index_of(const NameIndex *x, const NameStat *wanted)
{
    uint32_t i = strmap_get(&x->first, wanted->name);
    while (i != STRMAP_NONE &&
           (x->name[i].kind != wanted->kind || !texts_equal(x->name[i].op, wanted->op)))
        i = x->next[i];
    return i;
}

/* Runs per inference of NPU operators: those of both traces, and those of either. */
typedef struct {
    double both, either;
} Common;

typedef struct {
    const char *kind;
    const TraceStats *old, *new;
} Sides;

static void add_name_diff(cJSON *list, Common *common, const Sides *s, const NameStat *old,
                          const NameStat *new)
{
    double was = old ? name_runs_per_inference(s->old, old) : 0;
    double is = new ? name_runs_per_inference(s->new, new) : 0;
    DiffValue before = {.known = old}, after = {.known = new};
    before.mid = before.lo = before.hi = old ? name_ns_per_inference(s->old, old) : 0;
    after.mid = after.lo = after.hi = new ? name_ns_per_inference(s->new, new) : 0;
    diff_add(list, s->kind, old ? old->name : new->name, "ns", before, after);
    common->both += fmin(was, is);
    common->either += fmax(was, is);
}

static Common add_name_diffs(Arena *a, cJSON *list, bool npu, const Sides *s)
{
    size_t nold = npu ? s->old->nnpu_name : s->old->nhost_name;
    size_t nnew = npu ? s->new->nnpu_name : s->new->nhost_name;
    NameIndex old = index_names(a, npu ? s->old->npu_name : s->old->host_name, nold);
    const NameStat *new = npu ? s->new->npu_name : s->new->host_name;
    bool *seen = ARENA_ARRAY(a, bool, nold + 1);
    Common common = {0, 0};
    for (size_t i = 0; i < nnew; i++) {
        uint32_t k = index_of(&old, &new[i]);
        if (k != STRMAP_NONE)
            seen[k] = true;
        add_name_diff(list, &common, s, k != STRMAP_NONE ? &old.name[k] : NULL, &new[i]);
    }
    for (size_t i = 0; i < nold; i++)
        if (!seen[i])
            add_name_diff(list, &common, s, &old.name[i], NULL);
    return common;
}

cJSON *diff_traces(Arena *a, const TraceStats *old, const TraceStats *new, const char *old_name,
                   const char *new_name)
{
    static const char *const metric[] = {"npu_total_ns", "npu_run_ns", "npu_io_wait_ns"};
    cJSON *root = diff_root("trace", old_name, new_name);
    cJSON *metrics = cJSON_GetObjectItemCaseSensitive(root, "metrics");
    cJSON *parts = cJSON_GetObjectItemCaseSensitive(root, "parts");
    diff_add(metrics, NULL, "inference_ns", "ns", inference_median(a, old),
             inference_median(a, new));
    for (int i = 0; i < 3; i++)
        diff_add(metrics, NULL, metric[i], "ns", execution_median(a, old, i),
                 execution_median(a, new, i));
    Common npu = add_name_diffs(a, parts, true, &(Sides){"npu", old, new});
    Common host = add_name_diffs(a, parts, false, &(Sides){"host", old, new});
    Common work = npu.either > 0 ? npu : host;
    json_add_number(root, "common_operators", work.either > 0 ? work.both / work.either : NAN);
    diff_sort(parts);
    return root;
}
