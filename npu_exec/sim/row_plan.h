/* Plans a row of the compiler's table on the engines of a core that works in DRAM. */
#pragma once

#include "npu_exec/sim/task_plan.h"

/* A part of the input as large as half the core's buffer is a block: it is read, computed, and
 * written while the next one is read.  What cores have in common is the channel. */
PlanEntry row_plan(const Silicon *si, const Program *p, const LowOp *op);
