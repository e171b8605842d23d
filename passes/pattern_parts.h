/* Helps the recognisers of patterns to look through conversions and to mark nodes. */
#pragma once

#include "graph/infer/ops.h"
#include "graph/model/model.h"

/* Per node what it is a part of, and by which node that ends; the first recogniser wins. */
typedef struct {
    const Graph *graph;
    const char **name; /* "LayerNorm", "attention" …; NULL: of nothing that is known */
    NodeId *end;       /* of the instance */
} Patterns;

/* Marks a node that nothing has marked before. */
void pattern_mark(Patterns *p, NodeId node, const char *name, NodeId end);

/* The tensor before conversions (Q/DQ pairs, Casts, Identities); its maker, NULL for none. */
TensorId pattern_root(const Graph *g, TensorId t);
const Node *pattern_maker(const Graph *g, TensorId t);
/* Input `i` before conversions; TENSOR_NONE when there is none. */
TensorId pattern_input(const Graph *g, const Node *n, uint32_t i);
/* The tensor is a constant, before conversions; and the number that it is, if it is one. */
bool pattern_is_constant(const Graph *g, TensorId t);
bool pattern_number(const Graph *g, TensorId t, double *ret);
/* The only node that reads the first output, after conversions; NODE_NONE. */
NodeId pattern_reader(const Graph *g, NodeId node);
