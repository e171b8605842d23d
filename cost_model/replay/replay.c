/* Keeps what was measured and predicts what a variant changes. */
#include "cost_model/replay/replay.h"
#include "cost_model/costs.h"
#include "cost_model/evidence_grade.h"
#include "cost_model/handoffs.h"
#include "cost_model/interval.h"
#include "cost_model/predict.h"
#include "cost_model/residual_transfer.h"
#include "cost_model/replay/skew.h"
#include "graph/compile/program.h"
#include "trace/stats/load.h"
#include "graph/compile/options.h"

/* Measured items by key; each is used once, in order of place. */
typedef struct {
    const KeyedItem *item;
    size_t count;
    bool *used;
} Pool;

static Pool pool_of(Arena *a, const KeyedItem *item, size_t count)
{
    return (Pool){item, count, ARENA_ARRAY(a, bool, count + 1)};
}

/* UINT32_MAX when no item of the key is left. */
static uint32_t pool_take(Pool *pool, uint64_t key)
{
    size_t low = LIST_BOUND(i, pool->count, pool->item[i].key < key);
    for (; low < pool->count && pool->item[low].key == key; low++) {
        if (pool->used[low])
            continue;
        pool->used[low] = true;
        return pool->item[low].item;
    }
    return UINT32_MAX;
}

/* The trace's medians are known within their intervals.  What a run that is to show the gain
 * scatters by is in the interval of that run. */
static Interval as_interval(const Measured *m, double widen)
{
    return interval_widen((Interval){(double)m->lo_ns, (double)m->median_ns, (double)m->hi_ns},
                          widen);
}

/* The ops of one NPU step that are measured; the step becomes the sum. */
static void replay_ops(const Program *v, const Step *s, const Reconciliation *r, Pool *ops,
                       bool *op_matched, Prediction *t)
{
    double before = 0, after = 0;
    for (LowOpId i = s->first_op; i < s->first_op + s->nop; i++) {
        before += t->op[i].total_ns.mid;
        uint32_t found = pool_take(ops, program_lowop_key(v, &v->op[i]));
        if (found != UINT32_MAX) {
            Interval total = as_interval(&r->op[found], r->widen);
            predict_set_op_time(&t->op[i], total, predict_op_wait(&t->op[i], total.mid));
            op_matched[i] = true;
        }
        after += t->op[i].total_ns.mid;
    }
    /* The interval of a partly measured task keeps the relative width of the model. */
    if (before > 0)
        t->step[s->id].total_ns = interval_scale(t->step[s->id].total_ns, after / before);
}

/* One law of the costs covers the step under the SDKs of both programs. */
static bool same_law_in(const Program *a, const Program *b, const Costs *c, const Step *s)
{
    return s->kind != STEP_HOST || a->options.sdk == b->options.sdk ||
           costs_for_host(c, a->options.sdk, s) == costs_for_host(c, b->options.sdk, s);
}

static void replay_steps(Arena *scratch, const MeasuredBaseline *b, const Program *v, Prediction *t)
{
    const Reconciliation *r = b->r;
    bool *step_matched = ARENA_ARRAY(scratch, bool, v->nstep + 1);
    bool *op_matched = ARENA_ARRAY(scratch, bool, v->nop + 1);
    uint32_t *step_found = ARENA_ARRAY(scratch, uint32_t, v->nstep + 1);
    Pool steps = pool_of(scratch, r->step_by_key, r->nstep_by_key);
    Pool ops = pool_of(scratch, r->op_by_key, r->nop_by_key);
    /* Keys hold the number of PEs: with another one, no operator and no task was measured.  What
     * another SDK does by another law, this trace does not tell; how far the model was off does. */
    for (size_t i = 0; i < v->nstep; i++) {
        const Step *s = &v->step[i];
        step_found[i] = UINT32_MAX;
        if (s->kind == STEP_NPU)
            replay_ops(v, s, r, &ops, op_matched, t);
        if (!same_law_in(b->program, v, b->c, s))
            continue;
        step_found[i] = pool_take(&steps, step_key(v, s));
        step_matched[i] = step_found[i] != UINT32_MAX;
    }
    residual_transfer_apply(b, v, step_matched, op_matched, t);
    size_t task = LIST_INDEX(i, v->nstep, v->step[i].kind == STEP_NPU);
    for (size_t i = 0; i < v->nstep; i++) {
        if (!step_matched[i])
            continue;
        bool beside = i > task && v->step[i].kind == STEP_HOST;
        t->step[i].total_ns = interval_scale(as_interval(&r->step[step_found[i]], r->widen),
                                             beside ? t->host_share / b->pure->host_share : 1);
        t->step[i].known = true;
    }
    skew_fill(b->program, r, v, step_found, t);
}

static double sum_of_steps(const Program *p, const Prediction *t)
{
    return LIST_SUM(double, i, p->nstep, t->step[i].total_ns.mid);
}

/* How far one hand-off may be off the mean, as a share of it: not all are equally long, and a
 * measured rest, from which they are told where no pause is seen, may hold other things. */
#define HANDOFF_OFF      0.5
#define HANDOFF_OFF_SEEN 0.25

/* Hand-offs of the baseline, and how many times as much of them the variant has. */
typedef struct {
    Interval baseline; /* without launches */
    double longer;
    double submit; /* part of the variant's */
    bool measured;
} Rest;

static double task_count(const Program *p)
{
    size_t n = LIST_SUM(size_t, i, p->nstep, p->step[i].kind == STEP_NPU);
    return (double)n;
}

/* From the gaps between spans where the trace shows all of them, else the model's. */
static Rest rest_of(const Reconciliation *r, const Program *baseline, const Program *v,
                    const Costs *c)
{
    Interval model = predict_traced_handoffs(baseline, c);
    double stages = (double)baseline->nstep - 1;
    if (!handoffs_cover(&r->handoffs, baseline))
        return (Rest){model, stages > 0 ? ((double)v->nstep - 1) / stages : 0, 0, false};
    double most = stages > 0 ? model.hi / stages : model.hi;
    double sum = handoffs_sum_ns(&r->handoffs, baseline, most);
    double there = handoffs_sum_ns(&r->handoffs, v, most);
    double tasks = task_count(baseline);
    double submit = tasks > 0 ? r->handoffs.submit_ns * task_count(v) / tasks : 0;
    return (Rest){interval_exact(sum), sum > 0 ? there / sum : 0, fmin(submit, there), true};
}

/* Hand-offs that the measured rest leaves room for: as many times the model's as fit, up to the
 * upper end of its figure (a profiler slows them down); or as measured. */
static Interval handoffs_within(const Rest *x, double rest)
{
    double mid = rest < 0 ? 0 : rest < x->baseline.hi ? rest : x->baseline.hi;
    double off = x->measured ? HANDOFF_OFF_SEEN : HANDOFF_OFF;
    return (Interval){(1 - off) * mid, mid, (1 + off) * mid};
}

/* The delay of a variant.  Scatter is that of the variant's own steps, and so is what the median of
 * the sum exceeds the sum of medians by beyond the scatter of each; the rest is in no step. */
static double delay_with_scatter(const Reconciliation *r, const Prediction *base, double base_gap,
                                 double delay, double share_left, const Prediction *t)
{
    double rest = fmax(0, delay - base->host_skew_ns);
    double no_step = fmax(0, (double)(r->unattributed_ns + r->waiting_ns) - base_gap);
    double together = fmax(0, rest - no_step);
    double left = base->host_skew_ns > 0 ? t->host_skew_ns / base->host_skew_ns : share_left;
    return rest - together + together * left + t->host_skew_ns;
}

/* What the measured latency holds beside its steps: launches (measured where tasks tell their
 * Run), hand-offs as far as they explain it, and the rest as a delay.  Steps side by side add up
 * to more than the latency; then every variant gets the same share of its sum. */
static void replay_rest(const Reconciliation *r, const Prediction *base, double base_sum,
                        const Rest *x, double sum, Prediction *t)
{
    assert(r->widen >= 1);
    double rest = (double)r->latency.median_ns - base_sum;
    double half = r->widen * 0.5 * (double)(r->latency.hi_ns - r->latency.lo_ns);
    double left = x->measured ? fmax(0, rest - x->baseline.mid) : fmax(0, rest);
    bool told = r->handoffs.launch_ns >= 0 && base->launch_ns > 0;
    double launch = fmin(left, told ? r->handoffs.launch_ns : base->launch_ns);
    Interval handoff = handoffs_within(x, rest - launch);
    t->launch_ns *= base->launch_ns > 0 ? launch / base->launch_ns : 0;
    Interval gap = interval_scale(handoff, x->longer);
    /* Those of the baseline are within the measured time: only the difference is uncertain. */
    double lo = gap.lo - handoff.lo, mid = gap.mid - handoff.mid, hi = gap.hi - handoff.hi;
    double base_gap = handoff.mid + launch;
    t->gap_ns.mid = t->launch_ns + gap.mid;
    t->submit_ns = fmin(x->submit, gap.mid);
    t->gap_ns.lo = t->gap_ns.mid - mid + fmin(fmin(lo, hi), mid);
    t->gap_ns.hi = t->gap_ns.mid - mid + fmax(fmax(lo, hi), mid);
    double delay = rest < 0 ? sum * rest / base_sum : rest - base_gap;
    if (delay > 0)
        delay = delay_with_scatter(r, base, base_gap, delay, sum / base_sum, t);
    if (half > delay)
        half = delay > 0 ? delay : 0;
    t->unattributed_ns = (Interval){delay - half, delay, delay + half};
    t->waiting_ns = fmax(0, fmin(delay, (double)r->waiting_ns));
    /* Launches and the request are within the measured time. */
    t->gap_part[REST_HANDOFF] = t->gap_ns;
    t->gap_part[REST_LAUNCH] = t->gap_part[REST_REQUEST] = interval_exact(0);
}

static double channel_ns(const Program *p, const Prediction *t)
{
    return LIST_SUM(double, i, p->nop, t->op[i].dram_ns);
}

/* How the run of the trace was loaded. */
typedef struct {
    double requests; /* in flight */
    int per_card;    /* lanes of tasks */
    int cards;
} Loaded;

static Loaded loaded_by(const Reconciliation *r, const Program *baseline)
{
    TraceLoad load = trace_load(r->stats);
    int per_card = compile_options_lanes(&baseline->options, baseline->machine);
    int cards = ((int)load.nlane + per_card - 1) / per_card;
    return (Loaded){load.concurrency, per_card, cards > 1 ? cards : 1};
}

/* What remains of a wait for the DRAM where no other PE has a task.  Medians of operators hold none
 * that fewer than half of the inferences met. */
static double wait_alone(const Program *baseline, const Reconciliation *r, const Loaded *load,
                         const Prediction *base)
{
    double wait = channel_ns(baseline, base), npu = 0;
    for (size_t i = 0; i < baseline->nop; i++)
        npu += base->op[i].total_ns.mid;
    double whole = (double)(r->latency.median_ns - r->waiting_ns);
    double others = predict_others(npu, whole, load->requests / load->cards, load->per_card - 1);
    return others * wait > 0.5 * npu ? predict_dram_alone(npu, wait, others) / wait : 1;
}

/* With another number of PEs, start from a task that has no other beside it. */
static void wait_for_nobody(const Program *v, double share, Prediction *t)
{
    for (size_t i = 0; i < v->nstep; i++) {
        const Step *s = &v->step[i];
        double before = 0, after = 0;
        for (LowOpId k = s->first_op; s->kind == STEP_NPU && k < s->first_op + s->nop; k++) {
            OpPrediction *op = &t->op[k];
            double ns = op->total_ns.mid, less = (1 - share) * fmin(op->dram_ns, ns);
            before += ns;
            after += ns - less;
            predict_set_op_time(op, interval_scale(op->total_ns, ns > 0 ? 1 - less / ns : 1),
                                fmin(op->dram_ns, ns) - less);
        }
        if (before > 0)
            t->step[i].total_ns = interval_scale(t->step[i].total_ns, after / before);
    }
}

static double traffic_ns(const Program *p, const Costs *c)
{
    return LIST_SUM(double, i, p->nop, predict_traffic_ns(c, &p->op[i]));
}

/* The DRAM's part of the NPU's time, of which a task alone waits for a share.  A channel that
 * the baseline waited for longer than its traffic was predicted to take is as much slower for
 * all traffic. */
static void replay_dram(const Program *baseline, const Prediction *base, double share,
                        const Program *v, const Costs *c, Prediction *t)
{
    double expected = traffic_ns(baseline, c), waited = share * channel_ns(baseline, base);
    double slower = expected > 0 ? fmax(1, waited / expected) : 1;
    bool other_pes = v->options.pe != baseline->options.pe;
    if (other_pes)
        wait_for_nobody(v, share, t);
    double wait = channel_ns(v, t);
    t->replayed = true;
    t->dram_others_ns = other_pes ? 0 : (1 - share) * wait;
    t->dram_ns = fmax(wait - t->dram_others_ns, slower * traffic_ns(v, c));
}

/* What the application does for one image it does for each of a batch. */
static void replay_application(const TraceStats *s, double images, Prediction *t)
{
    t->application_ns = s->application.work_ns * images;
    t->application_threads = (int)s->application.threads;
    t->application_blocks = s->application.blocks;
}

/* What the requests of the trace waited beyond what the law says of them. */
static void replay_line(const Program *baseline, const Reconciliation *r, const Costs *c,
                        const Loaded *load, double share, const Prediction *base, Prediction *ret)
{
    RunOptions run = {.workers = (int)lround(load->requests), .devices = load->cards};
    Prediction t = *base;
    double sum = sum_of_steps(baseline, base);
    Rest rest = rest_of(r, baseline, baseline, c);
    replay_rest(r, base, sum, &rest, sum, &t);
    replay_dram(baseline, base, share, baseline, c, &t);
    replay_application(r->stats, 1, &t);
    predict_totals(baseline, c, &run, &t);
    ret->waits_more_ns = (double)r->waiting_ns - predict_line(baseline, c, &run, &t);
    ret->idle_share = predict_idle_share(&t);
}

/* One mode does not tell what of an operator's time another one divides.  The target's figures do,
 * which were fitted to both, with the traffic of the programs as compiled. */
static Costs costs_of_modes(const Reconciliation *r, bool equal)
{
    Costs c = equal ? *r->carried : *r->costs;
    c.carried = r->carried->carried;
    return c;
}

Prediction *replay(Arena *a, const Program *baseline, const Reconciliation *r,
                   const Program *variant, const Costs *c, const RunOptions *run)
{
    bool measured = r && r->inferences && !evidence_is_foreign(r);
    if (!measured)
        return predict(a, variant, c, run);
    Arena *scratch = arena_new(0);
    const Costs own = costs_of_modes(r, baseline->options.pe == variant->options.pe);
    c = &own;
    Prediction *t = predict(a, variant, c, run);
    const MeasuredBaseline b = {baseline, predict(scratch, baseline, c, run), r, c};
    Prediction *base = predict(scratch, baseline, c, run);
    replay_steps(scratch, &b, baseline, base);
    replay_steps(scratch, &b, variant, t);
    predict_link(baseline, c, base);
    predict_link(variant, c, t);
    Loaded load = loaded_by(r, baseline);
    double share = wait_alone(baseline, r, &load, base);
    replay_dram(baseline, base, share, variant, c, t);
    Rest rest = rest_of(r, baseline, variant, c);
    replay_rest(r, base, sum_of_steps(baseline, base), &rest, sum_of_steps(variant, t), t);
    replay_application(r->stats, (double)variant->images / (double)baseline->images, t);
    t->in_line = r->stats->lanes > 1;
    if (t->in_line)
        replay_line(baseline, r, c, &load, share, base, t);
    arena_free(scratch);
    predict_totals(variant, c, run, t);
    return t;
}
