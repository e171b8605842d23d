/* Computes utilisation, concurrency and waiting from the inferences of a run. */
#include "trace/stats/load.h"

#include "graph/base/statistics.h"
#include "trace/stats/rows.h"

typedef struct {
    int64_t start_ns, end_ns;
    int32_t pe_index;
    uint32_t lane, inference;
} Stay;

/* Lanes of one card as its PEs are. */
ORDER_BY(by_lane_and_start, Stay, COMPARE(a->pe_index, b->pe_index), COMPARE(a->lane, b->lane),
         COMPARE(a->start_ns, b->start_ns), COMPARE(a->end_ns, b->end_ns))

/* Length of the union of `n` stays sorted by start. */
static double covered_ns(const Stay *s, size_t n)
{
    double sum = 0;
    int64_t until = INT64_MIN;
    for (size_t i = 0; i < n; i++) {
        int64_t from = i64_max(s[i].start_ns, until);
        until = i64_max(s[i].end_ns, from);
        sum += (double)(until - from);
    }
    return sum;
}

/* Whether there is any time. */
static bool over_inferences(const TraceStats *s, TraceLoad *ret)
{
    int64_t first = INT64_MAX, last = INT64_MIN;
    double open = 0;
    for (size_t i = 0; i < s->ninference; i++) {
        const InferenceStat *x = &s->inference[i];
        int64_t end = x->start_ns + x->dur_ns;
        first = x->start_ns < first ? x->start_ns : first;
        last = end > last ? end : last;
        open += (double)x->dur_ns;
    }
    ret->wall_ns = s->ninference ? (double)(last - first) : 0;
    if (!(ret->wall_ns > 0))
        return false;
    ret->per_s = (double)s->ninference / ret->wall_ns * 1e9;
    ret->concurrency = open / ret->wall_ns;
    return true;
}

static void over_host(Arena *scratch, const TraceStats *s, TraceLoad *ret)
{
    Stay *transfer = ARENA_ARRAY(scratch, Stay, s->nhost_span);
    size_t n = 0;
    double busy = 0;
    for (size_t i = 0; i < s->nhost_span; i++) {
        const OpSpan *x = &s->host_span[i];
        if (x->inference == INFERENCE_NONE)
            continue;
        if (x->kind == SPAN_HOST_OPERATOR)
            busy += (double)x->dur_ns;
        else if (x->kind == SPAN_TRANSFER)
            transfer[n++] = (Stay){.start_ns = x->start_ns, .end_ns = x->start_ns + x->dur_ns};
    }
    rows_sort(transfer, n, sizeof *transfer, by_lane_and_start);
    ret->link = covered_ns(transfer, n) / ret->wall_ns;
    ret->host = busy / ret->wall_ns;
}

/* The ends of all spans, in order within each inference: its own begin at first_host + first_task.
 */
static int64_t *sorted_ends(Arena *scratch, const TraceStats *s)
{
    int64_t *ends = ARENA_ARRAY(scratch, int64_t, s->nhost_span + s->nexecution + 1);
    for (const InferenceStat *x = s->inference; x < s->inference + s->ninference; x++) {
        int64_t *first = ends + x->first_host + x->first_task, *to = first;
        for (uint32_t i = x->first_host; i < x->first_host + x->nhost; i++)
            *to++ = s->host_span[i].start_ns + s->host_span[i].dur_ns;
        for (uint32_t i = x->first_task; i < x->first_task + x->ntask; i++)
            *to++ = s->execution[i].start_ns + s->execution[i].total_ns;
        statistics_sort_ints(first, (size_t)(to - first));
    }
    return ends;
}

/* The last end of the inference's other spans before the task begins: from there on it waits. */
static int64_t ready_ns(const InferenceStat *x, const int64_t *ends, int64_t start_ns)
{
    size_t earlier = 0, later = (size_t)x->nhost + x->ntask;
    ends += x->first_host + x->first_task;
    while (earlier < later) {
        size_t i = (earlier + later) / 2;
        bool before = ends[i] <= start_ns;
        earlier = before ? i + 1 : earlier;
        later = before ? later : i;
    }
    return earlier ? i64_max(x->start_ns, ends[earlier - 1]) : x->start_ns;
}

static bool on_one_lane(const Stay *a, const Stay *b)
{
    return a->pe_index == b->pe_index && a->lane == b->lane;
}

/* What of the time before stay i the stays before it on its lane took. */
static int64_t waited_ns(const Stay *s, size_t i, int64_t ready)
{
    int64_t sum = 0;
    for (size_t k = i; k-- > 0 && on_one_lane(&s[k], &s[i]) && s[k].end_ns > ready;)
        sum += s[k].end_ns - i64_max(s[k].start_ns, ready);
    return sum;
}

static int64_t median_of_warm(Arena *scratch, const TraceStats *s, const int64_t *waited)
{
    int64_t *value = ARENA_ARRAY(scratch, int64_t, s->ninference);
    size_t n = 0;
    for (size_t i = 0; i < s->ninference; i++)
        if (!s->inference[i].warm_up || s->nwarm_up == s->ninference)
            value[n++] = waited[i];
    statistics_sort_ints(value, n);
    return value[n / 2];
}

static void over_tasks(Arena *scratch, const TraceStats *s, TraceLoad *ret)
{
    Stay *task = ARENA_ARRAY(scratch, Stay, s->nexecution);
    int64_t *waited = ARENA_ARRAY(scratch, int64_t, s->ninference), *ends = sorted_ends(scratch, s);
    size_t n = 0;
    for (size_t i = 0; i < s->nexecution; i++) {
        const ExecutionStat *e = &s->execution[i];
        if (e->inference != INFERENCE_NONE)
            task[n++] = (Stay){e->start_ns, e->start_ns + e->total_ns,
                               (int32_t)i64_max(e->pe_index, 0), /* none is told: the first */
                               e->lane, e->inference};
    }
    rows_sort(task, n, sizeof *task, by_lane_and_start);
    for (size_t i = 0, from = 0; i < n; i++) {
        const InferenceStat *x = &s->inference[task[i].inference];
        waited[task[i].inference] += waited_ns(task, i, ready_ns(x, ends, task[i].start_ns));
        if (i + 1 < n && on_one_lane(&task[i], &task[i + 1]))
            continue;
        if (ret->nlane < LOAD_LANES_MAX)
            ret->lane[ret->nlane++] = covered_ns(task + from, i + 1 - from) / ret->wall_ns;
        from = i + 1;
    }
    ret->waiting_ns = s->dealt_in_order ? 0 : median_of_warm(scratch, s, waited);
}

TraceLoad trace_load(const TraceStats *s)
{
    TraceLoad ret = {0};
    if (!over_inferences(s, &ret))
        return ret;
    Arena *scratch = arena_new(SIZE_MAX);
    over_host(scratch, s, &ret);
    over_tasks(scratch, s, &ret);
    arena_free(scratch);
    return ret;
}
