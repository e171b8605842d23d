/* Scales predictions of unmeasured steps and operators by the errors of measured ones. */
#include "cost_model/residual_transfer.h"
#include "cost_model/calibrate.h"
#include "cost_model/same_shape.h"

/* One law covers both, so both have the same error. */
static bool same_law(const Step *a, const Step *b)
{
    if (a->kind != b->kind || a->kind == STEP_NPU)
        return false;
    return a->kind != STEP_HOST ||
           (a->host_op == b->host_op && a->from == b->from && a->to == b->to &&
            !a->finer == !b->finer && strcmp(a->op, b->op) == 0);
}

/* One operator on other types: the code around its loop is the same. */
static bool same_call(const Step *a, const Step *b)
{
    return a->kind == STEP_HOST && b->kind == STEP_HOST && a->host_op == b->host_op &&
           a->host_op != HOST_OPERATOR;
}

typedef bool (*Likeness)(const Step *a, const Step *b);

/* Farther than any two times are, in the logarithm. */
#define OTHER_PLACE 1e3

/* A transfer after another one in the same direction: both are one request, which is set up once.
 */
static bool follows_its_kind(const Program *p, const Step *s)
{
    return s->id > 0 && s->kind != STEP_HOST && p->step[s->id - 1].kind == s->kind;
}

/* The measured baseline step of the same law whose predicted time is nearest, of those in the same
 * place of a request if there are any; STEP_NONE if none. */
static StepId nearest_step(const MeasuredBaseline *b, const Program *v, const Step *s, double ns,
                           Likeness alike)
{
    StepId best = STEP_NONE;
    double least = INFINITY;
    for (size_t i = 0; i < b->program->nstep; i++) {
        double there = b->pure->step[i].total_ns.mid;
        if (!b->r->step[i].count || !(there > 0) || !alike(&b->program->step[i], s))
            continue;
        bool same = follows_its_kind(b->program, &b->program->step[i]) == follows_its_kind(v, s);
        double far = fabs(log(ns / there)) + (same ? 0 : OTHER_PLACE);
        if (far < least) {
            least = far;
            best = (StepId)i;
        }
    }
    return best;
}

/* The share of the larger time that the smaller one lacks. */
static double relative_difference(double a, double b)
{
    return fabs(a - b) / fmax(a, b);
}

/* The share of the step that the anchor has too is off as that was; the model's own uncertainty
 * remains for the difference in size. */
static Interval scale_to_anchor(Interval model, double anchor_ns, const Measured *m)
{
    assert(anchor_ns > 0 && m->count > 0);
    double k = (double)m->median_ns / anchor_ns, mid = model.mid * k;
    double size = model.mid / anchor_ns, far = relative_difference(model.mid, anchor_ns);
    double up = size * (double)(m->hi_ns - m->median_ns),
           down = size * (double)(m->median_ns - m->lo_ns);
    double more = k * far * (model.hi - model.mid), less = k * far * (model.mid - model.lo);
    return (Interval){mid - hypot(down, less), mid, mid + hypot(up, more)};
}

/* Takes the difference between measurement and prediction as the error of a fixed time, as far as
 * the range of `fixed` allows; only the rest grows with size. */
static Interval carried_partly(Interval model, double anchor_ns, const Measured *m, Interval fixed)
{
    double off = (double)m->median_ns - anchor_ns;
    double once = fmax(fixed.lo - fixed.mid, fmin(off, fixed.hi - fixed.mid));
    Interval all = scale_to_anchor(model, anchor_ns, m);
    double mid = once + model.mid * ((double)m->median_ns - once) / anchor_ns;
    double other = relative_difference(model.mid, anchor_ns) * (all.mid - mid);
    double down = hypot(all.mid - all.lo, fmin(0, other)),
           up = hypot(all.hi - all.mid, fmax(0, other));
    return (Interval){fmax(0, mid - down), mid, mid + up};
}

/* What bytes beyond the caches take of a step, as far as that is a larger share of it than of the
 * anchor: of bytes beyond, a step whose bytes all stay tells nothing. */
static Interval beyond_anchor(const Program *v, const Costs *c, const Step *anchor,
                              double anchor_ns, const Step *s, Interval model)
{
    const HostCost *law = s->kind == STEP_HOST ? costs_for_host(c, v->options.sdk, s) : NULL;
    Interval far = law ? costs_host_uncached_ns(law, s) : interval_exact(0);
    if (!(far.mid > 0))
        return interval_exact(0);
    double share = costs_host_uncached_ns(law, anchor).mid / anchor_ns;
    return interval_scale(far, fmax(0, far.mid - share * model.mid) / far.mid);
}

static double half_width(Interval x)
{
    return 0.5 * (x.hi - x.lo);
}

/* A call on other types: splits the anchor's error between the call and the elements by how far
 * either may be off, and carries the call's share over. */
static Interval carried_call(Interval model, const HostCost *law, const Step *anchor,
                             double anchor_ns, const Measured *m)
{
    double call = half_width(law->fixed_ns);
    double elements = half_width(law->per_unit_ns) * costs_host_units(law->unit, anchor);
    double both = call * call + elements * elements;
    double off = (double)m->median_ns - anchor_ns, share = both > 0 ? call * call / both : 0;
    double shift = fmax(law->fixed_ns.lo - law->fixed_ns.mid,
                        fmin(share * off, law->fixed_ns.hi - law->fixed_ns.mid));
    double less = (1 - share) * (model.mid - model.lo), more = (1 - share) * (model.hi - model.mid);
    double mid = fmax(0, model.mid + shift);
    return (Interval){fmax(0, mid - less), mid, mid + more};
}

/* A host step whose law no measured step has.  The law for its types comes from other hosts:
 * nothing in the trace shows that it holds on this one. */
static void transfer_host_residual(const MeasuredBaseline *b, const Program *v, const Step *s,
                                   Prediction *t)
{
    Interval *ns = &t->step[s->id].total_ns;
    StepId k = nearest_step(b, v, s, ns->mid, same_call);
    const Step *anchor = k == STEP_NONE ? NULL : &b->program->step[k];
    const HostCost *law = anchor ? costs_for_host(b->c, b->program->options.sdk, anchor) : NULL;
    if (law)
        *ns = carried_call(*ns, law, anchor, b->pure->step[k].total_ns.mid, &b->r->step[k]);
}

static void transfer_step_residuals(const MeasuredBaseline *b, const Program *v,
                                    const bool *matched, Prediction *t)
{
    for (size_t i = 0; i < v->nstep; i++) {
        Interval *total = &t->step[i].total_ns;
        if (matched[i] || !t->step[i].known || !(total->mid > 0))
            continue;
        StepId k = nearest_step(b, v, &v->step[i], total->mid, same_law);
        if (k == STEP_NONE) {
            transfer_host_residual(b, v, &v->step[i], t);
            continue;
        }
        const Step *anchor = &b->program->step[k];
        double ns = b->pure->step[k].total_ns.mid;
        Interval beyond = beyond_anchor(v, b->c, anchor, ns, &v->step[i], *total);
        Interval within = interval_scale(*total, 1 - beyond.mid / total->mid);
        /* A transfer's set-up does not depend on its size, and hardly anybody knows it. */
        Interval fixed = anchor->kind == STEP_HOST ? interval_exact(0) : b->c->pcie_ns;
        *total = interval_add(beyond, carried_partly(within, ns, &b->r->step[k], fixed));
    }
}

/* ---- costs of a trace ---- */

/* Predicted time of measured ops in each term. */
static void time_of_terms(const Program *p, const Costs *c, const Reconciliation *r,
                          double ns[LOWOP_KIND_COUNT][TERM_MAX])
{
    OpModel m = op_model(p, c);
    for (size_t i = 0; i < p->nop; i++) {
        double work[TERM_MAX];
        op_work(&m, &p->op[i], work);
        for (int t = 0; t < c->nterm && r->op[i].count; t++)
            ns[p->op[i].kind][t] += costs_term_ns(c, t, work[t]);
    }
}

static bool uses_dram(const Term *t)
{
    return term_forms[t->form].limit == LIMIT_DRAM;
}

/* All traffic shares one DRAM: if it is slower than the target's figure for traffic in the trace
 * (weights, say), it is as much slower for other traffic (feature maps, or another kind's).  It is
 * never made faster: traffic that the work hides only looks faster. */
static void share_channel(const Program *p, const Reconciliation *r, Costs *k)
{
    double ns[LOWOP_KIND_COUNT][TERM_MAX] = {0}, fitted = 0, target = 0;
    Costs plain = *k;
    plain.calibration = NULL; /* no factors */
    time_of_terms(p, &plain, r, ns);
    for (int i = 0; i < LOWOP_KIND_COUNT; i++)
        for (int t = 0; t < k->nterm; t++)
            if (uses_dram(&k->term[t])) {
                target += ns[i][t];
                fitted += ns[i][t] * k->kind_factor[i][t];
            }
    for (int i = 0; i < LOWOP_KIND_COUNT; i++)
        for (int t = 0; t < k->nterm; t++)
            if (uses_dram(&k->term[t]) && !(ns[i][t] > 0) && fitted > target)
                k->kind_factor[i][t] = fmax(k->kind_factor[i][t], fitted / target);
}

/* Parts of the activations that are tried beside the products. */
enum { BESIDE_PARTS = 4 };

const Costs *residual_transfer_costs(Arena *a, const Program *p, const Costs *c,
                                     const Reconciliation *r)
{
    if (r->nop_by_key == 0)
        return c;
    Costs *k = ARENA_NEW(a, Costs);
    CalibratedNpu *fit = ARENA_NEW(a, CalibratedNpu), *best = ARENA_NEW(a, CalibratedNpu);
    const CalibrationRun run = {p, r};
    OpModel m = op_model(p, c);
    bool activations = LIST_ANY(i, p->nop, p->op[i].vector_passes > 0);
    best->off = INFINITY;
    *k = *c;
    k->carried = true;
    k->oversize_carried = m.largest_op_bytes > m.sram_bytes;
    for (int i = 0; i <= (activations ? BESIDE_PARTS : 0); i++) {
        k->activation_beside = (double)i / BESIDE_PARTS;
        calibrate_npu(k, &run, 1, SIZE_MAX, fit);
        if (fit->off < best->off)
            *best = *fit;
    }
    k->activation_beside = best->activation_beside;
    costs_scale_kinds(k, best->kind_factor, "trace");
    share_channel(p, r, k);
    return k;
}

/* ---- what no term explains ---- */

/* A rest takes at most this share of an op away. */
#define REST_MAX 0.5
/* Of a kind's predicted time, from which on it is all fixed. */
#define GROWS_NOT 0.95
/* Ops of a kind whose sizes differ: so many, and so far. */
enum { DIFFER_OPS = 3 };
#define DIFFER_TIMES 4

/* What the fitted costs leave of a kind's ops.  Where sizes differ, the fit tells what grows
 * with the work, and the rest is the same for each, at most what the smallest takes; else no
 * more is the same than a fixed time may be off by.  What has only a fixed time grows with
 * bytes. */
typedef struct {
    size_t ops;
    double fixed_ns; /* more, of each op */
    double times;
    double least_ns, ns_per_byte; /* of what has no other term; 0: it has */
} Rest;

/* Ops that wait for DRAM have a separate error factor, and so has their wait. */
typedef struct {
    Rest kind[LOWOP_KIND_COUNT];
    PartTimes waiting[LOWOP_KIND_COUNT];
    size_t nwaiting[LOWOP_KIND_COUNT];
    ShapeTable shape; /* what is measured of one shape goes before what is of its kind */
} Rests;

typedef struct {
    double measured, predicted, fixed, bytes;
    double w, wp, wm, wpp, wpm; /* each op by 1 / measured^2; p: predicted, m: measured */
    double smallest_ns;         /* measured */
    double least_ns, most_ns;   /* predicted */
    size_t ops;
} KindSum;

/* More of a fixed time than predicted, by the line through measured over predicted times that is
 * off by the least shares; of an op whose other time is right. */
static double line_intercept(const KindSum *s)
{
    double det = s->w * s->wpp - s->wp * s->wp;
    double slope = det > 0 ? (s->w * s->wpm - s->wp * s->wm) / det : 0;
    return slope > 0 ? (s->wm - slope * s->wp) / s->w / slope : INFINITY;
}

static Rest rest_of_kind(const Costs *c, LowOpKind kind, const KindSum *s)
{
    Rest rest = {.ops = s->ops, .times = 1};
    if (!(s->measured > 0) || !(s->predicted > 0))
        return rest;
    double n = (double)s->ops, mean = s->measured / n;
    Interval fixed = op_fixed_ns(c, kind);
    if (s->fixed > GROWS_NOT * s->predicted && s->bytes > 0) {
        rest.least_ns = fmin(mean, fixed.lo);
        rest.ns_per_byte = (mean - rest.least_ns) * n / s->bytes;
        return rest;
    }
    double now = s->fixed / n, off = (s->measured - s->predicted) / n;
    bool differ = s->ops >= DIFFER_OPS && s->most_ns > DIFFER_TIMES * s->least_ns;
    double most = differ ? s->smallest_ns : fixed.hi;
    rest.fixed_ns = fmax(fmin(fixed.lo - now, 0), fmin(off, fmax(0, most - now)));
    if (differ && off < 0)
        rest.fixed_ns = off;
    if (differ && off > 0) /* what the prior of a fit kept it from is a factor, not a fixed time */
        rest.fixed_ns = fmax(0, fmin(rest.fixed_ns, line_intercept(s)));
    rest.times = s->measured / (s->predicted + n * rest.fixed_ns);
    return rest;
}

static void kind_rests(const MeasuredBaseline *b, Rests *rests)
{
    KindSum sum[LOWOP_KIND_COUNT] = {0};
    for (size_t i = 0; i < b->program->nop; i++) {
        const LowOp *op = &b->program->op[i];
        const OpPrediction *pure = &b->pure->op[i];
        double ns = (double)b->r->op[i].median_ns;
        if (!b->r->op[i].count)
            continue;
        if (pure->dram_ns > 0) {
            same_shape_add_times(&rests->waiting[op->kind], pure, ns);
            rests->nwaiting[op->kind]++;
            continue;
        }
        KindSum *s = &sum[op->kind];
        s->measured += ns;
        double p = pure->total_ns.mid, w = ns > 0 ? 1 / (ns * ns) : 0;
        s->predicted += p;
        s->fixed += pure->fixed_ns;
        s->bytes += (double)op->bytes_out;
        s->w += w;
        s->wp += w * p;
        s->wm += w * ns;
        s->wpp += w * p * p;
        s->wpm += w * p * ns;
        s->smallest_ns = s->ops ? fmin(s->smallest_ns, ns) : ns;
        s->least_ns = s->ops ? fmin(s->least_ns, p) : p;
        s->most_ns = fmax(s->most_ns, p);
        s->ops++;
    }
    for (int k = 0; k < LOWOP_KIND_COUNT; k++)
        rests->kind[k] = rest_of_kind(b->c, (LowOpKind)k, &sum[k]);
}

/* Times as long as predicted. */
static double with_rest(const Rest *rest, const LowOp *op, double ns)
{
    if (!rest->ops)
        return 1;
    if (rest->ns_per_byte > 0 || rest->least_ns > 0)
        return (rest->least_ns + rest->ns_per_byte * (double)op->bytes_out) / ns;
    return rest->times * fmax(1 - REST_MAX, 1 + rest->fixed_ns / ns);
}

/* What the op takes as the trace shows it; `t` is what the fitted costs say. */
static void take_as_shown(const Rests *rests, const LowOp *op, OpPrediction *t)
{
    assert(t->total_ns.mid > 0);
    bool waits = t->dram_ns > 0;
    const PartTimes *times = same_shape_times(&rests->shape, op, waits);
    if (!times && waits && rests->nwaiting[op->kind])
        times = &rests->waiting[op->kind];
    double wait = t->dram_ns, own = t->total_ns.mid - wait, ns;
    if (times)
        ns = same_shape_part_ns(times, t, &wait);
    else
        ns = own > 0 ? own * with_rest(&rests->kind[op->kind], op, own) + wait : wait;
    predict_set_op_time(t, interval_scale(t->total_ns, ns / t->total_ns.mid), wait);
}

static void transfer_op_residuals(const Program *v, const bool *matched, const Rests *rests,
                                  Prediction *t)
{
    for (size_t i = 0; i < v->nstep; i++) {
        const Step *s = &v->step[i];
        double before = 0, after = 0;
        for (LowOpId k = s->first_op; s->kind == STEP_NPU && k < s->first_op + s->nop; k++) {
            const LowOp *op = &v->op[k];
            double ns = t->op[k].total_ns.mid;
            before += ns;
            if (!matched[k] && ns > 0)
                take_as_shown(rests, op, &t->op[k]);
            after += t->op[k].total_ns.mid;
        }
        if (before > 0)
            t->step[i].total_ns = interval_scale(t->step[i].total_ns, after / before);
    }
}

/* Measured over predicted time of the baseline's tasks, where the trace has no operators; else 1.
 */
static double task_ratio(const MeasuredBaseline *b)
{
    double measured = 0, predicted = 0;
    for (size_t i = 0; i < b->program->nstep && b->r->nop_by_key == 0; i++) {
        if (b->program->step[i].kind != STEP_NPU || !b->r->step[i].count)
            continue;
        measured += (double)b->r->step[i].median_ns;
        predicted += b->pure->step[i].total_ns.mid;
    }
    return measured > 0 && predicted > 0 ? measured / predicted : 1;
}

/* A task that changed is off as the measured ones are. */
static void transfer_task_residuals(const MeasuredBaseline *b, const Program *v,
                                    const bool *matched, Prediction *t)
{
    double k = task_ratio(b);
    for (size_t i = 0; i < v->nstep && k != 1; i++) {
        const Step *s = &v->step[i];
        if (s->kind != STEP_NPU || matched[i])
            continue;
        t->step[i].total_ns = interval_scale(t->step[i].total_ns, k);
        for (LowOpId o = s->first_op; o < s->first_op + s->nop; o++)
            predict_set_op_time(&t->op[o], interval_scale(t->op[o].total_ns, k), t->op[o].dram_ns);
    }
}

void residual_transfer_apply(const MeasuredBaseline *b, const Program *variant,
                             const bool *step_matched, const bool *op_matched, Prediction *t)
{
    Rests rests = {0};
    Arena *scratch = arena_new(0);
    kind_rests(b, &rests);
    rests.shape = same_shape(scratch, b->program, b->pure, b->r);
    transfer_op_residuals(variant, op_matched, &rests, t);
    transfer_step_residuals(b, variant, step_matched, t);
    transfer_task_residuals(b, variant, step_matched, t);
    arena_free(scratch);
}
