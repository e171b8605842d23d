/* Says whether the vendor's quantizer takes the model of a plan. */
#pragma once

#include "advisor/advise/run.h"

/* Why it takes the changed model in no form (an operator without an equal one in opset 13, a type
 * that it does not know), as `apply` says it; NULL: it takes it, or is not asked: the model is
 * quantized, or only settings change. */
const char *refusal_of_plan(const AdviseRun *run, const Plan *p);
