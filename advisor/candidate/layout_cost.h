/* Predicts the work of an application that feeds or reads the layout of the NPU itself.
 *
 * The compiler keys remove_lower and remove_unlower lead to such programs. */
#ifndef ADVISOR_CANDIDATE_LAYOUT_COST_H
#define ADVISOR_CANDIDATE_LAYOUT_COST_H

#include "cost_model/predict.h"

/* Time per task, of `p` against `now`, which the runtime converts for; zero where it does so in
 * both, or in neither.  lo and mid: one pass over the elements, as a picture is decoded or results
 * are looked at anyway (the target's costs); hi: what the runtime takes for it now. */
Interval layout_cost_ns(const Program *p, const Program *now, const Prediction *now_time,
                        const Costs *c);

/* What the runtime takes for all conversions at the graph's inputs and outputs. */
double layout_cost_boundary_ns(const Program *p, const Prediction *t);

#endif
