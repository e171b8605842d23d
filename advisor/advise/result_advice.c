/* Builds recommendations, observations and the outcome of every other rule. */
#include "advisor/advise/result.h"

#include "advisor/report/result_json.h"
#include "advisor/rules/lever.h"
#include "advisor/rules/rule_book.h"
#include "advisor/message/phrase.h"
#include "advisor/candidate/proposal.h"
#include "advisor/candidate/search/space.h"
#include "advisor/candidate/search/tune.h"
#include "cost_model/predict.h"
#include "graph/compile/machine.h"

static const ResultInterval *difference_of(const AdviseRun *run, Interval v)
{
    return RESULT_NEW(run->arena, ResultInterval, result_difference(run->request->objective, v));
}

static ResultPlace place_of(const AdviseRun *run, const Proposal *p, size_t i)
{
    const Occurrence *x = &p->match->place[i];
    const Gain *g = &p->place[i];
    ResultWhere where = result_where(run, x);
    return (ResultPlace){.node = where.node,
                         .tensor = where.tensor,
                         .op = where.op,
                         .text = x->text,
                         .fix = x->fix[p->chosen],
                         .gain = g->known ? difference_of(run, g->gain) : NULL,
                         .local_ns = result_int_if(g->known, result_ns(g->local_ns))};
}

static ResultPlaceList places_of(const AdviseRun *run, const Proposal *p)
{
    size_t n = p->match->nplace;
    ResultPlace *list = ARENA_ARRAY(run->arena, ResultPlace, n);
    for (size_t i = 0; i < n; i++)
        list[i] = place_of(run, p, i);
    return (ResultPlaceList){list, n};
}

/* `baseline`: the base of the prediction, to which the measured share is applied. */
static const ResultVerified *runs_of(const AdviseRun *run, const Verified *v, double baseline)
{
    if (v->n == 0)
        return NULL;
    Objective objective = run->request->objective;
    Interval now = {baseline * v->share.lo, baseline * v->share.mid, baseline * v->share.hi};
    return RESULT_NEW(run->arena, ResultVerified,
                      {.median = result_amount(objective, v->median),
                       .lo = result_amount(objective, v->lo),
                       .hi = result_amount(objective, v->hi),
                       .baseline = result_amount(objective, v->before),
                       .now = baseline > 0 ? difference_of(run, now) : NULL,
                       .n = v->n,
                       .runner = v->runner,
                       .simulated = v->simulated,
                       .members = v->members
                                      ? RESULT_NEW(run->arena, ResultMembers, {v->members, v->real})
                                      : NULL});
}

static ResultGain gain_of(const AdviseRun *run, const Proposal *p)
{
    Objective o = run->request->objective;
    bool is_time = o == OBJECTIVE_LATENCY, has = proposal_has_gain(p);
    const Gain *g = &p->gain;
    return (ResultGain){
        .metric = is_time ? RESULT_OBJECTIVE_LATENCY : RESULT_OBJECTIVE_THROUGHPUT,
        .unit = is_time ? RESULT_UNIT_NS : RESULT_UNIT_PER_S,
        .basis = has ? result_word(result_basis_words, basis_name(p->basis)) : RESULT_BASIS_UNSET,
        .at_least = has && g->at_least,
        .predicted = has ? difference_of(run, g->gain) : NULL,
        .rank_lo = result_real_if(has && g->rank_lo > g->gain.lo, result_amount(o, g->rank_lo)),
        .baseline = result_real_if(has, result_amount(o, g->before)),
        .on_top = result_real_if(p->is_ranked, result_amount(o, p->on_top)),
        .verified = runs_of(run, &p->verified, has ? g->before : 0),
        .reason_if_null = RESULT_SENTENCE(run, p->unknown),
        .local_ns = result_int_if(has, result_ns(g->local_ns))};
}

enum { POINT_NAME_MAX = 256 };

/* "batch=4"; with an index "width[0]=640"; of many settings the first ones and how many more. */
static const char *point_name(Arena *a, const Attempt *t)
{
    const char *text = "";
    for (size_t i = 0; i < t->nset; i++) {
        if (strlen(text) >= POINT_NAME_MAX)
            return arena_printf(a, "%s (+%zu)", text, t->nset - i);
        LeverWords s = lever_words(a, &t->set[i]);
        text = arena_printf(a, "%s%s%s%s%s%s=%s", text, i ? " " : "", s.lever, *s.index ? "[" : "",
                            s.index, *s.index ? "]" : "", s.value);
    }
    return text;
}

static ResultSweep sweep_point(const AdviseRun *run, const char *value, const Gain *g)
{
    ResultSweep x = {.value = value};
    if (g) {
        x.objective = RESULT_NEW(run->arena, ResultInterval,
                                 result_objective(run->request->objective, g->objective));
        x.gain = difference_of(run, g->gain);
    }
    return x;
}

/* There are two PE modes: the curve begins with the one in use, which has no try. */
static bool is_mode_switch(const Proposal *p)
{
    const Attempt *t = p->npoint == 1 ? &p->match->attempt[0] : NULL;
    return t && t->nset == 1 && t->set[0].lever == LEVER_TARGET;
}

static ResultSweep mode_in_use(const AdviseRun *run)
{
    const Trial *t = whatif_reference(&run->whatif, &run->whatif.at_best);
    Gain none = {.objective = prediction_objective(t->time, run->request->objective)};
    return sweep_point(run, arena_printf(run->arena, "target=%s", t->variant.compile.target),
                       &none);
}

/* The curve of a recommendation with several settings to choose from. */
static ResultSweepList sweep_of(const AdviseRun *run, const Proposal *p)
{
    ResultSweep *list = ARENA_ARRAY(run->arena, ResultSweep, p->npoint + 1);
    bool modes = is_mode_switch(p);
    size_t n = 0;
    if (modes)
        list[n++] = mode_in_use(run);
    for (size_t i = 0; (modes || p->npoint > 1) && i < p->npoint; i++) {
        const ProposalTrial *x = &p->point[i];
        bool known = x->tried && x->gain.known;
        list[n] = sweep_point(run, point_name(run->arena, &p->match->attempt[i]),
                              known ? &x->gain : NULL);
        list[n++].chosen = proposal_has_gain(p) && i == p->chosen;
    }
    return (ResultSweepList){list, n};
}

/* Other recommendations that exclude this one, each rule once. */
static ResultTexts conflicts_of(const AdviseRun *run, const Proposal *p)
{
    const Ranking *r = &run->ranking;
    const char **list = ARENA_ARRAY(run->arena, const char *, r->nrec), *last = "";
    size_t n = 0;
    for (size_t k = 0; k < run->rules.book.nrule; k++)
        for (size_t i = 0; i < r->nrec; i++) {
            const Rule *other = r->rec[i]->match->rule;
            if (other == &run->rules.book.rule[k] && r->rec[i] != p &&
                strcmp(last, other->id) != 0 && rank_conflict(p, r->rec[i]))
                list[n++] = last = other->id;
        }
    return (ResultTexts){list, n};
}

static bool is_observed(const Ranking *r, const Rule *rule)
{
    for (size_t i = 0; i < r->nobservation; i++)
        if (r->observation[i].proposal->match->rule == rule)
            return true;
    return false;
}

bool result_recommends(const Ranking *r, const Rule *rule)
{
    for (size_t i = 0; i < r->nrec; i++)
        if (r->rec[i]->match->rule == rule)
            return true;
    return false;
}

/* Rules that may match once this one is followed. */
static ResultTexts enables_of(const AdviseRun *run, const Rule *rule)
{
    const char **list = ARENA_ARRAY(run->arena, const char *, rule->nenables);
    size_t n = 0;
    for (size_t i = 0; i < rule->nenables; i++) {
        const Rule *other = rule_find(&run->rules.book, rule->enables[i]);
        if (other && !result_recommends(&run->ranking, other))
            list[n++] = other->id;
    }
    return (ResultTexts){list, n};
}

static bool sets_given(const Attempt *t, const Attempt *upper)
{
    for (size_t i = 0; i < t->nset; i++)
        for (size_t k = 0; k < upper->nset; k++)
            if (!t->set[i].given && upper->set[k].given &&
                lever_same_place(&t->set[i], &upper->set[k]))
                return true;
    return false;
}

/* Ranks of the recommendations that it depends on. */
static ResultInts bases_of(const AdviseRun *run, size_t rank)
{
    int64_t *list = ARENA_ARRAY(run->arena, int64_t, rank);
    size_t n = 0;
    const Attempt *upper = proposal_attempt(run->ranking.rec[rank]);
    for (size_t i = 0; upper && i < rank; i++) {
        const Attempt *t = proposal_attempt(run->ranking.rec[i]);
        if (t && sets_given(t, upper))
            list[n++] = (int64_t)i + 1;
    }
    return (ResultInts){list, n};
}

static ResultRecommendation recommendation_of(const AdviseRun *run, size_t rank)
{
    const Proposal *p = run->ranking.rec[rank];
    const Match *m = p->match;
    ResultRecommendation x =
        result_recommendation(m, p->chosen, sdk_text(run->variant.compile.sdk));
    x.rank = (int64_t)rank + 1;
    x.fingerprint = p->fingerprint;
    x.where = result_where(run, &m->place[0]);
    x.levers = result_levers(run->arena, proposal_attempt(p), RESULT_OWN_SETTINGS);
    x.places = places_of(run, p);
    x.gain = gain_of(run, p);
    x.accuracy = result_accuracy(run->arena, &p->accuracy);
    x.accuracy_reason = RESULT_SENTENCE(run, p->accuracy_why);
    x.verdict = result_word(result_verdict_words, verdict_name(p->verdict));
    x.conflicts_with = conflicts_of(run, p);
    x.enables = enables_of(run, m->rule);
    x.on_top_of = bases_of(run, rank);
    x.sweep = sweep_of(run, p);
    return x;
}

/* The cost of all occurrences, as far as it is known. */
static ResultInt cost_of(const Match *m)
{
    double sum = 0;
    bool known = false;
    for (size_t i = 0; i < m->nplace; i++)
        if (m->place[i].cost_ns > 0) {
            sum += m->place[i].cost_ns;
            known = true;
        }
    return result_int_if(known, result_ns(sum));
}

static ResultObservation observation_of(const AdviseRun *run, const Observation *seen)
{
    const Proposal *p = seen->proposal;
    ResultObservation x =
        result_observation(p->match, p->chosen, sdk_text(run->variant.compile.sdk));
    x.where = result_where(run, &p->match->place[0]);
    x.cost_ns = cost_of(p->match);
    x.fingerprint = p->fingerprint;
    x.reason = RESULT_SENTENCE(run, seen->said);
    x.places = places_of(run, p);
    return x;
}

static ResultObservationList observations_of(const AdviseRun *run)
{
    const Ranking *r = &run->ranking;
    ResultObservation *list = ARENA_ARRAY(run->arena, ResultObservation, r->nobservation);
    size_t n = 0;
    for (size_t i = 0; i < r->nobservation; i++)
        if (!result_recommends(r, r->observation[i].proposal->match->rule))
            list[n++] = observation_of(run, &r->observation[i]);
    return (ResultObservationList){list, n};
}

/* The ranks of the parts in the list of recommendations. */
static ResultInts combined_ranks(Arena *a, const Ranking *r)
{
    int64_t *list = ARENA_ARRAY(a, int64_t, r->combined.npart);
    size_t n = 0;
    for (size_t i = 0; i < r->combined.npart; i++)
        for (size_t k = 0; k < r->nrec; k++)
            if (r->rec[k] == r->combined.part[i])
                list[n++] = (int64_t)k + 1;
    return (ResultInts){list, n};
}

static const ResultCombined *combined_of(const AdviseRun *run)
{
    const Combined *c = &run->ranking.combined;
    Arena *a = run->arena;
    Objective o = run->request->objective;
    if (c->npart < 2)
        return NULL;
    const char **id = ARENA_ARRAY(a, const char *, c->npart);
    for (size_t i = 0; i < c->npart; i++)
        id[i] = c->part[i]->match->rule->id;
    return RESULT_NEW(a, ResultCombined,
                      {.rule_ids = {id, c->npart},
                       .ranks = combined_ranks(a, &run->ranking),
                       .levers = result_levers(a, &c->attempt, RESULT_ALL_SETTINGS),
                       .predicted = result_difference(o, c->gain.gain),
                       .baseline = result_amount(o, c->gain.before),
                       .verified = runs_of(run, &c->verified, c->gain.before),
                       .accuracy = result_accuracy(a, &c->accuracy),
                       .accuracy_given = run->request->data,
                       .sum_of_parts = result_amount(o, c->sum_of_parts),
                       .overlap = result_amount(o, c->sum_of_parts - c->gain.gain.mid)});
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
        if (!t->set[i].given && t->set[i].lever == space_axis_lever(x->axis))
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

static ResultSuppressed suppressed_of(const AdviseRun *run, const Skipped *h)
{
    const Proposal *p = h->proposal;
    ResultSuppressed x = {.rule_id = p->match->rule->id,
                          .reason =
                              result_word(result_reason_words, rank_skip_reason_name(h->reason)),
                          .text = RESULT_SENTENCE(run, held_message(run, h)),
                          .deployed = deployed_part(run, p) != NULL,
                          .fingerprint = p->fingerprint,
                          .gain = gain_of(run, p)};
    if (h->reason == SKIPPED_SMALL || h->reason == SKIPPED_UNCERTAIN) {
        x.title = p->match->title[p->chosen];
        x.levers = result_levers(run->arena, proposal_attempt(p), RESULT_ALL_SETTINGS);
        x.fix = RESULT_NEW(run->arena, ResultFix,
                           result_fix(sdk_text(run->variant.compile.sdk), p->match, p->chosen));
        x.risk = p->match->risk;
    }
    return x;
}

/* Each rule is in one list only, unless list_held is set. */
static ResultSuppressedList suppressed_list(const AdviseRun *run)
{
    const Ranking *r = &run->ranking;
    ResultSuppressed *list = ARENA_ARRAY(run->arena, ResultSuppressed, r->nheld);
    size_t n = 0;
    for (size_t i = 0; i < r->nheld; i++) {
        const Rule *rule = r->held[i].proposal->match->rule;
        if (run->request->list_held || (!result_recommends(r, rule) && !is_observed(r, rule)))
            list[n++] = suppressed_of(run, &r->held[i]);
    }
    return (ResultSuppressedList){list, n};
}

void result_set_advice(Result *ret, const AdviseRun *run)
{
    size_t n = run->ranking.nrec;
    ResultRecommendation *list = ARENA_ARRAY(run->arena, ResultRecommendation, n);
    for (size_t i = 0; i < n; i++)
        list[i] = recommendation_of(run, i);
    ret->recommendations = (ResultRecommendationList){list, n};
    ret->combined = combined_of(run);
    ret->tuned = result_best(run);
    ret->observations = observations_of(run);
    ret->suppressed = suppressed_list(run);
}
