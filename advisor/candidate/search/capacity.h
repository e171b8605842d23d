/* Finds the fewest cards and workers that serve images at a rate within a latency limit.
 *
 * Each request carries a batch, whose images arrive at the rate and are collected first: the first
 * of them waits for the last.  The times lie between two paces: a promise uses the slow one, and
 * statements about one worker or card less use the fast one. */
#pragma once

#include "advisor/candidate/search/search.h"

/* How much longer everything may take than predicted: without a trace, and with one, whose profiler
 * already slows the host (docs/decisions.md, "What serves a rate"). */
#define CAPACITY_SLOWER_UNTRACED 0.1
#define CAPACITY_SLOWER_TRACED   0.04
/* How much shorter, up to. */
#define CAPACITY_FASTER 0.04
/* A profiler's share of host spans: MegEngine's guide warns of 8 %, Furiosa's calls it small. */
#define PROFILER_HOST_MAX 0.08
enum { CAPACITY_CARDS_MAX = 16 };

typedef struct {
    double images_per_s; /* 0: no rate */
    bool equal_gaps;
    double quantile, limit_ns;
    NeedSet needs; /* that the plan may have */
} CapacityGoal;

/* The best result with one worker fewer, or from one worker on with any number of them on one card
 * fewer: with any changes, in any mode, with any batch. */
typedef struct {
    bool any; /* fewer resources are possible */
    int workers, devices;
    double least_ns, latency_ns; /* at the fast and the middle pace; INFINITY: too slow */
    size_t run;                  /* builds that were run there: none holds; 0: nothing was run */
    bool scarce;   /* one of them held in its runs, but not at the slow pace, or it asks for more */
    double run_ns; /* the least that one of them took */
} CapacitySmaller;

typedef struct {
    bool found;
    TunePoint point;
    double latency_ns;       /* the quantile as predicted, collecting included … */
    double with_headroom_ns; /* … and at the slow pace: within the limit */
    double slower;           /* that pace, as a share of the middle one's times */
    double collecting_ns;
    double busy;  /* of the busiest station, 0 to 1 */
    size_t tried; /* set-ups whose requests were drawn */
    CapacitySmaller less;
    bool was_run;
    Interval run_ns; /* the quantile in runs, collecting included */
    const char *runner;
    double highest_per_s; /* of images, that is served, where this rate is not; 0: none */
} CapacityPlan;

/* The build with the fewest cards, then fewest needs, fewest changes and workers, least latency. */
CapacityPlan capacity_find(const Search *s, const Space *space, const CapacityGoal *g);

/* Runs a point OPEN_RUNS times: the quantile without collecting. False: not possible. */
typedef bool CapacityRun(void *user, const TunePoint *p, Interval *ret_ns);

/* Runs the plan. `follow`: the runner is the real system, so the plan follows its runs: up a worker
 * at a time where they miss the limit (RUN_UP times), and down a card or a worker as long as one of
 * RUN_BUILDS modes and batches holds with fewer. All runs of a point have to hold. */
enum { RUN_UP = 8, RUN_BUILDS = 12, RUN_DOWN = 8 };
void capacity_run(CapacityPlan *plan, const Search *s, const Space *space, const CapacityGoal *g,
                  bool follow, CapacityRun *run, void *user);
