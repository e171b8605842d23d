/* Draws SRAM over one inference, time from left to right, addresses upwards. */
#pragma once

#include "npu_exec/sim/sim.h"

/* Draws the allocations of the plan's program at the times of the request `job` (complete).  Each
 * box carries what it holds, its address, its size and its ops as a tooltip. */
Status memory_flow_write(Arena *a, const RunPlan *plan, const Job *job, const char *path,
                         Diag *diag);
