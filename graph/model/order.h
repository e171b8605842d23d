/* Sorts the nodes of a graph and records the producer and consumers of tensors. */
#pragma once

#include "graph/model/model.h"

/* Needs: node (in any order) with their inputs, outputs and bodies; tensor with is_input,
 * is_initializer; input and output.  Sets: node in topological order (ties by position),
 * producer and consumer of every tensor; a body's use of a tensor counts as a use by the node
 * that owns the body.
 * STATUS_INPUT, naming a node: two producers, a name that nothing makes (not in bodies, whose
 * names may belong to a graph outside), a cycle.  `path` is for the error. */
Status graph_index(Arena *a, Graph *g, const char *path, Diag *diag);

/* Calls `use(user, tensor)` for every tensor that the node reads, bodies included. */
void node_each_read(const Graph *g, const Node *n, void (*use)(void *user, TensorId t), void *user);
