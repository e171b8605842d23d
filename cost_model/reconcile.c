/* Gathers the spans of all inferences after warm-up, per step and operator. */
#include "cost_model/reconcile.h"
#include "cost_model/residual_transfer.h"
#include "cost_model/match/row_match.h"
#include "cost_model/match/span_match.h"
#include "trace/stats/load.h"

enum {
    SAMPLES_MAX = 4 << 20, /* durations kept in all; more inferences are taken at even distances */
    INFERENCES_MAX = 4096,
};

/* durations[item * capacity + k], k < count[item] */
typedef struct {
    int64_t *value;
    uint32_t *count;
    size_t capacity;
} Samples;

typedef struct {
    Arena *arena;
    const Program *program;
    const TraceStats *stats;
    StrMap node_name;
    double *predicted_op_ns; /* per Program.op */
    Samples step, op, total; /* total: latency, npu, host, io, unattributed */
    HandoffSamples *handoffs;
    uint32_t *pick; /* inferences taken */
    size_t npick;
    bool runs_told; /* Run of all tasks, by one inference at least: others' outlines are longer */
    int64_t matched_ns, attributed_ns;
    int64_t op_ns, matched_op_ns, other_op_ns; /* of tasks of the program, and of others */
    /* The alignment of the last task, reused as long as the sequence of operators is the same. */
    StepId aligned_step;
    const OpSpan *aligned_span;
    uint32_t aligned_nspan;
    uint32_t *aligned;
} Gather;

enum { TOTAL_LATENCY, TOTAL_NPU, TOTAL_HOST, TOTAL_IO, TOTAL_COUNT };

static Samples samples_new(Arena *a, size_t items, size_t capacity)
{
    return (Samples){ARENA_ARRAY(a, int64_t, items * capacity + 1),
                     ARENA_ARRAY(a, uint32_t, items + 1), capacity};
}

static void add_sample(Samples *s, size_t item, int64_t ns)
{
    if (s->count[item] < s->capacity)
        s->value[item * s->capacity + s->count[item]++] = ns;
}

static Measured samples_measured(const Samples *s, size_t item)
{
    return measured_of(s->value + item * s->capacity, s->count[item]);
}

/* Inferences after warm-up, or all when there are no others, at even distances. */
static void pick_inferences(Gather *g, size_t limit)
{
    const TraceStats *s = g->stats;
    size_t cold = LIST_SUM(size_t, i, s->ninference, s->inference[i].warm_up);
    bool all = cold == s->ninference;
    size_t total = all ? s->ninference : s->ninference - cold;
    size_t take = total < limit ? total : limit, seen = 0;
    g->pick = ARENA_ARRAY(g->arena, uint32_t, take + 1);
    for (size_t i = 0; i < s->ninference; i++) {
        if (!all && s->inference[i].warm_up)
            continue;
        /* the seen-th of total; taken when it begins the next of `take` equal parts */
        if (g->npick < take && seen >= g->npick * total / take)
            g->pick[g->npick++] = (uint32_t)i;
        seen++;
    }
    assert(g->npick == take);
}

static bool tells_runs(const Gather *g, const InferenceStat *inf)
{
    return inf->ntask > 0 &&
           LIST_ALL(k, inf->ntask, g->stats->execution[inf->first_task + k].has_run);
}

static void look_for_runs(Gather *g)
{
    for (size_t i = 0; i < g->npick && !g->runs_told; i++)
        g->runs_told = tells_runs(g, &g->stats->inference[g->pick[i]]);
}

static bool same_sequence(const Gather *g, StepId step, const OpSpan *span, uint32_t nspan)
{
    if (!g->aligned || g->aligned_step != step || g->aligned_nspan != nspan)
        return false;
    return !LIST_ANY(i, nspan,
                     g->aligned_span[i].name != span[i].name &&
                         strcmp(g->aligned_span[i].name, span[i].name));
}

/* The vendor's Run, or all of the task where the file does not tell it. */
static int64_t task_ns(const ExecutionStat *e)
{
    return e->has_run ? e->run_ns : e->total_ns;
}

/* Time of the task that belongs to ops of the program, of `run_ns`. */
static int64_t gather_task(Gather *g, const Step *step, const ExecutionStat *e)
{
    assert(step->kind == STEP_NPU);
    const OpSpan *span = g->stats->op_span + e->first_op;
    if (!same_sequence(g, step->id, span, e->nop)) {
        g->aligned = ARENA_ARRAY(g->arena, uint32_t, (size_t)e->nop + 1);
        match_task(g->arena, g->program, step, g->predicted_op_ns, span, e->nop, g->aligned);
        g->aligned_step = step->id;
        g->aligned_span = span;
        g->aligned_nspan = e->nop;
    }
    for (uint32_t i = 0; i < e->nop; i++) {
        bool is_op = span[i].kind == SPAN_NPU_OPERATOR, found = g->aligned[i] != MATCH_NONE;
        g->op_ns += is_op ? span[i].dur_ns : 0;
        g->matched_op_ns += is_op && found ? span[i].dur_ns : 0;
        if (found)
            add_sample(&g->op, g->aligned[i], span[i].dur_ns);
    }
    int64_t ns = task_ns(e);
    if (e->has_run || !g->runs_told)
        add_sample(&g->step, step->id, ns);
    return ns;
}

static bool is_of_rows(const Program *p)
{
    return p->machine->kind == MACHINE_ROWS;
}

/* A step whose operators were all seen takes as long as they do together. */
static void gather_step_of_rows(Gather *g, const Step *s, const int64_t *op_ns)
{
    if (s->kind == STEP_NPU && LIST_ALL(i, s->nop, op_ns[s->first_op + i] >= 0))
        add_sample(&g->step, s->id, LIST_SUM(int64_t, i, s->nop, op_ns[s->first_op + i]));
}

/* On a machine of rows tasks are only what the table has between rows of the CPU.  Rows that are no
 * operator of the program are of no step: they stay unattributed. */
static int64_t gather_rows(Gather *g, const InferenceStat *inf, int64_t *matched)
{
    const Program *p = g->program;
    const ExecutionStat *task = g->stats->execution + inf->first_task;
    const OpSpan *span = inf->ntask ? g->stats->op_span + task->first_op : NULL;
    uint32_t nspan = LIST_SUM(uint32_t, k, inf->ntask, task[k].nop);
    uint32_t *match = ARENA_ARRAY(g->arena, uint32_t, (size_t)nspan + 1);
    int64_t *op_ns = ARENA_ARRAY(g->arena, int64_t, p->nop + 1), sum = 0;
    match_rows(g->arena, p, ROWS_OF_NPU, span, nspan, match);
    for (size_t i = 0; i < p->nop; i++)
        op_ns[i] = p->op[i].zero_cost ? 0 : -1;
    for (uint32_t i = 0; i < nspan; i++) {
        g->op_ns += span[i].dur_ns;
        if (match[i] == MATCH_NONE) {
            g->attributed_ns += span[i].dur_ns;
            continue;
        }
        add_sample(&g->op, match[i], span[i].dur_ns);
        op_ns[match[i]] = span[i].dur_ns;
        sum += span[i].dur_ns;
    }
    for (size_t i = 0; i < p->nstep; i++)
        gather_step_of_rows(g, &p->step[i], op_ns);
    g->matched_op_ns += sum;
    *matched += sum;
    return sum;
}

/* The k-th execution of an inference is its k-th task; with another number of them the match is
 * ambiguous.  Returns the NPU time. */
static int64_t gather_npu(Gather *g, const InferenceStat *inf, int64_t *matched)
{
    size_t tasks = LIST_SUM(size_t, i, g->program->nstep, g->program->step[i].kind == STEP_NPU);
    int64_t sum = 0;
    uint32_t k = 0;
    if (tasks == inf->ntask) {
        for (size_t i = 0; i < g->program->nstep; i++)
            if (g->program->step[i].kind == STEP_NPU)
                sum += gather_task(g, &g->program->step[i],
                                   &g->stats->execution[inf->first_task + k++]);
        *matched += sum;
        return sum;
    }
    for (; k < inf->ntask; k++) {
        const ExecutionStat *e = &g->stats->execution[inf->first_task + k];
        const OpSpan *span = g->stats->op_span + e->first_op;
        g->other_op_ns +=
            LIST_SUM(int64_t, i, e->nop, span[i].kind == SPAN_NPU_OPERATOR ? span[i].dur_ns : 0);
        sum += task_ns(e);
    }
    return sum;
}

static void gather_host(Gather *g, const InferenceStat *inf, int64_t *host, int64_t *io,
                        int64_t *matched)
{
    const OpSpan *span = g->stats->host_span + inf->first_host;
    const HostDetail *detail = g->stats->host_detail + inf->first_host;
    uint32_t *match = ARENA_ARRAY(g->arena, uint32_t, (size_t)inf->nhost + 1);
    if (is_of_rows(g->program))
        match_rows(g->arena, g->program, ROWS_OF_HOST, span, inf->nhost, match);
    else
        match_host(g->arena, g->program, &g->node_name, span, inf->nhost, match);
    for (uint32_t i = 0; i < inf->nhost; i++) {
        if (detail[i].nominal)
            continue; /* the time means nothing: it stays unattributed */
        if (span[i].kind == SPAN_HOST_OPERATOR)
            *host += span[i].dur_ns;
        else if (span[i].kind == SPAN_TRANSFER)
            *io += span[i].dur_ns;
        if (match[i] == MATCH_NONE)
            continue;
        assert(match[i] < g->program->nstep);
        add_sample(&g->step, match[i], span[i].dur_ns);
        *matched += span[i].dur_ns;
    }
}

static void gather_inference(Gather *g, const InferenceStat *inf)
{
    int64_t host = 0, io = 0, matched = 0;
    handoffs_gather(g->handoffs, g->arena, g->stats, inf);
    int64_t npu = (is_of_rows(g->program) ? gather_rows : gather_npu)(g, inf, &matched);
    gather_host(g, inf, &host, &io, &matched);
    add_sample(&g->total, TOTAL_LATENCY, inf->dur_ns);
    if (!g->runs_told || tells_runs(g, inf))
        add_sample(&g->total, TOTAL_NPU, npu);
    add_sample(&g->total, TOTAL_HOST, host);
    add_sample(&g->total, TOTAL_IO, io);
    g->matched_ns += matched;
    g->attributed_ns += npu + host + io;
}

ORDER_BY(compare_item_keys, KeyedItem, COMPARE(a->key, b->key), COMPARE(a->item, b->item))

static void index_by_key(Arena *a, const Program *p, Reconciliation *r)
{
    r->step_by_key = ARENA_ARRAY(a, KeyedItem, p->nstep + 1);
    r->op_by_key = ARENA_ARRAY(a, KeyedItem, p->nop + 1);
    for (size_t i = 0; i < p->nstep; i++)
        if (r->step[i].count)
            r->step_by_key[r->nstep_by_key++] = (KeyedItem){step_key(p, &p->step[i]), (uint32_t)i};
    for (size_t i = 0; i < p->nop; i++)
        if (r->op[i].count)
            r->op_by_key[r->nop_by_key++] =
                (KeyedItem){program_lowop_key(p, &p->op[i]), (uint32_t)i};
    ORDER_LIST(r->step_by_key, r->nstep_by_key, compare_item_keys);
    ORDER_LIST(r->op_by_key, r->nop_by_key, compare_item_keys);
}

/* Both ways: a small network's operators are all found in a larger one of the same kinds. */
static double op_share(const Program *p, const Prediction *pred, const Gather *g,
                       const Measured *op)
{
    if (g->op_ns == 0)
        return g->other_op_ns > 0 ? 0 : 1;
    double traced = (double)g->matched_op_ns / (double)g->op_ns, all = 0, seen = 0;
    for (size_t i = 0; i < p->nop; i++) {
        all += pred->op[i].total_ns.mid;
        seen += op[i].count ? pred->op[i].total_ns.mid : 0;
    }
    return all > 0 ? fmin(traced, seen / all) : traced;
}

static void summarise_samples(Arena *a, const Program *p, const Prediction *pred, Gather *g,
                              Reconciliation *r)
{
    r->step = ARENA_ARRAY(a, Measured, p->nstep + 1);
    r->op = ARENA_ARRAY(a, Measured, p->nop + 1);
    for (size_t i = 0; i < p->nstep; i++) {
        r->step[i] = samples_measured(&g->step, i);
        r->host_steps += p->step[i].kind == STEP_HOST;
        r->host_steps_measured += p->step[i].kind == STEP_HOST && r->step[i].count > 0;
    }
    for (size_t i = 0; i < p->nop; i++)
        r->op[i] = samples_measured(&g->op, i);
    r->latency = samples_measured(&g->total, TOTAL_LATENCY);
    r->npu = samples_measured(&g->total, TOTAL_NPU);
    r->host = samples_measured(&g->total, TOTAL_HOST);
    r->io = samples_measured(&g->total, TOTAL_IO);
    TraceLoad load = trace_load(g->stats);
    int64_t rest = r->latency.median_ns - r->npu.median_ns - r->host.median_ns - r->io.median_ns;
    r->waiting_ns = rest > 0 ? (load.waiting_ns < rest ? load.waiting_ns : rest) : 0;
    rest -= r->waiting_ns;
    r->unattributed_ns = rest > 0 ? rest : 0;
    double latency = (double)r->latency.median_ns;
    r->npu_utilisation = latency > 0 ? (double)r->npu.median_ns / latency : 0;
    r->matched_time_share =
        g->attributed_ns > 0 ? (double)g->matched_ns / (double)g->attributed_ns : 0;
    r->matched_op_share = op_share(p, pred, g, r->op);
    assert(r->waiting_ns >= 0 && r->unattributed_ns >= 0);
    r->inferences = r->latency.count;
}

static void compare(Reconciliation *r, const Measured *m, Interval predicted)
{
    double ns = (double)m->median_ns;
    r->compared += m->count > 0;
    r->outside += m->count > 0 && (ns < predicted.lo || ns > predicted.hi);
}

/* A task counts by its operators. */
static void count_agreement(const Program *p, const Prediction *pred, Reconciliation *r)
{
    for (size_t i = 0; i < p->nstep; i++)
        if (p->step[i].kind != STEP_NPU && pred->step[i].known)
            compare(r, &r->step[i], pred->step[i].total_ns);
    for (size_t i = 0; i < p->nop; i++)
        compare(r, &r->op[i], pred->op[i].alone_ns);
}

/* The cap does not hold if requests in service (Little's law, without the time that they wait)
 * exceed it by this factor. */
#define BEYOND_CAP 1.2

static const Costs *without_cap(Arena *a, const Program *p, const Costs *c, const Reconciliation *r)
{
    int cap = predict_worker_cap(p, c);
    double served_ns = (double)(r->latency.median_ns - r->waiting_ns);
    if (trace_load(r->stats).per_s * served_ns * 1e-9 < BEYOND_CAP * cap)
        return c;
    Costs *k = ARENA_NEW(a, Costs);
    *k = *c;
    k->worker_cap_old = interval_exact(QUEUEING_MAX_WORKERS);
    return k;
}

Reconciliation *reconcile(Arena *a, const Program *p, const Costs *c, const Prediction *pred,
                          const TraceStats *stats)
{
    size_t items = p->nstep + p->nop + TOTAL_COUNT;
    size_t limit = SAMPLES_MAX / items < INFERENCES_MAX ? SAMPLES_MAX / items : INFERENCES_MAX;
    limit = limit < 8 ? 8 : limit;
    Arena *scratch = arena_new(0);
    Gather g = {.arena = scratch, .program = p, .stats = stats};
    g.predicted_op_ns = predict_op_times(scratch, p, pred);
    pick_inferences(&g, limit);
    look_for_runs(&g);
    g.node_name = match_node_names(scratch, p);
    g.step = samples_new(scratch, p->nstep, g.npick + 1);
    g.op = samples_new(scratch, p->nop, g.npick + 1);
    g.total = samples_new(scratch, TOTAL_COUNT, g.npick + 1);
    g.handoffs = handoffs_open(scratch, g.npick);
    for (size_t i = 0; i < g.npick; i++)
        gather_inference(&g, &stats->inference[g.pick[i]]);
    Reconciliation *r = ARENA_NEW(a, Reconciliation);
    r->stats = stats;
    summarise_samples(a, p, pred, &g, r);
    index_by_key(a, p, r);
    r->handoffs = handoffs_close(g.handoffs);
    handoffs_without(&r->handoffs, p, (double)r->waiting_ns);
    arena_free(scratch);
    r->costs = without_cap(a, p, c, r);
    r->carried = residual_transfer_costs(a, p, r->costs, r);
    r->residual = residual_find(a, p, c, pred, r, &r->nresidual);
    if (!evidence_is_foreign(r))
        r->nsuspect = suspects_find(a, p, c, pred, r, r->suspect);
    count_agreement(p, pred, r);
    evidence_grade(a, p, r);
    return r;
}
