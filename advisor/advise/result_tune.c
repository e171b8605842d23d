/* Builds the plan to deploy for the result, and the document of `npu-advise tune`, with the
 * searched space, the front and the chosen point.
 *
 * Its points are those of the key `tuned` of a result with more keys.  docs/schema/tune.json and
 * result.json describe both. */
#include "advisor/advise/result.h"

#include "advisor/rules/lever.h"
#include "advisor/message/phrase.h"
#include "advisor/message/json.h"
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

static ResultLeverList part_levers(const AdviseRun *run, const TunePart *x)
{
    if (x->change)
        return result_levers(run->arena, &x->change->proposal->match->attempt[x->attempt],
                             RESULT_OWN_SETTINGS);
    return (ResultLeverList){
        RESULT_NEW(run->arena, ResultLever,
                   {lever_table[space_axis_lever(x->axis)].name, "", x->value}),
        1};
}

static ResultPart part_of(const AdviseRun *run, const Tune *t, const TunedPoint *p,
                          const TunePart *x)
{
    const Proposal *change = x->change ? x->change->proposal : NULL;
    return (ResultPart){
        .what = change ? change->match->title[x->attempt]
                       : arena_printf(run->arena, "%s %s",
                                      lever_table[space_axis_lever(x->axis)].name, x->value),
        .share = result_real_if(p->known, result_real(x->share)),
        .alone = result_real_if(p->known, result_amount(t->goal.objective, x->alone)),
        .effort = effort_of(change ? change->match->rule->applicability : t->space->asks[x->axis]),
        .rule_id = change ? change->match->rule->id : NULL,
        .fingerprint = change ? change->fingerprint : NULL,
        .levers = part_levers(run, x)};
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
                         .verified = point_runs(run, t, p)};
}

/* ---- points of tune.json: all that `apply` needs ---- */

/* Its own saving, as in the list; null of a setting, and where a limit refused it alone. */
static cJSON *json_change_gain(const AdviseRun *run, const TunePart *x)
{
    const ProposalTrial *p = x->change ? &x->change->proposal->point[x->attempt] : NULL;
    Objective objective = run->request->objective;
    if (!p || !p->tried || !p->gain.known)
        return cJSON_CreateNull();
    cJSON *o = cJSON_CreateObject();
    ResultInterval predicted = result_difference(objective, p->gain.gain);
    cJSON_AddStringToObject(o, "unit", objective == OBJECTIVE_LATENCY ? "ns" : "per_s");
    cJSON_AddItemToObject(o, "predicted", result_interval_to_json(&predicted));
    return o;
}

/* The first place of a change, and how many it has; null of a setting. */
static cJSON *json_where(const AdviseRun *run, const Match *m)
{
    if (!m)
        return cJSON_CreateNull();
    ResultWhere first = result_where(run, &m->place[0]);
    cJSON *o = result_where_to_json(&first);
    cJSON_AddNumberToObject(o, "places", (double)m->nplace);
    return o;
}

/* What the rule that sets the lever says of risks. */
static const char *axis_risk(const AdviseRun *run, SpaceAxis axis)
{
    for (size_t r = 0; r < run->book.nrule; r++)
        for (size_t t = 0; t < run->book.rule[r].nattempt; t++) {
            const RuleTry *x = &run->book.rule[r].attempt[t];
            for (size_t k = 0; k < x->nset; k++)
                if (x->set[k].lever == space_axis_lever(axis))
                    return rule_text(&run->book.rule[r].risk, run->request->lang);
        }
    return "";
}

static ResultFix part_fix(const AdviseRun *run, const TunePart *x)
{
    const char *sdk = sdk_text(run->variant.compile.sdk);
    if (x->change)
        return result_fix(sdk, x->change->proposal->match, x->attempt);
    const Lever *lever = &lever_table[space_axis_lever(x->axis)];
    return (ResultFix){.sdk = sdk,
                       .where = result_word(result_fix_where_words, lever->where),
                       .code = true,
                       .text = arena_printf(run->arena, "--%s %s", lever->name, x->value)};
}

static void complete_part(cJSON *o, const AdviseRun *run, const TunePart *x)
{
    const Match *m = x->change ? x->change->proposal->match : NULL;
    ResultFix fix = part_fix(run, x);
    cJSON *levers = cJSON_DetachItemFromObject(o, "levers"); /* in the middle of the others */
    cJSON_AddStringToObject(o, "title", m ? m->title[x->attempt] : fix.text);
    cJSON_AddItemToObject(o, "where", json_where(run, m));
    cJSON_AddItemToObject(o, "levers", levers);
    cJSON_AddItemToObject(o, "fix", result_fix_to_json(&fix));
    cJSON_AddStringToObject(o, "risk", m ? m->risk : axis_risk(run, x->axis));
    cJSON_AddItemToObject(o, "gain", json_change_gain(run, x));
}

static cJSON *json_point(const AdviseRun *run, const Tune *t, const TunedPoint *p)
{
    ResultPoint point = point_of(run, t, p);
    cJSON *o = result_point_to_json(&point), *part = cJSON_GetObjectItem(o, "parts")->child;
    for (size_t i = 0; i < p->npart; i++, part = part->next)
        complete_part(part, run, &p->part[i]);
    cJSON_AddItemToObject(o, "accuracy",
                          result_accuracy_to_json(result_accuracy(run->arena, &p->accuracy)));
    cJSON_AddBoolToObject(o, "undecided", p->undecided);
    return o;
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
    return RESULT_NEW(run->arena, ResultPoint, p);
}

const ResultTuned *result_best(const AdviseRun *run)
{
    const Tune *t = run->best;
    if (!t)
        return NULL;
    const Searched *s = &t->search->searched;
    ResultPoint *front = ARENA_ARRAY(run->arena, ResultPoint, t->nfront);
    for (size_t i = 0; i < t->nfront; i++)
        front[i] = point_of(run, t, &t->front[i]);
    return RESULT_NEW(run->arena, ResultTuned,
                      {.effort = effort_of(t->space->effort),
                       .baseline = point_of(run, t, &t->baseline),
                       .recommended = chosen_point(run, t),
                       .why = result_message(run, choice_message(run, t)),
                       .front = {front, t->nfront},
                       .searched = {(int64_t)s->points, (int64_t)s->builds, (int64_t)s->compiled,
                                    s->exhaustive}});
}

/* ---- the frame of tune.json: what is not finite is null ---- */

static bool parts_exclude(const Space *s, size_t i, size_t k)
{
    PartSet both = {{0}};
    both.way[i] = both.way[k] = 1;
    return space_excludes(s, &both, i, k);
}

static cJSON *json_levers(Arena *a, const Attempt *t)
{
    ResultLeverList levers = result_levers(a, t, RESULT_OWN_SETTINGS);
    return result_levers_to_json(&levers);
}

/* Every change that was searched, with its tries. */
static void add_changes(cJSON *parent, Arena *a, const Space *s)
{
    cJSON *list = cJSON_AddArrayToObject(parent, "changes");
    for (size_t i = 0; i < s->npart; i++) {
        const Match *m = s->part[i].proposal->match;
        cJSON *o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "rule_id", m->rule->id);
        cJSON_AddStringToObject(o, "effort", applicability_name(m->rule->applicability));
        cJSON *tries = cJSON_AddArrayToObject(o, "tries");
        for (size_t k = 0; k < s->part[i].nattempt; k++)
            cJSON_AddItemToArray(tries, json_levers(a, &m->attempt[s->part[i].attempt[k]]));
        cJSON *others = cJSON_AddArrayToObject(o, "excludes");
        for (size_t k = 0; k < s->npart; k++)
            if (k != i && parts_exclude(s, i, k))
                cJSON_AddItemToArray(others, cJSON_CreateNumber((double)k));
        cJSON_AddItemToArray(list, o);
    }
}

static void add_searched(cJSON *root, Arena *a, const Tune *t)
{
    const Searched *s = &t->search->searched;
    cJSON *o = cJSON_AddObjectToObject(root, "searched");
    cJSON_AddNumberToObject(o, "points", (double)s->points);
    cJSON_AddNumberToObject(o, "builds", (double)s->builds);
    cJSON_AddNumberToObject(o, "compiled", (double)s->compiled);
    cJSON_AddBoolToObject(o, "exhaustive", s->exhaustive);
    json_add_number(o, "cut", s->near ? NAN : (double)s->cut);
    json_add_number(o, "gap", s->near ? NAN : result_real(s->gap));
    add_changes(o, a, t->space);
    cJSON_AddNumberToObject(o, "changes_left_out", (double)t->space->nleft_out);
    cJSON *batches = cJSON_AddArrayToObject(o, "batches");
    for (size_t i = 0; i < t->space->nbatch; i++)
        cJSON_AddItemToArray(batches, cJSON_CreateNumber((double)t->space->batch[i]));
    json_add_number(o, "batch_beyond_memory",
                    t->space->batch_over ? (double)t->space->batch_over : NAN);
}

static cJSON *json_less(const Tune *t)
{
    const CapacitySmaller *x = &t->plan.less;
    if (!x->any)
        return cJSON_CreateNull();
    cJSON *o = cJSON_CreateObject();
    bool nothing = !x->scarce && (x->run > 0 || x->least_ns > t->rate.limit_ns);
    json_add_number(o, "workers", x->workers ? (double)x->workers : NAN);
    cJSON_AddNumberToObject(o, "devices", x->devices);
    cJSON_AddStringToObject(o, "holds", nothing ? "no" : "maybe");
    json_add_number(o, "least_ns", round(x->least_ns));
    json_add_number(o, "latency_ns", round(x->latency_ns));
    cJSON_AddNumberToObject(o, "run", (double)x->run);
    json_add_number(o, "run_ns", x->run ? round(x->run_ns) : NAN);
    return o;
}

static cJSON *json_served(const Tune *t)
{
    const CapacityPlan *p = &t->plan;
    if (!p->found)
        return cJSON_CreateNull();
    cJSON *o = cJSON_CreateObject();
    ResultInterval runs = result_objective(OBJECTIVE_LATENCY, p->run_ns);
    cJSON_AddNumberToObject(o, "latency_ns", (double)result_ns(p->latency_ns));
    cJSON_AddNumberToObject(o, "with_headroom_ns", (double)result_ns(p->with_headroom_ns));
    cJSON_AddNumberToObject(o, "slower", result_real(p->slower));
    cJSON_AddItemToObject(o, "run_ns", result_interval_to_json(p->was_run ? &runs : NULL));
    json_add_text(o, "runner", p->was_run ? p->runner : NULL);
    cJSON_AddItemToObject(o, "less", json_less(t));
    cJSON_AddNumberToObject(o, "collecting_ns", (double)result_ns(p->collecting_ns));
    cJSON_AddNumberToObject(o, "busy", result_real(p->busy));
    cJSON_AddNumberToObject(o, "requests_per_s",
                            result_real(t->rate.images_per_s / p->point.build->images));
    return o;
}

static cJSON *json_rate(const Tune *t, const TuneQuestion *asked)
{
    if (!(t->rate.images_per_s > 0))
        return cJSON_CreateNull();
    cJSON *o = cJSON_CreateObject();
    cJSON_AddNumberToObject(o, "images_per_s", result_real(t->rate.images_per_s));
    cJSON_AddStringToObject(o, "arrivals", asked->equal_gaps ? "fixed" : "poisson");
    cJSON_AddNumberToObject(o, "quantile", result_real(asked->quantile));
    cJSON_AddItemToObject(o, "served", json_served(t));
    return o;
}

static cJSON *json_evidence(const Reconciliation *r)
{
    if (!r)
        return cJSON_CreateNull();
    const char grade[] = {r->grade, '\0'};
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "grade", grade);
    json_add_text(o, "refuted", refutation_key(r->refuted));
    return o;
}

static cJSON *json_chosen(const AdviseRun *run, const Tune *t)
{
    if (t->chosen == t->nfront)
        return cJSON_CreateNull();
    cJSON *o = json_point(run, t, &t->front[t->chosen]);
    cJSON_AddNumberToObject(o, "point", (double)t->chosen + 1);
    cJSON_AddNumberToObject(o, "predicted_point", (double)t->predicted + 1);
    return o;
}

cJSON *result_tune(const AdviseRun *run, const Tune *t, const TuneQuestion *asked)
{
    Result subject;
    result_set_subject(&subject, run);
    cJSON *root = result_subject_to_json(&subject);
    cJSON_AddItemToObject(root, "evidence", json_evidence(run->rec));
    json_add_number(root, "latency_limit_ns", t->goal.limit_ns > 0 ? round(t->goal.limit_ns) : NAN);
    cJSON_AddItemToObject(root, "rate", json_rate(t, asked));
    cJSON_AddStringToObject(root, "effort", applicability_name(asked->effort));
    cJSON_AddItemToObject(root, "baseline", json_point(run, t, &t->baseline));
    cJSON_AddItemToObject(root, "recommended", json_chosen(run, t));
    json_add_text(root, "why", result_message(run, choice_message(run, t)));
    cJSON *front = cJSON_AddArrayToObject(root, "front");
    for (size_t i = 0; i < t->nfront; i++)
        cJSON_AddItemToArray(front, json_point(run, t, &t->front[i]));
    add_searched(root, run->arena, t);
    return root;
}
