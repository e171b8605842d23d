/* Ranking: order, what is held back and why, and which two cannot both be followed. */
#include "advisor/candidate/rank.h"
#include "advisor/candidate/verify.h"
#include "tests/unit/check.h"

#include <string.h>

/* Proposals of rules that set no number of threads: none joins a combination. */
enum { COUNT_MAX = 12 };

typedef struct {
    Rule rule[COUNT_MAX];
    Match match[COUNT_MAX];
    Attempt attempt[COUNT_MAX];
    LeverSetting set[COUNT_MAX];
    ProposalTrial point[COUNT_MAX];
    Proposal proposal[COUNT_MAX];
    size_t n;
    Prediction now;
    WhatIf w;
} List;

static List *list(Arena *a)
{
    List *l = ARENA_NEW(a, List);
    l->now.latency_ns = (Interval){10000, 10000, 10000};
    l->now.throughput_per_s = (Interval){200, 200, 200};
    l->w = (WhatIf){.objective = OBJECTIVE_LATENCY, .baseline.time = &l->now};
    return l;
}

static Proposal *add(List *l, Applicability applicability, double lo, double mid)
{
    size_t i = l->n++;
    l->rule[i] = (Rule){.id = "MY1", .applicability = applicability};
    l->set[i] = (LeverSetting){.lever = LEVER_IO_THREADS, .index = lever_number((int64_t)i)};
    l->attempt[i] = (Attempt){&l->set[i], 1};
    l->match[i] =
        (Match){.rule = &l->rule[i], .attempt = &l->attempt[i], .nattempt = 1, .nplace = 1};
    l->point[i].tried = true;
    l->proposal[i] = (Proposal){.match = &l->match[i], .point = &l->point[i], .npoint = 1};
    l->proposal[i].gain =
        (Gain){.known = true, .before = 10000, .gain = {lo, mid, mid}, .rank_lo = lo};
    return &l->proposal[i];
}

static Ranking ranked(Arena *a, List *l, Thresholds t)
{
    return rank_proposals(a, &l->w, l->proposal, l->n, t);
}

/* Lower bound times weight: 120, 100, 105 0.9, 150 0.5, 200 0.25; a loss weighs the more, -10 and
 * -10 / 0.9; then what was tried in vain.  What nobody can tell is observed. */
static void order_checks(Arena *a)
{
    List *l = list(a);
    add(l, APPLY_SAFE, 5000, 6000)->verdict = VERDICT_NO_GAIN;
    add(l, APPLY_SAFE, 0, 0)->unknown = message_verbatim(a, "nobody knows");
    add(l, APPLY_CHECK, -10, 50);
    add(l, APPLY_SAFE, -10, 50);
    add(l, APPLY_RETRAIN, 200, 200);
    add(l, APPLY_MANUAL, 150, 150);
    add(l, APPLY_CHECK, -1, 105)->gain.rank_lo = 105; /* the trace does not have the rest */
    add(l, APPLY_SAFE, 100, 100);
    Proposal *run = add(l, APPLY_SAFE, 1, 1); /* its run says otherwise */
    run->verdict = VERDICT_CONFIRMED;
    run->verified = (Verified){.n = 30, .lo = 120, .median = 130};
    add(l, APPLY_SAFE, 100, 100); /* a tie: in the order of rules */
    Ranking r = ranked(a, l, (Thresholds){0});
    const size_t want[] = {8, 7, 9, 6, 5, 4, 3, 2, 0};
    CHECK(applicability_weight(APPLY_SAFE) == 1 && applicability_weight(APPLY_CHECK) == 0.9);
    CHECK(applicability_weight(APPLY_MANUAL) == 0.5 && applicability_weight(APPLY_RETRAIN) == 0.25);
    CHECK(r.nrec == 9 && r.nheld == 0 && r.combined.npart == 0);
    CHECK(r.nobservation == 1 && r.observation->proposal == &l->proposal[1]);
    for (size_t i = 0; i < r.nrec; i++)
        CHECK(r.rec[i] == &l->proposal[want[i]]);
}

static bool held(Arena *a, List *l, Thresholds t, SkipReason reason, const char *text)
{
    Ranking r = ranked(a, l, t);
    bool ok = r.nrec == 0 && r.nheld == 1 && r.held->reason == reason &&
              strstr(message_format(a, NULL, r.held->said), text);
    if (!ok)
        printf("  %zu recommended; %s\n", r.nrec,
               r.nheld ? message_format(a, NULL, r.held->said) : "none held back");
    return ok;
}

static bool observed(Arena *a, List *l, Thresholds t, const char *text)
{
    Ranking r = ranked(a, l, t);
    return r.nrec == 0 && r.nheld == 0 && r.nobservation == 1 &&
           strstr(message_format(a, NULL, r.observation->said), text);
}

static bool recommended(Arena *a, List *l, Thresholds t)
{
    return ranked(a, l, t).nrec == 1;
}

static void held_checks(Arena *a)
{
    const Thresholds none = {0};
    List *l = list(a);
    Proposal *p = add(l, APPLY_SAFE, 300, 400);
    CHECK(recommended(a, l, none));
    CHECK(recommended(a, l, (Thresholds){.min_share = 0.04, .min_gain_ns = 400}));
    CHECK(held(a, l, (Thresholds){.min_share = 0.041}, SKIPPED_SMALL,
               "400 ns at 1 place on top of the above; less than 410 ns is small"));
    CHECK(held(a, l, (Thresholds){.min_gain_ns = 401}, SKIPPED_SMALL, "is small"));
    p->off = true;
    CHECK(held(a, l, none, SKIPPED_CONFIGURED, "the configuration"));
    p->off = false;
    l->match[0].withheld = message_verbatim(a, "a setting");
    CHECK(observed(a, l, none, "a setting"));
    l->match[0].newer = 10;
    CHECK(held(a, l, none, SKIPPED_NEWER_SDK, "not in this SDK, but from 0.10 on: a setting"));
    l->match[0].withheld = NULL;
    l->point[0].tried = false;
    p->unknown = message_verbatim(a, "does not fit");
    CHECK(held(a, l, none, SKIPPED_UNTRIED, "does not fit"));
    p->npoint = 0; /* nothing to try is another thing: an observation */
    l->match[0].newer = 0;
    CHECK(observed(a, l, none, "does not fit"));
}

/* A loss; a figure that would round to nothing; a gain that may be lost to more than half. */
static void gain_checks(Arena *a)
{
    const Thresholds none = {0}, verifying = {.verifying = true};
    List *l = list(a);
    Proposal *p = add(l, APPLY_SAFE, -900, -800);
    CHECK(held(a, l, none, SKIPPED_NO_GAIN, "tried: it would cost 800 ns of 10.0 µs"));
    p->gain.gain = (Interval){-2, -1, 0};
    CHECK(held(a, l, none, SKIPPED_NO_GAIN, "tried: it changes nothing (10.0 µs now)"));
    p->gain.gain = (Interval){0, 0, 0};
    CHECK(held(a, l, none, SKIPPED_NO_GAIN, "it changes nothing"));
    p->gain.gain = (Interval){-201, 400, 900};
    p->gain.rank_lo = -201;
    CHECK(held(a, l, none, SKIPPED_UNCERTAIN,
               "400 ns, but anything from -201 ns to 900 ns is possible"));
    CHECK(recommended(a, l, verifying));
    p->gain.rank_lo = -200; /* whatever the trace leaves open besides */
    CHECK(recommended(a, l, none) && !rank_is_uncertain(-200, 400));
    p->verdict = VERDICT_REGRESSION; /* a run is shown, whatever it found */
    p->gain.gain = (Interval){-900, -800, -700};
    CHECK(recommended(a, l, none));
    l->w.objective =
        OBJECTIVE_THROUGHPUT; /* a rate has no threshold in time, and a share of either */
    p->verdict = VERDICT_NONE;
    p->gain.before = 400;
    p->gain.gain = (Interval){4, 4, 4};
    p->gain.rank_lo = 4;
    CHECK(recommended(a, l, (Thresholds){.min_share = 0.01, .min_gain_ns = 999}));
    CHECK(recommended(a, l, (Thresholds){.min_share = 0.011})); /* of the 200/s now */
    CHECK(held(a, l, (Thresholds){.min_share = 0.021}, SKIPPED_SMALL,
               "4/s at 1 place on top of the above; less than 4.2/s is small"));
    p->gain.before = 100; /* of what it is compared with */
    CHECK(recommended(a, l, (Thresholds){.min_share = 0.021}));
}

/* Training anew stands behind a larger bound, before a smaller one; a bound makes nothing small;
 * and one change is recommended once. */
static void bound_checks(Arena *a)
{
    List *l = list(a);
    add(l, APPLY_RETRAIN, 4000, 4000);
    add(l, APPLY_MANUAL, 500, 6000)->basis = BASIS_BOUND;
    add(l, APPLY_MANUAL, 400, 3000)->basis = BASIS_BOUND;
    Ranking r = ranked(a, l, (Thresholds){0});
    CHECK(r.nrec == 3 && r.rec[0] == &l->proposal[1] && r.rec[1] == &l->proposal[0]);
    l = list(a);
    add(l, APPLY_SAFE, 50, 50);
    CHECK(held(a, l, (Thresholds){.min_share = 0.01}, SKIPPED_SMALL, "less than 100 ns"));
    add(l, APPLY_MANUAL, 6000, 6000)->basis = BASIS_BOUND;
    /* what is a setting takes away what others take away too; of 10000, 1 % is 100 */
    CHECK(ranked(a, l, (Thresholds){.min_share = 0.01}).nrec == 1);
    l->proposal[1].basis = BASIS_STAND_IN; /* 1 % of the other 4000 is 40 */
    CHECK(ranked(a, l, (Thresholds){.min_share = 0.01}).nrec == 2);
    l->set[0] = l->set[1];
    r = ranked(a, l, (Thresholds){0});
    CHECK(r.nrec == 1 && r.nheld == 1 && r.held->reason == SKIPPED_SAME_CHANGE);
}

static void conflict_checks(Arena *a)
{
    List *l = list(a);
    Proposal *x = add(l, APPLY_SAFE, 1, 1), *y = add(l, APPLY_SAFE, 1, 1);
    l->set[0] = (LeverSetting){.lever = LEVER_BATCH, .value = lever_number(2)};
    l->set[1] = (LeverSetting){.lever = LEVER_BATCH, .value = lever_number(2)};
    CHECK(!rank_conflict(x, y)); /* both want the same */
    l->set[1].value = lever_number(4);
    CHECK(rank_conflict(x, y) && rank_conflict(y, x));
    l->set[1].index = lever_number(1);
    CHECK(!rank_conflict(x, y));
    l->set[1] = (LeverSetting){.lever = LEVER_WORKERS, .value = lever_number(4)};
    CHECK(!rank_conflict(x, y));
    static const char *const other[] = {"MY2"};
    l->rule[0].conflicts = other;
    l->rule[0].nconflicts = 1;
    CHECK(!rank_conflict(x, y));
    l->rule[1].id = "MY2";
    CHECK(rank_conflict(x, y) && rank_conflict(y, x)); /* either says so */
    l->rule[0].nconflicts = 0;
    x->npoint = 0; /* sets nothing */
    l->set[1] = l->set[0];
    CHECK(!rank_conflict(x, y));
}

int main(void)
{
    Arena *a = arena_new(0);
    order_checks(a);
    held_checks(a);
    gain_checks(a);
    bound_checks(a);
    conflict_checks(a);
    arena_free(a);
    return check_failures() != 0;
}
