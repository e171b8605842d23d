/* Rewrites graphs into others that compute the same (rewrites.xml).
 *
 * A rewrite is asked for at a node and named by the node's first output.  Whether it fits there is
 * one question, asked by the passes that look for places and by the edit that does it, so that what
 * is advised can be done.  "Equal" means: the same real numbers, and in float32 the same up to
 * rounding where sums are taken in another order (fold-bn, join-convs, fold-normalisation,
 * split-kernel of an average, spell-out); everything else is equal bit by bit.  The one exception
 * says so in its name.
 */
#pragma once

#include "graph/model/model.h"

typedef enum {
#define REWRITE(id, name, function) REWRITE_##id,
#include "graph/edit/rewrites.def"
    REWRITE_COUNT
} RewriteKind;

/* "drop-qdq", "cancel-transposes" … */
const char *rewrite_name(RewriteKind k);
bool rewrite_from_name(const char *name, RewriteKind *ret);

/* What a rewrite is asked about. */
typedef struct {
    const Graph *graph;  /* indexed; types, shapes and values inferred */
    int64_t opset;       /* of ai.onnx */
    const NodeId *equal; /* rewrite_equal_nodes; only merge-duplicates needs it, else NULL */
} Scene;

/* Why the rewrite cannot be done at that node; NULL when it can. */
const char *rewrite_refusal(const Scene *s, RewriteKind k, NodeId node);

/* Per node the first one that computes the same from the same, NODE_NONE when it is the first
 * itself.  Constants of the model's own file are compared by value; what draws random numbers, or
 * has a body, equals nothing.  In `a`; linear in nodes and in the bytes of small constants. */
const NodeId *rewrite_equal_nodes(Arena *a, const Graph *g);

/* Equivalent operators that the NPU has, in words: "Pow by -1 and Mul"; NULL without any.
 * spell-out writes them, where the model is not quantized yet. */
const MessageId *rewrite_decomposed(const Scene *s, NodeId node);

/* The order of axes that gives back what the last Transpose before an output was given, when
 * nothing but operators that take every element alike follow it: permuting the output by it,
 * and then cancel-transposes, leaves no Transpose there.  *ret_direct: nothing follows it.
 * False when there is no such Transpose. */
enum { REWRITE_MAX_RANK = 8 };
bool rewrite_order_before(const Scene *s, TensorId output, int64_t back[REWRITE_MAX_RANK],
                          int32_t *ret_rank, bool *ret_direct);

/* The axis of `to` that the k-th axis of `from` is when only axes of one element move (N, H, W, 1
 * to N, 1, H, W); false when a Reshape does more.  `axis` has room for all of `from`. */
bool rewrite_moves_ones(const Shape *from, const Shape *to, int64_t *axis);
/* A Transpose that moves axes of one element only: a Reshape does the same. */
bool rewrite_transposes_ones(const Graph *g, const Node *n);

/* The activation that ends at a node, with the sequences that exporters write for one:
 * x * Sigmoid(x) is "SiLU".  NULL when none does. */
typedef struct {
    const char *name;
    TensorId input; /* what it is an activation of */
    uint32_t nnode; /* nodes of the sequence, 1 for a single operator */
} Activation;
bool activation_ends_at(const Graph *g, NodeId node, Activation *ret);
/* The value before conversions: x and its quantized forms are one. */
TensorId activation_root(const Graph *g, TensorId t);
