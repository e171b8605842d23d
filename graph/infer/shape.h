/* Infers types and shapes of every tensor, and folds constants for them. */
#pragma once

#include "graph/model/model.h"

/* A dimension goes by its symbol; by its input and axis, "images:2", whether it has a symbol or
 * not; an anonymous first dimension by the name of its input as well. */
typedef struct {
    const char *name;
    int64_t value;
} DimBinding;

/* Whether the binding names axis `axis` of the input `t`, which is free. */
bool shape_binds(const DimBinding *b, const Tensor *t, int32_t axis);

/* Binds symbols (an unbound symbolic first dimension of an input takes `batch`, with a note), then
 * sets dtype, shape and, where small integers or scalars can be computed, value of every tensor.
 * Idempotent; linear in nodes.  Never fails: unknown stays unknown and a contradiction (shapes that
 * cannot fit) is a note naming the node. An input whose `value` the caller has set counts as a
 * constant.  The file's declarations of a tensor (declared_dtype, declared_shape) apply where
 * nothing else is known of it: an edit that makes them false must clear them. */
void shape_infer(Model *m, const DimBinding *binding, size_t nbinding, int64_t default_batch);

/* The first of the bindings that names nothing in the model, neither a free dimension of an input
 * nor a symbol of a tensor inside; NULL when all do.  To be asked before shape_infer. */
const char *shape_unknown_binding(const Model *m, const DimBinding *binding, size_t n);

/* Whether a binding of that name would change anything: an input has a free dimension that it
 * names. To be asked before shape_infer. */
bool shape_can_bind(const Model *m, const char *name);

/* The first unknown input dimension, as the error about --dim names it; NULL when there is none. */
const char *shape_unbound(const Model *m, Arena *a);

/* After shape_infer: whatever is made of constants alone has Tensor.value set.  Its `data` is there
 * for stored weights, for views of them (Identity, Reshape …), and for results of at most 4096
 * elements of arithmetic that shapes are made of; it is NULL, with type and size known, for other
 * results (a dequantized weight), and where weights are missing. */
bool tensor_is_constant(const Graph *g, TensorId t);
