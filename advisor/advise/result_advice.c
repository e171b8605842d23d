/* Writes recommendations, observations and the outcome of every other rule. */
#include "advisor/advise/result.h"
#include "advisor/report/tree_accuracy_text.h"

#include "advisor/rules/rule_book.h"
#include "advisor/message/phrase.h"
#include "advisor/candidate/proposal.h"
#include "advisor/candidate/search/space.h"
#include "advisor/candidate/search/tune.h"
#include "cost_model/predict.h"
#include "graph/compile/machine.h"

#include <string.h>

static cJSON *json_place(const AdviseRun *run, const Proposal *p, size_t i)
{
    const Occurrence *x = &p->match->place[i];
    const Gain *g = &p->place[i];
    cJSON *o = cJSON_CreateObject();
    result_add_where(o, run, x);
    cJSON_AddStringToObject(o, "text", x->text);
    cJSON_AddStringToObject(o, "fix", x->fix[p->chosen]);
    cJSON_AddItemToObject(o, "gain",
                          g->known ? result_difference(run->request->objective, g->gain)
                                   : cJSON_CreateNull());
    cJSON_AddItemToObject(o, "local_ns", result_ns_if(g->known, g->local_ns));
    return o;
}

/* `baseline`: the base of the prediction, to which the measured share is applied. */
static cJSON *json_verified(Objective objective, const Verified *v, double baseline)
{
    if (v->n == 0)
        return cJSON_CreateNull();
    cJSON *o = cJSON_CreateObject();
    cJSON_AddItemToObject(o, "median", result_amount(objective, v->median));
    cJSON_AddItemToObject(o, "lo", result_amount(objective, v->lo));
    cJSON_AddItemToObject(o, "hi", result_amount(objective, v->hi));
    cJSON_AddItemToObject(o, "baseline", result_amount(objective, v->before));
    Interval now = {baseline * v->share.lo, baseline * v->share.mid, baseline * v->share.hi};
    if (baseline > 0)
        cJSON_AddItemToObject(o, "now", result_difference(objective, now));
    cJSON_AddNumberToObject(o, "n", v->n);
    cJSON_AddStringToObject(o, "runner", v->runner);
    cJSON_AddBoolToObject(o, "simulated", v->simulated);
    if (v->members) {
        cJSON *members = cJSON_AddObjectToObject(o, "members");
        cJSON_AddNumberToObject(members, "n", v->members);
        cJSON_AddNumberToObject(members, "real", v->real);
    }
    return o;
}

static cJSON *json_gain(const AdviseRun *run, const Proposal *p)
{
    Objective objective = run->request->objective;
    bool has = proposal_has_gain(p);
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "metric", objective == OBJECTIVE_LATENCY ? "latency" : "throughput");
    cJSON_AddStringToObject(o, "unit", objective == OBJECTIVE_LATENCY ? "ns" : "per_s");
    cJSON_AddItemToObject(o, "basis", result_text(has ? basis_name(p->basis) : NULL));
    cJSON_AddBoolToObject(o, "at_least", has && p->gain.at_least);
    cJSON_AddItemToObject(o, "predicted",
                          has ? result_difference(objective, p->gain.gain) : cJSON_CreateNull());
    if (has && p->gain.rank_lo > p->gain.gain.lo)
        cJSON_AddItemToObject(o, "rank_lo", result_amount(objective, p->gain.rank_lo));
    cJSON_AddItemToObject(o, "baseline",
                          has ? result_amount(objective, p->gain.before) : cJSON_CreateNull());
    cJSON_AddItemToObject(o, "on_top",
                          p->is_ranked ? result_amount(objective, p->on_top) : cJSON_CreateNull());
    cJSON_AddItemToObject(o, "verified",
                          json_verified(objective, &p->verified, has ? p->gain.before : 0));
    cJSON_AddItemToObject(o, "reason_if_null", result_message(run, p->unknown));
    cJSON_AddItemToObject(o, "local_ns", result_ns_if(has, p->gain.local_ns));
    return o;
}

enum { POINT_NAME_MAX = 256 };

/* "batch=4"; with an index "width[0]=640"; of many settings the first ones and how many more. */
static const char *point_name(Arena *a, const Attempt *t)
{
    const char *text = "";
    for (size_t i = 0; i < t->nset; i++) {
        if (strlen(text) >= POINT_NAME_MAX)
            return arena_printf(a, "%s (+%zu)", text, t->nset - i);
        const LeverSetting *s = &t->set[i];
        bool has_index = s->index[0] != '\0';
        text = arena_printf(a, "%s%s%s%s%s%s=%s", text, i ? " " : "", s->lever,
                            has_index ? "[" : "", s->index, has_index ? "]" : "", s->value);
    }
    return text;
}

static cJSON *json_point(Objective o, const char *value, const Gain *g)
{
    cJSON *point = cJSON_CreateObject();
    cJSON_AddStringToObject(point, "value", value);
    cJSON_AddItemToObject(point, "objective",
                          g ? result_objective(o, g->objective) : cJSON_CreateNull());
    cJSON_AddItemToObject(point, "gain", g ? result_difference(o, g->gain) : cJSON_CreateNull());
    return point;
}

/* There are two PE modes: the curve begins with the one in use, which has no try. */
static bool is_mode_switch(const Proposal *p)
{
    const Attempt *t = p->npoint == 1 ? &p->match->attempt[0] : NULL;
    return t && t->nset == 1 && strcmp(t->set[0].lever, "target") == 0;
}

static cJSON *json_mode_in_use(const AdviseRun *run)
{
    Objective o = run->request->objective;
    const Trial *t = whatif_reference(&run->whatif, &run->whatif.at_best);
    Gain none = {.objective = prediction_objective(t->time, o)};
    const char *name = arena_printf(run->arena, "target=%s", t->variant.compile.target);
    cJSON *point = json_point(o, name, &none);
    cJSON_AddBoolToObject(point, "chosen", false);
    return point;
}

/* The curve of a recommendation with several settings to choose from. */
static cJSON *json_sweep(const AdviseRun *run, const Proposal *p)
{
    cJSON *list = cJSON_CreateArray();
    bool modes = is_mode_switch(p);
    if (modes)
        cJSON_AddItemToArray(list, json_mode_in_use(run));
    for (size_t i = 0; (modes || p->npoint > 1) && i < p->npoint; i++) {
        const ProposalTrial *x = &p->point[i];
        bool known = x->tried && x->gain.known;
        cJSON *point =
            json_point(run->request->objective, point_name(run->arena, &p->match->attempt[i]),
                       known ? &x->gain : NULL);
        cJSON_AddBoolToObject(point, "chosen", proposal_has_gain(p) && i == p->chosen);
        cJSON_AddItemToArray(list, point);
    }
    return list;
}

/* Other recommendations that exclude this one, each rule once. */
static cJSON *json_conflicts(const AdviseRun *run, const Proposal *p)
{
    const Ranking *r = &run->ranking;
    cJSON *list = cJSON_CreateArray();
    const char *last = "";
    for (size_t k = 0; k < run->book.nrule; k++)
        for (size_t i = 0; i < r->nrec; i++) {
            const Rule *other = r->rec[i]->match->rule;
            if (other != &run->book.rule[k] || r->rec[i] == p || strcmp(last, other->id) == 0 ||
                !rank_conflict(p, r->rec[i]))
                continue;
            last = other->id;
            cJSON_AddItemToArray(list, cJSON_CreateString(last));
        }
    return list;
}

static bool is_observed(const Ranking *r, const Rule *rule)
{
    for (size_t i = 0; i < r->nobservation; i++)
        if (r->observation[i].proposal->match->rule == rule)
            return true;
    return false;
}

static bool is_recommended(const Ranking *r, const Rule *rule)
{
    for (size_t i = 0; i < r->nrec; i++)
        if (r->rec[i]->match->rule == rule)
            return true;
    return false;
}

/* Rules that may match once this one is followed. */
static cJSON *json_enables(const AdviseRun *run, const Proposal *p)
{
    cJSON *list = cJSON_CreateArray();
    const Rule *rule = p->match->rule;
    for (size_t i = 0; i < rule->nenables; i++) {
        const Rule *other = rule_find(&run->book, rule->enables[i]);
        if (other && !is_recommended(&run->ranking, other))
            cJSON_AddItemToArray(list, cJSON_CreateString(other->id));
    }
    return list;
}

static bool sets_given(const Attempt *t, const Attempt *upper)
{
    for (size_t i = 0; i < t->nset; i++)
        for (size_t k = 0; k < upper->nset; k++)
            if (!t->set[i].given && upper->set[k].given &&
                !strcmp(t->set[i].lever, upper->set[k].lever) &&
                !strcmp(t->set[i].index, upper->set[k].index))
                return true;
    return false;
}

/* Ranks of the recommendations that it depends on. */
static cJSON *json_on_top_of(const AdviseRun *run, size_t rank)
{
    cJSON *list = cJSON_CreateArray();
    const Attempt *upper = proposal_attempt(run->ranking.rec[rank]);
    for (size_t i = 0; upper && i < rank; i++) {
        const Attempt *t = proposal_attempt(run->ranking.rec[i]);
        if (t && sets_given(t, upper))
            cJSON_AddItemToArray(list, cJSON_CreateNumber((double)i + 1));
    }
    return list;
}

static void add_change(cJSON *o, const AdviseRun *run, const Proposal *p)
{
    const Match *m = p->match;
    result_add_fix(o, sdk_text(run->variant.compile.sdk), m, p->chosen);
    cJSON_AddStringToObject(o, "applicability", applicability_name(m->rule->applicability));
    cJSON *places = cJSON_AddArrayToObject(o, "places");
    for (size_t i = 0; i < m->nplace; i++)
        cJSON_AddItemToArray(places, json_place(run, p, i));
}

static cJSON *json_recommendation(const AdviseRun *run, size_t rank)
{
    const Proposal *p = run->ranking.rec[rank];
    const Match *m = p->match;
    cJSON *o = cJSON_CreateObject();
    cJSON_AddNumberToObject(o, "rank", (double)rank + 1);
    cJSON_AddStringToObject(o, "rule_id", m->rule->id);
    cJSON_AddStringToObject(o, "fingerprint", p->fingerprint);
    cJSON_AddStringToObject(o, "title", m->title[p->chosen]);
    result_add_where(cJSON_AddObjectToObject(o, "where"), run, &m->place[0]);
    cJSON_AddItemToObject(o, "levers", result_levers(proposal_attempt(p), RESULT_OWN_SETTINGS));
    add_change(o, run, p);
    cJSON_AddItemToObject(o, "gain", json_gain(run, p));
    cJSON_AddItemToObject(o, "accuracy", tree_accuracy_json(&p->accuracy));
    if (p->accuracy_why)
        cJSON_AddItemToObject(o, "accuracy_reason", result_message(run, p->accuracy_why));
    cJSON_AddItemToObject(o, "verdict", result_text(verdict_name(p->verdict)));
    cJSON_AddItemToObject(o, "conflicts_with", json_conflicts(run, p));
    cJSON_AddItemToObject(o, "enables", json_enables(run, p));
    cJSON_AddItemToObject(o, "on_top_of", json_on_top_of(run, rank));
    result_add_rule(o, m);
    cJSON_AddStringToObject(o, "risk", m->risk);
    cJSON_AddItemToObject(o, "sweep", json_sweep(run, p));
    cJSON_AddNullToObject(o, "suppression");
    return o;
}

/* The cost of all occurrences; null where unknown. */
static cJSON *json_cost(const Match *m)
{
    double sum = 0;
    bool known = false;
    for (size_t i = 0; i < m->nplace; i++)
        if (m->place[i].cost_ns > 0) {
            sum += m->place[i].cost_ns;
            known = true;
        }
    return result_ns_if(known, sum);
}

static cJSON *json_observation(const AdviseRun *run, const Observation *x)
{
    const Proposal *p = x->proposal;
    const Match *m = p->match;
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "rule_id", m->rule->id);
    cJSON_AddStringToObject(o, "title", m->title[p->chosen]);
    result_add_where(cJSON_AddObjectToObject(o, "where"), run, &m->place[0]);
    cJSON_AddStringToObject(o, "text", m->place[0].text);
    cJSON_AddItemToObject(o, "cost_ns", json_cost(m));
    cJSON_AddStringToObject(o, "fingerprint", p->fingerprint);
    cJSON_AddItemToObject(o, "reason", result_message(run, x->said));
    add_change(o, run, p);
    result_add_rule(o, m);
    cJSON_AddNullToObject(o, "suppression");
    return o;
}

static void add_observations(cJSON *root, const AdviseRun *run)
{
    const Ranking *r = &run->ranking;
    cJSON *list = cJSON_AddArrayToObject(root, "observations");
    for (size_t i = 0; i < r->nobservation; i++)
        if (!is_recommended(r, r->observation[i].proposal->match->rule))
            cJSON_AddItemToArray(list, json_observation(run, &r->observation[i]));
}

/* The ranks of the parts in the list of recommendations. */
static cJSON *json_ranks(const Ranking *r)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < r->combined.npart; i++)
        for (size_t k = 0; k < r->nrec; k++)
            if (r->rec[k] == r->combined.part[i])
                cJSON_AddItemToArray(list, cJSON_CreateNumber((double)k + 1));
    return list;
}

static void add_combined(cJSON *root, const AdviseRun *run)
{
    const Combined *c = &run->ranking.combined;
    if (c->npart < 2) {
        cJSON_AddNullToObject(root, "combined");
        return;
    }
    Objective objective = run->request->objective;
    cJSON *o = cJSON_AddObjectToObject(root, "combined");
    cJSON *ids = cJSON_AddArrayToObject(o, "rule_ids");
    for (size_t i = 0; i < c->npart; i++)
        cJSON_AddItemToArray(ids, cJSON_CreateString(c->part[i]->match->rule->id));
    cJSON_AddItemToObject(o, "ranks", json_ranks(&run->ranking));
    cJSON_AddItemToObject(o, "levers", result_levers(&c->attempt, RESULT_ALL_SETTINGS));
    cJSON_AddItemToObject(o, "predicted", result_difference(objective, c->gain.gain));
    cJSON_AddItemToObject(o, "baseline", result_amount(objective, c->gain.before));
    cJSON_AddItemToObject(o, "verified", json_verified(objective, &c->verified, c->gain.before));
    if (run->request->data)
        cJSON_AddItemToObject(o, "accuracy", tree_accuracy_json(&c->accuracy));
    cJSON_AddItemToObject(o, "sum_of_parts", result_amount(objective, c->sum_of_parts));
    cJSON_AddItemToObject(o, "overlap",
                          result_amount(objective, c->sum_of_parts - c->gain.gain.mid));
}

static void add_outcomes(cJSON *root, const AdviseRun *run)
{
    cJSON *passed = cJSON_AddArrayToObject(root, "passed");
    cJSON *not_applicable = cJSON_AddArrayToObject(root, "not_applicable");
    for (size_t i = 0; i < run->matches.noutcome; i++) {
        const RuleOutcome *x = &run->matches.outcome[i];
        if (x->outcome == OUTCOME_PASSED)
            cJSON_AddItemToArray(passed, cJSON_CreateString(x->rule->id));
        if (x->outcome == OUTCOME_NOT_APPLICABLE)
            result_add_entry(not_applicable, "rule_id", x->rule->id,
                             result_message(run, x->reason));
    }
}

/* Smaller shares count as none. */
#define MIN_SHARE 0.0005

/* The change itself, or a setting of the run that it would change too. */
static bool is_about(const TunePart *x, const Proposal *p)
{
    const Attempt *t = proposal_attempt(p);
    if (x->change)
        return !strcmp(x->change->proposal->fingerprint, p->fingerprint);
    for (size_t i = 0; t && i < t->nset; i++)
        if (!t->set[i].given && !strcmp(t->set[i].lever, space_axis_lever(x->axis)))
            return true;
    return false;
}

/* The part of the deployed plan that is this change, which may save more there than alone. */
static const TunePart *deployed_part(const AdviseRun *run, const Proposal *p)
{
    const Tune *t = run->best;
    const TunedPoint *x = t && t->chosen < t->nfront ? &t->front[t->chosen] : NULL;
    for (size_t i = 0; x && i < x->npart; i++)
        if (is_about(&x->part[i], p))
            return &x->part[i];
    return NULL;
}

static const Message *held_message(const AdviseRun *run, const Skipped *h)
{
    const TunePart *x = deployed_part(run, h->proposal);
    if (!x || h->reason == SKIPPED_SMALL)
        return h->said;
    if (run->request->objective == OBJECTIVE_THROUGHPUT && x->share < MIN_SHARE)
        return MESSAGE(run->arena, phrase_arg(PHRASE_DEPLOYED_FOR_TIME), arg_message(h->said));
    return MESSAGE(run->arena, phrase_arg(PHRASE_DEPLOYED), arg_message(h->said),
                   arg_fixed(100 * x->share, 1));
}

/* Each rule is in one list only, unless list_held is set. */
static void add_suppressed(cJSON *root, const AdviseRun *run)
{
    cJSON *list = cJSON_AddArrayToObject(root, "suppressed");
    for (size_t i = 0; i < run->ranking.nheld; i++) {
        const Skipped *h = &run->ranking.held[i];
        if (!run->request->list_held && (is_recommended(&run->ranking, h->proposal->match->rule) ||
                                         is_observed(&run->ranking, h->proposal->match->rule)))
            continue;
        cJSON *o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "rule_id", h->proposal->match->rule->id);
        cJSON_AddStringToObject(o, "reason", rank_skip_reason_name(h->reason));
        cJSON_AddItemToObject(o, "text", result_message(run, held_message(run, h)));
        cJSON_AddBoolToObject(o, "deployed", deployed_part(run, h->proposal) != NULL);
        cJSON_AddStringToObject(o, "fingerprint", h->proposal->fingerprint);
        cJSON_AddItemToObject(o, "gain", json_gain(run, h->proposal));
        if (h->reason == SKIPPED_SMALL || h->reason == SKIPPED_UNCERTAIN) {
            cJSON_AddStringToObject(o, "title", h->proposal->match->title[h->proposal->chosen]);
            cJSON_AddItemToObject(
                o, "levers", result_levers(proposal_attempt(h->proposal), RESULT_ALL_SETTINGS));
            result_add_fix(o, sdk_text(run->variant.compile.sdk), h->proposal->match,
                           h->proposal->chosen);
            cJSON_AddStringToObject(o, "risk", h->proposal->match->risk);
        }
        cJSON_AddItemToArray(list, o);
    }
}

/* The tested bounds, on request. */
static void add_bounds(cJSON *root, const AdviseRun *run)
{
    Objective objective = run->request->objective;
    BoundTest test;
    cJSON *list = cJSON_AddArrayToObject(root, "bounds");
    for (size_t i = 0; i < run->ranking.nrec; i++) {
        const Proposal *p = run->ranking.rec[i];
        if (!p->beside.n || !proposal_bound(p, &test))
            continue;
        cJSON *o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "rule_id", p->match->rule->id);
        cJSON_AddItemToObject(o, "baseline", result_real(test.gain->before));
        cJSON_AddItemToObject(o, "predicted", result_difference(objective, test.gain->gain));
        cJSON_AddItemToObject(o, "verified",
                              json_verified(objective, &p->beside, test.gain->before));
        cJSON_AddItemToArray(list, o);
    }
}

void result_add_advice(cJSON *root, const AdviseRun *run)
{
    cJSON *list = cJSON_AddArrayToObject(root, "recommendations");
    for (size_t i = 0; i < run->ranking.nrec; i++)
        cJSON_AddItemToArray(list, json_recommendation(run, i));
    add_combined(root, run);
    result_add_best(root, run);
    add_observations(root, run);
    add_outcomes(root, run);
    add_suppressed(root, run);
    cJSON_AddItemToObject(root, "rules", result_rules(run->arena, &run->book, run->request->lang));
    if (run->request->test_bounds)
        add_bounds(root, run);
}
