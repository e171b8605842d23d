/* Assigns a task to the inference that waits for it, where the trace shows the wait. */
#include "trace/stats/gather.h"

/* A runtime's thread waits for the device's commit from the submit to the end of a task. */
static const char WAIT[] = "WaitForCommit";

typedef struct {
    int64_t start_ns, end_ns;
    uint32_t inference;
    bool taken;
} Wait;

ORDER_BY(by_end, Wait, COMPARE(a->end_ns, b->end_ns), COMPARE(a->start_ns, b->start_ns),
         COMPARE(a->inference, b->inference))

static Wait *collect_waits(const Gather *g, Arena *scratch, size_t *ret_count)
{
    Wait *wait = ARENA_ARRAY(scratch, Wait, g->host.count);
    size_t n = 0;
    RowCursor c = rows_begin(&g->host);
    for (HostRow *h; (h = rows_next(&g->host, &c));)
        if (h->kind == SPAN_SUBMIT && h->inference != INFERENCE_NONE &&
            strncmp(g->name[h->name], WAIT, sizeof WAIT - 1) == 0)
            wait[n++] = (Wait){h->start_ns, h->start_ns + h->dur_ns, h->inference, false};
    rows_sort(wait, n, sizeof *wait, by_end);
    *ret_count = n;
    return wait;
}

/* The clocks of host and NPU may be this far apart, as a share of the task. */
#define APART 0.25
enum { NEAR_MAX = 64 }; /* waits that end at nearly the same time */

/* The wait that was there when the task began and ends with it. */
static Wait *wait_for(Wait *wait, size_t n, const ExecutionStat *task)
{
    int64_t end = task->start_ns + task->total_ns;
    int64_t slack = (int64_t)(APART * (double)task->total_ns);
    size_t low = LIST_BOUND(i, n, wait[i].end_ns < end - slack);
    Wait *best = NULL;
    for (size_t i = low; i < n && i < low + NEAR_MAX && wait[i].end_ns <= end + slack; i++) {
        bool fits = !wait[i].taken && wait[i].start_ns <= task->start_ns + slack;
        if (fits && (!best || llabs(wait[i].end_ns - end) < llabs(best->end_ns - end)))
            best = &wait[i];
    }
    return best;
}

void gather_follow_waits(Gather *g)
{
    Arena *scratch = arena_new(SIZE_MAX);
    size_t n, found = 0;
    Wait *wait = collect_waits(g, scratch, &n);
    uint32_t *inference = ARENA_ARRAY(scratch, uint32_t, g->ntask);
    for (size_t i = 0; n >= g->ntask && i < g->ntask; i++) {
        Wait *w = wait_for(wait, n, &g->task[i].stat);
        inference[i] = w ? w->inference : INFERENCE_NONE;
        found += w != NULL;
        if (w)
            w->taken = true;
    }
    for (size_t i = 0; found == g->ntask && i < g->ntask; i++)
        g->task[i].stat.inference = inference[i];
    arena_free(scratch);
}
