/* Tune. */
#include "advisor/tune/tune.h"

#include "advisor/try/whatif.h"
#include "advisor/tune/parts.h"
#include "cost_model/predict.h"
#include "graph/compile/machine.h"

#include <math.h>
#include <string.h>

static void add(Attempt *t, Arena *a, Axis axis, int value)
{
    t->set[t->nset++] = (LeverSetting){axis_lever(axis), "", arena_printf(a, "%d", value), false};
}

/* Those of the build, then those of the run. */
static Attempt settings_of(Arena *a, const Space *s, const TunePoint *p)
{
    const Variant *now = &s->w->baseline.variant;
    int depth = now->run.queue_depth;
    Attempt build = space_settings(a, s, &p->build->set, p->build->pe, p->build->batch);
    Attempt t = {ARENA_ARRAY(a, LeverSetting, build.nset + AXIS_COUNT), build.nset};
    memcpy(t.set, build.set, build.nset * sizeof *t.set);
    if (p->workers != now->run.workers)
        add(&t, a, AXIS_WORKERS, p->workers);
    if (s->open[AXIS_DEPTH] && depth > 0 && depth < p->workers)
        add(&t, a, AXIS_DEPTH, p->workers);
    if (p->devices != now->run.devices)
        add(&t, a, AXIS_DEVICES, p->devices);
    return t;
}

/* A positive figure that may be so much less: as many times less as it may be more. */
static double below(double mid, double by)
{
    return mid > 0 && by > 0 ? mid / (1 + by / mid) : mid;
}

/* The ends of the objective after a change: what both variants have in common is off together, but
 * what one batch or mode says of another is known less well than what is counted within one. */
static Interval widened(const WhatIf *w, const Trial *t, Objective o)
{
    WhatIf as = *w;
    as.objective = o;
    Interval x = prediction_objective(t->time, o), g = whatif_gain_over(&as, &w->baseline, t).gain;
    bool latency = o == OBJECTIVE_LATENCY;
    double less = latency ? g.hi - g.mid : g.mid - g.lo,
           more = latency ? g.mid - g.lo : g.hi - g.mid;
    return (Interval){fmin(x.lo, below(x.mid, less)), x.mid, fmax(x.hi, x.mid + more)};
}

/* Of one request while all are busy: where its middle is that of a request alone, so are its ends;
 * else they are those of the rate. */
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
    if (build_trial(s->builds, t->point.build, t->point.workers, t->point.devices, &trial, &why))
        return; /* it was compiled before */
    t->per_s = widened(w, &trial, OBJECTIVE_THROUGHPUT);
    t->latency_ns = latency_of(&t->point, widened(w, &trial, OBJECTIVE_LATENCY), t->per_s);
    t->gain = whatif_gain_over(w, &w->baseline, &trial);
    trial_free(&trial);
}

static TunedPoint tuned(Arena *a, const Space *s, const Search *x, const Goal *g, TunePoint p)
{
    TunedPoint t = {.point = p, .settings = settings_of(a, s, &p)};
    predict_point(&t, x, s->w);
    parts_of(&t, a, x->builds, g);
    return t;
}

static bool same_point(const TunePoint *x, const TunePoint *y)
{
    return x->build == y->build && x->workers == y->workers && x->devices == y->devices;
}

/* The choice is on the picture too, where it belongs by its throughput. */
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

void tune_run(Tune *ret, Arena *a, const Space *s, const Goal *g, const PlanGoal *rate,
              const double *known, size_t n, TuneWatch watch)
{
    Search *search = ARENA_NEW(a, Search);
    search_run(search, a, s, g, known, n, watch);
    *ret = (Tune){.space = s, .goal = *g, .rate = *rate, .search = search};
    if (rate->images_per_s > 0) {
        ret->plan = plan_find(search, s, rate);
        search->found = ret->plan.found;
        search->chosen = ret->plan.point;
    }
    TunePoint *point = points_shown(a, search, &ret->nfront);
    ret->front = ARENA_ARRAY(a, TunedPoint, ret->nfront + 1);
    ret->chosen = ret->nfront;
    for (size_t i = 0; i < ret->nfront; i++) {
        ret->front[i] = tuned(a, s, search, g, point[i]);
        if (search->found && same_point(&point[i], &search->chosen))
            ret->chosen = i;
    }
    ret->baseline = tuned(a, s, search, g, search->baseline);
}
