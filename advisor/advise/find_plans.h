/* Finds the plans of a run, measures their accuracy on images (--data) and runs them (--verify). */
#pragma once

#include "advisor/advise/run.h"

/* How far to search, and the rate that is to be served (images_per_s 0: none). */
typedef struct {
    size_t work; /* SEARCH_WORK_... */
    CapacityGoal rate;
    TuneWatch watch;
} PlanSearch;

/* Fills run->plans and run->outcomes.  STATUS_INPUT where a runner cannot be started. */
Status find_plans(AdviseRun *run, const PlanSearch *search, Diag *diag);
