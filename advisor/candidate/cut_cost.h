/* Predicts the work that moves to the application when the graph ends earlier. */
#ifndef ADVISOR_CANDIDATE_CUT_COST_H
#define ADVISOR_CANDIDATE_CUT_COST_H

#include "cost_model/costs.h"
#include "graph/compile/options.h"
#include "graph/model/model.h"

/* Time per task of what the cuts among the options' edits leave to the application; zero without
 * any.  lo and mid: one pass over the tensors that it is handed (a quarter of it where they are
 * codes of 8 bits), as for detections above a threshold, and the products behind the cuts, which
 * nobody can skip; hi: all operators behind the cuts, one after the other, on one thread. */
Interval cut_cost_ns(Arena *scratch, const Model *m, const CompileOptions *o, const Costs *c);

/* Marks the nodes that depend on a tensor; one that the graph lacks has none. */
void cut_cost_mark_nodes(const Graph *g, const char *tensor, bool *node);

/* Multiplications per task behind the cuts. */
double cut_cost_macs(Arena *scratch, const Model *m, const CompileOptions *o);

#endif
