/* Declares the functions that the files of the rewrites share. Private to graph/edit/rewrite*.c
 * and graph/edit/edit.c.
 *
 * During a batch of rewrites the graph stays indexed: the functions below keep producer and
 * consumer of every tensor right (new nodes are at the end until the graph is sorted again). */
#pragma once

#include "graph/edit/editor.h"
#include "graph/edit/rewrite.h"

/* Does the rewrite at a node where it fits. */
typedef void (*Rewriting)(Editor *e, const Scene *s, NodeId node);
typedef const char *(*RewriteQuestion)(const Scene *s, NodeId node);

#define REWRITE(id, name, function)                                                                \
    const char *rewrite_check_##function(const Scene *s, NodeId node);                             \
    void rewrite_##function(Editor *e, const Scene *s, NodeId node);
#include "graph/edit/rewrites.def"

/* ---- questions (rewrite_ask.c) ---- */

/* Of ai.onnx, by its name. */
const Node *scene_node(const Scene *s, NodeId node, const char *op);
/* Node that makes the tensor; NULL for inputs and initializers. */
const Node *tensor_maker(const Graph *g, TensorId t);
NodeId node_id(const Graph *g, const Node *n);
/* The only node that reads it; NULL when there are more, none, or it is an output as well. */
const Node *rewrite_only_reader(const Graph *g, TensorId t);
/* Nothing with a body reads it, so that its readers can be given another tensor. */
bool rewrite_is_rewirable(const Graph *g, TensorId t);
/* A constant of one element whose value is known. */
bool rewrite_scalar_value(const Graph *g, TensorId t, double *ret);
/* Input `i` as a constant with bytes; NULL when it is none. */
const Const *node_constant(const Graph *g, const Node *n, uint32_t i);
/* Up from `t` through nodes whose only reader is the one below, as far as `passes` holds: the
 * tensor where that ends, and the topmost of the nodes (NULL when there is none). */
typedef bool (*Passing)(const Scene *s, const Node *n);
TensorId rewrite_walk_up(const Scene *s, TensorId t, Passing passes, const Node **ret_top);
/* Axis i of a Transpose's result is axis axis[i] of its input (rewrite_move.c). */
bool rewrite_read_perm(const Scene *s, const Node *n, int64_t axis[EDIT_PERMUTE_MAX_RANK],
                       int32_t *ret_rank);
/* Works on every element alike, wherever it lies (rewrite_move.c). */
bool rewrite_ignores_order(const Scene *s, const Node *n);
/* Both have one element, and quantize alike. */
bool rewrite_same_constant(const Graph *g, TensorId a, TensorId b);
/* Every int8 value comes back: |q - z| * s / s is off by less than half a step (rewrite_move.c). */
bool rewrite_scale_is_sound(const Graph *g, TensorId scale);
/* BatchNormalization whose numbers are constants of the model, and what it does to a channel: x *
 * factor
 * + offset; not a number where bytes are missing (rewrite_affine.c). */
bool rewrite_is_constant_bn(const Scene *s, const Node *n);
void rewrite_bn_channel(const Graph *g, const Node *n, int64_t c, double *factor, double *offset);
bool rewrite_shapes_equal(const Shape *a,
                          const Shape *b); /* known, or free under one symbol, and equal */

/* An image window: attributes of Conv or a pool with two spatial axes. */
typedef struct {
    int64_t kernel[2], stride[2], dilation[2], pad[4]; /* pad: top, left, bottom, right */
    bool explicit_pads;                                /* auto_pad neither SAME_UPPER nor _LOWER */
    bool ceil_mode;
} Window2;
bool window2_read(const Graph *g, const Node *n, Window2 *ret); /* false: other than two axes */

/* ---- changes (rewrite_change.c) ---- */

/* Input `i` of the node becomes `t`; it may be the one after the last. */
void rewrite_set_input(Editor *e, NodeId node, uint32_t i, TensorId t);
/* The node becomes another operator, with these inputs, one output and no attributes. */
void rewrite_become(Editor *e, NodeId node, const char *op, const TensorId *input, uint32_t n);
/* All readers of the node's first output read `to`; for an output of the graph the node becomes an
 * Identity of it.  Nodes that become unneeded then release their inputs. */
void rewrite_replace_result(Editor *e, NodeId node, TensorId to);
/* The same, and `to` gets the type and shape of the result, because others may ask for them. */
void rewrite_take_over(Editor *e, NodeId node, TensorId to);
/* A new node with one output, a new tensor named after `like`; ids, because nodes may move. */
TensorId rewrite_add_node(Editor *e, const char *op, TensorId like, const char *suffix, TensorId in,
                          NodeId *ret_node);
/* A Slice of one axis: elements from `first` to before `end`. */
TensorId rewrite_add_slice(Editor *e, TensorId like, TensorId in, int64_t axis, int64_t first,
                           int64_t end);
/* The outputs of a new node. */
void rewrite_set_outputs(Editor *e, NodeId node, const TensorId *output, uint32_t n);
/* The node's attribute; the rest stay. */
void rewrite_set_ints(Editor *e, NodeId node, const char *name, const int64_t *value, size_t n);
void rewrite_set_int(Editor *e, NodeId node, const char *name, int64_t value);
void rewrite_set_float(Editor *e, NodeId node, const char *name, double value);
void rewrite_drop_attr(Editor *e, NodeId node, const char *name);
/* Type and shape of a tensor are no longer what they were. */
void rewrite_clear_tensor_type(Editor *e, TensorId t);
/* A float32 initializer of that shape; `data` NULL where its bytes cannot be known. */
TensorId rewrite_add_floats(Editor *e, TensorId like, const char *suffix, const Shape *shape,
                            const float *data);
