/* Finds the fewest cards and workers that serve images at a rate within a latency limit.
 *
 * Each request carries a batch, whose images arrive at the rate and are collected first: the first
 * of them waits for the last.  The times lie between two paces: a promise uses the slow one, and
 * statements about one worker or card less use the fast one. */
#ifndef ADVISOR_CANDIDATE_SEARCH_CAPACITY_H
#define ADVISOR_CANDIDATE_SEARCH_CAPACITY_H

#include "advisor/candidate/search/search.h"

/* How much longer everything may take than predicted, at most: without a trace, and with one, whose
 * profiler makes the host slow already.  Measured on networks that are not reported
 * (docs/decisions.md, "What serves a rate"). */
#define CAPACITY_SLOWER_UNTRACED 0.1
#define CAPACITY_SLOWER_TRACED   0.04
/* How much shorter, at most. */
#define CAPACITY_FASTER 0.04
/* What a profiler adds to the spans of the host: MegEngine's guide warns of 8 %, Furiosa's says
 * that it is small. */
#define PROFILER_HOST_MAX 0.08
enum { CAPACITY_CARDS_MAX = 16 };

typedef struct {
    double images_per_s; /* 0: nobody asks */
    bool equal_gaps;
    double quantile, limit_ns;
} CapacityGoal;

/* The best that a worker less can do, or where there is one alone any number of them on a card
 * less: with any changes, in any mode, with any batch. */
typedef struct {
    bool any; /* there is less to be had */
    int workers, devices;
    double least_ns, latency_ns; /* at the fast pace, and the middle one; INFINITY: nothing keeps up
                                  */
    size_t run;                  /* builds that were run there: none holds; 0: nothing was run */
    bool scarce;   /* one of them, or one with a card less, kept the limit in its runs,
                      which at the slow pace it would not */
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
    int predicted_workers, predicted_devices; /* before the runs moved it */
} CapacityPlan;

/* Among the builds of the search: fewest cards, then least effort and fewest changes of the model,
 * then fewest workers, then the least latency. */
CapacityPlan capacity_find(const Search *s, const Space *space, const CapacityGoal *g);

/* Runs a point at the goal's rate, OPEN_RUNS times: the quantile without what collecting takes.
 * False: it cannot be run. */
typedef bool CapacityRun(void *user, const TunePoint *p, Interval *ret_ns);

/* Runs what was found.  `follow`: who runs is the system itself, so the plan moves to where its
 * runs hold: up a worker at a time where they do not (at most RUN_UP of them), and down a card, or
 * a worker, as long as one of RUN_BUILDS modes and batches that may hold with less does.  To hold,
 * all runs of a point have to be within the limit. */
enum { RUN_UP = 8, RUN_BUILDS = 12, RUN_DOWN = 8 };
void capacity_run(CapacityPlan *plan, const Search *s, const Space *space, const CapacityGoal *g,
                  bool follow, CapacityRun *run, void *user);

#endif
