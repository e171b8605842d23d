/* Checks whether the NPU can run most of a network after the recommended plan, and whether one core
 * of the host is faster without it. */
#pragma once

#include "advisor/advise/run.h"

/* Sets run->cpu_ns with a note where that may be less than the recommended plan takes; of machines
 * of tasks, with latency as objective.
 *
 * Sets run->unsuitable when, with the recommended plan, less than half of the model's
 * multiplications run on the NPU, or it has none and nothing runs there.  Those of a cut tail do
 * not run there; those possible with other operators count.  Not for unknown operators, or where
 * only the quantization keeps them on the host. */
void suitability_find(AdviseRun *run);
