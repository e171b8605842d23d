/* Load. */
#include "trace/stats/load.h"

#include "graph/base/arena.h"

#include <stdlib.h>

typedef struct {
    int64_t start_ns, end_ns;
    uint32_t lane, inference;
} Stay;

static int by_lane_and_start(const void *pa, const void *pb)
{
    const Stay *a = pa, *b = pb;
    if (a->lane != b->lane)
        return a->lane < b->lane ? -1 : 1;
    if (a->start_ns != b->start_ns)
        return a->start_ns < b->start_ns ? -1 : 1;
    return a->end_ns < b->end_ns ? -1 : a->end_ns > b->end_ns;
}

/* Length of the union of `n` stays sorted by start. */
static double covered_ns(const Stay *s, size_t n)
{
    double sum = 0;
    int64_t until = INT64_MIN;
    for (size_t i = 0; i < n; i++) {
        int64_t from = s[i].start_ns > until ? s[i].start_ns : until;
        if (s[i].end_ns > from) {
            sum += (double)(s[i].end_ns - from);
            until = s[i].end_ns;
        }
    }
    return sum;
}

static void over_inferences(const TraceStats *s, TraceLoad *ret)
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
    ret->wall_ns = last > first ? (double)(last - first) : 0;
    if (!(ret->wall_ns > 0))
        return;
    ret->per_s = (double)s->ninference / ret->wall_ns * 1e9;
    ret->concurrency = open / ret->wall_ns;
}

static void over_host(Arena *scratch, const TraceStats *s, TraceLoad *ret)
{
    Stay *transfer = ARENA_ARRAY(scratch, Stay, s->nhost_span + 1);
    size_t n = 0;
    double busy = 0;
    for (size_t i = 0; i < s->nhost_span; i++) {
        const OpSpan *x = &s->host_span[i];
        if (x->inference == INFERENCE_NONE)
            continue;
        if (x->kind == SPAN_HOST_OPERATOR)
            busy += (double)x->dur_ns;
        else if (x->kind == SPAN_TRANSFER)
            transfer[n++] = (Stay){x->start_ns, x->start_ns + x->dur_ns, 0, 0};
    }
    if (n)
        qsort(transfer, n, sizeof *transfer, by_lane_and_start);
    ret->link = covered_ns(transfer, n) / ret->wall_ns;
    ret->host = busy / ret->wall_ns;
}

/* The last end of the inference's other spans before the task begins: from there on it waits. */
static int64_t ready_ns(const TraceStats *s, const InferenceStat *x, int64_t start_ns)
{
    int64_t ready = x->start_ns;
    for (uint32_t i = x->first_host; i < x->first_host + x->nhost; i++) {
        int64_t end = s->host_span[i].start_ns + s->host_span[i].dur_ns;
        if (end <= start_ns && end > ready)
            ready = end;
    }
    for (uint32_t i = x->first_task; i < x->first_task + x->ntask; i++) {
        int64_t end = s->execution[i].start_ns + s->execution[i].total_ns;
        if (end <= start_ns && end > ready)
            ready = end;
    }
    return ready;
}

/* What of the time before stay i the stays before it on its lane took. */
static int64_t waited_ns(const Stay *s, size_t i, int64_t ready)
{
    int64_t sum = 0;
    for (size_t k = i; k-- > 0 && s[k].lane == s[i].lane && s[k].end_ns > ready;)
        sum += s[k].end_ns - (s[k].start_ns > ready ? s[k].start_ns : ready);
    return sum;
}

static int ascending(const void *pa, const void *pb)
{
    const int64_t *a = pa, *b = pb;
    return *a < *b ? -1 : *a > *b;
}

static int64_t median_of_warm(Arena *scratch, const TraceStats *s, const int64_t *waited)
{
    int64_t *value = ARENA_ARRAY(scratch, int64_t, s->ninference + 1);
    size_t n = 0;
    for (size_t i = 0; i < s->ninference; i++)
        if (!s->inference[i].warm_up || s->nwarm_up == s->ninference)
            value[n++] = waited[i];
    if (n)
        qsort(value, n, sizeof *value, ascending);
    return n ? value[n / 2] : 0;
}

/* Lanes of one card come in the order of their PEs. */
static uint32_t lane_of(const ExecutionStat *e)
{
    enum { HASH_BITS = 24 };
    uint32_t pe = e->pe_index > 0 ? (uint32_t)e->pe_index : 0;
    return pe << HASH_BITS | (e->lane & ((1u << HASH_BITS) - 1));
}

static void over_tasks(Arena *scratch, const TraceStats *s, TraceLoad *ret)
{
    Stay *task = ARENA_ARRAY(scratch, Stay, s->nexecution + 1);
    int64_t *waited = ARENA_ARRAY(scratch, int64_t, s->ninference + 1);
    size_t n = 0;
    for (size_t i = 0; i < s->nexecution; i++) {
        const ExecutionStat *e = &s->execution[i];
        if (e->inference != INFERENCE_NONE)
            task[n++] = (Stay){e->start_ns, e->start_ns + e->total_ns, lane_of(e), e->inference};
    }
    if (n)
        qsort(task, n, sizeof *task, by_lane_and_start);
    for (size_t i = 0, from = 0; i < n; i++) {
        const InferenceStat *x = &s->inference[task[i].inference];
        waited[task[i].inference] += waited_ns(task, i, ready_ns(s, x, task[i].start_ns));
        if (i + 1 < n && task[i + 1].lane == task[i].lane)
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
    over_inferences(s, &ret);
    if (!(ret.wall_ns > 0))
        return ret;
    Arena *scratch = arena_new(SIZE_MAX);
    over_host(scratch, s, &ret);
    over_tasks(scratch, s, &ret);
    arena_free(scratch);
    return ret;
}
