/* Says whether the vendor's quantizer takes the model, as it is or as a plan changes it. */
#pragma once

#include "advisor/advise/run.h"

typedef struct {
    bool quantizes;  /* it is asked: the plan changes a float ONNX model */
    const char *why; /* it takes the model in no form (an operator without an equal one in opset 13,
                        a type that it does not know); NULL: it does */
} Refusal;

/* Of the model that `apply` makes of the plan. */
Refusal refusal_of_plan(const AdviseRun *run, const Plan *p);

/* Of the result: of its recommended plan where that asks the quantizer, else of the model. */
const char *refusal_of_result(const AdviseRun *run);
