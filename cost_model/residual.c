/* Compares measured with predicted times and names the likely cause of each large difference. */
#include "cost_model/messages.h"
#include "cost_model/residual.h"
#include "cost_model/reconcile.h"
#include "graph/base/statistics.h"

#define Z_MAX       3.5
#define MAD_SCALE   1.4826
#define SAME_SPREAD 0.1 /* of ln: operators that are off by the same factor */

enum { CLASS_MIN = 5 }; /* operators of a kind that tell a median from chance */

#define X(id, key) [CAUSE_##id] = key,
ENUM_WORDS(residual_cause_key, ResidualCause, CAUSE_LOWERING + 1, RESIDUAL_CAUSES(X))
#undef X

typedef struct {
    const Program *program;
    const Costs *costs;
    const Prediction *pred;
    const Reconciliation *r;
    Residual *found;
    size_t count, cap;
} Search;

static bool is_large_residual(const Search *s, double measured, double predicted)
{
    return fabs(measured - predicted) > RESIDUAL_SHARE * (double)s->r->latency.median_ns;
}

static bool is_in_interval(double v, Interval i)
{
    return v >= i.lo && v <= i.hi;
}

/* A conversion that takes as long as one between other types shows a build of other types. */
static bool other_type(const Search *s, const Step *step, double measured, Residual *ret)
{
    static const DType type[] = {DT_FLOAT32, DT_FLOAT16, DT_UINT8, DT_INT8};
    if (step->host_op != HOST_QUANTIZE && step->host_op != HOST_DEQUANTIZE)
        return false;
    for (size_t i = 0; i < sizeof type / sizeof *type; i++) {
        Step other = *step;
        *(step->host_op == HOST_QUANTIZE ? &other.from : &other.to) = type[i];
        if (other.from == step->from && other.to == step->to)
            continue;
        const HostCost *law = costs_for_host(s->costs, s->program->options.sdk, &other);
        if (!law || law->from == DT_UNKNOWN ||
            !is_in_interval(measured, costs_host_ns(law, &other)))
            continue;
        ret->from = other.from;
        ret->to = other.to;
        return true;
    }
    return false;
}

static void add_residual(Search *s, Residual x)
{
    assert(s->count < s->cap);
    s->found[s->count++] = x;
}

/* Laws were fitted where the caches hold what a step reads and writes; memory and fresh pages cost
 * up to a nanosecond a byte more.  A law that counts what lies beyond knows. */
#define BEYOND_NS_PER_B 1.0

static double beyond_caches_ns(const Search *s, const Step *step)
{
    const HostCost *law =
        step->kind == STEP_HOST ? costs_for_host(s->costs, s->program->options.sdk, step) : NULL;
    bool knows = !law || costs_host_counts_uncached(law);
    return knows ? 0 : BEYOND_NS_PER_B * costs_host_units(UNIT_UNCACHED_BYTE, step);
}

/* Tasks of the NPU are judged by their operators. */
static void find_steps(Search *s)
{
    for (uint32_t i = 0; i < s->program->nstep; i++) {
        const Step *step = &s->program->step[i];
        double measured = (double)s->r->step[i].median_ns;
        Interval expected = s->pred->step[i].total_ns;
        expected.hi += beyond_caches_ns(s, step);
        if (step->kind == STEP_NPU || !s->r->step[i].count || !s->pred->step[i].known ||
            is_in_interval(measured, expected) || !is_large_residual(s, measured, expected.mid))
            continue;
        Residual x = {.item = i, .measured_ns = measured, .predicted_ns = expected};
        x.cause = step->kind != STEP_HOST             ? CAUSE_LINK
                  : other_type(s, step, measured, &x) ? CAUSE_OTHER_TYPE
                                                      : CAUSE_HOST;
        add_residual(s, x);
    }
}

/* ln(measured / predicted) of an operator; false where either is not known. */
static bool op_residual(const Search *s, uint32_t i, double *ret)
{
    if (!s->r->op[i].count || s->r->op[i].median_ns <= 0 || s->pred->op[i].total_ns.mid <= 0)
        return false;
    *ret = log((double)s->r->op[i].median_ns / s->pred->op[i].total_ns.mid);
    return true;
}

/* Middle and robust deviation of the operators of a kind, of all kinds for LOWOP_KIND_COUNT. */
typedef struct {
    double middle, deviation;
    size_t n;
} Spread;

static Spread spread_of(const Search *s, LowOpKind kind, double *scratch)
{
    Spread d = {0};
    double x;
    for (uint32_t i = 0; i < s->program->nop; i++)
        if ((kind == LOWOP_KIND_COUNT || s->program->op[i].kind == kind) && op_residual(s, i, &x))
            scratch[d.n++] = x;
    if (d.n == 0)
        return d;
    d.middle = statistics_median(scratch, d.n);
    for (size_t i = 0; i < d.n; i++)
        scratch[i] = fabs(scratch[i] - d.middle);
    d.deviation = MAD_SCALE * statistics_median(scratch, d.n);
    return d;
}

static void find_ops(Search *s, double *scratch)
{
    Spread kind[LOWOP_KIND_COUNT];
    for (int k = 0; k < LOWOP_KIND_COUNT; k++)
        kind[k] = spread_of(s, (LowOpKind)k, scratch);
    for (uint32_t i = 0; i < s->program->nop; i++) {
        const Spread *d = &kind[s->program->op[i].kind];
        double x, measured = (double)s->r->op[i].median_ns;
        if (!op_residual(s, i, &x) || d->n < CLASS_MIN ||
            fabs(x - d->middle) <= Z_MAX * fmax(d->deviation, SAME_SPREAD / Z_MAX) ||
            is_in_interval(measured, s->pred->op[i].alone_ns) ||
            !is_large_residual(s, measured, s->pred->op[i].total_ns.mid))
            continue;
        bool waits = s->pred->op[i].limit == LIMIT_DRAM && x > d->middle;
        add_residual(s, (Residual){.is_op = true,
                                   .item = i,
                                   .measured_ns = measured,
                                   .predicted_ns = s->pred->op[i].alone_ns,
                                   .cause = waits ? CAUSE_MEMORY : CAUSE_LOWERING});
    }
}

/* Every operator off by one factor: the whole task, as one residual. */
static void find_clock(Search *s, double *scratch)
{
    Spread d = spread_of(s, LOWOP_KIND_COUNT, scratch);
    if (d.n < CLASS_MIN || d.deviation > SAME_SPREAD || fabs(d.middle) <= SAME_SPREAD)
        return;
    for (uint32_t i = 0; i < s->program->nstep; i++) {
        double measured = (double)s->r->step[i].median_ns;
        Interval expected = s->pred->step[i].total_ns;
        if (s->program->step[i].kind != STEP_NPU || !s->r->step[i].count ||
            !is_large_residual(s, measured, expected.mid))
            continue;
        add_residual(s, (Residual){.item = i,
                                   .measured_ns = measured,
                                   .predicted_ns = expected,
                                   .cause = CAUSE_CLOCK});
    }
}

static double off_ns(const Residual *r)
{
    return fabs(r->measured_ns - r->predicted_ns.mid);
}

ORDER_BY(larger_first, Residual, COMPARE(off_ns(b), off_ns(a)), COMPARE(a->is_op, b->is_op),
         COMPARE(a->item, b->item))

Residual *residual_find(Arena *a, const Program *p, const Costs *c, const Prediction *pred,
                        const Reconciliation *r, size_t *ret_count)
{
    size_t cap = 2 * p->nstep + p->nop + 1; /* a step may be off, and its clock */
    Search s = {p, c, pred, r, ARENA_ARRAY(a, Residual, cap), 0, cap};
    Arena *scratch = arena_new(0);
    double *v = ARENA_ARRAY(scratch, double, p->nop + 1);
    find_steps(&s);
    find_clock(&s, v);
    find_ops(&s, v);
    arena_free(scratch);
    ORDER_LIST(s.found, s.count, larger_first);
    *ret_count = s.count;
    return s.found;
}

static const Message *cause_message(Arena *a, const Residual *x)
{
    bool slower = x->measured_ns > x->predicted_ns.mid;
    switch (x->cause) {
    case CAUSE_OTHER_TYPE:
        return MESSAGE(a, MESSAGE_ID(OFF_OTHER_TYPE), arg_text(dtype_name(x->from)),
                       arg_text(dtype_name(x->to)));
    case CAUSE_HOST:
        return MESSAGE(
            a, arg_message_id(slower ? &message_OFF_HOST_SLOWER : &message_OFF_HOST_FASTER));
    case CAUSE_CLOCK:
        return MESSAGE(a, MESSAGE_ID(OFF_CLOCK));
    case CAUSE_MEMORY:
        return MESSAGE(a, MESSAGE_ID(OFF_MEMORY));
    case CAUSE_LINK:
        return MESSAGE(a, MESSAGE_ID(OFF_LINK));
    case CAUSE_LOWERING:
        return MESSAGE(a, MESSAGE_ID(OFF_LOWERING));
    }
    return NULL;
}

const Message *residual_message(Arena *a, const Program *p, const Residual *x)
{
    assert(x->item < (x->is_op ? p->nop : p->nstep));
    const char *what = x->is_op ? program_lowop_name(p->op[x->item].kind) : p->step[x->item].op;
    return MESSAGE(a, MESSAGE_ID(TOOK), arg_text(what), arg_time(x->measured_ns),
                   arg_time(x->predicted_ns.mid), arg_time(x->predicted_ns.lo),
                   arg_time(x->predicted_ns.hi), arg_message(cause_message(a, x)));
}
