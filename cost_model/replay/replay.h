/* Predicts a variant of a program that a trace has measured. */
#pragma once

#include "cost_model/reconcile.h"

/* The prediction for `variant`: a step or op that is the same (step_key, program_lowop_key) as a
 * measured one of the baseline takes its measured median, others stay predicted, unattributed
 * time stays a delay.  With r == NULL, or a foreign trace, it is predict(). */
Prediction *replay(Arena *a, const Program *baseline, const Reconciliation *r,
                   const Program *variant, const Costs *c, const RunOptions *run);
