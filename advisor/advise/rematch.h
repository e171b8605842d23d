/* Matches rules with the program of a plan, for changes that only the plan makes possible. */
#pragma once

#include "advisor/advise/run.h"

/* Adds proposals that depend on the plan's edits to run->proposal, with settings that are spelled
 * for the model as loaded.  False: there is nothing new. */
bool rematch_plan(AdviseRun *run, const Plan *p);
