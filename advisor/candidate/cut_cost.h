/* Predicts the work that moves to the application when the graph ends earlier. */
#ifndef ADVISOR_CANDIDATE_CUT_COST_H
#define ADVISOR_CANDIDATE_CUT_COST_H

#include "cost_model/costs.h"
#include "graph/compile/options.h"
#include "graph/model/model.h"

/* Time per task that the cuts among the options' edits move to the application; zero without cuts.
 * lo and mid: one pass over the new outputs (a quarter of it for int8) and all multiplications
 * downstream; hi: all operators downstream, one after the other, on one thread. */
Interval cut_cost_ns(Arena *scratch, const Model *m, const CompileOptions *o, const Costs *c);

/* Marks the nodes that depend on a tensor; one that the graph lacks has none. */
void cut_cost_mark_nodes(const Graph *g, const char *tensor, bool *node);

/* Multiplications per task downstream of the cuts. */
double cut_cost_macs(Arena *scratch, const Model *m, const CompileOptions *o);

#endif
