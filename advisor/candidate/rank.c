/* Walks down the sorted proposals and compares each with the combination of those above it. */
#include "advisor/candidate/rank.h"

#include "advisor/rules/lever.h"
#include "advisor/rules/rule.h"
#include "advisor/message/phrase.h"
#include "advisor/candidate/proposal_order.h"
#include "advisor/candidate/verify.h"
#include "cost_model/predict.h"
#include "graph/compile/machine.h"
#include "graph/base/compare.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *rank_skip_reason_name(SkipReason r)
{
    static const char *const name[] = {"small",      "no-gain",   "uncertain",   "untried",
                                       "configured", "newer-sdk", "same-change", "on-nothing"};
    static_assert(sizeof name / sizeof *name == SKIPPED_NO_BASE + 1, "a name for each reason");
    assert((unsigned)r <= SKIPPED_NO_BASE);
    return name[r];
}

static bool rule_excludes(const Rule *a, const Rule *b)
{
    for (size_t i = 0; i < a->nconflicts; i++)
        if (strcmp(a->conflicts[i], b->id) == 0)
            return true;
    return false;
}

static bool settings_clash(const Attempt *a, const Attempt *b)
{
    for (size_t i = 0; i < a->nset; i++)
        for (size_t k = 0; k < b->nset; k++) {
            const LeverSetting *x = &a->set[i], *y = &b->set[k];
            if (lever_same_place(x, y) && !lever_setting_equal(x, y))
                return true;
        }
    return false;
}

/* True if the setting of `other` has another spelling, or does not exist, in the SDK of `mover`. */
static bool sdk_clashes(const Proposal *mover, const Proposal *other)
{
    const LeverSetting *set = attempt_setting(proposal_attempt(mover), LEVER_SDK);
    Sdk sdk = set && set->value.kind == TERM_SDK ? set->value.sdk : 0;
    const RuleFix *fix = other->match->fix_rule;
    return sdk && fix && !rule_fix_fits(fix, sdk);
}

/* Returns true if a rule excludes the other, or both set one lever differently. */
static bool proposals_exclude(const Proposal *a, const Proposal *b)
{
    if (rule_excludes(a->match->rule, b->match->rule) ||
        rule_excludes(b->match->rule, a->match->rule))
        return true;
    const Attempt *x = proposal_attempt(a), *y = proposal_attempt(b);
    return x && y && settings_clash(x, y);
}

bool rank_conflict(const Proposal *a, const Proposal *b)
{
    return sdk_clashes(a, b) || sdk_clashes(b, a) || proposals_exclude(a, b);
}

/* State of the walk down the list. */
typedef struct {
    Arena *a;
    const WhatIf *w;
    const Graph *graph; /* of the baseline */
    Thresholds t;
    Ranking out;
    size_t rec_cap, observation_cap, held_cap, part_cap;
    double remaining; /* objective after the recommendations above */
    double
        bounds;  /* the part of it that only bounds remove: it does not make other savings small */
    int workers; /* enough for the combination so far */
} Walk;

/* The order of trial; settings that depend on others (workers) are last. */
static int by_trial(const void *pa, const void *pb)
{
    const Proposal *a = *(const Proposal *const *)pa, *b = *(const Proposal *const *)pb;
    int x = a->match->rule->order, y = b->match->rule->order;
    return x != y ? x - y : COMPARE(a, b);
}

/* Settings of all parts and one more, each once, in order of trial. */
static Attempt join_settings(Arena *a, const Proposal *const *part, size_t npart,
                             const Proposal *more) /* NULL: none */
{
    const Proposal **all = ARENA_ARRAY(a, const Proposal *, npart + 1);
    size_t n = 0, nset = 0;
    for (size_t i = 0; i < npart; i++)
        all[n++] = part[i];
    if (more)
        all[n++] = more;
    qsort(all, n, sizeof *all, by_trial);
    for (size_t i = 0; i < n; i++)
        nset += proposal_attempt(all[i])->nset;
    LeverSetting *set = ARENA_ARRAY(a, LeverSetting, nset);
    nset = 0;
    for (size_t i = 0; i < n; i++) {
        const Attempt *t = proposal_attempt(all[i]);
        for (size_t j = 0; j < t->nset; j++)
            if (!attempt_has(&(Attempt){set, nset}, &t->set[j])) {
                set[nset] = t->set[j];
                set[nset++].given = false;
            }
    }
    return (Attempt){set, nset};
}

static bool is_better(Objective o, double x, double y)
{
    return o == OBJECTIVE_LATENCY ? x < y : x > y;
}

/* A change that makes fewer workers enough for the same rate helps, too. */
static bool spares_workers(const Walk *k, const Gain *g, Trial *t)
{
    const Combined *c = &k->out.combined;
    if (!attempt_setting(&c->attempt, LEVER_WORKERS) ||
        is_better(k->w->objective, c->gain.objective.mid, g->objective.mid * (1 + NOTHING_SHARE)))
        return false;
    trial_choose_workers(k->w, t);
    return t->variant.run.workers < k->workers;
}

/* Adds `p` to the combination when it can be applied, fits and helps. */
static void add_to_combination(Walk *k, const Proposal *p)
{
    Combined *c = &k->out.combined;
    if (!proposal_has_gain(p) || proposal_tier(p) != 0 || p->basis != BASIS_WHAT_IF)
        return;
    for (size_t i = 0; i < c->npart; i++)
        if (rank_conflict(p, c->part[i]))
            return;
    Attempt all = join_settings(k->a, c->part, c->npart, p);
    Trial trial;
    Diag why;
    if (whatif_try(k->w, all.set, all.nset, &trial, &why))
        return;
    Gain g = whatif_gain(k->w, &trial);
    bool helps = !c->npart || is_better(k->w->objective, g.objective.mid, c->gain.objective.mid) ||
                 spares_workers(k, &g, &trial);
    trial_choose_workers(k->w, &trial);
    int workers = trial.variant.run.workers;
    trial_free(&trial);
    if (!helps)
        return;
    k->workers = workers;
    *VEC_PUSH(k->a, c->part, c->npart, k->part_cap) = p;
    c->attempt = all;
    c->gain = g;
    c->sum_of_parts += p->gain.gain.mid;
    k->remaining = g.objective.mid;
}

/* Whether all settings can be tried at once; *ret_objective: the objective then. */
static bool leads_to(const Walk *k, const Attempt *all, double *ret_objective)
{
    Trial trial;
    Diag why;
    if (whatif_try(k->w, all->set, all->nset, &trial, &why))
        return false;
    *ret_objective = prediction_objective(trial.time, k->w->objective).mid;
    trial_free(&trial);
    return true;
}

/* Changes that cannot be applied as they are count where they can be tried with the others. */
static void predict_all_changes(Walk *k)
{
    const Proposal **part = ARENA_ARRAY(k->a, const Proposal *, k->out.nrec + 1);
    size_t n = 0;
    Trial trial;
    Diag why;
    double x;
    for (size_t i = 0; i < k->out.combined.npart; i++)
        part[n++] = k->out.combined.part[i];
    for (size_t i = 0; i < k->out.nrec; i++) {
        const Proposal *p = k->out.rec[i];
        if (p->basis == BASIS_WHAT_IF || !proposal_has_gain(p))
            continue;
        Attempt all = join_settings(k->a, part, n, p);
        if (leads_to(k, &all, &x))
            part[n++] = p;
    }
    Attempt all = join_settings(k->a, part, n, NULL);
    if (!n || whatif_try(k->w, all.set, all.nset, &trial, &why))
        return;
    k->out.reach =
        (Reach){true, n > k->out.combined.npart, prediction_objective(trial.time, k->w->objective),
                trial.time->host_ns.mid};
    trial_free(&trial);
}

/* Chooses the number of workers for the combination. */
static void settle_workers(Walk *k)
{
    Combined *c = &k->out.combined;
    LeverSetting *workers = attempt_setting(&c->attempt, LEVER_WORKERS);
    Trial trial;
    Diag why;
    if (c->npart < 2 || !workers || whatif_try(k->w, c->attempt.set, c->attempt.nset, &trial, &why))
        return;
    double best = 0;
    for (size_t i = 0; i < c->npart; i++)
        best = fmax(best, c->part[i]->gain.objective.mid);
    trial_choose_workers_for(k->w, &trial, best);
    workers->value = lever_number(trial.variant.run.workers);
    c->gain = whatif_gain(k->w, &trial);
    trial_free(&trial);
}

static void skip_proposal(Walk *k, const Proposal *p, SkipReason reason, const Message *said)
{
    *VEC_PUSH(k->a, k->out.held, k->out.nheld, k->held_cap) = (Skipped){p, reason, said};
}

/* Differences below a thousandth of a nanosecond, or of an image, are rounding. */
#define NOTHING 1e-3

static MessageArg figure_arg(Objective o, double x)
{
    x = fabs(x) < NOTHING ? 0 : x;
    return o == OBJECTIVE_LATENCY ? arg_time(x) : arg_rate(x);
}

/* The smallest saving worth a line: a share of the remaining objective, and a minimum time.  A cost
 * that only bounds remove does not make other savings small. */
static double gain_threshold(const Walk *k)
{
    bool rate = k->w->objective == OBJECTIVE_THROUGHPUT;
    double rest = rate ? k->remaining : fmax(0, k->remaining - k->bounds);
    return fmax(k->t.min_share * rest, rate ? 0 : (double)k->t.min_gain_ns);
}

bool rank_is_uncertain(double lower, double mid)
{
    return lower < -mid / 2;
}

/* True if no try can be applied to this model. */
static bool is_untriable(const Proposal *p)
{
    for (size_t i = 0; i < p->npoint; i++)
        if (p->point[i].tried)
            return false;
    return p->npoint > 0;
}

static const Message *no_gain_message(const Walk *k, const Proposal *p)
{
    const Interval *g = &p->gain.gain;
    Objective o = k->w->objective;
    if (fabs(g->mid) < NOTHING_SHARE * p->gain.before)
        return MESSAGE(k->a, phrase_arg(PHRASE_TRIED_NOTHING), figure_arg(o, p->gain.before));
    return MESSAGE(k->a, phrase_arg(PHRASE_TRIED_COSTS), figure_arg(o, fabs(g->mid)),
                   figure_arg(o, p->gain.before));
}

static void hold_newer(Walk *k, const Proposal *p)
{
    const Match *m = p->match;
    skip_proposal(k, p, SKIPPED_NEWER_SDK,
                  MESSAGE(k->a, phrase_arg(PHRASE_IN_NEWER_SDK), arg_text(sdk_text(m->newer)),
                          arg_message(m->withheld)));
}

/* A change that cannot be added to the combination may replace a part of it; a change that needs
 * retraining, or an estimate, counts only for what the combination has not saved yet. */
static double gain_instead(const Walk *k, const Proposal *p)
{
    double whole = p->gain.gain.mid, after = p->gain.before - whole;
    if (p->match->rule->applicability != APPLY_RETRAIN && p->basis == BASIS_WHAT_IF)
        return whole;
    return k->w->objective == OBJECTIVE_LATENCY ? k->remaining - after
                                                : p->gain.before + whole - k->remaining;
}

/* The saving of `p` in addition to the recommendations above; its own where it excludes one. */
static double marginal_gain(const Walk *k, const Proposal *p)
{
    const Combined *c = &k->out.combined;
    double whole = p->gain.gain.mid;
    for (size_t i = 0; i < c->npart; i++)
        if (proposals_exclude(p, c->part[i]))
            return whole;
    Attempt all = join_settings(k->a, c->part, c->npart, p);
    double x;
    if (!c->npart)
        return whole;
    if (!leads_to(k, &all, &x))
        return gain_instead(k, p);
    double left = k->w->objective == OBJECTIVE_LATENCY ? k->remaining - x : x - k->remaining;
    return p->basis == BASIS_BOUND ? fmin(left, whole) : left;
}

/* True for a change that removes outputs, or everything downstream of a tensor. */
static bool removes_outputs(const Proposal *p)
{
    const Attempt *t = proposal_attempt(p);
    for (size_t i = 0; t && i < t->nset; i++)
        if (!t->set[i].given &&
            (t->set[i].lever == LEVER_CUT_TAIL || t->set[i].lever == LEVER_DROP_OUTPUT))
            return true;
    return false;
}

/* True if a part of the combination (a cut) removes what `p` changes and is better. */
static bool is_gone_with_part(const Walk *k, const Proposal *p)
{
    const Combined *c = &k->out.combined;
    const Proposal **rest = ARENA_ARRAY(k->a, const Proposal *, c->npart + 1);
    Attempt all = join_settings(k->a, c->part, c->npart, p);
    double x;
    if (!c->npart || p->basis != BASIS_WHAT_IF || leads_to(k, &all, &x))
        return false;
    for (size_t i = 0; i < c->npart; i++) {
        size_t n = 0;
        if (proposals_exclude(p, c->part[i]))
            return false;
        if (!removes_outputs(c->part[i]))
            continue;
        for (size_t j = 0; j < c->npart; j++)
            if (j != i && !proposal_builds_on(c->part[j], c->part[i]))
                rest[n++] = c->part[j];
        all = join_settings(k->a, rest, n, p);
        if (leads_to(k, &all, &x))
            return !is_better(k->w->objective, x, k->remaining);
    }
    return false;
}

/* A change that does not raise the rate of the combination may still save a share of its own
 * baseline, with fewer workers for instance; that is not enough for retraining.  A saving that
 * includes work of unknown cost is never small. */
static bool is_small(const Walk *k, const Proposal *p, double gain)
{
    double least = gain_threshold(k);
    if (gain >= least || least <= 0 || p->gain.at_least)
        return false;
    return k->w->objective == OBJECTIVE_LATENCY || p->match->rule->applicability == APPLY_RETRAIN ||
           p->gain.gain.mid < k->t.min_share * p->gain.before;
}

static const Message *small_gain_message(const Walk *k, const Proposal *p, double gain)
{
    Objective o = k->w->objective;
    return MESSAGE(k->a, phrase_arg(PHRASE_IS_SMALL), figure_arg(o, fmax(gain, 0)),
                   arg_count((int64_t)p->match->nplace), figure_arg(o, gain_threshold(k)));
}

/* The recommendation above that makes all settings of `p`; NULL when there is none. */
static const Proposal *same_change(const Walk *k, const Proposal *p)
{
    const Attempt *t = proposal_attempt(p);
    for (size_t i = 0; t && t->nset && i < k->out.nrec; i++) {
        const Attempt *above = proposal_attempt(k->out.rec[i]);
        size_t same = 0;
        for (size_t j = 0; above && j < t->nset; j++)
            same += attempt_has(above, &t->set[j]);
        if (same == t->nset)
            return k->out.rec[i];
    }
    return NULL;
}

static bool sets_output(const Attempt *t)
{
    static const LeverId lever[] = {LEVER_OUTPUT_DTYPE, LEVER_PERMUTE_OUTPUT, LEVER_PAD_OUTPUT,
                                    LEVER_DROP_OUTPUT};
    for (size_t k = 0; k < sizeof lever / sizeof *lever; k++)
        if (attempt_setting(t, lever[k]))
            return true;
    return false;
}

/* True if a cut above removes the operators or the output of `p`. */
static bool is_after_cut(const Walk *k, const Proposal *p)
{
    const Combined *c = &k->out.combined;
    const Attempt *t = proposal_attempt(p);
    double x;
    if (c->npart && proposal_is_downstream(k->a, k->graph, &c->attempt, p))
        return true;
    if (!sets_output(t) || !attempt_setting(&c->attempt, LEVER_CUT_TAIL))
        return false;
    Attempt all = join_settings(k->a, c->part, c->npart, p);
    return !leads_to(k, &all, &x);
}

/* True if no part of the combination makes a setting that `p` depends on. */
static bool is_on_nothing(const Walk *k, const Proposal *p)
{
    const Attempt *t = proposal_attempt(p), *all = &k->out.combined.attempt;
    for (size_t i = 0; t && i < t->nset; i++)
        if (t->set[i].given && !attempt_has(all, &t->set[i]))
            return true;
    return false;
}

static bool held_back(Walk *k, Proposal *p)
{
    if (p->off) {
        skip_proposal(k, p, SKIPPED_CONFIGURED, MESSAGE(k->a, phrase_arg(PHRASE_RULE_IS_OFF)));
        return true;
    }
    if (p->match->withheld && p->match->newer) {
        hold_newer(k, p);
        return true;
    }
    if (is_on_nothing(k, p)) {
        skip_proposal(k, p, SKIPPED_NO_BASE, MESSAGE(k->a, phrase_arg(PHRASE_ON_NOTHING)));
        return true;
    }
    if (is_untriable(p)) {
        skip_proposal(k, p, SKIPPED_UNTRIED, p->unknown);
        return true;
    }
    if (is_after_cut(k, p)) {
        skip_proposal(k, p, SKIPPED_SAME_CHANGE, MESSAGE(k->a, phrase_arg(PHRASE_GONE_ALREADY)));
        return true;
    }
    if (!proposal_has_gain(p) || (p->verdict != VERDICT_NONE && p->basis == BASIS_WHAT_IF))
        return false;
    Objective o = k->w->objective;
    double gain = marginal_gain(k, p);
    p->is_ranked = true;
    p->on_top = gain;
    p->rest = k->remaining;
    const Proposal *same = same_change(k, p);
    if (p->gain.gain.mid <= 0)
        skip_proposal(k, p, SKIPPED_NO_GAIN, no_gain_message(k, p));
    else if (same)
        skip_proposal(
            k, p, SKIPPED_SAME_CHANGE,
            MESSAGE(k->a, phrase_arg(PHRASE_SAME_CHANGE), arg_text(same->match->rule->id)));
    else if (p->basis == BASIS_BOUND && k->out.nrec && gain < NOTHING_SHARE * p->gain.before)
        skip_proposal(k, p, SKIPPED_SAME_CHANGE, MESSAGE(k->a, phrase_arg(PHRASE_GONE_ALREADY)));
    else if (is_gone_with_part(k, p))
        skip_proposal(k, p, SKIPPED_SAME_CHANGE, MESSAGE(k->a, phrase_arg(PHRASE_GONE_ALREADY)));
    else if (is_small(k, p, gain))
        skip_proposal(k, p, SKIPPED_SMALL, small_gain_message(k, p, gain));
    else if (!k->t.verifying && p->basis != BASIS_BOUND &&
             rank_is_uncertain(p->gain.rank_lo, p->gain.gain.mid)) /* no run measures a bound */
        skip_proposal(k, p, SKIPPED_UNCERTAIN,
                      MESSAGE(k->a, phrase_arg(PHRASE_IS_UNCERTAIN),
                              figure_arg(o, p->gain.gain.mid), figure_arg(o, p->gain.gain.lo),
                              figure_arg(o, p->gain.gain.hi)));
    else
        return false;
    return true;
}

/* True without a figure, or without a setting in any SDK. */
static bool is_observation(const Proposal *p)
{
    if (p->off || p->match->newer)
        return false;
    return p->match->withheld || (!proposal_has_gain(p) && !is_untriable(p));
}

static void add_observation(Walk *k, const Proposal *p)
{
    const Message *said = p->match->withheld ? p->match->withheld : p->unknown;
    *VEC_PUSH(k->a, k->out.observation, k->out.nobservation, k->observation_cap) =
        (Observation){p, said};
}

/* True for an estimated saving that no other proposal may have. */
static bool is_only_estimated(const Proposal *p)
{
    bool firm = p->basis == BASIS_WHAT_IF ||
                (p->basis == BASIS_BOUND && attempt_can_run(proposal_attempt(p)));
    return proposal_has_gain(p) && !firm && !p->off;
}

Ranking rank_proposals(Arena *a, const WhatIf *w, Proposal *list, size_t n, Thresholds t)
{
    Walk k = {.a = a, .w = w, .t = t};
    const Prediction *now = w->baseline.time;
    k.remaining = prediction_objective(now, w->objective).mid;
    k.graph = w->baseline.program ? w->baseline.program->model->graph : NULL;
    Proposal **order = proposal_sort(a, k.graph, list, n);
    assert(t.min_share >= 0 && t.min_gain_ns >= 0);
    for (size_t i = 0; i < n; i++) {
        if (is_only_estimated(&list[i]))
            k.bounds += fmax(0, list[i].gain.gain.mid);
        if (is_observation(&list[i]))
            add_observation(&k, &list[i]);
    }
    for (size_t i = 0; i < n; i++) {
        if (is_observation(order[i]) || held_back(&k, order[i]))
            continue;
        *VEC_PUSH(a, k.out.rec, k.out.nrec, k.rec_cap) = order[i];
        add_to_combination(&k, order[i]);
    }
    settle_workers(&k);
    predict_all_changes(&k);
    assert(k.out.nrec + k.out.nheld + k.out.nobservation == n);
    return k.out;
}
