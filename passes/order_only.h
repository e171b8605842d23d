/* Choices at the outputs: ArgMax, or the indices of TopK where nobody takes the values. */
#ifndef PASSES_ORDER_ONLY_H
#define PASSES_ORDER_ONLY_H

#include "graph/model/model.h"

/* By node: true for a choice that an output comes from, through views alone.  In `a`. */
bool *order_only_nodes(Arena *a, const Graph *g);

#endif
