/* Tells by how many percent the objective improves when a step takes one percent less.
 *
 * For latency that is the step's share of it.  For throughput it is what the queueing network says
 * of one percent less demand at the step's station: near 1 for what holds everything up, near 0 for
 * what waits for it. */
#pragma once

#include "cost_model/predict.h"

typedef struct {
    double host, npu, io; /* share of the objective per ns of such a step */
} Sensitivity;

/* `t` is a prediction or a replay of `p`. */
Sensitivity sensitivity_of(const Program *p, const Costs *c, const RunOptions *run,
                           const Prediction *t, Objective o);

/* Of one step, 0 to 1; 0 when its cost is not known. */
double sensitivity_step(const Sensitivity *s, const Program *p, const Prediction *t, StepId step);
