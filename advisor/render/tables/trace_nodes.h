/* Finds the node of the model that a runtime's operator executes.  Runtimes call an operator after
 * its node or after the tensor it makes, add what they did to it ("conv1_nchwc", "conv1_token_4"),
 * and fuse: an operator of type Conv whose tensor comes from a Relu is the convolution before it.
 */
#pragma once

#include "graph/model/model.h"

typedef struct {
    const char *name, *op; /* as the trace has them; op NULL: no type is told */
    NodeId node;           /* set by trace_nodes_match; NODE_NONE: none of the model's */
} TraceNode;

/* Fused operators get their node after those that say theirs, so that none is given twice. */
void trace_nodes_match(Arena *a, const Graph *g, TraceNode *t, size_t n);
