/* Types and shapes of every tensor, and constant folding through shape arithmetic. */
#ifndef GRAPH_SHAPE_H
#define GRAPH_SHAPE_H

#include "graph/model.h"

typedef struct {
    const char *name; /* symbol, or an input's name for its anonymous first dimension */
    int64_t value;
} DimBinding;

/* Binds symbols (design.md §4: an unbound symbolic first dimension of an input takes `batch`,
 * with a note), then sets dtype, shape and, where small integers or scalars can be computed,
 * value of every tensor.  Idempotent; linear in nodes.  Never fails: unknown stays unknown and a
 * contradiction (shapes that cannot fit) is a note naming the node. */
void shape_infer(Model *m, const DimBinding *binding, size_t nbinding, int64_t default_batch);

/* The first input dimension that is unknown, as text for the error that names --dim; NULL when
 * all inputs are static. */
const char *shape_first_unbound(const Model *m, Arena *a);

/* Constant folding beyond shapes: values through Constant, Identity, Cast, ConstantOfShape,
 * Reshape, Transpose, Unsqueeze, Squeeze, Flatten, Concat and elementwise arithmetic.  A folded
 * node's output has Tensor.value set (data NULL when its weights are missing: type and size are
 * still known).  Called by shape_infer. */
bool tensor_is_constant(const Graph *g, TensorId t);

#endif
