/* Compares totals of the NPU, host, DRAM and hand-offs with their predicted intervals. */
#include "cost_model/messages.h"
#include "cost_model/suspects.h"
#include "cost_model/reconcile.h"
#include "trace/stats/load.h"
#include "graph/compile/options.h"

/* A suspect total is off by over a twentieth of an inference, and a tenth beyond its interval. */
#define SHARE_MIN 0.05
#define BEYOND    1.1

/* Sums over a kind of operator are off by exp(0.7) = 2 at the 90 % end in the guide's tables
 * (whatif.c), so more than that is another lowering; operators that wait for DRAM are held against
 * the others of the same trace. */
#define KIND_MAX 2.5
#define DRAM_MAX 2.0

typedef struct {
    Arena *arena;
    const Program *program;
    const Reconciliation *r;
    Suspect *suspect;
    size_t count;
} Totals;

static void suspect_add(Totals *s, const char *code, MessageArg what, double measured,
                        Interval expected, MessageArg why)
{
    double off_ns = fabs(measured - expected.mid);
    if (s->count == SUSPECTS_MAX || !(off_ns > SHARE_MIN * (double)s->r->latency.median_ns))
        return;
    s->suspect[s->count++] = (Suspect){code, off_ns,
                                       MESSAGE(s->arena, MESSAGE_ID(SUSPECT), what,
                                               arg_time(measured), arg_time(expected.mid),
                                               arg_time(expected.lo), arg_time(expected.hi), why)};
}

static bool lies_outside(double measured, Interval x)
{
    return measured > BEYOND * x.hi || measured * BEYOND < x.lo;
}

/* Measured and predicted time of operators that were measured. */
typedef struct {
    double measured, predicted;
} Pair;

static Pair pair_of(const Totals *s, const Prediction *pred, bool (*takes)(const LowOp *, int),
                    int argument)
{
    Pair sum = {0};
    for (size_t i = 0; i < s->program->nop; i++)
        if (s->r->op[i].count && takes(&s->program->op[i], argument)) {
            sum.measured += (double)s->r->op[i].median_ns;
            sum.predicted += pred->op[i].total_ns.mid;
        }
    return sum;
}

static bool uses_dram(const LowOp *op, int yes)
{
    return (op->spill_bytes > 0 || op->streamed_bytes > 0) == (yes != 0);
}

static bool is_of_kind(const LowOp *op, int kind)
{
    return (int)op->kind == kind;
}

/* The operators as compiled: those whose weights do not stay wait for them, the others do not. */
static Prediction as_compiled(Arena *a, const Program *p, const Costs *c)
{
    Costs k = *c;
    k.carried = k.oversize_carried = true;
    OpModel m = op_model(p, &k);
    Prediction t = {.op = ARENA_ARRAY(a, OpPrediction, p->nop)};
    for (size_t i = 0; i < p->nop; i++) {
        double work[TERM_MAX];
        t.op[i] = predict_op(&m, &k, &p->op[i], work);
        t.dram_ns += t.op[i].dram_ns;
    }
    return t;
}

/* Tasks of one card that use its DRAM at once: at most as many as requests are in flight. */
static double tasks_at_once(const Totals *s)
{
    TraceLoad load = trace_load(s->r->stats);
    double per_card = compile_options_lanes(&s->program->options, s->program->machine);
    double cards = fmax(1, ceil((double)load.nlane / per_card));
    return fmax(1, fmin(per_card, load.concurrency / cards));
}

/* Operators that read or write DRAM, slower than the others of the same trace are, and than those
 * who share it explain. */
static void find_dram(Totals *s, const Prediction *pred)
{
    Pair with = pair_of(s, pred, uses_dram, 1), without = pair_of(s, pred, uses_dram, 0);
    double others = without.predicted > 0 ? fmax(1, without.measured / without.predicted) : 1;
    double fair = with.predicted * others + (tasks_at_once(s) - 1) * pred->dram_ns;
    if (with.measured > DRAM_MAX * fair)
        suspect_add(s, "memory", MESSAGE_ID(SUSPECT_DRAM), with.measured,
                    (Interval){fair / DRAM_MAX, fair, DRAM_MAX * fair}, MESSAGE_ID(WHY_DRAM));
}

/* The kind of operator that takes the most beyond what is predicted; -1 if none does. */
static int find_kind(const Totals *s, const Prediction *pred, Pair *ret)
{
    int most = -1;
    for (int k = 0; k < LOWOP_KIND_COUNT; k++) {
        Pair x = pair_of(s, pred, is_of_kind, k);
        if (x.measured - x.predicted > ret->measured - ret->predicted) {
            most = k;
            *ret = x;
        }
    }
    return most;
}

/* A kind that takes less than predicted makes others wrong by as much, and the fit has known it:
 * published figures are of whole networks.  Only the total tells. */
static void find_npu(Totals *s, const Prediction *pred)
{
    Pair x = {0};
    int kind = find_kind(s, pred, &x);
    double measured = (double)s->r->npu.median_ns;
    Interval shared = {0, 0, (tasks_at_once(s) - 1) * pred->dram_ns};
    Interval expected = interval_add(pred->npu_ns, shared);
    if (kind >= 0 && x.measured > KIND_MAX * x.predicted)
        suspect_add(s, "lowering", arg_text(program_lowop_name((LowOpKind)kind)), x.measured,
                    (Interval){x.predicted / KIND_MAX, x.predicted, KIND_MAX * x.predicted},
                    MESSAGE_ID(WHY_LOWERING));
    if (s->count == 0 && lies_outside(measured, expected))
        suspect_add(s, "lowering", MESSAGE_ID(SUSPECT_NPU), measured, expected,
                    MESSAGE_ID(WHY_LOWERING));
}

static void find_host(Totals *s, const Prediction *pred)
{
    double measured = (double)s->r->host.median_ns;
    if (lies_outside(measured, pred->host_ns) && s->r->host_steps_measured == s->r->host_steps)
        suspect_add(s, "host", MESSAGE_ID(SUSPECT_HOST), measured, pred->host_ns,
                    measured > pred->host_ns.mid ? MESSAGE_ID(WHY_HOST_SLOWER)
                                                 : MESSAGE_ID(WHY_HOST_FASTER));
}

/* A hand-off that takes longer than the profiler's own is the runtime's. */
static void find_handoff(Totals *s, const Costs *c)
{
    double stages = (double)s->program->nstep - 1;
    if (stages < 1 || !handoffs_cover(&s->r->handoffs, s->program))
        return;
    double measured = handoffs_sum_ns(&s->r->handoffs, s->program, INFINITY);
    Interval expected = interval_scale(c->gap_ns, stages);
    if (measured > 2 * expected.hi)
        suspect_add(s, "hand-off", MESSAGE_ID(SUSPECT_HANDOFF), measured, expected,
                    MESSAGE_ID(WHY_HANDOFF));
}

size_t suspects_find(Arena *a, const Program *p, const Costs *c, const Prediction *pred,
                     const Reconciliation *r, Suspect *ret)
{
    Totals s = {a, p, r, ret, 0};
    if (!r->inferences)
        return 0;
    Prediction compiled = as_compiled(a, p, c);
    if (r->npu.count)
        find_dram(&s, &compiled);
    if (r->npu.count && !s.count)
        find_npu(&s, pred);
    if (r->host.count)
        find_host(&s, pred);
    find_handoff(&s, c);
    assert(s.count <= SUSPECTS_MAX);
    return s.count;
}

/* ---- types ---- */

static DType type_in_file(const Model *m, const char *name)
{
    const Graph *g = m->graph;
    return LIST_VALUE(i, g->ninput, strcmp(g->tensor[g->input[i]].name, name) == 0,
                      g->tensor[g->input[i]].dtype, DT_UNKNOWN);
}

/* The measured conversion of an input that is fed something else than `own`; NULL. */
static const Step *measured_conversion(const Program *p, const Reconciliation *r, DType fed)
{
    return LIST_FIND(i, p->step, p->nstep,
                     p->step[i].host_op == HOST_QUANTIZE && p->step[i].from == fed &&
                         r->step[i].count);
}

static void doubt_input_type(Arena *a, const Program *p, const Costs *c, Reconciliation *r,
                             const Step *s, DType own)
{
    Step other = *s;
    other.from = own;
    const HostCost *law = costs_for_host(c, p->options.sdk, &other);
    if (!law)
        return;
    Interval x = costs_host_ns(law, &other);
    double measured = (double)r->step[s->id].median_ns;
    const Message *why =
        MESSAGE(a, MESSAGE_ID(WHY_TYPES), arg_text(dtype_name(s->from)), arg_text(dtype_name(own)));
    const Message *said =
        MESSAGE(a, MESSAGE_ID(SUSPECT), MESSAGE_ID(SUSPECT_QUANTIZE), arg_time(measured),
                arg_time(x.mid), arg_time(x.lo), arg_time(x.hi), arg_message(why));
    double all = (double)r->latency.median_ns;
    r->types_doubted = true;
    evidence_object(r, 'B',
                    (EvidenceIssue){"host", ABOUT_MODEL, 100 * fabs(measured - x.mid) / all,
                                    100 * SHARE_MIN, false, &message_UNIT_SHARE, said});
}

void suspect_types(Arena *a, const Model *m, const Program *p, const Costs *c, Reconciliation *r)
{
    const CompileOptions *o = &p->options;
    for (size_t i = 0; i < o->ninput_dtype && !evidence_is_foreign(r); i++) {
        DType own = type_in_file(m, o->input_dtype[i].name), fed = o->input_dtype[i].dtype;
        const Step *s =
            own == DT_UINT8 && fed == DT_FLOAT32 ? measured_conversion(p, r, fed) : NULL;
        if (s && !r->types_doubted)
            doubt_input_type(a, p, c, r, s, own);
    }
}
