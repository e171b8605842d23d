/* Runs the search, predicts each point of the front in full, and chooses again after runs. */
#include "advisor/candidate/search/tune.h"

#include "advisor/candidate/whatif.h"
#include "advisor/candidate/search/contenders.h"
#include "advisor/candidate/search/seed.h"
#include "advisor/candidate/search/parts.h"
#include "advisor/rules/lever.h"
#include "cost_model/interval.h"
#include "cost_model/predict.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static void add_run_setting(Attempt *t, LeverId lever, int value)
{
    t->set[t->nset++] = (LeverSetting){.lever = lever, .value = lever_number(value)};
}

/* Those of the build, then those of the run. */
static Attempt settings_of(Arena *a, const Space *s, const TunePoint *p)
{
    const Variant *now = &s->w->baseline.variant;
    Attempt build = space_settings(a, s, &p->build->set, p->build->pe, p->build->batch);
    Attempt t = {ARENA_ARRAY(a, LeverSetting, build.nset + AXIS_COUNT), build.nset};
    memcpy(t.set, build.set, build.nset * sizeof *t.set);
    if (p->workers != now->run.workers)
        add_run_setting(&t, LEVER_WORKERS, p->workers);
    if (space_queue_depth(s, p->workers))
        add_run_setting(&t, LEVER_QUEUE_DEPTH, p->workers);
    if (p->devices != now->run.devices)
        add_run_setting(&t, LEVER_DEVICES, p->devices);
    return t;
}

/* The lower end of a positive figure: smaller by the same factor as it may be larger. */
static double proportional_lower(double mid, double by)
{
    return mid > 0 && by > 0 ? mid / (1 + by / mid) : mid;
}

/* The interval of the objective after a change: shared errors cancel, but differences between
 * batches or modes are known less well than those within one. */
static Interval widen_objective(const WhatIf *w, const Trial *t, Objective o)
{
    WhatIf as = *w;
    as.objective = o;
    Interval x = prediction_objective(t->time, o), g = whatif_gain_over(&as, &w->baseline, t).gain;
    bool latency = o == OBJECTIVE_LATENCY;
    double less = latency ? g.hi - g.mid : g.mid - g.lo,
           more = latency ? g.mid - g.lo : g.hi - g.mid;
    return (Interval){fmin(x.lo, proportional_lower(x.mid, less)), x.mid, fmax(x.hi, x.mid + more)};
}

/* The interval of a single request where the middles agree, else that of the rate. */
static Interval latency_of(const TunePoint *p, Interval alone, Interval rate)
{
    if (p->latency_ns <= alone.mid)
        return alone;
    double least = p->latency_ns * rate.mid / rate.hi,
           most = rate.lo > 0 ? p->latency_ns * rate.mid / rate.lo : p->latency_ns;
    return (Interval){fmin(p->latency_ns, fmax(alone.lo, least)), p->latency_ns,
                      fmax(alone.hi, most)};
}

static void predict_point(TunedPoint *t, const Search *s, const WhatIf *w)
{
    Trial trial;
    Diag why;
    if (builds_trial(s->builds, t->point.build, t->point.workers, t->point.devices, &trial, &why))
        return; /* it was compiled before */
    t->per_s = widen_objective(w, &trial, OBJECTIVE_THROUGHPUT);
    t->latency_ns = latency_of(&t->point, widen_objective(w, &trial, OBJECTIVE_LATENCY), t->per_s);
    t->gain = whatif_gain_over(w, &w->baseline, &trial);
    trial_free(&trial);
}

static bool same_point(const TunePoint *x, const TunePoint *y)
{
    return x->build == y->build && x->workers == y->workers && x->devices == y->devices;
}

/* Attributing the improvement needs compiling: after SEARCH_NEAR only the choice gets it. */
static TunedPoint describe_point(Arena *a, const Tune *t, TunePoint p)
{
    TunedPoint x = {.point = p, .settings = settings_of(a, t->space, &p)};
    bool chosen = t->search->found && same_point(&p, &t->search->chosen);
    predict_point(&x, t->search, t->space->w);
    parts_of(&x, a, t->search->builds, &t->goal,
             !t->search->searched.near ? SHARES_FULL
             : chosen                  ? SHARES_FAST
                                       : SHARES_NONE);
    return x;
}

/* Inserts the choice by its throughput. */
static TunePoint *points_shown(Arena *a, const Search *s, size_t *ret_count)
{
    size_t n = 0, shown = 0;
    const TunePoint *found = front_of(a, &s->points, &n);
    TunePoint *list = ARENA_ARRAY(a, TunePoint, n + 1);
    bool put = !s->found;
    for (size_t i = 0; i < n; i++) {
        const TunePoint *p = &found[i];
        if (!put && (same_point(p, &s->chosen) || p->per_s >= s->chosen.per_s)) {
            list[shown++] = s->chosen;
            put = true;
        }
        if (!s->found || !same_point(p, &s->chosen))
            list[shown++] = *p;
    }
    if (!put)
        list[shown++] = s->chosen;
    *ret_count = shown;
    return list;
}

static const Space *space_of(Arena *a, const TuneRequest *q)
{
    Space *s = ARENA_NEW(a, Space);
    SpaceLimits limits = {.said = q->said,
                          .effort = q->effort,
                          .cards = q->rate.images_per_s > 0,
                          .most_sets = q->reach == SEARCH_ALL ? SETS_MAX : 0};
    space_init(s, a, q->w, q->book, q->proposal, q->nproposal, limits);
    return s;
}

static void add_point(Tune *t, Arena *a, TunePoint p)
{
    if (t->search->found && same_point(&p, &t->search->chosen))
        t->chosen = t->nfront;
    t->front[t->nfront++] = describe_point(a, t, p);
}

static void add_front(Tune *t, Arena *a, bool all)
{
    size_t n = 0;
    TunePoint *point = points_shown(a, t->search, &n);
    t->front = ARENA_ARRAY(a, TunedPoint, n + 1);
    t->chosen = SIZE_MAX;
    for (size_t i = 0; i < n; i++)
        if (all || (t->search->found && same_point(&point[i], &t->search->chosen)))
            add_point(t, a, point[i]);
    if (t->chosen == SIZE_MAX)
        t->chosen = t->nfront;
}

/* True if larger batches are shown after the front: for maximum throughput over the whole space. */
static bool ends_open(const Tune *t)
{
    return t->nfront && t->goal.objective == OBJECTIVE_THROUGHPUT && !(t->goal.limit_ns > 0) &&
           !t->search->searched.near && !(t->rate.images_per_s > 0);
}

static void add_contenders(Tune *t, Arena *a, size_t most)
{
    size_t n = 0;
    TunePoint *more =
        contenders_of(a, t->search, t->space, &t->front[t->nfront - 1].point, most, &n);
    TunedPoint *all = ARENA_ARRAY(a, TunedPoint, t->nfront + n);
    memcpy(all, t->front, t->nfront * sizeof *all);
    for (size_t i = 0; i < n; i++) {
        all[t->nfront + i] = describe_point(a, t, more[i]);
        all[t->nfront + i].undecided = true;
    }
    t->front = all;
    t->nfront += n;
}

/* Sets the number of workers in any case: else the what-if would choose one. */
static Attempt with_workers(Arena *a, Attempt of, int workers)
{
    Attempt t = {ARENA_ARRAY(a, LeverSetting, of.nset + 1), of.nset};
    memcpy(t.set, of.set, t.nset * sizeof *t.set);
    if (attempt_setting(&t, LEVER_WORKERS))
        return t;
    add_run_setting(&t, LEVER_WORKERS, workers);
    return t;
}

/* The user data of run_served. */
typedef struct {
    Arena *a;
    const Tune *t;
    Verifier *v;
} Served;

static bool run_served(void *user, const TunePoint *p, Interval *ret_ns)
{
    Served *s = user;
    const CapacityGoal *g = &s->t->rate;
    OpenLoop q = {g->images_per_s / p->build->images, g->equal_gaps, g->quantile};
    Attempt all = with_workers(s->a, settings_of(s->a, s->t->space, p), p->workers);
    Diag why;
    *ret_ns = (Interval){0, 0, 0};
    return verify_open_loop(s->v, &all, &q, ret_ns, &why) == STATUS_OK;
}

static void run_plan(Tune *t, Arena *a, Verifier *v)
{
    Served s = {a, t, v};
    capacity_run(&t->plan, t->search, t->space, &t->rate, verifier_is_named(v), run_served, &s);
    t->plan.runner = verifier_name(v);
}

void tune_run(Tune *ret, Arena *a, const TuneRequest *q)
{
    Search *search = ARENA_NEW(a, Search);
    const Space *s = space_of(a, q);
    SearchFrom from = {
        .reach = q->reach, .curves = q->front, .seed = seed_from_advice(a, s, q->list)};
    from.known = seed_values(a, s, q->proposal, q->nproposal, q->list, &from.nknown);
    search_run(search, a, s, &q->goal, &from, q->watch);
    *ret = (Tune){.space = s, .goal = q->goal, .rate = q->rate, .search = search};
    if (q->rate.images_per_s > 0) {
        ret->plan = capacity_find(search, s, &q->rate);
        if (q->verifier)
            run_plan(ret, a, q->verifier);
        search->found = ret->plan.found;
        search->chosen = ret->plan.point;
    }
    add_front(ret, a, q->front);
    if (q->front && ends_open(ret))
        add_contenders(ret, a, q->verifier ? CONTENDERS_RUN : CONTENDERS_SHOWN);
    assert(ret->chosen <= ret->nfront);
    ret->predicted = ret->chosen;
    ret->baseline = describe_point(a, ret, search->baseline);
}

void tune_verify(Arena *a, TunedPoint *p, Verifier *v, const Message **ret_why)
{
    Attempt all = with_workers(a, p->settings, p->point.workers);
    if (p->npart)
        p->verdict = verify_attempt(v, &all, &p->gain, 0, &p->verified, ret_why);
}

/* ---- by runs ---- */

Interval tune_run_interval(const Tune *t, const TunedPoint *p)
{
    const Verified *v = &p->verified;
    if (v->n == 0)
        return interval_exact(0);
    double sign = t->goal.objective == OBJECTIVE_LATENCY ? -1 : 1;
    /* Shares of each run's own baseline: no result is negative. */
    double a = v->before * (1 + sign * v->share.lo), b = v->before * (1 + sign * v->share.hi);
    return (Interval){fmin(a, b), v->before * (1 + sign * v->share.mid), fmax(a, b)};
}

/* The baseline ran beside each of the others. */
static double value_as_run(const Tune *t, const TunedPoint *p)
{
    double sum = 0;
    size_t n = 0;
    if (p->npart)
        return tune_run_interval(t, p).mid;
    for (size_t i = 0; i < t->nfront; i++)
        if (t->front[i].verified.n) {
            sum += t->front[i].verified.before;
            n++;
        }
    return n ? sum / (double)n : 0;
}

/* With a fixed number of requests in flight, latency is inverse to the rate. */
static bool keeps_as_run(const Tune *t, const TunedPoint *p, double value)
{
    bool rate = t->goal.objective == OBJECTIVE_THROUGHPUT;
    double ns = rate ? p->point.latency_ns * p->point.per_s / value : value;
    return front_meets_limit(&p->point, &t->goal) &&
           (!(t->goal.limit_ns > 0) || ns <= t->goal.limit_ns);
}

/* Accuracy was measured of the changes of one choice. */
static bool is_candidate(const Tune *t, const TunedPoint *p)
{
    const TunedPoint *now = &t->front[t->predicted];
    bool other = memcmp(&p->point.build->set, &now->point.build->set, sizeof(PartSet)) != 0;
    double value = value_as_run(t, p);
    return value > 0 && !(now->accuracy.known && other) && keeps_as_run(t, p, value);
}

/* True for a measured result within the tolerance of the best. */
static bool is_close(const Tune *t, const TunedPoint *p, double best)
{
    double value = value_as_run(t, p);
    return t->goal.objective == OBJECTIVE_LATENCY ? value <= best * (1 + RUNS_TOLERANCE)
                                                  : value >= best * (1 - RUNS_TOLERANCE);
}

/* Two in a row that ran worse than what ran before them. */
static bool runs_get_worse(const Tune *t, size_t upto)
{
    double best = 0, last[2] = {0};
    for (size_t i = 0; i < upto; i++) {
        best = fmax(best, last[1]);
        last[1] = last[0];
        last[0] = value_as_run(t, &t->front[i]);
    }
    return last[1] > 0 && fmax(last[0], last[1]) < best;
}

bool tune_ends_before(Tune *t, size_t i)
{
    assert(i < t->nfront);
    if (!t->front[i].undecided || !runs_get_worse(t, i))
        return false;
    t->nfront = i;
    return true;
}

static double best_as_run(Tune *t)
{
    double best = 0;
    for (size_t i = 0; i < t->nfront; i++) {
        const TunedPoint *p = &t->front[i];
        double value = value_as_run(t, p);
        t->nrun += value > 0;
        if (is_candidate(t, p) && (!t->nkept++ || front_is_better(t->goal.objective, value, best)))
            best = value;
    }
    return best;
}

void tune_choose_by_runs(Tune *t)
{
    if (t->predicted == t->nfront || t->rate.images_per_s > 0)
        return;
    double best = best_as_run(t);
    size_t chosen = t->nfront;
    for (size_t i = 0; i < t->nfront && t->nkept; i++) {
        const TunedPoint *p = &t->front[i];
        if (!is_candidate(t, p) || !is_close(t, p, best))
            continue;
        bool first = chosen == t->nfront || i == t->predicted;
        if (first ||
            (chosen != t->predicted && front_is_simpler(&p->point, &t->front[chosen].point)))
            chosen = i;
    }
    if (chosen < t->nfront) {
        t->front[chosen].accuracy = t->front[t->predicted].accuracy;
        t->chosen = chosen;
    }
}
