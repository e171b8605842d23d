/* Runs the plans and their prefixes against the baseline. */
#pragma once

#include "advisor/candidate/search/plan.h"
#include "advisor/candidate/verify.h"

/* With npu-exec every prefix is run, else the plan alone, whose rows are then shares of it.  A
 * change that saves nothing in its prefix leaves the plan, which is run once more; a plan that runs
 * worse than now is dropped, and routes are compared anew. */
void plan_verify(PlanSet *s, Verifier *v, double min_share);
