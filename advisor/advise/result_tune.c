/* Writes the document of `npu-advise tune`, with the searched space, the front and the chosen
 * point.
 *
 * The key `tuned` of a result holds a short form of it.  docs/schema/tune.json and result.json
 * describe both. */
#include "advisor/advise/result.h"

#include "advisor/rules/variant.h"
#include "advisor/message/phrase.h"
#include "advisor/report/tree_accuracy_text.h"
#include "advisor/candidate/proposal.h"
#include "advisor/candidate/search/space.h"
#include "cost_model/evidence_grade.h"
#include "cost_model/reconcile.h"
#include "graph/compile/machine.h"
#include "graph/compile/options.h"

#include <math.h>
#include <string.h>

static cJSON *json_options(const Tune *t, const TunePoint *p)
{
    const RunOptions *now = &t->space->w->baseline.variant.run;
    cJSON *o = cJSON_CreateObject();
    TargetText target;
    const char *name = t->space->w->baseline.variant.compile.target_name;
    int set = space_queue_depth(t->space, p->workers), depth = set ? set : now->queue_depth;
    cJSON_AddStringToObject(o, "target", target_text(&target, name, p->build->pe));
    cJSON_AddItemToObject(o, "batch", result_ns((double)p->build->batch));
    cJSON_AddNumberToObject(o, "workers", p->workers);
    if (depth > 0)
        cJSON_AddNumberToObject(o, "queue_depth", depth);
    cJSON_AddNumberToObject(o, "devices", p->devices);
    return o;
}

/* ---- parts: each is a change that `apply` can make ---- */

/* Its own saving, as in the list; null where a limit refused it alone. */
static cJSON *json_change_gain(const AdviseRun *run, const TunePart *x)
{
    const ProposalTrial *p = &x->change->proposal->point[x->attempt];
    Objective objective = run->request->objective;
    if (!p->tried || !p->gain.known)
        return cJSON_CreateNull();
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "unit", objective == OBJECTIVE_LATENCY ? "ns" : "per_s");
    cJSON_AddItemToObject(o, "predicted", result_difference(objective, p->gain.gain));
    return o;
}

static void add_change(cJSON *o, const AdviseRun *run, const TunePart *x)
{
    const Proposal *p = x->change->proposal;
    const Match *m = p->match;
    cJSON_AddStringToObject(o, "rule_id", m->rule->id);
    cJSON_AddStringToObject(o, "fingerprint", p->fingerprint);
    cJSON_AddStringToObject(o, "title", m->title[x->attempt]);
    cJSON *where = cJSON_AddObjectToObject(o, "where");
    result_add_where(where, run, &m->place[0]);
    cJSON_AddNumberToObject(where, "places", (double)m->nplace);
    cJSON_AddItemToObject(o, "levers", result_levers(&m->attempt[x->attempt], RESULT_OWN_SETTINGS));
    result_add_fix(o, sdk_text(run->variant.compile.sdk), m, x->attempt);
    cJSON_AddStringToObject(o, "risk", m->risk);
    cJSON_AddItemToObject(o, "gain", json_change_gain(run, x));
}

/* The rule that sets the lever, for its text about risks. */
static const Rule *rule_of(const RuleBook *book, const char *lever)
{
    for (size_t r = 0; r < book->nrule; r++)
        for (size_t t = 0; t < book->rule[r].nattempt; t++)
            for (size_t k = 0; k < book->rule[r].attempt[t].nset; k++)
                if (!strcmp(book->rule[r].attempt[t].set[k].lever, lever))
                    return &book->rule[r];
    return NULL;
}

static void add_axis(cJSON *o, const AdviseRun *run, const TunePart *x)
{
    const char *lever = space_axis_lever(x->axis);
    const char *text = arena_printf(run->arena, "--%s %s", lever, x->value);
    cJSON_AddNullToObject(o, "rule_id");
    cJSON_AddNullToObject(o, "fingerprint");
    cJSON_AddStringToObject(o, "title", text);
    cJSON_AddNullToObject(o, "where");
    cJSON *list = cJSON_AddArrayToObject(o, "levers");
    cJSON_AddItemToArray(list, result_lever(&(LeverSetting){lever, "", x->value, false}));
    cJSON *fix = cJSON_AddObjectToObject(o, "fix");
    cJSON_AddStringToObject(fix, "sdk", sdk_text(run->variant.compile.sdk));
    cJSON_AddStringToObject(fix, "where", lever_find(lever)->where);
    cJSON_AddBoolToObject(fix, "code", true);
    cJSON_AddStringToObject(fix, "text", text);
    const Rule *rule = rule_of(&run->book, lever);
    cJSON_AddStringToObject(o, "risk", rule ? rule_text(&rule->risk, run->request->lang) : "");
    cJSON_AddNullToObject(o, "gain");
}

static Applicability part_effort(const Tune *t, const TunePart *x)
{
    return x->change ? x->change->proposal->match->rule->applicability : t->space->asks[x->axis];
}

/* All that `apply` needs of a point, or only what the list of recommendations does not have. */
typedef enum { POINT_IN_FULL, POINT_IN_SHORT } PointForm;

static void add_which(cJSON *o, const TunePart *x)
{
    const Proposal *p = x->change ? x->change->proposal : NULL;
    cJSON_AddItemToObject(o, "rule_id", result_text(p ? p->match->rule->id : NULL));
    cJSON_AddItemToObject(o, "fingerprint", result_text(p ? p->fingerprint : NULL));
    cJSON *list = p ? result_levers(&p->match->attempt[x->attempt], RESULT_OWN_SETTINGS)
                    : cJSON_CreateArray();
    if (!p)
        cJSON_AddItemToArray(
            list, result_lever(&(LeverSetting){space_axis_lever(x->axis), "", x->value, false}));
    cJSON_AddItemToObject(o, "levers", list);
}

static cJSON *json_part(const AdviseRun *run, const Tune *t, const TunedPoint *p, const TunePart *x,
                        PointForm how)
{
    cJSON *o = cJSON_CreateObject();
    const char *what = x->change
                           ? x->change->proposal->match->title[x->attempt]
                           : arena_printf(run->arena, "%s %s", space_axis_lever(x->axis), x->value);
    cJSON_AddStringToObject(o, "what", what);
    cJSON_AddItemToObject(o, "share", result_real_if(p->known, x->share));
    cJSON_AddItemToObject(
        o, "alone", p->known ? result_amount(t->goal.objective, x->alone) : cJSON_CreateNull());
    cJSON_AddStringToObject(o, "effort", applicability_name(part_effort(t, x)));
    if (how == POINT_IN_SHORT)
        add_which(o, x);
    else if (x->change)
        add_change(o, run, x);
    else
        add_axis(o, run, x);
    return o;
}

/* ---- points ---- */

static cJSON *json_verified(const Tune *t, const TunedPoint *p)
{
    const Verified *v = &p->verified;
    if (v->n == 0)
        return cJSON_CreateNull();
    bool latency = t->goal.objective == OBJECTIVE_LATENCY;
    Interval run = tune_run_interval(t, p);
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "metric", latency ? "latency" : "throughput");
    cJSON_AddItemToObject(o, "median", result_amount(t->goal.objective, run.mid));
    cJSON_AddItemToObject(o, "lo", result_amount(t->goal.objective, run.lo));
    cJSON_AddItemToObject(o, "hi", result_amount(t->goal.objective, run.hi));
    cJSON_AddItemToObject(o, "baseline", result_amount(t->goal.objective, v->before));
    cJSON_AddNumberToObject(o, "n", v->n);
    cJSON_AddStringToObject(o, "runner", v->runner);
    cJSON_AddBoolToObject(o, "simulated", v->simulated);
    return o;
}

static void add_parts(cJSON *o, const AdviseRun *run, const Tune *t, const TunedPoint *p,
                      PointForm how)
{
    cJSON *parts = cJSON_AddArrayToObject(o, "parts");
    for (size_t i = 0; i < p->npart; i++)
        cJSON_AddItemToArray(parts, json_part(run, t, p, &p->part[i], how));
    cJSON_AddItemToObject(o, "shares_by",
                          result_text(!p->known    ? NULL
                                      : p->shapley ? "shapley"
                                                   : "absence"));
    bool known = p->known || !p->npart;
    cJSON_AddItemToObject(o, "brings",
                          known ? result_amount(t->goal.objective, p->brings) : cJSON_CreateNull());
    cJSON_AddItemToObject(o, "overlap",
                          known ? result_amount(t->goal.objective, p->sum_alone - p->brings)
                                : cJSON_CreateNull());
}

static cJSON *json_point(const AdviseRun *run, const Tune *t, const TunedPoint *p, PointForm how)
{
    cJSON *o = cJSON_CreateObject();
    cJSON_AddItemToObject(o, "options", json_options(t, &p->point));
    cJSON_AddItemToObject(o, "latency_ns", result_interval_ns(p->latency_ns));
    cJSON_AddItemToObject(o, "throughput_per_s", result_interval(p->per_s));
    cJSON_AddStringToObject(o, "effort", applicability_name(p->point.effort));
    add_parts(o, run, t, p, how);
    cJSON_AddItemToObject(o, "gain", result_difference(t->goal.objective, p->gain.gain));
    cJSON_AddItemToObject(o, "verdict", result_text(verdict_name(p->verdict)));
    cJSON_AddItemToObject(o, "verified", json_verified(t, p));
    if (how == POINT_IN_FULL) {
        cJSON_AddItemToObject(o, "accuracy", tree_accuracy_json(&p->accuracy));
        cJSON_AddBoolToObject(o, "undecided", p->undecided);
    }
    return o;
}

/* ---- the frame ---- */

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

static bool parts_exclude(const Space *s, size_t i, size_t k)
{
    PartSet both = {{0}};
    both.way[i] = both.way[k] = 1;
    return space_excludes(s, &both, i, k);
}

/* Every change that was searched, with its tries. */
static void add_changes(cJSON *parent, const Space *s)
{
    cJSON *list = cJSON_AddArrayToObject(parent, "changes");
    for (size_t i = 0; i < s->npart; i++) {
        const Match *m = s->part[i].proposal->match;
        cJSON *o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "rule_id", m->rule->id);
        cJSON_AddStringToObject(o, "effort", applicability_name(m->rule->applicability));
        cJSON *tries = cJSON_AddArrayToObject(o, "tries");
        for (size_t k = 0; k < s->part[i].nattempt; k++)
            cJSON_AddItemToArray(
                tries, result_levers(&m->attempt[s->part[i].attempt[k]], RESULT_OWN_SETTINGS));
        cJSON *others = cJSON_AddArrayToObject(o, "excludes");
        for (size_t k = 0; k < s->npart; k++)
            if (k != i && parts_exclude(s, i, k))
                cJSON_AddItemToArray(others, cJSON_CreateNumber((double)k));
        cJSON_AddItemToArray(list, o);
    }
}

static void add_counts(cJSON *o, const Searched *s)
{
    cJSON_AddItemToObject(o, "points", result_ns((double)s->points));
    cJSON_AddItemToObject(o, "builds", result_ns((double)s->builds));
    cJSON_AddItemToObject(o, "compiled", result_ns((double)s->compiled));
    cJSON_AddBoolToObject(o, "exhaustive", s->exhaustive);
    cJSON_AddItemToObject(o, "cut", result_ns_if(!s->near, (double)s->cut));
    cJSON_AddItemToObject(o, "gap", result_real_if(!s->near, s->gap));
}

static void add_searched(cJSON *root, const Tune *t)
{
    cJSON *o = cJSON_AddObjectToObject(root, "searched");
    add_counts(o, &t->search->searched);
    add_changes(o, t->space);
    cJSON_AddNumberToObject(o, "changes_left_out", (double)t->space->nleft_out);
    cJSON *batches = cJSON_AddArrayToObject(o, "batches");
    for (size_t i = 0; i < t->space->nbatch; i++)
        cJSON_AddItemToArray(batches, result_ns((double)t->space->batch[i]));
    cJSON_AddItemToObject(o, "batch_beyond_memory",
                          result_ns_if(t->space->batch_over, (double)t->space->batch_over));
}

static cJSON *json_less(const Tune *t)
{
    const CapacitySmaller *x = &t->plan.less;
    if (!x->any)
        return cJSON_CreateNull();
    cJSON *o = cJSON_CreateObject();
    bool nothing = !x->scarce && (x->run > 0 || x->least_ns > t->rate.limit_ns);
    cJSON_AddItemToObject(o, "workers", result_ns_if(x->workers, x->workers));
    cJSON_AddNumberToObject(o, "devices", x->devices);
    cJSON_AddStringToObject(o, "holds", nothing ? "no" : "maybe");
    cJSON_AddItemToObject(o, "least_ns", result_ns_if(isfinite(x->least_ns), x->least_ns));
    cJSON_AddItemToObject(o, "latency_ns", result_ns_if(isfinite(x->latency_ns), x->latency_ns));
    cJSON_AddNumberToObject(o, "run", (double)x->run);
    cJSON_AddItemToObject(o, "run_ns", result_ns_if(x->run && isfinite(x->run_ns), x->run_ns));
    return o;
}

static void add_rate(cJSON *root, const Tune *t, const TuneQuestion *asked)
{
    if (!(t->rate.images_per_s > 0)) {
        cJSON_AddNullToObject(root, "rate");
        return;
    }
    cJSON *o = cJSON_AddObjectToObject(root, "rate");
    cJSON_AddItemToObject(o, "images_per_s", result_real(t->rate.images_per_s));
    cJSON_AddStringToObject(o, "arrivals", asked->equal_gaps ? "fixed" : "poisson");
    cJSON_AddItemToObject(o, "quantile", result_real(asked->quantile));
    cJSON *served = t->plan.found ? cJSON_CreateObject() : cJSON_CreateNull();
    cJSON_AddItemToObject(o, "served", served);
    if (!t->plan.found)
        return;
    cJSON_AddItemToObject(served, "latency_ns", result_ns(t->plan.latency_ns));
    cJSON_AddItemToObject(served, "with_headroom_ns", result_ns(t->plan.with_headroom_ns));
    cJSON_AddItemToObject(served, "slower", result_real(t->plan.slower));
    cJSON_AddItemToObject(served, "run_ns",
                          t->plan.was_run ? result_interval_ns(t->plan.run_ns)
                                          : cJSON_CreateNull());
    cJSON_AddItemToObject(served, "runner", result_text(t->plan.was_run ? t->plan.runner : NULL));
    cJSON_AddItemToObject(served, "less", json_less(t));
    cJSON_AddItemToObject(served, "collecting_ns", result_ns(t->plan.collecting_ns));
    cJSON_AddItemToObject(served, "busy", result_real(t->plan.busy));
    cJSON_AddItemToObject(served, "requests_per_s",
                          result_real(t->rate.images_per_s / t->plan.point.build->images));
}

static void add_evidence(cJSON *root, const Reconciliation *r)
{
    if (!r) {
        cJSON_AddNullToObject(root, "evidence");
        return;
    }
    const char grade[] = {r->grade, '\0'};
    cJSON *o = cJSON_AddObjectToObject(root, "evidence");
    cJSON_AddStringToObject(o, "grade", grade);
    cJSON_AddItemToObject(o, "refuted", result_text(refutation_key(r->refuted)));
}

static cJSON *json_chosen(const AdviseRun *run, const Tune *t, PointForm how)
{
    if (t->chosen == t->nfront)
        return cJSON_CreateNull();
    cJSON *o = json_point(run, t, &t->front[t->chosen], how);
    cJSON_AddNumberToObject(o, "point", (double)t->chosen + 1);
    if (how == POINT_IN_FULL)
        cJSON_AddNumberToObject(o, "predicted_point", (double)t->predicted + 1);
    return o;
}

static void add_points(cJSON *o, const AdviseRun *run, const Tune *t, PointForm how)
{
    cJSON_AddItemToObject(o, "recommended", json_chosen(run, t, how));
    cJSON_AddItemToObject(o, "why", result_message(run, choice_message(run, t)));
    cJSON *front = cJSON_AddArrayToObject(o, "front");
    for (size_t i = 0; i < t->nfront; i++)
        cJSON_AddItemToArray(front, json_point(run, t, &t->front[i], how));
}

void result_add_best(cJSON *root, const AdviseRun *run)
{
    const Tune *t = run->best;
    if (!t) {
        cJSON_AddNullToObject(root, "tuned");
        return;
    }
    cJSON *o = cJSON_AddObjectToObject(root, "tuned");
    cJSON_AddStringToObject(o, "effort", applicability_name(t->space->effort));
    cJSON_AddItemToObject(o, "baseline", json_point(run, t, &t->baseline, POINT_IN_SHORT));
    add_points(o, run, t, POINT_IN_SHORT);
    cJSON *searched = cJSON_AddObjectToObject(o, "searched");
    add_counts(searched, &t->search->searched);
}

cJSON *result_tune(const AdviseRun *run, const Tune *t, const TuneQuestion *asked)
{
    cJSON *root = cJSON_CreateObject();
    result_add_head(root, run->request->lang);
    result_add_subject(root, run);
    add_evidence(root, run->rec);
    cJSON_AddItemToObject(root, "latency_limit_ns",
                          result_ns_if(t->goal.limit_ns > 0, t->goal.limit_ns));
    add_rate(root, t, asked);
    cJSON_AddStringToObject(root, "effort", applicability_name(asked->effort));
    cJSON_AddItemToObject(root, "baseline", json_point(run, t, &t->baseline, POINT_IN_FULL));
    add_points(root, run, t, POINT_IN_FULL);
    add_searched(root, t);
    return root;
}
