/* Applies the model's error for a measured step to steps of the same law and another size.
 * Without this, a measured baseline would be compared with a predicted variant, and the model's
 * error would look like a gain or a loss. */
#pragma once

#include "cost_model/reconcile.h"

/* The costs with the terms of each kind of NPU operator fitted to the trace's operators of `p`,
 * and with the share of activations beside the products that fits them best, so that a layer
 * without its activation keeps the time that the trace shows for its multiplications.  `c`
 * itself where no operator is measured.  Lives in `a`. */
const Costs *residual_transfer_costs(Arena *a, const Program *p, const Costs *c,
                                     const Reconciliation *r);

/* What the trace measured, beside what the costs predict for it. */
typedef struct {
    const Program *program;
    const Prediction *pure;
    const Reconciliation *r;
    const Costs *c; /* with the NPU's terms fitted to the trace */
} MeasuredBaseline;

/* Scales the steps and low-level ops of `t` without a measurement (matched[] false) by measured /
 * predicted of the baseline: a step by the nearest size of the same operator and types, less the
 * part that does not grow with size; an op by the residual of its kind under the fitted costs, and
 * where the trace has tasks without operators, by the error of all its tasks. */
void residual_transfer_apply(const MeasuredBaseline *b, const Program *variant,
                             const bool *step_matched, const bool *op_matched, Prediction *t);
