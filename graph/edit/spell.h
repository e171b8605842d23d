/* Declares the spellings of operators that the NPU lacks (rewrite_spell.c). Private to
 * graph/edit/rewrite_{spell,choice,rows,filter}.c and spell_*.c. */
#pragma once

#include "graph/edit/rewriter.h"

typedef struct {
    Editor *e;
    const Scene *s;
    Node n; /* as it is: nodes may move while others are added */
    TensorId like;
} Spelling;

/* ---- parts (spell_move.c): each adds what it names, and returns the new tensor ---- */

TensorId spell_scalar(const Spelling *x, const char *suffix, float value);
TensorId spell_integers(const Spelling *x, const char *suffix, const int64_t *value, int64_t n);
TensorId spell_unary(const Spelling *x, const char *op, const char *suffix, TensorId a);
TensorId spell_binary(const Spelling *x, const char *op, const char *suffix, TensorId a,
                      TensorId b);
/* Reshape or Expand to known sizes of at most EDIT_PERMUTE_MAX_RANK axes. */
TensorId spell_sized(const Spelling *x, const char *op, const char *suffix, TensorId t,
                     const Shape *to);
const Shape *spell_shape(const Scene *s, TensorId t);
/* Axes of a reduction, not negative; 0 when they are unknown, or all axes. */
size_t spell_axes(const Scene *s, const Node *n, int64_t axis[EDIT_PERMUTE_MAX_RANK]);

/* Index `i` of a Gather along an axis of `size`, counted from its start. */
bool spell_index_at(const Scene *s, const Node *n, int64_t i, int64_t size, int64_t *ret);

/* A Slice along one axis: every `step`th element from `first` to before `end`. */
typedef struct {
    int64_t axis, size, first, end, step;
} Cut;
bool spell_read_cut(const Scene *s, const Node *n, Cut *ret);

/* ---- rows of the table: why a spelling does not fit (NULL: it does), and what does it ---- */

typedef const char *SpellingCheck(const Scene *s, const Node *n);
typedef TensorId SpellingMaker(const Spelling *x);

SpellingCheck spell_not_attention, spell_not_blocks, spell_not_choice, spell_not_cut,
    spell_not_dilated, spell_not_expand, spell_not_join, spell_not_lrn, spell_not_pool,
    spell_not_rotation, spell_not_run, spell_not_volume, spell_not_volume_mean,
    spell_not_whole_image;
SpellingMaker spell_attention, spell_blocks, spell_concat, spell_conv, spell_gather,
    spell_global_max, spell_lrn, spell_reduce_max, spell_rotation, spell_slice, spell_tile,
    spell_volume, spell_volume_mean;

/* Every part of the Concat, and the result, have a scale and a zero point that Transposes keep. */
bool spell_joins_quantized(const Scene *s, const Node *n);
/* Slices take a tensor apart, and each result is quantized at once: a Split's parts are, too. */
bool spell_cuts_quantized(const Scene *s, const Node *n);

/* ---- rows that are chosen before what works on them (rewrite_rows.c) ---- */

enum { ROWS_NODES_MAX = 256 /* tensors that are looked at above one choice */ };

typedef struct {
    TensorId t;       /* the part itself */
    const Node *turn; /* the Transpose between; NULL */
    int32_t axis;     /* of the cut, in the cut's input */
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
