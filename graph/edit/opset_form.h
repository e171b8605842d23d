/* Declares what the conversions of opset_forms.xml share. Private to graph/edit/opset*.c. */
#pragma once

#include "graph/edit/opset.h"
#include "graph/edit/rewriter.h"

enum {
    OPSET_MAX_RANK = 16,
    OPSET_MAX_CONSTANT = 1 << 28, /* bytes of a constant that a conversion makes */
};

/* A node at work. Steps are appended; the node itself becomes the last of them, so that its outputs
 * keep their names. Types, shapes and values are those inferred before the first conversion. */
typedef struct {
    Editor *e;
    NodeId node;
    Node was;
    int64_t opset;   /* of the file */
    const char *why; /* it has no equal form, in words; NULL: it has */
} OpsetNode;

/* Converts the node. Returns the operators that it becomes, joined by commas; NULL when it stays as
 * it is, or has no equal form (`why`). */
typedef const char *(*OpsetForming)(OpsetNode *x);

#define OPSET(op, versions, types, function) const char *function(OpsetNode *x);
#include "graph/edit/opset_forms.def"

/* Sets `why`; NULL, to be returned. */
const char *opset_refuse(OpsetNode *x, const char *why);

/* ---- what the node is given ---- */

const Tensor *opset_input(const OpsetNode *x, uint32_t i); /* NULL: omitted */
/* Its values are float32; else `why` is set. */
bool opset_is_float(OpsetNode *x);
/* Rank of input 0, at most OPSET_MAX_RANK; -1, and `why` is set, when it is not known. */
int32_t opset_rank(OpsetNode *x);
/* True if a node reads output `i`, or it is an output of the graph. */
bool opset_is_used(const OpsetNode *x, uint32_t i);

/* A list of integers that is known now. */
typedef struct {
    bool given; /* the input is there */
    bool known;
    size_t n;
    int64_t v[2 * OPSET_MAX_RANK];
} OpsetInts;
OpsetInts opset_ints(const OpsetNode *x, uint32_t input);
OpsetInts opset_attr_ints(const OpsetNode *x, const char *name); /* "known" where it is there */
/* Brings axes into 0 … rank-1; false, and `why` is set, when one is outside or named twice. */
bool opset_axes(OpsetNode *x, OpsetInts *axes, int32_t rank);

/* ---- steps ---- */

/* A new node of two inputs (the second may be TENSOR_NONE); its output. */
TensorId opset_step(OpsetNode *x, const char *op, TensorId a, TensorId b);
/* The node becomes that operator; its first output, and no attribute, stay. */
void opset_end(OpsetNode *x, const char *op, TensorId a, TensorId b);
NodeId opset_last(const OpsetNode *x); /* the newest step */
void opset_set_inputs(OpsetNode *x, NodeId node, const TensorId *input, uint32_t n);
/* Clip to [lo, hi]; either bound may be an infinity, and is left out then. */
TensorId opset_clip(OpsetNode *x, TensorId a, float lo, float hi);

TensorId opset_scalar(OpsetNode *x, const char *suffix, float value);
TensorId opset_list(OpsetNode *x, const char *suffix, const int64_t *value, size_t n);
/* The same elements in another shape; a Reshape where they are not known now. */
TensorId opset_view(OpsetNode *x, TensorId t, const int64_t *dim, int32_t rank);
/* Room for n elements of `size` bytes; NULL, and `why` is set, above OPSET_MAX_CONSTANT. */
void *opset_room(OpsetNode *x, int64_t n, size_t size);
