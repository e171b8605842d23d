/* Predicts pools under another assumption of how the vector engine reads windows.
 *
 * The figures of the target read a window of up to nine elements in one pass, and larger ones in
 * proportion.  No published total separates the window of a pool from its feature map: each element
 * may as well be a pass.  A trace fits the time of the windows that it contains; it does not say
 * whether a smaller window takes a whole pass or less. */
#pragma once

#include "advisor/candidate/whatif.h"

/* Passes that one element of a window takes: those that fill one, else (no trace) at most. */
#define WINDOWS_FITTED (1.0 / 9)
#define WINDOWS_MAX    1.0

/* Elements of the windows of all pools; equal sums mean equal pools. */
double windows_sum(const Program *p);

/* The objective if pools take `passes` per element. `scratch`: one for each step. */
double windows_objective(const Trial *t, const Costs *c, Objective o, double passes,
                         StepPrediction *scratch);
