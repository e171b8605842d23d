/* Turns a command line into a plan that can run. */
#pragma once

#include "npu_exec/sim/host.h"
#include "npu_exec/session/exec_options.h"

/* Loads machine, silicon and model, compiles, plans.  The caller closes the model after the run.
 * What only times need lies in `of_plan`, which may be `a`: values are run without it. */
Status exec_prepare(Arena *a, Arena *of_plan, const ExecOptions *o, Notes *notes,
                    const RunPlan **ret, Model **ret_model, Diag *diag);
