/* Carrying measurements over: how far the model is off for one step, seen in a trace, says how far
 * it is off for a step of the same law and another size.  Without this, a measured baseline would
 * be compared with a predicted variant, and the model's error would look like a gain or a loss. */
#ifndef COST_MODEL_CARRY_H
#define COST_MODEL_CARRY_H

#include "cost_model/reconcile.h"

/* Scales the steps (host, transfers) and low-level ops of `t` that have no measurement of their own
 * (matched[] false) by measured / predicted of the baseline: a step by that of the nearest size
 * with the same operator and types, an op by the sum over its kind.  `pure` is the baseline's
 * prediction. */
void carry_over(const Program *baseline, const Prediction *pure, const Reconciliation *r,
                const Program *variant, const Costs *c, const bool *step_matched,
                const bool *op_matched, Prediction *t);

#endif
