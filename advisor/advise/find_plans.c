/* Searches, measures accuracy and searches again without what loses too much, then runs. */
#include "advisor/advise/find_plans.h"

#include "advisor/advise/measure_advice.h"
#include "advisor/advise/rematch.h"
#include "advisor/advise/run_notes.h"
#include "advisor/candidate/search/plan.h"
#include "advisor/candidate/search/plan_verify.h"
#include "advisor/candidate/verify.h"
#include "cost_model/evidence_grade.h"
#include "trace/stats/load.h"

/* The measured values; missing ones are filled in as predicted. */
static PlanNow measured_now(const AdviseRun *run)
{
    const Reconciliation *r = run->rec;
    if (!r || evidence_is_foreign(r) || evidence_lacks_npu(r) || r->latency.median_ns <= 0)
        return (PlanNow){.source = SOURCE_PREDICTED};
    double rate = trace_load(run->stats).per_s * (double)run->program->images;
    return (PlanNow){.latency_ns = (double)r->latency.median_ns,
                     .per_s = rate > 0 ? rate : 1e9 / (double)r->latency.median_ns,
                     .source = SOURCE_MEASURED,
                     .unattributed_ns = (double)r->unattributed_ns,
                     .noise = (double)(r->latency.hi_ns - r->latency.lo_ns) /
                              (double)r->latency.median_ns};
}

/* The least share of now that a plan saves: --min-share, and --min-gain where it is given. */
static double plan_share(const AdviseRun *run)
{
    const AdviseRequest *q = run->request;
    double now = measured_now(run).latency_ns;
    if (!(now > 0))
        now = run->time->latency_ns.mid;
    bool least = q->min_gain_given && q->objective == OBJECTIVE_LATENCY && now > 0;
    return least ? fmax(q->min_share, fmin(1, (double)q->min_gain_ns / now)) : q->min_share;
}

static void search_plans(AdviseRun *run, const PlanSearch *search)
{
    const AdviseRequest *q = run->request;
    PlanRequest of = {.w = &run->whatif,
                      .proposal = run->proposal,
                      .nproposal = run->nproposal,
                      .said = &q->baseline,
                      .needs = q->needs,
                      .goal = {q->objective, (double)q->latency_limit_ns},
                      .now = measured_now(run),
                      .work = search->work,
                      .cards = search->rate.images_per_s > 0,
                      .allow_sdk = q->allow_sdk,
                      .min_share = plan_share(run),
                      .watch = search->watch};
    plan_find(&run->plans, run->arena, &of);
}

/* The plan that serves a rate with the fewest cards, needs and workers takes the place of all. */
static void serve_rate(AdviseRun *run, const PlanSearch *search)
{
    PlanSet *s = &run->plans;
    run->rate = search->rate;
    if (!(run->rate.images_per_s > 0))
        return;
    run->capacity = capacity_find(&s->search, s->space, &run->rate);
    s->nplan = s->recommended = 0;
    if (!run->capacity.found)
        return;
    const TunePoint *p = &run->capacity.point;
    s->plan[0] = plan_of_point(s, route_of_needs(p->needs), p);
    s->nplan = s->plan[0].nrow > 0;
}

/* Searches again with the changes that the edits of the plans make possible. */
static void search_again(AdviseRun *run, const PlanSearch *search)
{
    bool any = false;
    for (size_t i = 0; i < run->plans.nplan; i++)
        if (run->plans.plan[i].route != ROUTE_RETRAIN)
            any |= rematch_plan(run, &run->plans.plan[i]);
    if (any)
        search_plans(run, search);
}

static void search_within_loss(AdviseRun *run, const PlanSearch *search, AccuracyBench *b)
{
    for (size_t round = 0; round <= run->nproposal; round++) {
        search_plans(run, search);
        if (round == 0)
            search_again(run, search);
        serve_rate(run, search);
        const PlanNow *now = &run->plans.now;
        run->plans.unattributed =
            now->source == SOURCE_MEASURED && now->unattributed_ns > now->latency_ns / 2;
        if (run->plans.unattributed || run->time->nunknown == run->program->nstep)
            run->plans.nplan = run->plans.recommended = 0;
        if (!b || !measure_plans(run, b))
            break;
    }
}

/* ---- runs ---- */

/* The user data of run_served. */
typedef struct {
    AdviseRun *run;
    Verifier *verifier;
} Served;

static bool run_served(void *user, const TunePoint *p, Interval *ret_ns)
{
    Served *s = user;
    const CapacityGoal *g = &s->run->rate;
    OpenLoop q = {g->images_per_s / p->build->images, g->equal_gaps, g->quantile};
    Plan plan = plan_of_point(&s->run->plans, ROUTE_SAME_OUTPUTS, p);
    Diag why;
    *ret_ns = (Interval){0, 0, 0};
    return verify_open_loop(s->verifier, &plan.settings, &q, ret_ns, &why) == STATUS_OK;
}

static void run_capacity(AdviseRun *run, Verifier *v)
{
    PlanSet *s = &run->plans;
    Served served = {run, v};
    capacity_run(&run->capacity, &s->search, s->space, &run->rate, verifier_is_named(v), run_served,
                 &served);
    run->capacity.runner = verifier_name(v);
    if (s->nplan && run->capacity.found)
        s->plan[0] = plan_of_point(s, s->plan[0].route, &run->capacity.point);
}

/* Traces the recommended plan for the page. */
static void trace_recommended_run(AdviseRun *run, Verifier *v)
{
    const Plan *p = plan_recommended(&run->plans);
    Diag ignored = {0}; /* it has run before; without it the page has the prediction */
    if (!run->request->pictures || !p || p->verified.n == 0 || !p->verified.simulated)
        return;
    if (verify_watch(v, &p->settings, &run->watched, &run->watched_stats, &ignored))
        run->watched = (Trial){0};
}

static void note_not_run(AdviseRun *run)
{
    for (size_t i = 0; i < run->plans.nplan; i++) {
        const Plan *p = &run->plans.plan[i];
        if (p->not_run)
            notes_add(run->notes, arena_printf(run->arena, "not-verifiable-%s", p->id),
                      phrase_arg(PHRASE_NOTE_PLAN_NOT_RUN), arg_text(p->id),
                      arg_message(p->not_run));
    }
}

static Status run_plans(AdviseRun *run, Diag *diag)
{
    const AdviseRequest *q = run->request;
    const VerifyRequest of = {&run->whatif, q->model_path, q->runner, q->helper, q->runs, q->seed};
    Verifier *v = NULL;
    Status st = verifier_open(run->arena, &of, &v, diag);
    if (st)
        return st;
    if (run->rate.images_per_s > 0)
        run_capacity(run, v);
    else
        plan_verify(&run->plans, v, plan_share(run));
    trace_recommended_run(run, v);
    note_not_run(run);
    if (verifier_failure(v))
        run_rules_incomplete(&run->rules, run->arena, RESULT_INCOMPLETE_KIND_RUNNER,
                             message_verbatim(run->arena, verifier_failure(v)));
    verifier_close(v);
    run_notes_verified(run);
    return STATUS_OK;
}

Status find_plans(AdviseRun *run, const PlanSearch *search, Diag *diag)
{
    const AdviseRequest *q = run->request;
    AccuracyBench *b = q->data ? measure_open_bench(run) : NULL;
    search_within_loss(run, search, b);
    accuracy_close(b);
    Status st = q->verify ? run_plans(run, diag) : STATUS_OK;
    run->outcomes = outcomes_of(run->arena, &run->plans, run->proposal, run->nproposal,
                                (Thresholds){q->min_share, q->min_gain_ns});
    return st;
}
