/* Windows: how else the vector engine may take the windows of pools.
 *
 * The target's figures have a window of up to nine elements go by in one pass, and larger ones in
 * proportion.  No published total tells the window of a pool from its map: an element may as well
 * be a pass of its own.  What a trace has fitted is the time of the windows that it has; whether a
 * smaller one takes a whole pass or less, it does not tell either. */
#ifndef ADVISOR_CANDIDATE_WINDOWS_H
#define ADVISOR_CANDIDATE_WINDOWS_H

#include "advisor/candidate/whatif.h"

/* Passes that one element of a window takes: as many of them as fill one, where a trace has fitted
 * what a pass takes; at most, where none has. */
#define WINDOWS_FITTED (1.0 / 9)
#define WINDOWS_MAX    1.0

/* Elements of the windows of all pools: two programs with as many have the same pools, for all that
 * a change does to them. */
double windows_sum(const Program *p);

/* Objective of a trial whose pools take `passes` for each element of their windows, however few
 * they are.  `scratch`: one for each step. */
double windows_objective(const Trial *t, const Costs *c, Objective o, double passes,
                         StepPrediction *scratch);

#endif
