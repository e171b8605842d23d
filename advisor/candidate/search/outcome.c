/* Weighs each proposal that is in no plan against the recommended one. */
#include "advisor/candidate/search/outcome.h"

#include "advisor/candidate/verify.h"
#include "advisor/message/phrase.h"
#include "advisor/rules/lever.h"
#include "graph/compile/machine.h"

ENUM_WORDS(suppress_reason_name, SuppressReason, SUPPRESSED_NEEDS + 1, "small", "no-gain",
           "untried", "configured", "newer-sdk", "covered", "accuracy", "needs")

/* ---- in a plan ---- */

static bool sets_axis_of(const PlanRow *x, const Proposal *p)
{
    const Match *m = p->match;
    return LIST_ANY(i, m->nattempt, attempt_setting(&m->attempt[i], space_axis_lever(x->axis)));
}

const PlanRow *outcome_row(const Plan *p, const Proposal *proposal)
{
    const PlanRow *x = p->row;
    return LIST_FIND(i, x, p->nrow,
                     x[i].part ? x[i].part->proposal == proposal : sets_axis_of(&x[i], proposal));
}

/* ---- kinds of proposals ---- */

/* True where `apply` cannot make the change: a bound or stand-in, another card, or the
 * application's work. */
/* ---- weighing ---- */

typedef struct {
    Arena *a;
    const PlanSet *s;
    const Plan *plan; /* the recommended one; NULL */
    Thresholds t;
    Outcomes out;
    size_t hand_cap, observation_cap, suppressed_cap;
} Weigh;

static bool is_latency(const Weigh *k)
{
    return k->s->goal.objective == OBJECTIVE_LATENCY;
}

static double smallest_saving(const Weigh *k)
{
    double now = is_latency(k) ? k->s->now.latency_ns : k->s->now.per_s;
    return fmax(k->t.min_share * now, is_latency(k) ? (double)k->t.min_gain_ns : 0);
}

static MessageArg figure_of(const Weigh *k, double x)
{
    x = fabs(x) < 1e-3 ? 0 : x; /* rounding */
    return is_latency(k) ? arg_time(x) : arg_rate(x);
}

static void suppress(Weigh *k, const Proposal *p, SuppressReason reason, const Message *said)
{
    *VEC_PUSH(k->a, k->out.suppressed, k->out.nsuppressed, k->suppressed_cap) =
        (Suppressed){p, reason, said};
}

static void observe(Weigh *k, const Proposal *p, const Message *said)
{
    *VEC_PUSH(k->a, k->out.observation, k->out.nobservation, k->observation_cap) =
        (Observation){p, said};
}

static const Message *no_gain_message(const Weigh *k, const Proposal *p)
{
    const Interval *g = &p->gain.gain;
    if (fabs(g->mid) < NOTHING_SHARE * p->gain.before)
        return MESSAGE(k->a, phrase_arg(PHRASE_TRIED_NOTHING), figure_of(k, p->gain.before));
    return MESSAGE(k->a, phrase_arg(PHRASE_TRIED_COSTS), figure_of(k, fabs(g->mid)),
                   figure_of(k, p->gain.before));
}

static const Message *small_message(const Weigh *k, const Proposal *p)
{
    return MESSAGE(k->a, phrase_arg(PHRASE_IS_SMALL), figure_of(k, fmax(p->gain.gain.mid, 0)),
                   arg_size(p->match->nplace), figure_of(k, smallest_saving(k)));
}

/* The objective that the recommended plan is predicted to reach; now without one. */
static double plan_objective(const Weigh *k)
{
    const TunePoint *p = k->plan ? &k->plan->point : &k->s->search.baseline;
    return is_latency(k) ? p->latency_ns : p->per_s;
}

/* What the proposal saves after the plan, and the most; of one that does not fit it, 0. */
static double saves_on_top(const Weigh *k, const Proposal *p, double *most)
{
    double after, best, now = plan_objective(k);
    *most = k->plan ? 0 : p->gain.gain.hi;
    if (!plan_with(k->s, k->plan, proposal_attempt(p), &after, &best))
        return k->plan ? 0 : p->gain.gain.mid;
    *most = is_latency(k) ? now - fmin(after, best) : fmax(after, best) - now;
    return is_latency(k) ? now - after : after - now;
}

static bool is_hand_work(const Weigh *k, const Proposal *p)
{
    const Attempt *t = proposal_attempt(p);
    return p->basis != BASIS_WHAT_IF || attempt_is_by_hand(t, k->s->space->w->model) ||
           attempt_setting(t, LEVER_DEVICES);
}

static void weigh_hand_work(Weigh *k, const Proposal *p)
{
    double most;
    saves_on_top(k, p, &most);
    if (attempt_is_rest(proposal_attempt(p))) {
        bool repeats = k->plan && most < p->gain.gain.hi;
        observe(k, p, repeats ? NULL : MESSAGE(k->a, phrase_arg(PHRASE_BOUND_OF_ALL)));
        return;
    }
    if (most <= 0 || most < smallest_saving(k)) {
        suppress(k, p, SUPPRESSED_COVERED, MESSAGE(k->a, phrase_arg(PHRASE_COVERED)));
        return;
    }
    *VEC_PUSH(k->a, k->out.by_hand, k->out.nby_hand, k->hand_cap) =
        (HandWork){p, attempt_needs(proposal_attempt(p), k->s->space->moves), most};
}

static void weigh_sdk(Weigh *k, const Proposal *p)
{
    if (p->gain.gain.mid <= 0)
        suppress(k, p, SUPPRESSED_NO_GAIN, no_gain_message(k, p));
    else
        observe(k, p,
                MESSAGE(k->a, phrase_arg(PHRASE_NEWER_SDK_SAVES), figure_of(k, p->gain.gain.mid)));
}

/* Whether it changes a setting that the command line fixes. */
static bool is_given(const Weigh *k, const Proposal *p)
{
    return LIST_ANY(a, AXIS_COUNT,
                    !k->s->space->open[a] &&
                        attempt_setting(proposal_attempt(p), space_axis_lever((SpaceAxis)a)));
}

/* One that is in no plan and saves something after the recommended one was not worth its needs. */
static void suppress_rest(Weigh *k, const Proposal *p)
{
    double most, saves = saves_on_top(k, p, &most);
    bool moves = is_latency(k) && saves >= PLAN_WORTH * plan_objective(k);
    if (is_given(k, p))
        suppress(k, p, SUPPRESSED_CONFIGURED, MESSAGE(k->a, phrase_arg(PHRASE_SETTING_IS_GIVEN)));
    else if (k->s->unattributed)
        suppress(k, p, SUPPRESSED_SMALL, MESSAGE(k->a, phrase_arg(PHRASE_NOW_IS_UNATTRIBUTED)));
    else if (saves > 0 && saves >= smallest_saving(k))
        suppress(k, p, SUPPRESSED_SMALL,
                 MESSAGE(k->a, phrase_arg(moves ? PHRASE_ROUTE_MOVES : PHRASE_ROUTE_IS_SMALL),
                         figure_of(k, saves)));
    else
        suppress(k, p, SUPPRESSED_COVERED, MESSAGE(k->a, phrase_arg(PHRASE_COVERED)));
}

static void weigh_change(Weigh *k, const Proposal *p)
{
    NeedSet needs = attempt_needs(proposal_attempt(p), k->s->space->moves);
    if (p->verdict == VERDICT_ACCURACY_BLOCKED)
        suppress(k, p, SUPPRESSED_ACCURACY, MESSAGE(k->a, phrase_arg(PHRASE_LOSES_ACCURACY)));
    else if (LIST_ANY(i, k->s->nno_gain, k->s->no_gain[i] == p))
        suppress(k, p, SUPPRESSED_NO_GAIN, MESSAGE(k->a, phrase_arg(PHRASE_RAN_WITHOUT_GAIN)));
    else if (p->gain.gain.mid <= 0)
        suppress(k, p, SUPPRESSED_NO_GAIN, no_gain_message(k, p));
    else if (needs & ~k->s->space->needs)
        suppress(k, p, SUPPRESSED_NEEDS, MESSAGE(k->a, phrase_arg(PHRASE_NEEDS_REFUSED)));
    else if (p->gain.gain.mid < smallest_saving(k) && !p->gain.at_least)
        suppress(k, p, SUPPRESSED_SMALL, small_message(k, p));
    else
        suppress_rest(k, p);
}

static void weigh(Weigh *k, const Proposal *p)
{
    const Match *m = p->match;
    if (p->off)
        suppress(k, p, SUPPRESSED_CONFIGURED, MESSAGE(k->a, phrase_arg(PHRASE_RULE_IS_OFF)));
    else if (m->withheld && m->newer)
        suppress(k, p, SUPPRESSED_NEWER_SDK,
                 MESSAGE(k->a, phrase_arg(PHRASE_IN_NEWER_SDK), arg_text(sdk_text(m->newer)),
                         arg_message(m->withheld)));
    else if (m->withheld)
        observe(k, p, m->withheld);
    else if (p->npoint && !LIST_ANY(i, p->npoint, p->point[i].tried))
        suppress(k, p, SUPPRESSED_UNTRIED, p->unknown);
    else if (!proposal_has_gain(p))
        observe(k, p, p->unknown);
    else if (attempt_setting(proposal_attempt(p), LEVER_SDK))
        weigh_sdk(k, p);
    else if (is_hand_work(k, p))
        weigh_hand_work(k, p);
    else
        weigh_change(k, p);
}

ORDER_BY(compare_most_saved, HandWork, COMPARE(b->up_to, a->up_to),
         COMPARE(a->proposal, b->proposal))

Outcomes outcomes_of(Arena *a, const PlanSet *s, const Proposal *list, size_t n, Thresholds t)
{
    Weigh k = {.a = a, .s = s, .plan = plan_recommended(s), .t = t};
    for (size_t i = 0; i < n; i++)
        if (!LIST_ANY(m, s->nplan, outcome_row(&s->plan[m], &list[i])))
            weigh(&k, &list[i]);
    ORDER_LIST(k.out.by_hand, k.out.nby_hand, compare_most_saved);
    return k.out;
}
