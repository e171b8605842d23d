/* How busy the NPU was. */
#include "advisor/trace_tables.h"

#include <stdlib.h>

typedef struct {
    int64_t start_ns, end_ns;
} Busy;

static int by_start(const void *pa, const void *pb)
{
    const Busy *a = pa, *b = pb;
    if (a->start_ns != b->start_ns)
        return a->start_ns < b->start_ns ? -1 : 1;
    return a->end_ns < b->end_ns ? -1 : a->end_ns > b->end_ns;
}

/* Length of the union; sorts. */
static int64_t covered(Busy *b, size_t n)
{
    int64_t sum = 0, until = INT64_MIN;
    if (n)
        qsort(b, n, sizeof *b, by_start);
    for (size_t i = 0; i < n; i++) {
        int64_t from = b[i].start_ns > until ? b[i].start_ns : until;
        if (b[i].end_ns > from) {
            sum += b[i].end_ns - from;
            until = b[i].end_ns;
        }
    }
    return sum;
}

/* From the first inference (or task, where the file has no inferences) to the end of the last. */
static int64_t window_of(const TraceStats *s, const Busy *task, size_t n)
{
    int64_t first = INT64_MAX, last = INT64_MIN;
    for (size_t i = 0; i < s->ninference; i++) {
        const InferenceStat *f = &s->inference[i];
        first = f->start_ns < first ? f->start_ns : first;
        last = f->start_ns + f->dur_ns > last ? f->start_ns + f->dur_ns : last;
    }
    for (size_t i = 0; i < n && (s->ninference == 0 || s->dealt_in_order); i++) {
        first = task[i].start_ns < first ? task[i].start_ns : first;
        last = task[i].end_ns > last ? task[i].end_ns : last;
    }
    return last > first ? last - first : 0;
}

NpuUsage trace_usage(Arena *a, const TraceStats *s)
{
    NpuUsage u = {0};
    Busy *task = ARENA_ARRAY(a, Busy, s->nexecution + 1);
    for (size_t i = 0; i < s->nexecution; i++) {
        const ExecutionStat *e = &s->execution[i];
        task[i] = (Busy){e->start_ns, e->start_ns + e->total_ns};
        if (!e->has_run)
            continue;
        u.total_ns += e->total_ns;
        u.run_ns += e->run_ns;
    }
    u.busy_ns = covered(task, s->nexecution);
    u.window_ns = window_of(s, task, s->nexecution);
    return u;
}
