/* Computes when the entries of a task retire, without events. */
#pragma once

#include "npu_exec/sim/task_plan.h"

/* The retirement times of a stream that starts at time 0 and has the DRAM channel to itself. */
void recurrence(const TaskPlan *plan, Ps *ret_retired_at);
