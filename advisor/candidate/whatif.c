/* Compiles and times one trial at a time, and chooses the workers that it is compared with. */
#include "advisor/candidate/whatif.h"

#include "advisor/candidate/removal_bound.h"
#include "advisor/candidate/cut_cost.h"
#include "advisor/candidate/layout_cost.h"
#include "cost_model/interval.h"
#include "cost_model/queueing.h"
#include "cost_model/replay/replay.h"
#include "graph/base/notes.h"
#include "graph/compile/compile.h"
#include "graph/compile/program.h"

/* The best worker count is this multiple of the bound's: more do not help (the bounds of a closed
 * network meet there), and the count no longer decides between variants. */
enum { BEST_WORKERS_FACTOR = 2 };

/* Notes of a trial are dropped: the baseline has the same. */
static Status compile_variant(const WhatIf *w, Trial *t, Diag *diag)
{
    Notes ignored;
    notes_init(&ignored, t->arena);
    return compile_model(t->arena, w->model, w->machine, &t->variant.compile, &ignored, &t->program,
                         diag);
}

static Prediction *replay_trial(const WhatIf *w, const Trial *t)
{
    const Program *baseline = w->baseline.program ? w->baseline.program : t->program;
    return replay(t->arena, baseline, w->rec, t->program, w->costs, &t->variant.run);
}

static void time_variant(const WhatIf *w, Trial *t)
{
    t->time = replay_trial(w, t);
    if (!t->variant.nwithout && !t->variant.without_borders)
        return;
    removal_bound_apply(&(RemovalBound){t->program, w->costs, &t->variant, false}, t->time);
    t->most = replay_trial(w, t);
    removal_bound_apply(&(RemovalBound){t->program, w->costs, &t->variant, true}, t->most);
}

/* Little's law: requests in flight = rate * time of one. */
double trial_latency_ns(const Trial *t)
{
    double per_s = t->time->throughput_per_s.mid / predict_images(t->program, &t->variant.run);
    return per_s > 0 ? t->variant.run.workers * 1e9 / per_s : 0;
}

static void time_with_workers(const WhatIf *w, Trial *t, int n)
{
    t->variant.run.workers = n;
    predict_totals(t->program, w->costs, &t->variant.run, t->time);
    if (t->most)
        predict_totals(t->program, w->costs, &t->variant.run, t->most);
}

static int enough_workers(const WhatIf *w, const Trial *t, double share)
{
    QueueDemand d = predict_demand(t->program, &t->variant.run, t->time);
    return queueing_workers_for(&d, share, predict_worker_cap(t->program, w->costs));
}

static void keep_latency_limit(const WhatIf *w, Trial *t)
{
    while (w->latency_limit_ns && t->variant.run.workers > 1 &&
           trial_latency_ns(t) > (double)w->latency_limit_ns)
        time_with_workers(w, t, t->variant.run.workers - 1);
}

/* For throughput without --workers: as many workers as help within the latency limit. */
static void use_best_workers(const WhatIf *w, Trial *t)
{
    if (w->objective != OBJECTIVE_THROUGHPUT || t->variant.run.workers_given)
        return;
    int cap = predict_worker_cap(t->program, w->costs);
    int n = BEST_WORKERS_FACTOR * enough_workers(w, t, 1);
    if (n < w->at_best.variant.run.workers) /* a variant that needs fewer may keep what it has */
        n = w->at_best.variant.run.workers;
    time_with_workers(w, t, n < cap ? n : cap);
    keep_latency_limit(w, t);
}

void trial_choose_workers(const WhatIf *w, Trial *t)
{
    time_with_workers(w, t, enough_workers(w, t, QUEUE_ENOUGH_SHARE));
    keep_latency_limit(w, t);
}

void trial_choose_workers_for(const WhatIf *w, Trial *t, double per_s)
{
    int cap = predict_worker_cap(t->program, w->costs);
    int most = BEST_WORKERS_FACTOR * enough_workers(w, t, 1);
    trial_choose_workers(w, t);
    while (t->time->throughput_per_s.mid < per_s && t->variant.run.workers < most &&
           t->variant.run.workers < cap)
        time_with_workers(w, t, t->variant.run.workers + 1);
    keep_latency_limit(w, t);
}

/* A copy of a trial with its own times. */
static Trial view_of(const WhatIf *w, const Trial *t)
{
    Trial v = {arena_new(0), t->variant, t->program, NULL, NULL};
    time_variant(w, &v);
    return v;
}

void whatif_open(WhatIf *w, const Variant *v, Program *program, Prediction *time)
{
    w->baseline = (Trial){arena_new(0), *v, program, time, NULL};
    w->at_best = view_of(w, &w->baseline);
    use_best_workers(w, &w->at_best);
}

void whatif_close(WhatIf *w)
{
    trial_free(&w->baseline);
    trial_free(&w->at_best);
}

void trial_free(Trial *t)
{
    arena_free(t->arena);
    *t = (Trial){0};
}

/* True if only bounds are set, which do not change the program. */
static bool compiles_alike(const LeverSetting *set, size_t nset)
{
    for (size_t i = 0; i < nset; i++)
        if (set[i].lever != LEVER_WITHOUT)
            return false;
    return true;
}

/* The application's additional work in the trial. */
static Interval outside_ns(const WhatIf *w, const Trial *t)
{
    Interval ns = layout_cost_ns(t->program, w->baseline.program, w->baseline.time, w->costs);
    if (t->variant.without_borders)
        ns.hi += layout_cost_boundary_ns(w->baseline.program, w->baseline.time);
    if (t->variant.compile.nedit)
        ns = interval_add(
            ns, cut_cost_ns(t->arena, w->baseline.program->model, &t->variant.compile, w->costs));
    return ns;
}

Status whatif_try(const WhatIf *w, const LeverSetting *set, size_t nset, Trial *ret, Diag *diag)
{
    Trial t = {.arena = arena_new(0), .variant = w->baseline.variant};
    Status st = STATUS_OK;
    for (size_t i = 0; i < nset && !st; i++)
        st = variant_apply(t.arena, &t.variant, w->model, &set[i], diag);
    t.program = w->baseline.program;
    if (!st && !compiles_alike(set, nset))
        st = compile_variant(w, &t, diag);
    if (st) {
        trial_free(&t);
        return st;
    }
    t.variant.run.behind_ns = outside_ns(w, &t);
    time_variant(w, &t);
    use_best_workers(w, &t);
    *ret = t;
    return STATUS_OK;
}

/* A trial with a given worker count is compared with the baseline as run, others with its best. */
const Trial *whatif_reference(const WhatIf *w, const Trial *t)
{
    bool as_run = t->variant.run.workers_given || w->objective == OBJECTIVE_LATENCY;
    return as_run ? &w->baseline : &w->at_best;
}
