/* Drops what is outside a window of time from the gathered rows. */
#include "trace/stats/gather.h"

typedef struct {
    int64_t from_ns, to_ns; /* starts within [from, to) */
    uint32_t *inference;    /* new number, or INFERENCE_NONE */
    uint32_t *task;         /* new number, or TASK_NONE */
} Window;

static bool is_inside(const Window *w, int64_t start_ns)
{
    return start_ns >= w->from_ns && start_ns < w->to_ns;
}

/* A task or span of an inference is kept or dropped with it. */
static bool belongs_to_window(const Window *w, uint32_t *inference, int64_t start_ns)
{
    if (*inference == INFERENCE_NONE)
        return is_inside(w, start_ns);
    *inference = w->inference[*inference];
    return *inference != INFERENCE_NONE;
}

static void keep_inferences(Gather *g, Window *w)
{
    size_t kept = 0;
    for (size_t i = 0; i < g->ninference; i++) {
        bool keep = is_inside(w, g->inference[i].stat.start_ns);
        w->inference[i] = keep ? (uint32_t)kept : INFERENCE_NONE;
        if (keep)
            g->inference[kept++] = g->inference[i];
    }
    g->ninference = kept;
}

static void keep_tasks(Gather *g, Window *w)
{
    size_t kept = 0;
    for (size_t i = 0; i < g->ntask; i++) {
        ExecutionStat *e = &g->task[i].stat;
        bool keep = belongs_to_window(w, &e->inference, e->start_ns);
        w->task[i] = keep ? (uint32_t)kept : TASK_NONE;
        if (keep)
            g->task[kept++] = g->task[i];
    }
    g->ntask = kept;
}

static bool keep_host(void *user, void *row)
{
    HostRow *h = row;
    return belongs_to_window(user, &h->inference, h->start_ns);
}

static bool keep_op(void *user, void *row)
{
    const Window *w = user;
    OpRow *op = row;
    if (op->lane == TASK_NONE)
        return is_inside(w, op->start_ns);
    op->lane = w->task[op->lane];
    return op->lane != TASK_NONE;
}

static bool keep_other(void *user, void *row)
{
    return is_inside(user, ((const OtherRow *)row)->start_ns);
}

void gather_apply_window(Gather *g, int64_t from_ns, int64_t to_ns)
{
    Arena *scratch = arena_new(SIZE_MAX);
    Window w = {.inference = ARENA_ARRAY(scratch, uint32_t, g->ninference),
                .task = ARENA_ARRAY(scratch, uint32_t, g->ntask)};
    if (__builtin_add_overflow(g->first_ns, from_ns, &w.from_ns))
        w.from_ns = INT64_MAX;
    if (to_ns <= 0 || __builtin_add_overflow(g->first_ns, to_ns, &w.to_ns))
        w.to_ns = INT64_MAX;
    keep_inferences(g, &w);
    keep_tasks(g, &w);
    rows_filter(&g->host, keep_host, &w);
    rows_filter(&g->op, keep_op, &w);
    rows_filter(&g->other, keep_other, &w);
    arena_free(scratch);
}
