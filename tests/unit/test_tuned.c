/* What is said of a choice of settings: by the search, by runs, and of less than a plan has. */
#include "advisor/advise/result.h"
#include "tests/unit/check.h"

#include <math.h>
#include <string.h>

static Arena *arena;
static Build build = {.pe = 1, .batch = 1, .images = 1};

typedef struct {
    WhatIf w;
    Space space;
    Search search;
    TunedPoint front[3];
    Tune tune;
} Question;

static Question *question(void)
{
    Question *q = ARENA_NEW(arena, Question);
    q->w.baseline.variant.compile.target_name = "warboy";
    q->space = (Space){.w = &q->w};
    for (int i = 0; i < 3; i++)
        q->front[i].point = (TunePoint){.build = &build, .workers = 1, .devices = 1};
    q->tune = (Tune){.space = &q->space,
                     .search = &q->search,
                     .front = q->front,
                     .nfront = 3,
                     .baseline = q->front[0]};
    q->search.searched.points = 40;
    return q;
}

/* Why the choice is what it is. */
static const char *why(Question *q)
{
    AdviseRequest request = {.objective = OBJECTIVE_LATENCY};
    AdviseRun run = {.arena = arena, .request = &request, .best = &q->tune};
    const char *text = result_best(&run)->why;
    return text ? text : "none";
}

static void says(Question *q, const char *expected, int line)
{
    const char *found = why(q);
    bool same = !strcmp(found, expected);
    if (!same)
        printf("line %d: '%s', not '%s'\n", line, found, expected);
    CHECK(same);
}
#define WHY(q, expected) says(q, expected, __LINE__)

/* ---- of a search ---- */

static void search_checks(void)
{
    Question *q = question();
    WHY(q, "Of 40 points none is better by more than 0.5 %; of those as good this one asks least.");
    q->search.searched.gap = 0.5;
    WHY(q, "Of 40 points that were looked at none is better by more than 0.5 %, and none of the "
           "others by more than 50.0 %; of those as good this one asks least.");
    q->search.searched.near = true;
    q->search.searched.compiled = 17;
    WHY(q, "Of 17 variants around the list none is better by more than 0.5 %; `npu-advise tune` "
           "looks at all of them.");
    q->tune.nrun = q->tune.nkept = 2;
    q->tune.predicted = 1;
    WHY(q, "Of 2 points that were run none is better by more than 2 %; of those as good this one "
           "asks least. Predicted best was point 2.");
    q->tune.goal.limit_ns = 0.5;
    WHY(q, "Of 2 points that were run none that keeps the limit is better by more than 2 %; of "
           "those as good this one asks least. Predicted best was point 2.");
    q->tune.nkept = 0;
    WHY(q, "It is predicted to keep the limit; none of 2 points that were run does.");
    q->tune.chosen = 3;
    WHY(q, "None of 40 points keeps the limit.");
}

/* ---- of a rate ---- */

/* 1,000 images a second within 5 ms, by two workers on one card. */
static Question *plan(void)
{
    Question *q = question();
    q->tune.rate = (CapacityGoal){.images_per_s = 1000, .limit_ns = 5e6};
    q->tune.plan = (CapacityPlan){.found = true,
                                  .point = {.build = &build, .workers = 2, .devices = 1},
                                  .with_headroom_ns = 5e6,
                                  .slower = 0.6,
                                  .predicted_workers = 2,
                                  .predicted_devices = 1,
                                  .runner = "mine"};
    return q;
}

#define KEPT "With everything 60 % slower than predicted it is 5.00 ms, within the limit."

static void plan_checks(void)
{
    Question *q = plan();
    WHY(q, KEPT);
    q->tune.plan.was_run = true;
    q->tune.plan.run_ns = (Interval){3e6, 4e6, 5e6};
    WHY(q, KEPT " In mine it is 3.00 ms to 5.00 ms in 3 runs, within the limit.");
    q->tune.plan.run_ns.hi = 6e6;
    WHY(q, KEPT " In mine it is 3.00 ms to 6.00 ms in 3 runs: the limit is not kept.");
    q->tune.plan.with_headroom_ns = 5.1e6;
    WHY(q, "In mine it is 3.00 ms to 6.00 ms in 3 runs: the limit is not kept.");
    q->tune.plan.predicted_workers = 1;
    WHY(q, "In mine it is 3.00 ms to 6.00 ms in 3 runs: the limit is not kept. Predicted were 1 "
           "worker on 1 card: it goes by the runs.");
    q->tune.plan.predicted_workers = 2;
    q->tune.plan.predicted_devices = 3;
    WHY(q, "In mine it is 3.00 ms to 6.00 ms in 3 runs: the limit is not kept. Predicted were 2 "
           "workers on 3 cards: it goes by the runs.");
    q->tune.plan.found = false;
    WHY(q, "Up to 16 cards do not serve this rate within the limit.");
    q->tune.rate.images_per_s = 0.5;
    WHY(q, "Up to 16 cards do not serve this rate within the limit.");
    q->tune.rate.images_per_s = 0;
    WHY(q, "Of 40 points none is better by more than 0.5 %; of those as good this one asks least.");
}

/* A worker less, or a card where there are two: what it would do at best, or did in runs. */
static void less_checks(void)
{
    Question *q = plan();
    CapacitySmaller *less = &q->tune.plan.less;
    *less = (CapacitySmaller){.any = true, .workers = 1, .devices = 1, .least_ns = 5e6};
    WHY(q, KEPT " With a worker less it may hold too, 5.00 ms at best: only a run tells.");
    less->least_ns = 5.01e6;
    WHY(q, KEPT " With a worker less nothing holds, in any mode with any batch, even where "
                "everything is 4 % faster.");
    less->least_ns = INFINITY;
    WHY(q, KEPT " With a worker less nothing holds, in any mode with any batch, even where "
                "everything is 4 % faster.");
    less->run = 3;
    less->run_ns = 5.5e6;
    WHY(q, KEPT " With a worker less none of the 3 likeliest set-ups holds in the runs: 5.50 ms at "
                "best.");
    q->tune.plan.point.devices = 2;
    WHY(q, KEPT " With a card less none of the 3 likeliest set-ups holds in the runs: 5.50 ms at "
                "best.");
    less->run = 0;
    less->least_ns = 4e6;
    WHY(q, KEPT " With a card less it may hold too, 4.00 ms at best: only a run tells.");
    less->run = 1;
    less->run_ns = INFINITY; /* what was run could not be */
    WHY(q, KEPT " With a card less it may hold too, 4.00 ms at best: only a run tells.");
    less->run_ns = 5.5e6;
    WHY(q, KEPT " With a card less none of the 1 likeliest set-ups holds in the runs: 5.50 ms at "
                "best.");
    less->scarce = true;
    WHY(q, KEPT " With a worker or a card less the limit is kept in some runs, but not where "
                "everything is 60 % slower: nothing is promised of it.");
    less->any = false;
    WHY(q, KEPT);
}

int main(void)
{
    arena = arena_new(0);
    search_checks();
    plan_checks();
    less_checks();
    arena_free(arena);
    return check_failures() != 0;
}
