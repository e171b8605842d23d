/* Predicts the work of an application that feeds or reads the layout of the NPU itself.
 *
 * The compiler keys remove_lower and remove_unlower lead to such programs. */
#ifndef ADVISOR_CANDIDATE_LAYOUT_COST_H
#define ADVISOR_CANDIDATE_LAYOUT_COST_H

#include "cost_model/predict.h"

/* Time per task of `p` compared with `now`, where the runtime converts; zero where both or neither
 * convert. lo and mid: one pass over the elements, which decoding an image or reading results needs
 * anyway (the target's costs); hi: the time of the runtime now. */
Interval layout_cost_ns(const Program *p, const Program *now, const Prediction *now_time,
                        const Costs *c);

/* What the runtime takes for all conversions at the graph's inputs and outputs. */
double layout_cost_boundary_ns(const Program *p, const Prediction *t);

#endif
