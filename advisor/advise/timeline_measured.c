/* Lays out the spans of one inference and finds the critical chain among them. */
#include "advisor/advise/timeline.h"

#include "cost_model/match/span_match.h"
#include "cost_model/predict.h"

enum {
    THREADS = 64,
    LOOK_SHARE = 200, /* gaps below this part of the inference are not looked into one by one */
};

typedef struct {
    Arena *arena;
    const Program *program;
    const double *op_ns; /* predicted */
    const TraceStats *stats;
    const Costs *costs;
    const InferenceStat *inf;
    Timeline *t;
    int64_t thread[THREADS][2]; /* pid and tid of each host lane */
    int nthread;
} Draft;

static int64_t time_distance(int64_t a, int64_t b)
{
    return a < b ? b - a : a - b;
}

const InferenceStat *timeline_inference(const TraceStats *s, int64_t ns)
{
    const InferenceStat *best = NULL;
    bool any_warm = s->nwarm_up < s->ninference;
    for (size_t i = 0; i < s->ninference; i++) {
        const InferenceStat *x = &s->inference[i];
        if ((any_warm && x->warm_up) || x->nhost + x->ntask == 0)
            continue;
        if (!best || time_distance(x->dur_ns, ns) < time_distance(best->dur_ns, ns))
            best = x;
    }
    return best;
}

/* The last lane is shared beyond the limit. */
static int lane_of_thread(Draft *d, const HostDetail *h)
{
    for (int i = 0; i < d->nthread; i++)
        if (d->thread[i][0] == h->pid && d->thread[i][1] == h->tid)
            return i;
    if (d->nthread == THREADS)
        return THREADS - 1;
    d->thread[d->nthread][0] = h->pid;
    d->thread[d->nthread][1] = h->tid;
    return d->nthread++;
}

/* Counts what lies outside of the inference instead of moving it. */
static void put_block(Draft *d, TimelineBlock b)
{
    b.start_ns -= d->inf->start_ns;
    b.end_ns -= d->inf->start_ns;
    if (b.start_ns < 0 || b.end_ns > d->inf->dur_ns)
        d->t->outside++;
    else
        timeline_block(d->arena, d->t, b);
}

/* Some runtimes write one transfer twice, as a span in a span of its name. */
static bool is_repeated_span(const OpSpan *span, uint32_t i)
{
    for (uint32_t k = i; k-- > 0 && i - k <= 8;)
        if (span[k].kind == span[i].kind && !strcmp(span[k].name, span[i].name) &&
            span[k].start_ns <= span[i].start_ns &&
            span[k].start_ns + span[k].dur_ns >= span[i].start_ns + span[i].dur_ns)
            return true;
    return false;
}

static void put_host_spans(Draft *d)
{
    uint32_t n = d->inf->nhost;
    const OpSpan *span = d->stats->host_span + d->inf->first_host;
    const HostDetail *detail = d->stats->host_detail + d->inf->first_host;
    uint32_t *step = ARENA_ARRAY(d->arena, uint32_t, (size_t)n + 1);
    StrMap node_name = match_node_names(d->arena, d->program);
    match_host(d->arena, d->program, &node_name, span, n, step);
    for (uint32_t i = 0; i < n; i++) {
        if (is_repeated_span(span, i))
            continue;
        ResultLane lane = span[i].kind == SPAN_HOST_OPERATOR ? RESULT_LANE_HOST
                          : span[i].kind == SPAN_TRANSFER    ? RESULT_LANE_PCIE
                                                             : RESULT_LANE_RUNTIME;
        put_block(d, (TimelineBlock){
                         .lane = lane,
                         .index = lane == RESULT_LANE_HOST ? lane_of_thread(d, &detail[i]) : 0,
                         .count = 1,
                         .step = step[i] == MATCH_NONE ? STEP_NONE : step[i],
                         .op = BLOCK_FULL,
                         .name = span[i].name,
                         .start_ns = span[i].start_ns,
                         .end_ns = span[i].start_ns + span[i].dur_ns,
                         .own = true});
    }
}

static TimelineBlock block_of_task(const Draft *d, const ExecutionStat *e, StepId step)
{
    return (TimelineBlock){
        .lane = RESULT_LANE_PE,
        .index = e->pe_index > 0 && e->pe_index < d->program->machine->pe_count ? e->pe_index : 0,
        .count = d->program->options.pe,
        .step = step,
        .op = BLOCK_FULL,
        .name = "npu",
        .start_ns = e->start_ns,
        .end_ns = e->start_ns + e->total_ns,
        .own = true};
}

/* The operators of a task whose step is known, those that the trace holds. */
static void put_operators(Draft *d, const ExecutionStat *e, const TimelineBlock *task)
{
    const OpSpan *span = d->stats->op_span + e->first_op;
    uint32_t *op = ARENA_ARRAY(d->arena, uint32_t, (size_t)e->nop + 1);
    if (task->step == STEP_NONE || e->nop == 0)
        return;
    match_task(d->arena, d->program, &d->program->step[task->step], d->op_ns, span, e->nop, op);
    for (uint32_t i = 0; i < e->nop; i++) {
        TimelineBlock b = *task;
        b.op = op[i] == MATCH_NONE ? BLOCK_FULL : op[i];
        b.name = span[i].name;
        b.start_ns = span[i].start_ns - d->inf->start_ns;
        b.end_ns = b.start_ns + span[i].dur_ns;
        if (b.start_ns >= 0 && b.end_ns <= d->inf->dur_ns)
            timeline_inner(d->arena, d->t, b);
    }
}

/* The k-th task is the k-th NPU step when there are as many. */
static void put_tasks(Draft *d)
{
    const Program *p = d->program;
    StepId *npu = ARENA_ARRAY(d->arena, StepId, p->nstep + 1);
    uint32_t n = 0;
    for (size_t i = 0; i < p->nstep; i++)
        if (p->step[i].kind == STEP_NPU)
            npu[n++] = p->step[i].id;
    for (uint32_t k = 0; k < d->inf->ntask; k++) {
        const ExecutionStat *e = &d->stats->execution[d->inf->first_task + k];
        TimelineBlock b = block_of_task(d, e, n == d->inf->ntask ? npu[k] : STEP_NONE);
        put_block(d, b);
        put_operators(d, e, &b);
    }
}

/* Work of the PEs for other requests during this inference. */
static void put_others(Draft *d)
{
    const TraceStats *s = d->stats;
    int64_t from = d->inf->start_ns, to = from + d->inf->dur_ns;
    uint32_t own = (uint32_t)(d->inf - s->inference);
    if (s->dealt_in_order)
        return;
    for (size_t i = 0; i < s->nexecution; i++) {
        const ExecutionStat *e = &s->execution[i];
        TimelineBlock b = block_of_task(d, e, STEP_NONE);
        if (e->inference == own || b.end_ns <= from || b.start_ns >= to)
            continue;
        b.own = false;
        b.start_ns = b.start_ns < from ? from : b.start_ns;
        b.end_ns = b.end_ns > to ? to : b.end_ns;
        put_block(d, b);
    }
}

ORDER_BY_POINTED(by_end, TimelineBlock, COMPARE(b->end_ns, a->end_ns),
                 COMPARE(a->start_ns, b->start_ns), COMPARE(a, b))

static int64_t overlap_ns(const TimelineBlock *b, const ResultGap *g)
{
    int64_t from = b->start_ns > g->start_ns ? b->start_ns : g->start_ns;
    int64_t to = b->end_ns < g->end_ns ? b->end_ns : g->end_ns;
    return to > from ? to - from : 0;
}

static bool shares_pe(const TimelineBlock *a, const TimelineBlock *b)
{
    return a->lane == RESULT_LANE_PE && b->lane == RESULT_LANE_PE &&
           a->index < b->index + b->count && b->index < a->index + a->count;
}

/* Half of the gap must be covered for a block to be its cause. */
static const TimelineBlock *covering_block(const Timeline *t, const ResultGap *g,
                                           const TimelineBlock *next, bool own)
{
    const TimelineBlock *best = NULL;
    int64_t most = (g->end_ns - g->start_ns) / 2;
    for (size_t i = 0; i < t->nblock; i++) {
        const TimelineBlock *b = &t->block[i];
        bool candidate =
            own ? b->own && b->lane == RESULT_LANE_RUNTIME : !b->own && next && shares_pe(b, next);
        if (candidate && overlap_ns(b, g) > most) {
            most = overlap_ns(b, g);
            best = b;
        }
    }
    return best;
}

/* True within the target's figures for such a gap, with a profiler. */
static bool is_usual(const Draft *d, const ResultGap *g, ResultGapCause cause)
{
    const Costs *c = d->costs;
    double most = c->gap_profiled_ns.hi > c->gap_ns.hi ? c->gap_profiled_ns.hi : c->gap_ns.hi;
    if (cause == RESULT_GAP_CAUSE_LAUNCH)
        most += c->launch_ns.hi;
    if (cause == RESULT_GAP_CAUSE_REQUEST)
        most += c->request_ns.hi;
    return (double)(g->end_ns - g->start_ns) <= most;
}

static void explain_gap(const Draft *d, ResultGap *g, const TimelineBlock *before,
                        const TimelineBlock *next)
{
    bool at_npu =
        (before && before->lane == RESULT_LANE_PE) || (next && next->lane == RESULT_LANE_PE);
    ResultGapCause usual = !before || !next ? RESULT_GAP_CAUSE_REQUEST
                           : at_npu         ? RESULT_GAP_CAUSE_LAUNCH
                                            : RESULT_GAP_CAUSE_HANDOFF;
    bool look = g->end_ns - g->start_ns >= d->t->total_ns / LOOK_SHARE;
    const TimelineBlock *runtime;
    if (look && covering_block(d->t, g, next, false)) {
        g->cause = RESULT_GAP_CAUSE_QUEUE;
    } else if (is_usual(d, g, usual)) {
        g->cause = usual;
    } else if (look && (runtime = covering_block(d->t, g, next, true))) {
        g->cause = RESULT_GAP_CAUSE_RUNTIME;
        g->name = runtime->name;
    } else {
        g->cause = RESULT_GAP_CAUSE_UNEXPLAINED;
    }
}

/* From the end backwards: each block waited for the last one that ended before it. */
static void find_critical(Draft *d)
{
    Timeline *t = d->t;
    TimelineBlock **order = ARENA_ARRAY(d->arena, TimelineBlock *, t->nblock + 1);
    size_t n = 0;
    for (size_t i = 0; i < t->nblock; i++)
        if (t->block[i].own && t->block[i].lane != RESULT_LANE_RUNTIME)
            order[n++] = &t->block[i];
    ORDER_LIST(order, n, by_end);
    const TimelineBlock *next = NULL;
    int64_t at = t->total_ns;
    for (size_t i = 0; i <= n; i++) {
        TimelineBlock *b = i < n ? order[i] : NULL;
        if (b && b->end_ns > at)
            continue;
        ResultGap g = {.start_ns = b ? b->end_ns : 0, .end_ns = at};
        explain_gap(d, &g, b, next);
        timeline_gap(d->arena, t, g);
        if (!b)
            break;
        b->critical = true;
        next = b;
        at = b->start_ns;
    }
}

Timeline *timeline_measured(Arena *a, const Program *p, const Prediction *t, const TraceStats *s,
                            const Costs *c, const InferenceStat *inference)
{
    Draft d = {a, p, predict_op_times(a, p, t), s, c, inference, ARENA_NEW(a, Timeline), {{0}}, 0};
    d.t->source = RESULT_SOURCE_MEASURED;
    d.t->total_ns = inference->dur_ns;
    put_host_spans(&d);
    put_tasks(&d);
    put_others(&d);
    find_critical(&d);
    timeline_close(d.t);
    return d.t;
}
