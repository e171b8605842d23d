/* Compares runs of consecutive prefixes, and drops changes that save nothing. */
#include "advisor/candidate/search/plan_verify.h"

#include "cost_model/interval.h"

static double share_of(const PlanRow *x)
{
    return x->verified.n ? x->verified.share.mid : 0;
}

/* ---- rows ---- */

static double saved_by(const PlanSet *s, const Plan *p, size_t i)
{
    bool latency = s->goal.objective == OBJECTIVE_LATENCY;
    double now = latency ? s->now.latency_ns : s->now.per_s;
    double before = i ? plan_run_left(s, p, share_of(&p->row[i - 1])) : now;
    double saved = before - plan_run_left(s, p, share_of(&p->row[i]));
    return latency ? saved : -saved;
}

/* An end of the step's interval, in proportion to its middle. */
static double scaled_end(const Verified *step, double end, double mid)
{
    return step->median != 0 ? mid * end / step->median : mid;
}

static void set_run_rows(const PlanSet *s, Plan *p)
{
    for (size_t i = 0; i < p->nrow; i++) {
        PlanRow *x = &p->row[i];
        double mid = saved_by(s, p, i);
        double lo = scaled_end(&x->step, x->step.lo, mid),
               hi = scaled_end(&x->step, x->step.hi, mid);
        x->merged = false;
        x->saves = (Interval){fmin(mid, fmin(lo, hi)), mid, fmax(mid, fmax(lo, hi))};
    }
    plan_merge_rows(p);
}

/* Divides the saving of the whole plan's run by the predicted shares. */
static void scale_rows(const PlanSet *s, Plan *p)
{
    double predicted = 0, run = plan_saves(s, p);
    for (size_t i = 0; i < p->nrow; i++)
        predicted += p->row[i].saves.mid;
    for (size_t i = 0; i < p->nrow && predicted > 0; i++)
        p->row[i].saves = interval_scale(p->row[i].saves, run / predicted);
}

/* ---- one plan ---- */

/* Whether all prefixes and the plan were run. */
static bool run_prefixes(Plan *p, Verifier *v)
{
    verify_first(v);
    for (size_t i = 0; i < p->nrow; i++) {
        PlanRow *x = &p->row[i];
        VerifiedStep run = {0};
        p->verdict = verify_step(v, &x->upto, &p->gain, &run, &p->not_run);
        x->verified = run.all;
        x->step = run.step;
        if (x->verified.n == 0)
            return false;
    }
    p->verified = p->row[p->nrow - 1].verified;
    return true;
}

/* A change that others build on stays with them. */
static bool can_leave(const PlanSet *s, const Plan *p, size_t i)
{
    PartSet set = p->point.build->set;
    const PlanRow *x = &p->row[i];
    if (x->part)
        set.way[x->part - s->space->part] = SET_LEFT;
    return space_fits(s->space, &set);
}

static TunePoint point_without(PlanSet *s, const TunePoint *p, const PlanRow *x)
{
    PartSet set = p->build->set;
    int pe = p->build->pe, workers = p->workers;
    int64_t batch = p->build->batch;
    if (x->part)
        set.way[x->part - s->space->part] = SET_LEFT;
    else if (x->axis == AXIS_TARGET)
        pe = (int)x->now;
    else if (x->axis == AXIS_BATCH)
        batch = x->now;
    else if (x->axis == AXIS_WORKERS)
        workers = (int)x->now;
    return front_point(s->space, search_add(&s->search, &set, pe, batch), workers, p->devices);
}

/* It saved nothing, or asks for something and saved so little that the plan without it counts as
 * fast and the runs scatter more. */
static bool is_idle(const PlanRow *row)
{
    const Verified *step = &row->step; /* pair by pair: shares of two medians scatter more */
    double share = step->before > 0 ? step->median / step->before : 0;
    return share <= NOTHING_SHARE || (row->needs && share < SEARCH_AS_GOOD && step->lo <= 0);
}

/* Leaves out rows whose prefix ran no better than the one before; false: none. */
static bool drop_idle_rows(PlanSet *s, Plan *p)
{
    TunePoint point = p->point;
    bool any = false;
    for (size_t i = 0; i < p->nrow; i++) {
        if (!is_idle(&p->row[i]) || !can_leave(s, p, i) || (i + 1 < p->nrow && p->row[i].merged))
            continue;
        if (p->row[i].part)
            *VEC_PUSH(s->a, s->no_gain, s->nno_gain, s->no_gain_cap) = p->row[i].part->proposal;
        point = point_without(s, &point, &p->row[i]);
        any = true;
    }
    if (any)
        *p = plan_of_point(s, p->route, &point);
    return any;
}

static void verify_plan(PlanSet *s, Plan *p, Verifier *v)
{
    bool prefixes = !verifier_is_named(v);
    if (!prefixes)
        p->verdict = verify_attempt(v, &p->settings, &p->gain, &p->verified, &p->not_run);
    bool ran = prefixes ? run_prefixes(p, v) : p->verified.n > 0;
    while (ran && prefixes && drop_idle_rows(s, p))
        ran = p->nrow > 0 && run_prefixes(p, v);
    if (!ran)
        return;
    plan_set_run(s, p);
    if (prefixes)
        set_run_rows(s, p);
    else
        scale_rows(s, p);
}

/* Without a trace, now is what the baseline took in the runs. */
static void take_run_baseline(PlanSet *s)
{
    for (size_t i = 0; i < s->nplan && s->now.source == SOURCE_PREDICTED; i++) {
        const Plan *p = &s->plan[i];
        const PlanRow *x = p->nrow ? &p->row[0] : NULL;
        const Verified *m = x && x->verified.n ? &x->verified : &p->verified;
        double in_flight = s->search.baseline.build->images * s->search.baseline.workers;
        if (m->n == 0 || !(m->before > 0))
            continue;
        bool latency = s->goal.objective == OBJECTIVE_LATENCY;
        s->now.source = m->simulated ? SOURCE_SIMULATED : SOURCE_MEASURED;
        s->now.latency_ns = latency ? m->before : 1e9 * in_flight / m->before;
        s->now.per_s = latency ? 1e9 * in_flight / m->before : m->before;
        s->now.unattributed_ns = 0;
    }
}

/* The first run of a plan tells what now is; figures that came before are set anew. */
static void set_again(PlanSet *s)
{
    for (size_t i = 0; i < s->nplan; i++) {
        Plan *p = &s->plan[i];
        if (p->verified.n == 0) {
            plan_set_predicted(s, p);
            continue;
        }
        plan_set_run(s, p);
        if (p->row[0].verified.n)
            set_run_rows(s, p);
        else
            scale_rows(s, p);
    }
}

void plan_verify(PlanSet *s, Verifier *v, double min_share)
{
    for (size_t i = 0; i < s->nplan; i++)
        verify_plan(s, &s->plan[i], v);
    if (s->now.source == SOURCE_PREDICTED) {
        take_run_baseline(s);
        set_again(s);
    }
    plan_choose(s, min_share);
}
