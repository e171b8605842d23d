/* Declares how rows are chosen before what works on them (rewrite_rows.c). Private to
 * graph/edit/rewrite_rows.c and graph/edit/rewrite_filter.c. */
#pragma once

#include "graph/edit/spell.h"

enum { ROWS_NODES_MAX = 256 /* tensors that are looked at above one choice */ };

typedef struct {
    TensorId t;       /* the part itself */
    const Node *turn; /* the Transpose between; NULL */
    int32_t axis;     /* of the cut, in what the cut reads */
    int64_t first, count;
} Piece;

/* What one input of a Concat joined, and nothing else, is what a Split or Slice cuts out as `t`. */
bool rewrite_find_part(const Scene *s, TensorId t, Piece *ret);

typedef struct {
    TensorId of, rows;
    int32_t axis;
} Known;

/* A choice of rows; `x.e` is NULL where it is only asked how much the rows are worked on. */
typedef struct {
    Spelling x;
    TensorId index; /* a list */
    int64_t count;  /* of rows; -1 where that is not known */
    Known known[ROWS_NODES_MAX];
    size_t nknown, work; /* nodes that compute on rows */
} RowChoice;

/* The rows of `t` along the axis. */
TensorId rewrite_rows_of(RowChoice *r, TensorId t, int32_t axis);
