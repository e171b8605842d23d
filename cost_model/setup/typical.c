/* Picks the most frequent sequence of spans and the median of each span's durations. */
#include "cost_model/setup/typical.h"
#include "cost_model/reconcile.h"

typedef struct {
    uint32_t inference;
    uint64_t shape; /* hash of the names of its spans */
    uint32_t ops;
} Pick;

static uint64_t hash_spans(uint64_t h, const OpSpan *span, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        h = strmap_hash_string(h, span[i].name);
    return h;
}

static Pick pick_of(const TraceStats *s, uint32_t inference)
{
    const InferenceStat *x = &s->inference[inference];
    Pick p = {inference, hash_spans(HASH_SEED, s->host_span + x->first_host, x->nhost), 0};
    for (uint32_t i = 0; i < x->ntask; i++) {
        const ExecutionStat *e = &s->execution[x->first_task + i];
        p.shape = hash_spans(strmap_hash_string(p.shape, "task"), s->op_span + e->first_op, e->nop);
        p.ops += e->nop;
    }
    return p;
}

static size_t pick_some(Arena *a, const TraceStats *s, Pick **ret)
{
    bool all = s->nwarm_up >= s->ninference;
    size_t count = all ? s->ninference : s->ninference - s->nwarm_up;
    size_t take = count < TYPICAL_MAX ? count : TYPICAL_MAX, seen = 0, n = 0;
    Pick *pick = ARENA_ARRAY(a, Pick, take + 1);
    for (size_t i = 0; i < s->ninference; i++) {
        if (!all && s->inference[i].warm_up)
            continue;
        if (n < take && seen >= n * count / take)
            pick[n++] = pick_of(s, (uint32_t)i);
        seen++;
    }
    assert(n == take);
    *ret = pick;
    return n;
}

/* Operators before none; then the shape that most have; then the earliest. */
static uint64_t modal_shape(const Pick *pick, size_t n)
{
    size_t best = 0, most = 0;
    for (size_t i = 0; i < n; i++) {
        size_t count = LIST_SUM(size_t, k, n, pick[k].shape == pick[i].shape);
        bool more_told = (pick[i].ops > 0) > (pick[best].ops > 0);
        bool as_told = (pick[i].ops > 0) == (pick[best].ops > 0);
        if (more_told || (as_told && count > most)) {
            best = i;
            most = count;
        }
    }
    return n ? pick[best].shape : 0;
}

static int64_t typical_ns(SpanKind kind, int64_t *value, size_t n)
{
    assert(n > 0 && n <= TYPICAL_MAX);
    int64_t median = measured_of(value, n).median_ns; /* sorts them */
    return kind == SPAN_TRANSFER ? value[n / 10] : median;
}

/* Copies `n` spans, with typical times of the spans at the same place in the inferences picked. */
static OpSpan *typical_spans(Arena *a, const OpSpan *const *like, size_t nlike, uint32_t n)
{
    OpSpan *ret = ARENA_ARRAY(a, OpSpan, (size_t)n + 1);
    int64_t value[TYPICAL_MAX];
    for (uint32_t i = 0; i < n; i++) {
        ret[i] = like[0][i];
        for (size_t k = 0; k < nlike; k++)
            value[k] = like[k][i].dur_ns;
        ret[i].dur_ns = typical_ns(ret[i].kind, value, nlike);
    }
    return ret;
}

static TypicalTask typical_task(Arena *a, const TraceStats *s, const Pick *pick, size_t n,
                                uint32_t which)
{
    const OpSpan *like[TYPICAL_MAX];
    int64_t total[TYPICAL_MAX], io[TYPICAL_MAX];
    const ExecutionStat *first = NULL;
    for (size_t k = 0; k < n; k++) {
        const InferenceStat *x = &s->inference[pick[k].inference];
        const ExecutionStat *e = &s->execution[x->first_task + which];
        first = k ? first : e;
        like[k] = s->op_span + e->first_op;
        total[k] = e->has_run ? e->run_ns : e->total_ns;
        io[k] = e->has_run ? e->io_wait_ns : 0;
    }
    return (TypicalTask){typical_spans(a, like, n, first->nop), first->nop,
                         measured_of(total, n).median_ns, measured_of(io, n).median_ns,
                         first->has_run};
}

static size_t keep_shape(Pick *pick, size_t n, uint64_t shape)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (pick[i].shape == shape)
            pick[kept++] = pick[i];
    return kept;
}

Typical typical_of(Arena *a, const TraceStats *s)
{
    Pick *pick;
    size_t n = pick_some(a, s, &pick);
    n = keep_shape(pick, n, modal_shape(pick, n));
    if (n == 0)
        return (Typical){0};
    const InferenceStat *first = &s->inference[pick[0].inference];
    const OpSpan *like[TYPICAL_MAX];
    for (size_t k = 0; k < n; k++)
        like[k] = s->host_span + s->inference[pick[k].inference].first_host;
    TypicalTask *task = ARENA_ARRAY(a, TypicalTask, (size_t)first->ntask + 1);
    for (uint32_t i = 0; i < first->ntask; i++)
        task[i] = typical_task(a, s, pick, n, i);
    return (Typical){.host = typical_spans(a, like, n, first->nhost),
                     .host_detail = s->host_detail + first->first_host,
                     .nhost = first->nhost,
                     .task = task,
                     .ntask = first->ntask,
                     .inferences = (uint32_t)n};
}
