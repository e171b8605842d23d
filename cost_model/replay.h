/* Predicts a variant of a program that a trace has measured. */
#ifndef COST_MODEL_REPLAY_H
#define COST_MODEL_REPLAY_H

#include "cost_model/reconcile.h"

/* The prediction for `variant`, where a step or op that is the same (step_key,
 * program_lowop_key) as one measured in the baseline takes its measured median, unmatched ones stay
 * predicted, and unexplained time stays as a delay. With r == NULL, or a foreign trace, it is
 * predict(). */
Prediction *replay(Arena *a, const Program *baseline, const Reconciliation *r,
                   const Program *variant, const Costs *c, const RunOptions *run);

#endif
