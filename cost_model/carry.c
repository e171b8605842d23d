/* Carrying measurements over to what was not measured. */
#include "cost_model/carry.h"

#include "cost_model/calibrate.h"

#include <math.h>
#include <string.h>

/* One law covers both: what is off for the one is off for the other. */
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

/* The measured baseline step of the same law whose predicted time is nearest; STEP_NONE if none. */
static StepId nearest_step(const Program *base, const Prediction *pure, const Reconciliation *r,
                           const Step *s, double ns, Likeness alike)
{
    StepId best = STEP_NONE;
    double least = INFINITY;
    for (size_t i = 0; i < base->nstep; i++) {
        double there = pure->step[i].total_ns.mid;
        if (!r->step[i].count || !(there > 0) || !alike(&base->step[i], s))
            continue;
        double far = fabs(log(ns / there));
        if (far < least) {
            least = far;
            best = (StepId)i;
        }
    }
    return best;
}

/* The share of the step that the anchor has too is off as that was; the model's own uncertainty
 * remains for the difference in size. */
static Interval carried(Interval model, double anchor_ns, const Measured *m)
{
    double k = (double)m->median_ns / anchor_ns, mid = model.mid * k;
    double size = model.mid / anchor_ns, far = fabs(model.mid - anchor_ns) / model.mid;
    double up = size * (double)(m->hi_ns - m->median_ns),
           down = size * (double)(m->median_ns - m->lo_ns);
    double more = k * far * (model.hi - model.mid), less = k * far * (model.mid - model.lo);
    return (Interval){mid - hypot(down, less), mid, mid + hypot(up, more)};
}

/* Of what was measured beside the prediction, what the range of `fixed` allows is taken as the
 * error of a fixed time, and only the rest grows with size. */
static Interval carried_partly(Interval model, double anchor_ns, const Measured *m, Interval fixed)
{
    double off = (double)m->median_ns - anchor_ns;
    double once = fmax(fixed.lo - fixed.mid, fmin(off, fixed.hi - fixed.mid));
    Interval all = carried(model, anchor_ns, m);
    double mid = once + model.mid * ((double)m->median_ns - once) / anchor_ns;
    double far = fabs(model.mid - anchor_ns) / model.mid, other = far * (all.mid - mid);
    double down = hypot(all.mid - all.lo, fmin(0, other)),
           up = hypot(all.hi - all.mid, fmax(0, other));
    return (Interval){fmax(0, mid - down), mid, mid + up};
}

/* What of a step's time does not depend on its size, as far as it may be off.  A transfer's set-up,
 * which hardly anybody knows.  A law for what goes beyond the caches counts every byte as if it
 * did, also those that stay: a larger step has no more of them. */
static Interval fixed_part(const Program *base, const Costs *c, const Step *anchor,
                           double anchor_ns)
{
    if (anchor->kind != STEP_HOST)
        return c->pcie_ns;
    const HostCost *law = costs_for_host(c, base->options.sdk, anchor);
    double bytes = (double)anchor->bytes_out;
    double stay = law && bytes > 0 ? fmin(1, (double)law->above_bytes / bytes) : 0;
    return (Interval){-stay * anchor_ns, 0, 0};
}

static double half_width(Interval x)
{
    return 0.5 * (x.hi - x.lo);
}

/* A call on other types: what it was off by is shared out between the call and the elements as
 * either may be off, and the call's share is carried over. */
static Interval carried_call(Interval model, const HostCost *law, const Step *anchor,
                             double anchor_ns, const Measured *m)
{
    double call = half_width(law->fixed_ns);
    double elements = half_width(law->per_unit_ns) * host_units(law->unit, anchor);
    double both = call * call + elements * elements;
    double off = (double)m->median_ns - anchor_ns, share = both > 0 ? call * call / both : 0;
    double shift = fmax(law->fixed_ns.lo - law->fixed_ns.mid,
                        fmin(share * off, law->fixed_ns.hi - law->fixed_ns.mid));
    double less = (1 - share) * (model.mid - model.lo), more = (1 - share) * (model.hi - model.mid);
    double mid = fmax(0, model.mid + shift);
    return (Interval){fmax(0, mid - less), mid, mid + more};
}

/* A host step that nothing measured has the law of.  The law of its own types is a figure of other
 * hosts: nothing in the trace says that it holds on this one. */
static void carry_host(const Program *base, const Prediction *pure, const Reconciliation *r,
                       const Costs *c, const Step *s, Prediction *t)
{
    Interval *ns = &t->step[s->id].total_ns;
    StepId k = nearest_step(base, pure, r, s, ns->mid, same_call);
    const HostCost *law =
        k == STEP_NONE ? NULL : costs_for_host(c, base->options.sdk, &base->step[k]);
    if (!law)
        return;
    const Step *anchor = &base->step[k];
    double units = host_units(law->unit, anchor);
    if (units > 0)
        t->as_measured_ns[s->id] = (double)r->step[k].median_ns * host_units(law->unit, s) / units;
    *ns = carried_call(*ns, law, anchor, pure->step[k].total_ns.mid, &r->step[k]);
}

static void carry_steps(const Program *base, const Prediction *pure, const Reconciliation *r,
                        const Program *v, const Costs *c, const bool *matched, Prediction *t)
{
    for (size_t i = 0; i < v->nstep; i++) {
        Interval *total = &t->step[i].total_ns;
        if (matched[i] || !t->step[i].known || !(total->mid > 0))
            continue;
        StepId s = nearest_step(base, pure, r, &v->step[i], total->mid, same_law);
        if (s == STEP_NONE) {
            carry_host(base, pure, r, c, &v->step[i], t);
            continue;
        }
        double anchor = pure->step[s].total_ns.mid;
        *total = carried_partly(*total, anchor, &r->step[s],
                                fixed_part(base, c, &base->step[s], anchor));
    }
}

const Costs *carry_costs(Arena *a, const Program *p, const Costs *c, const Reconciliation *r)
{
    if (r->nop_by_key == 0)
        return c;
    Costs *k = ARENA_NEW(a, Costs);
    *k = *c;
    CalibratedNpu *fit = ARENA_NEW(a, CalibratedNpu);
    const CalibrationRun run = {p, r};
    calibrate_npu(a, c, &run, 1, SIZE_MAX, fit);
    for (int i = 0; i < LOWOP_KIND_COUNT; i++)
        for (int t = 0; t < TERM_COUNT; t++)
            k->kind_factor[i][t] =
                (c->calibration ? c->kind_factor[i][t] : 1) * fit->kind_factor[i][t];
    k->calibration = "trace";
    return k;
}

/* What no term explains of a kind: measured against the fitted costs. */
typedef struct {
    double ns;    /* on average, of one op */
    double times; /* of all of them */
    size_t ops;
} Rest;

/* From so many ops on a fit tells what grows with the work: the rest is the same for each.  Of
 * fewer it is not known, and is taken to grow. */
enum { REST_OPS = 3 };

static void kind_rests(const Program *base, const Prediction *pure, const Reconciliation *r,
                       Rest rest[LOWOP_KIND_COUNT])
{
    double measured[LOWOP_KIND_COUNT] = {0}, predicted[LOWOP_KIND_COUNT] = {0};
    memset(rest, 0, LOWOP_KIND_COUNT * sizeof *rest);
    for (size_t i = 0; i < base->nop; i++) {
        if (!r->op[i].count)
            continue;
        LowOpKind k = base->op[i].kind;
        measured[k] += (double)r->op[i].median_ns;
        predicted[k] += pure->op[i].total_ns.mid;
        rest[k].ops++;
    }
    for (int k = 0; k < LOWOP_KIND_COUNT; k++) {
        bool known = measured[k] > 0 && predicted[k] > 0;
        rest[k].times = known ? measured[k] / predicted[k] : 1;
        rest[k].ns = known ? (measured[k] - predicted[k]) / (double)rest[k].ops : 0;
    }
}

/* A rest takes at most this share of an op away. */
#define REST_MOST 0.5

static double with_rest(const Rest *rest, double ns)
{
    return rest->ops < REST_OPS ? rest->times : fmax(1 - REST_MOST, 1 + rest->ns / ns);
}

static void scale_op(OpPrediction *op, double k)
{
    op->total_ns = interval_scale(op->total_ns, k);
    op->load_ns *= k;
    op->compute_ns *= k;
    op->store_ns *= k;
    op->mac_ns *= k;
    op->vector_ns *= k;
    op->fixed_ns *= k;
    op->memory_ns *= k;
    op->utilisation = k > 0 ? op->utilisation / k : 0;
}

static void carry_ops(const Program *v, const bool *matched, const Rest rest[LOWOP_KIND_COUNT],
                      Prediction *t)
{
    for (size_t i = 0; i < v->nstep; i++) {
        const Step *s = &v->step[i];
        double before = 0, after = 0;
        for (LowOpId k = s->first_op; s->kind == STEP_NPU && k < s->first_op + s->nop; k++) {
            double ns = t->op[k].total_ns.mid;
            before += ns;
            if (!matched[k] && ns > 0)
                scale_op(&t->op[k], with_rest(&rest[v->op[k].kind], ns));
            after += t->op[k].total_ns.mid;
        }
        if (before > 0)
            t->step[i].total_ns = interval_scale(t->step[i].total_ns, after / before);
    }
}

void carry_over(const Program *baseline, const Prediction *pure, const Reconciliation *r,
                const Program *variant, const Costs *c, const bool *step_matched,
                const bool *op_matched, Prediction *t)
{
    Rest rest[LOWOP_KIND_COUNT];
    kind_rests(baseline, pure, r, rest);
    carry_ops(variant, op_matched, rest, t);
    carry_steps(baseline, pure, r, variant, c, step_matched, t);
}
