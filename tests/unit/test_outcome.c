/* Checks what becomes of each match that is in no plan: every reason, work by hand, observations.
 */
#include "advisor/candidate/search/outcome.h"

#include "advisor/message/phrase.h"
#include "tests/unit/check.h"
#include "tests/unit/model_build.h"

static Arena *arena;

/* A latency of 1 ms now; a saving is small below 1 % of it, 10 µs, or below 20 µs. */
static const Thresholds thresholds = {.min_share = 0.01, .min_gain_ns = 20000};

/* One match with one setting of output 99, which the model does not have. */
typedef struct {
    Match match;
    Attempt attempt;
    LeverSetting set;
    ProposalTrial point;
    Proposal p;
} Case;

static Case *make_case(LeverId lever, double saves)
{
    Case *c = ARENA_NEW(arena, Case);
    c->set = (LeverSetting){.lever = lever, .index = {.kind = TERM_OUTPUT, .number = 99}};
    c->attempt = (Attempt){&c->set, 1};
    c->match = (Match){.attempt = &c->attempt, .nattempt = 1, .nplace = 3};
    c->point = (ProposalTrial){.tried = true, .gain.known = true};
    c->p = (Proposal){.match = &c->match,
                      .point = &c->point,
                      .npoint = 1,
                      .gain = {.known = true, .before = 1e6, .gain = {saves, saves, 2 * saves}}};
    return c;
}

static PlanSet make_set(Space *s, WhatIf *w, Model *m)
{
    *w = (WhatIf){.model = m, .objective = OBJECTIVE_LATENCY};
    *s = (Space){.w = w, .needs = NEED_ALL & ~NEED_RETRAIN};
    return (PlanSet){.a = arena,
                     .space = s,
                     .now = {.latency_ns = 1e6, .per_s = 100},
                     .search.baseline = {.latency_ns = 1e6, .per_s = 100}};
}

/* "reason: why", "by hand: up to N ns", "observed: why", or "in a plan". */
static const char *said(const PlanSet *s, const Proposal *p)
{
    Outcomes o = outcomes_of(arena, s, p, 1, thresholds);
    const Message *why = o.nsuppressed    ? o.suppressed->said
                         : o.nobservation ? o.observation->said
                                          : NULL;
    const char *text = why ? message_format(arena, NULL, why) : "";
    CHECK(o.nsuppressed + o.nobservation + o.nby_hand <= 1);
    if (o.nby_hand)
        return arena_printf(arena, "by hand: up to %g ns", o.by_hand->up_to);
    if (o.nobservation)
        return arena_printf(arena, "observed: %s", text);
    return o.nsuppressed
               ? arena_printf(arena, "%s: %s", suppress_reason_name(o.suppressed->reason), text)
               : "in a plan";
}

static void check_names(void)
{
    static const char *const name[] = {"small",     "no-gain", "untried",  "configured",
                                       "newer-sdk", "covered", "accuracy", "needs"};
    for (int r = 0; r <= SUPPRESSED_NEEDS; r++)
        CHECK(same_text(suppress_reason_name((SuppressReason)r), name[r]));
}

/* A change that `apply` can make; the recommended plan holds others. */
static void check_changes(PlanSet s)
{
    s.nplan = 1;
    Case *c = make_case(LEVER_OUTPUT_DTYPE, 19999);
    check_same("small", said(&s, &c->p),
               "small: saves 20.0 µs at 3 occurrences; savings below 20.0 µs are small");
    c->p.gain.at_least = true; /* of unknown size */
    check_same("at least", said(&s, &c->p),
               "covered: the recommended plan already removes this time");
    c = make_case(LEVER_OUTPUT_DTYPE, 20000);
    check_same("covered", said(&s, &c->p),
               "covered: the recommended plan already removes this time");
    c = make_case(LEVER_OUTPUT_DTYPE, -50000);
    check_same("costs", said(&s, &c->p), "no-gain: slower by 50.0 µs of 1.00 ms");
    c = make_case(LEVER_OUTPUT_DTYPE, -999); /* below a thousandth of 1 ms */
    check_same("nothing", said(&s, &c->p), "no-gain: no difference (1.00 ms now)");
    c = make_case(LEVER_REPLACE_OP, 50000);
    check_same("needs", said(&s, &c->p), "needs: --needs does not allow it");
    c = make_case(LEVER_OUTPUT_DTYPE, 50000);
    c->p.verdict = VERDICT_ACCURACY_BLOCKED;
    check_same("accuracy", said(&s, &c->p),
               "accuracy: loses more accuracy than --max-accuracy-loss allows");
}

/* It left a plan, as its run saved nothing. */
static void check_run(PlanSet s)
{
    Case *c = make_case(LEVER_OUTPUT_DTYPE, 50000);
    const Proposal *ran[] = {&c->p};
    s.no_gain = ran;
    s.nno_gain = 1;
    check_same("run", said(&s, &c->p), "no-gain: simulated, no saving");
}

/* What is no change here: turned off, of a newer SDK, not tried, without a figure. */
static void check_others(const PlanSet *s)
{
    Case *c = make_case(LEVER_OUTPUT_DTYPE, 50000);
    c->p.off = true;
    check_same("off", said(s, &c->p), "configured: the configuration turns this rule off");
    c->p.off = false;
    c->match.withheld = message_verbatim(arena, "no such setting");
    check_same("withheld", said(s, &c->p), "observed: no such setting");
    c->match.newer = 10;
    check_same("newer", said(s, &c->p),
               "newer-sdk: not in this SDK, available from 0.10 on: no such setting");
    c = make_case(LEVER_OUTPUT_DTYPE, 50000);
    c->p.unknown = message_verbatim(arena, "why");
    check_same("unknown", said(s, &c->p), "observed: why");
    c->point.tried = false;
    check_same("untried", said(s, &c->p), "untried: why");
}

/* Outputs to drop, bounds, and application code are work by hand; up to the high end, where no plan
 * is recommended.  A recommended plan that the setting does not fit covers it. */
static void check_hand_work(PlanSet s)
{
    static const Build build;
    Case *c = make_case(LEVER_DROP_OUTPUT, 50000);
    check_same("by hand", said(&s, &c->p), "by hand: up to 100000 ns");
    c = make_case(LEVER_OUTPUT_DTYPE, 50000);
    c->p.basis = BASIS_STAND_IN;
    check_same("stand-in", said(&s, &c->p), "by hand: up to 100000 ns");
    s.plan[0] = (Plan){.nrow = 0, .point = {.build = &build, .latency_ns = 9e5}};
    s.nplan = 1;
    check_same("after a plan", said(&s, &c->p),
               "covered: the recommended plan already removes this time");
}

/* Largest first; of equal ones in the order of the list. */
static void check_order(const PlanSet *s)
{
    static const double saves[] = {30000, 50000, 40000, 50000};
    Proposal list[4];
    for (int i = 0; i < 4; i++)
        list[i] = make_case(LEVER_DROP_OUTPUT, saves[i])->p;
    Outcomes o = outcomes_of(arena, s, list, 4, thresholds);
    static const int want[] = {1, 3, 2, 0};
    CHECK(o.nby_hand == 4);
    for (size_t i = 0; i < o.nby_hand; i++)
        CHECK(o.by_hand[i].proposal == &list[want[i]] && o.by_hand[i].needs == NEED_OUTPUT);
}

/* A row is that of the proposal, or of the setting that the proposal asks for. */
static void check_rows(PlanSet s)
{
    Case *change = make_case(LEVER_OUTPUT_DTYPE, 50000), *workers = make_case(LEVER_WORKERS, 50000),
         *other = make_case(LEVER_OUTPUT_DTYPE, 50000);
    const Part part = {.proposal = &change->p};
    PlanRow row[] = {{.part = &part}, {.axis = AXIS_WORKERS, .now = 1, .value = 4}};
    s.plan[0] = (Plan){.row = row, .nrow = 2};
    s.nplan = 1;
    CHECK(outcome_row(s.plan, &change->p) == &row[0]);
    CHECK(outcome_row(s.plan, &workers->p) == &row[1]);
    CHECK(!outcome_row(s.plan, &other->p));
    check_same("its row", said(&s, &change->p), "in a plan");
    check_same("its setting", said(&s, &workers->p), "in a plan");
    check_same("no row", said(&s, &other->p),
               "covered: the recommended plan already removes this time");
}

/* x -> Relu -> y */
static Model *make_model(void)
{
    ModelBuild b = {0};
    Notes notes;
    Diag diag;
    notes_init(&notes, arena);
    build_input(&b, "x", 1, DIMS(1, 4));
    build_node(&b, "Relu", "x", "y", NULL, 0);
    build_output(&b, "y");
    return build_load(&b, arena, &notes, &diag);
}

int main(void)
{
    arena = arena_new(0);
    Model *m = make_model();
    Space space;
    WhatIf w;
    PlanSet s = make_set(&space, &w, m);
    CHECK(m != NULL);
    check_names();
    check_changes(s);
    check_run(s);
    check_others(&s);
    check_hand_work(s);
    check_order(&s);
    check_rows(s);
    model_close(m);
    arena_free(arena);
    return check_failures() != 0;
}
