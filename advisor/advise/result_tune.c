/* Builds the plan to deploy for the result, and the document of `npu-advise tune`, with the
 * searched space, the front and the chosen point.
 *
 * docs/schema/tune.json and result.json describe both. */
#include "advisor/advise/result.h"

#include "advisor/rules/lever.h"
#include "advisor/message/phrase.h"
#include "advisor/report/result_json.h"
#include "advisor/candidate/proposal.h"
#include "advisor/candidate/search/space.h"
#include "cost_model/evidence_grade.h"
#include "cost_model/reconcile.h"
#include "graph/compile/machine.h"
#include "graph/compile/options.h"

#include <math.h>

/* ---- points ---- */

static ResultPointOptions point_options(const AdviseRun *run, const Tune *t, const TunePoint *p)
{
    const Variant *now = &t->space->w->baseline.variant;
    TargetText target;
    int set = space_queue_depth(t->space, p->workers), depth = set ? set : now->run.queue_depth;
    const char *name = target_text(&target, now->compile.target_name, p->build->pe);
    return (ResultPointOptions){.target = arena_strdup(run->arena, name),
                                .batch = p->build->batch,
                                .workers = p->workers,
                                .queue_depth = result_int_if(depth > 0, depth),
                                .devices = p->devices};
}

static ResultEffort effort_of(Applicability effort)
{
    return result_word(result_effort_words, applicability_name(effort));
}

/* Its own saving, as in the list; NULL of a setting, and where a limit refused it alone. */
static const ResultPartGain *part_gain(const AdviseRun *run, const TunePart *x)
{
    const ProposalTrial *p = x->change ? &x->change->proposal->point[x->attempt] : NULL;
    Objective objective = run->request->objective;
    if (!p || !p->tried || !p->gain.known)
        return NULL;
    return RESULT_NEW(run->arena, ResultPartGain,
                      {objective == OBJECTIVE_LATENCY ? RESULT_UNIT_NS : RESULT_UNIT_PER_S,
                       result_difference(objective, p->gain.gain)});
}

static const ResultPartWhere *part_where(const AdviseRun *run, const Match *m)
{
    ResultWhere w = result_where(run, &m->place[0]);
    return RESULT_NEW(run->arena, ResultPartWhere, {w.node, w.tensor, w.op, (int64_t)m->nplace});
}

/* What the rule that sets the lever says of risks. */
static const char *axis_risk(const AdviseRun *run, SpaceAxis axis)
{
    for (size_t r = 0; r < run->rules.book.nrule; r++)
        for (size_t t = 0; t < run->rules.book.rule[r].nattempt; t++) {
            const RuleTry *x = &run->rules.book.rule[r].attempt[t];
            for (size_t k = 0; k < x->nset; k++)
                if (x->set[k].lever == space_axis_lever(axis))
                    return rule_text(&run->rules.book.rule[r].risk, run->request->lang);
        }
    return "";
}

static ResultPart change_part(const AdviseRun *run, const TunePart *x)
{
    const Proposal *change = x->change->proposal;
    const Match *m = change->match;
    return (ResultPart){.what = m->title[x->attempt],
                        .effort = effort_of(m->rule->applicability),
                        .rule_id = m->rule->id,
                        .fingerprint = change->fingerprint,
                        .title = m->title[x->attempt],
                        .where = part_where(run, m),
                        .levers =
                            result_levers(run->arena, &m->attempt[x->attempt], RESULT_OWN_SETTINGS),
                        .fix = result_fix(sdk_text(run->variant.compile.sdk), m, x->attempt),
                        .risk = m->risk,
                        .gain = part_gain(run, x)};
}

static ResultPart setting_part(const AdviseRun *run, const Tune *t, const TunePart *x)
{
    Arena *a = run->arena;
    const Lever *lever = &lever_table[space_axis_lever(x->axis)];
    const char *option = arena_printf(a, "--%s %s", lever->name, x->value);
    unsigned where = result_word(result_fix_where_words, lever->where);
    return (ResultPart){.what = option + 2,
                        .effort = effort_of(t->space->asks[x->axis]),
                        .title = option,
                        .levers = {RESULT_NEW(a, ResultLever, {lever->name, "", x->value}), 1},
                        .fix = {sdk_text(run->variant.compile.sdk), where, true, option},
                        .risk = axis_risk(run, x->axis)};
}

static ResultPart part_of(const AdviseRun *run, const Tune *t, const TunedPoint *p,
                          const TunePart *x)
{
    ResultPart part = x->change ? change_part(run, x) : setting_part(run, t, x);
    part.share = result_real_if(p->known, result_real(x->share));
    part.alone = result_real_if(p->known, result_amount(t->goal.objective, x->alone));
    return part;
}

static ResultPartList parts_of(const AdviseRun *run, const Tune *t, const TunedPoint *p)
{
    ResultPart *list = ARENA_ARRAY(run->arena, ResultPart, p->npart);
    for (size_t i = 0; i < p->npart; i++)
        list[i] = part_of(run, t, p, &p->part[i]);
    return (ResultPartList){list, p->npart};
}

static const ResultPointVerified *point_runs(const AdviseRun *run, const Tune *t,
                                             const TunedPoint *p)
{
    const Verified *v = &p->verified;
    Objective o = t->goal.objective;
    if (v->n == 0)
        return NULL;
    Interval seen = tune_run_interval(t, p);
    return RESULT_NEW(
        run->arena, ResultPointVerified,
        {.metric = o == OBJECTIVE_LATENCY ? RESULT_METRIC_LATENCY : RESULT_METRIC_THROUGHPUT,
         .median = result_amount(o, seen.mid),
         .lo = result_amount(o, seen.lo),
         .hi = result_amount(o, seen.hi),
         .baseline = result_amount(o, v->before),
         .n = v->n,
         .runner = v->runner,
         .simulated = v->simulated});
}

static ResultPoint point_of(const AdviseRun *run, const Tune *t, const TunedPoint *p)
{
    Objective o = t->goal.objective;
    bool known = p->known || !p->npart;
    return (ResultPoint){.options = point_options(run, t, &p->point),
                         .latency_ns = result_objective(OBJECTIVE_LATENCY, p->latency_ns),
                         .throughput_per_s = result_interval(p->per_s),
                         .effort = effort_of(p->point.effort),
                         .parts = parts_of(run, t, p),
                         .shares_by = !p->known    ? RESULT_SHARES_BY_UNSET
                                      : p->shapley ? RESULT_SHARES_BY_SHAPLEY
                                                   : RESULT_SHARES_BY_ABSENCE,
                         .brings = result_real_if(known, result_amount(o, p->brings)),
                         .overlap =
                             result_real_if(known, result_amount(o, p->sum_alone - p->brings)),
                         .gain = result_difference(o, p->gain.gain),
                         .verdict = result_word(result_verdict_words, verdict_name(p->verdict)),
                         .verified = point_runs(run, t, p),
                         .accuracy = result_accuracy(run->arena, &p->accuracy),
                         .undecided = p->undecided};
}

/* ---- the choice ---- */

/* The result with one worker or card fewer. */
static const Message *fewer_message(const AdviseRun *run, const Tune *t)
{
    const CapacitySmaller *x = &t->plan.less;
    MessageArg what = phrase_arg(x->devices < t->plan.point.devices ? PHRASE_TUNE_CARD_LESS
                                                                    : PHRASE_TUNE_WORKER_LESS);
    if (x->scarce)
        return MESSAGE(run->arena, phrase_arg(PHRASE_TUNE_LESS_SCARCE),
                       arg_fixed(100 * t->plan.slower, 0));
    if (x->run && isfinite(x->run_ns))
        return MESSAGE(run->arena, phrase_arg(PHRASE_TUNE_LESS_RUN), what,
                       arg_count((int64_t)x->run), arg_time(x->run_ns));
    if (x->least_ns > t->rate.limit_ns)
        return MESSAGE(run->arena, phrase_arg(PHRASE_TUNE_LESS_NOTHING), what,
                       arg_fixed(100 * CAPACITY_FASTER, 0));
    return MESSAGE(run->arena, phrase_arg(PHRASE_TUNE_LESS_MAYBE), what, arg_time(x->least_ns));
}

static const Message *headroom_message(const AdviseRun *run, const CapacityPlan *p)
{
    return MESSAGE(run->arena, phrase_arg(PHRASE_TUNE_WHY_PLAN), arg_fixed(100 * p->slower, 0),
                   arg_time(p->with_headroom_ns));
}

/* The result of its runs, and the predicted numbers. */
static const Message *plan_run_message(const AdviseRun *run, const Tune *t)
{
    const CapacityPlan *p = &t->plan;
    bool holds = p->run_ns.hi <= t->rate.limit_ns;
    const Message *said = MESSAGE(
        run->arena, phrase_arg(holds ? PHRASE_TUNE_PLAN_RUN : PHRASE_TUNE_PLAN_FAILS),
        arg_text(p->runner), arg_time(p->run_ns.lo), arg_time(p->run_ns.hi), arg_count(OPEN_RUNS));
    if (p->point.workers == p->predicted_workers && p->point.devices == p->predicted_devices)
        return said;
    return MESSAGE(
        run->arena, phrase_arg(PHRASE_TUNE_WHY_AND_LESS), arg_message(said),
        arg_message(MESSAGE(run->arena, phrase_arg(PHRASE_TUNE_PLAN_MOVED),
                            arg_count(p->predicted_workers), arg_count(p->predicted_devices))));
}

static const Message *join_messages(const AdviseRun *run, const Message *x, const Message *y)
{
    return x ? MESSAGE(run->arena, phrase_arg(PHRASE_TUNE_WHY_AND_LESS), arg_message(x),
                       arg_message(y))
             : y;
}

static const Message *why_planned(const AdviseRun *run, const Tune *t)
{
    const CapacityPlan *p = &t->plan;
    if (!p->found)
        return MESSAGE(run->arena, phrase_arg(PHRASE_TUNE_NO_PLAN), arg_count(CAPACITY_CARDS_MAX));
    const Message *kept = p->with_headroom_ns <= t->rate.limit_ns ? headroom_message(run, p) : NULL;
    if (p->was_run)
        kept = join_messages(run, kept, plan_run_message(run, t));
    return p->less.any ? join_messages(run, kept, fewer_message(run, t)) : kept;
}

static const Message *choice_message(const AdviseRun *run, const Tune *t)
{
    if (t->rate.images_per_s > 0)
        return why_planned(run, t);
    const Searched *s = &t->search->searched;
    int64_t points = (int64_t)s->points;
    if (t->chosen == t->nfront)
        return MESSAGE(run->arena, phrase_arg(PHRASE_TUNE_NONE_KEEPS), arg_count(points));
    if (t->nrun && !t->nkept)
        return MESSAGE(run->arena, phrase_arg(PHRASE_TUNE_WHY_NONE_RUN),
                       arg_count((int64_t)t->nrun));
    if (t->chosen != t->predicted)
        return MESSAGE(
            run->arena,
            phrase_arg(t->goal.limit_ns > 0 ? PHRASE_TUNE_WHY_RUN_LIMIT : PHRASE_TUNE_WHY_RUN),
            arg_count((int64_t)t->nrun), arg_count((int64_t)t->predicted + 1));
    if (s->near)
        return MESSAGE(run->arena, phrase_arg(PHRASE_TUNE_WHY_NEAR),
                       arg_count((int64_t)s->compiled));
    if (s->gap > 0)
        return MESSAGE(run->arena, phrase_arg(PHRASE_TUNE_WHY_GAP), arg_count(points),
                       arg_fixed(100 * s->gap, 1));
    return MESSAGE(run->arena, phrase_arg(PHRASE_TUNE_WHY), arg_count(points));
}

static const ResultPoint *chosen_point(const AdviseRun *run, const Tune *t)
{
    if (t->chosen == t->nfront)
        return NULL;
    ResultPoint p = point_of(run, t, &t->front[t->chosen]);
    p.point = result_int_if(true, (int64_t)t->chosen + 1);
    p.predicted_point = result_int_if(true, (int64_t)t->predicted + 1);
    return RESULT_NEW(run->arena, ResultPoint, p);
}

static ResultPointList front_points(const AdviseRun *run, const Tune *t)
{
    ResultPoint *front = ARENA_ARRAY(run->arena, ResultPoint, t->nfront);
    for (size_t i = 0; i < t->nfront; i++)
        front[i] = point_of(run, t, &t->front[i]);
    return (ResultPointList){front, t->nfront};
}

const ResultTuned *result_best(const AdviseRun *run)
{
    const Tune *t = run->best;
    if (!t)
        return NULL;
    const Searched *s = &t->search->searched;
    return RESULT_NEW(run->arena, ResultTuned,
                      {.effort = effort_of(t->space->effort),
                       .baseline = point_of(run, t, &t->baseline),
                       .recommended = chosen_point(run, t),
                       .why = RESULT_SENTENCE(run, choice_message(run, t)),
                       .front = front_points(run, t),
                       .searched = {(int64_t)s->points, (int64_t)s->builds, (int64_t)s->compiled,
                                    s->exhaustive}});
}

/* ---- the document of `tune` ---- */

static ResultInts excluded_parts(Arena *a, const Space *s, size_t i)
{
    int64_t *list = ARENA_ARRAY(a, int64_t, s->npart);
    size_t n = 0;
    for (size_t k = 0; k < s->npart; k++) {
        PartSet both = {{0}};
        both.way[i] = both.way[k] = 1;
        if (k != i && space_excludes(s, &both, i, k))
            list[n++] = (int64_t)k;
    }
    return (ResultInts){list, n};
}

static ResultLeverLists tries_of(Arena *a, const Part *p)
{
    ResultLeverList *list = ARENA_ARRAY(a, ResultLeverList, p->nattempt);
    for (size_t i = 0; i < p->nattempt; i++)
        list[i] =
            result_levers(a, &p->proposal->match->attempt[p->attempt[i]], RESULT_OWN_SETTINGS);
    return (ResultLeverLists){list, p->nattempt};
}

/* Every change that was searched. */
static ResultChangeList changes_of(Arena *a, const Space *s)
{
    ResultChange *list = ARENA_ARRAY(a, ResultChange, s->npart);
    for (size_t i = 0; i < s->npart; i++) {
        const Rule *rule = s->part[i].proposal->match->rule;
        list[i] = (ResultChange){rule->id, effort_of(rule->applicability), tries_of(a, &s->part[i]),
                                 excluded_parts(a, s, i)};
    }
    return (ResultChangeList){list, s->npart};
}

static ResultTuneSearched searched_of(Arena *a, const Tune *t)
{
    const Searched *s = &t->search->searched;
    const Space *space = t->space;
    return (ResultTuneSearched){.points = (int64_t)s->points,
                                .builds = (int64_t)s->builds,
                                .compiled = (int64_t)s->compiled,
                                .exhaustive = s->exhaustive,
                                .cut = (int64_t)s->cut,
                                .gap = result_real(s->gap),
                                .changes = changes_of(a, space),
                                .changes_left_out = (int64_t)space->nleft_out,
                                .batches = {space->batch, space->nbatch},
                                .batch_beyond_memory =
                                    result_int_if(space->batch_over != 0, space->batch_over)};
}

static ResultInt time_if_finite(double ns)
{
    return result_int_if(isfinite(ns), result_ns(ns));
}

static const ResultLess *less_of(Arena *a, const Tune *t)
{
    const CapacitySmaller *x = &t->plan.less;
    if (!x->any)
        return NULL;
    bool nothing = !x->scarce && (x->run > 0 || x->least_ns > t->rate.limit_ns);
    return RESULT_NEW(a, ResultLess,
                      {.workers = result_int_if(x->workers != 0, x->workers),
                       .devices = x->devices,
                       .holds = nothing ? RESULT_HOLDS_NO : RESULT_HOLDS_MAYBE,
                       .least_ns = time_if_finite(x->least_ns),
                       .latency_ns = time_if_finite(x->latency_ns),
                       .run = (int64_t)x->run,
                       .run_ns = time_if_finite(x->run ? x->run_ns : INFINITY)});
}

static const ResultServed *served_of(Arena *a, const Tune *t)
{
    const CapacityPlan *p = &t->plan;
    if (!p->found)
        return NULL;
    ResultInterval runs = result_objective(OBJECTIVE_LATENCY, p->run_ns);
    return RESULT_NEW(
        a, ResultServed,
        {.latency_ns = result_ns(p->latency_ns),
         .with_headroom_ns = result_ns(p->with_headroom_ns),
         .slower = result_real(p->slower),
         .run_ns = p->was_run ? RESULT_NEW(a, ResultInterval, runs) : NULL,
         .runner = p->was_run ? p->runner : NULL,
         .less = less_of(a, t),
         .collecting_ns = result_ns(p->collecting_ns),
         .busy = result_real(p->busy),
         .requests_per_s = result_real(t->rate.images_per_s / p->point.build->images)});
}

static const ResultRate *rate_of(Arena *a, const Tune *t, const TuneQuestion *asked)
{
    if (!(t->rate.images_per_s > 0))
        return NULL;
    return RESULT_NEW(
        a, ResultRate,
        {.images_per_s = result_real(t->rate.images_per_s),
         .arrivals = asked->equal_gaps ? RESULT_ARRIVALS_FIXED : RESULT_ARRIVALS_POISSON,
         .quantile = result_real(asked->quantile),
         .served = served_of(a, t)});
}

static const ResultTuneEvidence *evidence_of(const AdviseRun *run)
{
    ResultEvidence e = result_evidence(run);
    return run->rec ? RESULT_NEW(run->arena, ResultTuneEvidence, {e.grade, e.refuted}) : NULL;
}

const ResultTune *result_tune(const AdviseRun *run, const Tune *t, const TuneQuestion *asked)
{
    Arena *a = run->arena;
    Result subject;
    result_set_subject(&subject, run);
    return RESULT_NEW(
        a, ResultTune,
        {.tool = subject.tool,
         .language = subject.language,
         .model = subject.model,
         .traces = subject.traces,
         .target = subject.target,
         .sdk = subject.sdk,
         .objective = subject.objective,
         .options = subject.options,
         .setup = subject.setup,
         .notes = subject.notes,
         .evidence = evidence_of(run),
         .latency_limit_ns = result_int_if(t->goal.limit_ns > 0, result_ns(t->goal.limit_ns)),
         .rate = rate_of(a, t, asked),
         .effort = effort_of(asked->effort),
         .baseline = point_of(run, t, &t->baseline),
         .recommended = chosen_point(run, t),
         .why = RESULT_SENTENCE(run, choice_message(run, t)),
         .front = front_points(run, t),
         .searched = searched_of(a, t)});
}
