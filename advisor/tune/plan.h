/* Plan: the fewest cards and workers that serve images which come at a rate within a limit.
 *
 * Requests carry a batch each, whose images come at the rate and are collected first: the first of
 * them waits for the last.  Everything is taken to last PLAN_HEADROOM longer than predicted, so
 * that a promise is not one of every second run. */
#ifndef ADVISOR_TUNE_PLAN_H
#define ADVISOR_TUNE_PLAN_H

#include "advisor/tune/search.h"

/* Assumed: verified objectives of replayed variants are off by about as much in the middle. */
#define PLAN_HEADROOM 0.1
enum { CARDS_MOST = 16 };

typedef struct {
    double images_per_s; /* 0: nobody asks */
    bool equal_gaps;
    double quantile, limit_ns;
} PlanGoal;

typedef struct {
    bool found;
    TunePoint point;
    double latency_ns;       /* the quantile as predicted, collecting included … */
    double with_headroom_ns; /* … and with everything that much longer: within the limit */
    double collecting_ns;
    double busy;  /* of the busiest station, 0 to 1 */
    size_t tried; /* set-ups whose requests were drawn */
} Plan;

/* Among the builds of the search: fewest cards, then least effort and fewest changes of the model,
 * then fewest workers, then the least latency. */
Plan plan_find(const Search *s, const Space *space, const PlanGoal *g);

#endif
