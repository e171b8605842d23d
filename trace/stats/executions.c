/* Assigns operators to tasks and computes Total, Run and IoWait of each task. */
#include "trace/stats/gather.h"

ORDER_BY(by_inference, TaskRow, COMPARE(a->stat.inference, b->stat.inference),
         COMPARE(a->stat.start_ns, b->stat.start_ns), COMPARE(a->order, b->order))

/* Tasks by thread and time, and by span id. */
typedef struct {
    uint64_t key; /* lane or span id */
    int64_t start_ns, end_ns;
    uint32_t task;
} Entry;

ORDER_BY(compare_entries, Entry, COMPARE(a->key, b->key), COMPARE(a->start_ns, b->start_ns),
         COMPARE(a->task, b->task))

typedef struct {
    Entry *lane, *id;
    size_t nlane, nid;
    size_t recent; /* entry of lane: the operators of a task follow each other */
} TaskIndex;

static void index_tasks(TaskIndex *x, const Gather *g, Arena *scratch)
{
    x->lane = ARENA_ARRAY(scratch, Entry, g->ntask);
    x->id = ARENA_ARRAY(scratch, Entry, g->ntask);
    for (size_t i = 0; i < g->ntask; i++) {
        const ExecutionStat *t = &g->task[i].stat;
        Entry e = {
            .start_ns = t->start_ns, .end_ns = t->start_ns + t->total_ns, .task = (uint32_t)i};
        e.key = g->task[i].lane;
        x->lane[x->nlane++] = e;
        e.key = t->span_id;
        if (t->span_id)
            x->id[x->nid++] = e;
    }
    rows_sort(x->lane, x->nlane, sizeof *x->lane, compare_entries);
    rows_sort(x->id, x->nid, sizeof *x->id, compare_entries);
}

/* First entry above (key, start). */
static size_t upper_bound(const Entry *e, size_t n, uint64_t key, int64_t start_ns)
{
    return LIST_BOUND(i, n, e[i].key < key || (e[i].key == key && e[i].start_ns <= start_ns));
}

static bool entry_holds(const Entry *e, const OpRow *op)
{
    return e->key == op->lane && e->start_ns <= op->start_ns && op->start_ns <= e->end_ns;
}

/* The task whose child the operator is (an id that two of them have tells nothing), else the latest
 * one that was running on its thread. */
static uint32_t task_of(TaskIndex *x, const OpRow *op)
{
    enum { LOOK_BACK = 8 }; /* tasks of one thread that overlap */
    if (op->parent_id) {
        size_t i = upper_bound(x->id, x->nid, op->parent_id, INT64_MIN);
        bool shared = i + 1 < x->nid && x->id[i + 1].key == op->parent_id;
        if (i < x->nid && x->id[i].key == op->parent_id && !shared)
            return x->id[i].task;
    }
    size_t r = x->recent;
    bool last_one = r + 1 >= x->nlane || x->lane[r + 1].key != op->lane ||
                    x->lane[r + 1].start_ns > op->start_ns;
    if (r < x->nlane && entry_holds(&x->lane[r], op) && last_one)
        return x->lane[r].task;
    size_t i = upper_bound(x->lane, x->nlane, op->lane, op->start_ns);
    for (size_t n = 0; i-- > 0 && n < LOOK_BACK && x->lane[i].key == op->lane; n++)
        if (entry_holds(&x->lane[i], op)) {
            x->recent = i;
            return x->lane[i].task;
        }
    return TASK_NONE;
}

void gather_assign_operators(Gather *g)
{
    Arena *scratch = arena_new(SIZE_MAX);
    TaskIndex x = {0};
    rows_sort(g->task, g->ntask, sizeof *g->task, by_inference);
    index_tasks(&x, g, scratch);
    RowCursor c = rows_begin(&g->op);
    for (OpRow *op; (op = rows_next(&g->op, &c));) {
        op->lane = task_of(&x, op); /* from here on the row knows its task */
        assert(op->lane == TASK_NONE || op->lane < g->ntask);
    }
    arena_free(scratch);
}

static void count_operators(Gather *g, TraceStats *stats)
{
    RowCursor c = rows_begin(&g->op);
    for (OpRow *op; (op = rows_next(&g->op, &c));)
        if (op->lane == TASK_NONE)
            stats->orphan_ops++;
        else
            g->task[op->lane].stat.nop++;
}

static void move_executions(Gather *g, TraceStats *stats)
{
    uint32_t first = 0;
    stats->execution = ARENA_ARRAY(stats->arena, ExecutionStat, g->ntask);
    stats->nexecution = g->ntask;
    for (size_t i = 0; i < g->ntask; i++) {
        ExecutionStat *e = &stats->execution[i];
        *e = g->task[i].stat;
        e->first_op = first;
        first += e->nop;
        e->nop = 0;
        if (e->inference == INFERENCE_NONE) {
            stats->orphan_tasks++;
            continue;
        }
        assert(e->inference < stats->ninference);
        InferenceStat *f = &stats->inference[e->inference];
        if (f->ntask++ == 0)
            f->first_task = (uint32_t)i;
    }
}

/* Each operator to its place; orphans last. */
static void move_operators(Gather *g, TraceStats *stats)
{
    size_t n = g->op.count, orphan = n - stats->orphan_ops;
    stats->op_span = ARENA_ARRAY(stats->arena, OpSpan, n);
    stats->nop_span = n;
    for (OpRow *op; (op = rows_take(&g->op));) {
        ExecutionStat *e = op->lane == TASK_NONE ? NULL : &stats->execution[op->lane];
        size_t at = e ? e->first_op + e->nop++ : orphan++;
        assert(at < n);
        stats->op_span[at] = (OpSpan){.name = g->name[op->name],
                                      .kind = op->kind,
                                      .start_ns = op->start_ns,
                                      .dur_ns = op->dur_ns,
                                      .operator_index = op->instruction_index,
                                      .inference = e ? e->inference : INFERENCE_NONE,
                                      .detail = op->detail};
    }
}

ORDER_BY(compare_op_spans, OpSpan, COMPARE(a->start_ns, b->start_ns),
         COMPARE(a->operator_index, b->operator_index), COMPARE(a->dur_ns, b->dur_ns),
         strcmp(a->name, b->name))

static bool is_sorted(const OpSpan *op, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (compare_op_spans(&op[i - 1], &op[i]) > 0)
            return false;
    return true;
}

/* Sets Run to the sum of the operators, else to the file's figure.  Returns whether it has some. */
static bool sum_operators(TraceStats *stats, ExecutionStat *e, bool stated)
{
    int64_t sum = 0;
    OpSpan *op = &stats->op_span[e->first_op];
    if (!is_sorted(op, e->nop))
        rows_sort(op, e->nop, sizeof *op, compare_op_spans);
    size_t noperator = 0;
    for (uint32_t i = 0; i < e->nop; i++) {
        bool counts = op[i].kind == SPAN_NPU_OPERATOR;
        noperator += counts;
        sum += counts ? op[i].dur_ns : 0;
    }
    if (stated && noperator > 0)
        stats->sum_mismatch += llabs(sum - e->run_ns) * 100 > e->run_ns;
    e->has_run = stated || noperator > 0;
    if (noperator > 0)
        e->run_ns = sum;
    if (e->has_run)
        e->io_wait_ns = e->total_ns - e->run_ns;
    stats->negative_io_wait += e->io_wait_ns < 0;
    return noperator > 0;
}

void gather_collect_executions(Gather *g, TraceStats *stats)
{
    count_operators(g, stats);
    move_executions(g, stats);
    move_operators(g, stats);
    size_t with = LIST_SUM(size_t, i, g->ntask,
                           sum_operators(stats, &stats->execution[i], g->task[i].stated_run));
    stats->op_share = with ? (double)with / (double)g->ntask : 1;
}
