/* Marks nodes that choose a position (ArgMax, TopK without values) for an output. */
#pragma once

#include "graph/model/model.h"

/* By node: true for a choice that an output comes from, through views alone.  In `a`. */
bool *order_only_nodes(Arena *a, const Graph *g);
