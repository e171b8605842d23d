/* Finds pauses of the NPU between two tasks and what it waits for in each. */
#include "passes/pass.h"

/* Shorter pauses are the hardware's own (other advisors leave out 6.5 us,
 * tt-perf-report, and 10 us, Ascend). */
enum { SHORTEST_NS = 10000 };

/* CAUSE(id, name in the facts document): activity of the next request during the gap */
#define GAPS(X)                                                                                    \
    X(HOST, "host")               /* operators on the host */                                      \
    X(DMA, "dma")                 /* transfers */                                                  \
    X(LAUNCH, "launch")           /* submitting, waiting for the commit */                         \
    X(QUEUE, "queue")             /* nothing: the application has not asked yet */                 \
    X(UNEXPLAINED, "unexplained") /* nothing that the trace shows */

typedef enum {
#define X(id, text) GAP_##id,
    GAPS(X)
#undef X
        GAP_CAUSES
} GapCause;
static_assert(GAP_UNEXPLAINED == GAP_CAUSES - 1, "it takes what the causes before it leave");

typedef struct {
    size_t count; /* gaps in which it is most of the time */
    double sum_ns;
    int64_t longest_ns;
} Waiting;

typedef struct {
    const TraceStats *s;
    const ExecutionStat **task; /* by PE, then start */
    size_t ntask;
    Waiting by[GAP_CAUSES];
    int64_t first_ns, last_ns;
} Gaps;

ORDER_BY_POINTED(by_pe, ExecutionStat, COMPARE(a->pe_index, b->pe_index),
                 COMPARE(a->start_ns, b->start_ns), COMPARE(a, b))

static void collect_tasks(Arena *a, Gaps *g)
{
    g->task = ARENA_ARRAY(a, const ExecutionStat *, g->s->nexecution + 1);
    for (size_t i = 0; i < g->s->nexecution; i++) {
        const ExecutionStat *e = &g->s->execution[i];
        if (e->inference != INFERENCE_NONE && !g->s->inference[e->inference].warm_up)
            g->task[g->ntask++] = e;
    }
    ORDER_LIST(g->task, g->ntask, by_pe);
}

/* What one request's spans do between `from` and `to`. */
static void add_spans(const Gaps *g, const InferenceStat *q, int64_t from, int64_t to,
                      double part[GAP_CAUSES])
{
    static const int cause[] = {[SPAN_HOST_OPERATOR] = GAP_HOST + 1,
                                [SPAN_TRANSFER] = GAP_DMA + 1,
                                [SPAN_SUBMIT] = GAP_LAUNCH + 1};
    enum { KINDS = sizeof cause / sizeof *cause };
    for (uint32_t i = q->first_host; i < q->first_host + q->nhost; i++) {
        const OpSpan *x = &g->s->host_span[i];
        if ((size_t)x->kind < KINDS && cause[x->kind])
            part[cause[x->kind] - 1] +=
                (double)i64_overlap(from, to, x->start_ns, x->start_ns + x->dur_ns);
    }
}

/* The request of the next task is what the NPU waits for; where it began only after the last one
 * had ended, that one's end is waited for, too. */
static void attribute_gap(Gaps *g, const ExecutionStat *before, const ExecutionStat *next,
                          int64_t from)
{
    const InferenceStat *q = &g->s->inference[next->inference],
                        *p = &g->s->inference[before->inference];
    int64_t to = next->start_ns, p_end = p->start_ns + p->dur_ns;
    double part[GAP_CAUSES] = {0}, rest = (double)(to - from);
    assert(to > from && before->pe_index == next->pe_index);
    add_spans(g, q, from, to, part);
    if (p != q && q->start_ns >= p_end) {
        add_spans(g, p, from, to, part);
        part[GAP_QUEUE] = (double)i64_overlap(from, to, p_end, q->start_ns);
    }
    GapCause most = GAP_UNEXPLAINED;
    for (int c = 0; c < GAP_UNEXPLAINED; c++) {
        part[c] = part[c] < rest ? part[c] : rest; /* nested spans are drawn twice */
        rest -= part[c];
    }
    assert(rest >= 0);
    part[GAP_UNEXPLAINED] = rest;
    for (int c = 0; c < GAP_CAUSES; c++) {
        most = part[c] > part[most] ? (GapCause)c : most;
        g->by[c].sum_ns += part[c];
    }
    g->by[most].count++;
    if (to - from > g->by[most].longest_ns)
        g->by[most].longest_ns = to - from;
}

static void find_gaps(Gaps *g)
{
    int64_t end = 0;
    for (size_t i = 0; i < g->ntask; i++) {
        const ExecutionStat *e = g->task[i];
        bool same_pe = i > 0 && g->task[i - 1]->pe_index == e->pe_index;
        if (same_pe && e->start_ns - end >= SHORTEST_NS)
            attribute_gap(g, g->task[i - 1], e, end);
        int64_t e_end = e->start_ns + e->total_ns;
        end = same_pe && end > e_end ? end : e_end;
        g->first_ns = i == 0 || e->start_ns < g->first_ns ? e->start_ns : g->first_ns;
        g->last_ns = i == 0 || e_end > g->last_ns ? e_end : g->last_ns;
    }
}

static void add_gap(const Gaps *g, FindingList *out, GapCause c, const char *name,
                    double inferences)
{
    const Waiting *w = &g->by[c];
    double wall = (double)(g->last_ns - g->first_ns);
    Finding *f = finding_add(out, "gap");
    finding_text(out, f, "cause", name);
    finding_int(out, f, "gaps", (int64_t)w->count);
    finding_int(out, f, "time-ns", (int64_t)(w->sum_ns / inferences));
    finding_int(out, f, "longest-ns", w->longest_ns);
    finding_real(out, f, "share", wall > 0 ? w->sum_ns / wall : 0);
}

void pass_gaps(const PassInput *in, FindingList *out)
{
    static const char *const name[] = {
#define X(id, text) [GAP_##id] = text,
        GAPS(X)
#undef X
    };
    if (!in->rec || in->rec->stats->warm.count == 0)
        return;
    Arena *scratch = arena_new(0);
    Gaps g = {.s = in->rec->stats};
    collect_tasks(scratch, &g);
    find_gaps(&g);
    for (int c = 0; c < GAP_CAUSES; c++)
        if (g.by[c].sum_ns > 0)
            add_gap(&g, out, (GapCause)c, name[c], (double)g.s->warm.count);
    arena_free(scratch);
}
