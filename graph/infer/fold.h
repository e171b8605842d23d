/* Declares the values and functions of constant propagation. Private to graph/infer/. */
#pragma once

#include "graph/infer/infer.h"

Element element_integer(int64_t v);
Element element_real(DType t, double v); /* rounded to float32 if that is the type */
bool element_is_exact(const Element *e); /* a known integer that a double holds exactly */
/* a OP b as elements of type `in`; unknown where it overflows or is undefined. */
Element element_combine(OpId op, DType in, const Element *a, const Element *b);

/* At most InferRun.fold_max, and so are all products of its dimensions even if one is 0. */
bool fold_value_is_small(const InferContext *c, const Shape *s);
/* Room for the elements of an output of known shape that is small enough, else NULL. */
Element *fold_value_new(InferContext *c, uint32_t output, int64_t *ret_n);
/* Sets an output's value, constant or partial.  Needs the output's dtype and shape. */
void fold_value_store(InferContext *c, uint32_t output, const Element *e, int64_t n);

/* The value of input 0, and room for output 0. */
typedef struct {
    FoldValue in;
    const Shape *shape; /* of the output */
    Element *out;
    int64_t n; /* elements of the output */
} Folding;

/* False when the value is unknown or the output too large. */
bool fold_begin(InferContext *c, Folding *ret);

/* Numpy's broadcast of a known shape `in` to a known shape `out`: whether it is possible, and the
 * index in `in` for an index in `out`, also where whole repeats of `in` fill `out`. */
bool fold_broadcast_fits(const Shape *in, const Shape *out);
int64_t fold_broadcast_index(const Shape *in, const Shape *out, int64_t index);
/* Fills the output with repeats of the input. */
void fold_repeat(Folding *f);

/* Runs the node's fold function, and marks results of constants as constant. */
void fold_node(InferContext *c);

FoldFunction fold_binary, fold_cast, fold_clip, fold_concat, fold_cumsum, fold_expand, fold_fill,
    fold_gather, fold_never, fold_non_zero, fold_range, fold_reduce, fold_scatter_elements,
    fold_scatter_nd, fold_shape, fold_size, fold_slice, fold_split, fold_tile, fold_transpose,
    fold_unary, fold_view, fold_where;
