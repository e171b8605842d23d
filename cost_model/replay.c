/* Replay: what is measured stays measured, what changes is predicted. */
#include "cost_model/reconcile.h"

#include "cost_model/carry.h"
#include "cost_model/skew.h"
#include "trace/stats/load.h"

#include <math.h>
#include <stdlib.h>

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
    size_t low = 0, high = pool->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (pool->item[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < pool->count && pool->item[low].key == key; low++) {
        if (pool->used[low])
            continue;
        pool->used[low] = true;
        return pool->item[low].item;
    }
    return UINT32_MAX;
}

/* The trace's medians are known within their intervals; a run that is to show the gain scatters
 * once more, and of that the trace tells as much: two independent errors of one size. */
#define NEXT_RUN M_SQRT2

static Interval as_interval(const Measured *m, double widen)
{
    return interval_widen((Interval){(double)m->lo_ns, (double)m->median_ns, (double)m->hi_ns},
                          NEXT_RUN * widen);
}

static void scale_parts(OpPrediction *op, Interval total)
{
    double k = op->total_ns.mid > 0 ? total.mid / op->total_ns.mid : 0;
    op->load_ns *= k;
    op->store_ns *= k;
    op->compute_ns = total.mid - op->load_ns - op->store_ns;
    op->mac_ns *= k;
    op->vector_ns *= k;
    op->fixed_ns *= k;
    op->memory_ns *= k;
    op->utilisation = k > 0 ? op->utilisation / k : 0;
    op->total_ns = total;
}

/* The ops of one NPU step that are measured; the step becomes the sum. */
static void replay_ops(const Program *v, const Step *s, const Reconciliation *r, Pool *ops,
                       bool *op_matched, Prediction *t)
{
    double before = 0, after = 0;
    for (LowOpId i = s->first_op; i < s->first_op + s->nop; i++) {
        before += t->op[i].total_ns.mid;
        uint32_t found = pool_take(ops, lowop_key(v, &v->op[i]));
        if (found != UINT32_MAX) {
            scale_parts(&t->op[i], as_interval(&r->op[found], r->widen));
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

static void replay_steps(Arena *a, Arena *scratch, const Program *baseline, const Program *v,
                         const Reconciliation *r, const Costs *c, const Prediction *pure,
                         Prediction *t)
{
    t->as_measured_ns = ARENA_ARRAY(a, double, v->nstep + 1);
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
        if (!same_law_in(baseline, v, c, s))
            continue;
        step_found[i] = pool_take(&steps, step_key(v, s));
        step_matched[i] = step_found[i] != UINT32_MAX;
    }
    carry_over(baseline, pure, r, v, c, step_matched, op_matched, t);
    for (size_t i = 0; i < v->nstep; i++) {
        if (!step_matched[i])
            continue;
        t->step[i].total_ns = as_interval(&r->step[step_found[i]], r->widen);
        t->step[i].known = true;
    }
    skew_fill(baseline, r, v, step_found, t);
}

static double sum_of_steps(const Program *p, const Prediction *t)
{
    double sum = 0;
    for (size_t i = 0; i < p->nstep; i++)
        sum += t->step[i].total_ns.mid;
    return sum;
}

/* What one hand-off may take, as a multiple of the mean: the measured rest may hold other things,
 * and not all hand-offs are equally long. */
#define HANDOFF_LEAST 0.5
#define HANDOFF_MOST  1.5

/* Hand-offs of the baseline, and how many times as much of them the variant has. */
typedef struct {
    Interval baseline; /* without launches */
    double longer;
    double submit; /* part of the variant's */
    bool measured;
} Rest;

static double task_count(const Program *p)
{
    size_t n = 0;
    for (size_t i = 0; i < p->nstep; i++)
        n += p->step[i].kind == STEP_NPU;
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
static Interval handoffs_within(Interval model, double rest)
{
    double mid = rest < 0 ? 0 : rest < model.hi ? rest : model.hi;
    return (Interval){HANDOFF_LEAST * mid, mid, HANDOFF_MOST * mid};
}

/* What the measured latency holds beside its steps: launches, hand-offs as far as they explain it,
 * the rest as a delay.  Steps that run side by side add up to more than the latency; then every
 * variant gets the same share of its sum, so that the baseline replays to what was measured. */
static void replay_rest(const Reconciliation *r, const Prediction *base, double base_sum,
                        const Rest *x, double sum, Prediction *t)
{
    double rest = (double)r->latency.median_ns - base_sum;
    double half = NEXT_RUN * r->widen * 0.5 * (double)(r->latency.hi_ns - r->latency.lo_ns);
    double left = x->measured ? fmax(0, rest - x->baseline.mid) : fmax(0, rest);
    double launch = fmin(left, base->launch_ns);
    Interval handoff = handoffs_within(x->baseline, rest - launch);
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
    /* What scatter explains of it is that of the variant's own steps. */
    if (delay > 0)
        delay = fmax(0, delay - base->host_skew_ns) + t->host_skew_ns;
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
    double sum = 0;
    for (size_t i = 0; i < p->nop; i++)
        sum += t->op[i].dram_ns;
    return sum;
}

/* How many times as long as predicted the DRAM channel is busy: as its operators tell, but in the
 * baseline not longer than all of them took. */
static double channel_times(const Program *baseline, const Reconciliation *r,
                            const Prediction *base)
{
    double busy = channel_ns(baseline, base), all = 0;
    for (size_t i = 0; i < baseline->nop; i++)
        all += base->op[i].total_ns.mid;
    return busy > 0 ? fmin(r->dram_times, all / busy) : r->dram_times;
}

Prediction *replay(Arena *a, const Program *baseline, const Reconciliation *r,
                   const Program *variant, const Costs *c, const RunOptions *run)
{
    bool measured = r && r->inferences && !evidence_is_foreign(r);
    if (measured)
        c = r->carried;
    Prediction *t = predict(a, variant, c, run);
    if (!measured)
        return t;
    Arena *scratch = arena_new(0);
    const Prediction *pure = predict(scratch, baseline, c, run);
    Prediction *base = predict(scratch, baseline, c, run);
    replay_steps(scratch, scratch, baseline, baseline, r, c, pure, base);
    replay_steps(a, scratch, baseline, variant, r, c, pure, t);
    Rest rest = rest_of(r, baseline, variant, c);
    replay_rest(r, base, sum_of_steps(baseline, base), &rest, sum_of_steps(variant, t), t);
    t->dram_ns = channel_times(baseline, r, base) * channel_ns(variant, t);
    arena_free(scratch);
    bool contended = r->stats->lanes > 1 && variant->options.pe == baseline->options.pe;
    t->at_once = contended ? fmax(1, trace_load(r->stats).concurrency) : 0;
    t->traffic_ns = channel_ns(variant, t);
    /* What is done for one image is done for each of a batch. */
    t->application_ns =
        r->stats->application.work_ns * (double)variant->images / (double)baseline->images;
    t->application_threads = (int)r->stats->application.threads;
    t->application_blocks = r->stats->application.blocks;
    predict_totals(variant, c, run, t);
    return t;
}
