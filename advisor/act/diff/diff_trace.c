/* Compares two traces by the median of their inferences, with its interval, and by the name of
 * every operator. */
#include "advisor/act/diff/diff.h"
#include "advisor/candidate/latency_samples.h"

#include "graph/base/statistics.h"

/* Median with its 90 % interval by order statistics, which assumes nothing about the distribution.
 * Fewer than six carry no interval. */
static DiffValue median_of(int64_t *value, size_t n)
{
    DiffValue v = {.known = n > 0, .interval = n >= 6};
    if (n == 0)
        return v;
    statistics_sort_ints(value, n);
    Interval x = latency_samples_quantile(value, n, 0.5);
    v.mid = x.mid;
    v.lo = v.interval ? x.lo : x.mid;
    v.hi = v.interval ? x.hi : x.mid;
    return v;
}

static DiffValue inference_median(Arena *a, const TraceStats *s)
{
    int64_t *value = ARENA_ARRAY(a, int64_t, s->ninference + 1);
    size_t n = 0;
    for (size_t i = 0; i < s->ninference; i++)
        if (!s->inference[i].warm_up)
            value[n++] = s->inference[i].dur_ns;
    return median_of(value, n);
}

/* 0 Total, 1 Run, 2 IoWait of the NPU executions: those of which the file tells it. */
static DiffValue execution_median(Arena *a, const TraceStats *s, int which)
{
    int64_t *value = ARENA_ARRAY(a, int64_t, s->nexecution + 1);
    size_t n = 0;
    for (size_t i = 0; i < s->nexecution; i++) {
        const ExecutionStat *e = &s->execution[i];
        if (which == 0 || e->has_run)
            value[n++] = which == 0 ? e->total_ns : which == 1 ? e->run_ns : e->io_wait_ns;
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

static uint32_t index_of(const NameIndex *x, const char *name, SpanKind kind, const char *op)
{
    uint32_t i = strmap_get(&x->first, name);
    for (; i != STRMAP_NONE; i = x->next[i]) {
        const NameStat *n = &x->name[i];
        if (n->kind == kind && (n->op == op || (n->op && op && !strcmp(n->op, op))))
            break;
    }
    return i;
}

/* Median and interval of every name's spans; a name whose spans belong to no inference keeps the
 * median that the statistics have, without an interval. */
static DiffValue *by_name(Arena *a, const NameStat *name, size_t nname, const OpSpan *span,
                          size_t nspan)
{
    DiffValue *v = ARENA_ARRAY(a, DiffValue, nname + 1);
    size_t *end = ARENA_ARRAY(a, size_t, nname + 1), total = 0;
    int64_t *value = ARENA_ARRAY(a, int64_t, nspan + 1);
    NameIndex index = index_names(a, name, nname);
    for (int pass = 0; pass < 2; pass++) { /* count, then file under the name */
        for (size_t i = 0; i < nspan; i++) {
            uint32_t k = index_of(&index, span[i].name, span[i].kind, op_span_type(&span[i]));
            if (k != STRMAP_NONE && pass == 0)
                end[k]++;
            else if (k != STRMAP_NONE)
                value[end[k]++] = span[i].dur_ns;
        }
        for (size_t i = 0; i < nname && pass == 0; i++) {
            size_t count = end[i];
            end[i] = total;
            total += count;
        }
    }
    for (size_t i = 0, start = 0; i < nname; start = end[i++]) {
        assert(start <= end[i] && end[i] <= total);
        v[i] = median_of(value + start, end[i] - start);
        if (!v[i].known)
            v[i] = (DiffValue){.known = true, .mid = (double)name[i].median_ns};
    }
    return v;
}

typedef struct {
    const NameStat *name;
    size_t n;
    const DiffValue *value;
} Side;

static void add_name_diffs(Arena *a, cJSON *list, const char *kind, Side old, Side new)
{
    const DiffValue none = {0};
    bool *seen = ARENA_ARRAY(a, bool, old.n + 1);
    NameIndex index = index_names(a, old.name, old.n);
    for (size_t i = 0; i < new.n; i++) {
        uint32_t k = index_of(&index, new.name[i].name, new.name[i].kind, new.name[i].op);
        if (k != STRMAP_NONE)
            seen[k] = true;
        diff_add(list, kind, new.name[i].name, "ns", k != STRMAP_NONE ? old.value[k] : none,
                 new.value[i]);
    }
    for (size_t i = 0; i < old.n; i++)
        if (!seen[i])
            diff_add(list, kind, old.name[i].name, "ns", old.value[i], none);
}

static Side npu_side(Arena *a, const TraceStats *s)
{
    return (Side){s->npu_name, s->nnpu_name,
                  by_name(a, s->npu_name, s->nnpu_name, s->op_span, s->nop_span)};
}

static Side host_side(Arena *a, const TraceStats *s)
{
    return (Side){s->host_name, s->nhost_name,
                  by_name(a, s->host_name, s->nhost_name, s->host_span, s->nhost_span)};
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
    add_name_diffs(a, parts, "npu", npu_side(a, old), npu_side(a, new));
    add_name_diffs(a, parts, "host", host_side(a, old), host_side(a, new));
    diff_sort(parts);
    return root;
}
