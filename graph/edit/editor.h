/* Declares the functions that edit a copy of a model. Private to graph/edit/. */
#pragma once

#include "graph/edit/edit.h"
#include "graph/infer/ops.h"
#include "graph/model/dtype.h"

typedef struct {
    Arena *arena;
    Model *model;
    Graph *graph; /* of the copy; its nodes, tensors and lists may be changed */
    size_t tensor_cap, node_cap;
    const Edit *edit; /* all of them */
    size_t nedit;
    bool inferred; /* within a run of replacements, which leave types and shapes what they are */
    const Graph *before; /* as handed in, with inferred facts; its tensors have the same ids */
    Diag *diag;
} Editor;

typedef Status (*Editing)(Editor *e, const Edit *edit);

#define EDIT(id, name, function, resizes) Status function(Editor *e, const Edit *edit);
#include "graph/edit/edits.def"

/* Per tensor: it depends on one that a cut-tail edit names, those themselves included. */
bool *editor_mark_downstream(const Editor *e);

/* Two edits that the first of them does in one go. */
bool edit_is_same_rewrite(const Edit *a, const Edit *b);

/* Infers what the model itself tells of types, shapes and values; free dimensions stay free. */
void editor_infer(Editor *e);

/* The list with place[t] for every tensor t. */
const TensorId *editor_renumber(Editor *e, const TensorId *list, size_t n, const TensorId *place);

/* After editor_infer: an If whose condition is known becomes the nodes of its branch, a short Loop
 * or Scan of known length those of its iterations (edit_inline.c). */
Status editor_inline(Editor *e);

/* Refuses a new size that contradicts sizes written in the model (Reshape, a classifier): inference
 * must not find a contradiction in e->model, or lose a shape, where `before` had none.  A new batch
 * must scale a Reshape's output along the first axis: images stay apart. */
Status edit_check_shapes(Editor *e, const Model *before, const Edit *edit);

/* Every shape that the file declares may be stale: only types are kept.  Inputs with unknown
 * dimensions are written anew too, because some files spell them -1, which fits no other size. */
void editor_clear_shapes(Editor *e);

/* One dimension of an input becomes a number. */
void editor_set_dim(Editor *e, TensorId input, int axis, int64_t value);

/* `count` elements of `size` bytes in `a`, and room for `extra` more. */
void *editor_copy_array(Arena *a, const void *from, size_t count, size_t size, size_t extra);

/* A copy of `m`, bodies included; inferred types and shapes remain only as declared ones. */
void editor_begin(Editor *e, Arena *a, const Model *m, Diag *diag);

/* The node's bodies become copies, which name the graph around them as `parent`. */
void editor_copy_bodies(Arena *a, Node *n, const Graph *parent);

/* Forgets what was inferred, but keeps it as declared: it says what a new output is. */
void editor_clear_names(Graph *g);

/* Sorts, sets producers and consumers again; between edits. */
Status editor_index(Editor *e);

/* Drops what no output needs and makes ids dense again. */
Status editor_finish(Editor *e);

/* STATUS_INPUT: "path: KIND 'where': fact". */
Status editor_refuse(Editor *e, const Edit *edit, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Input or output of that name; TENSOR_NONE and a refusal when there is none. */
Status editor_find_input(Editor *e, const Edit *edit, TensorId *ret);
Status editor_find_output(Editor *e, const Edit *edit, TensorId *ret);

/* A new tensor, named after `like` with `suffix`, made unique. */
TensorId editor_tensor(Editor *e, TensorId like, const char *suffix);
/* A new tensor with the name `base`, made unique. */
TensorId editor_named(Editor *e, const char *base);

/* A new initializer; `data` holds its packed elements and lives as long as the arena. */
TensorId editor_constant(Editor *e, TensorId like, const char *suffix, DType dtype,
                         const int64_t *dim, int32_t rank, const void *data);

/* New initializers: one float32 number, and a list of int64 numbers, which is copied. */
TensorId editor_scalar(Editor *e, TensorId like, const char *suffix, float value);
TensorId editor_integers(Editor *e, TensorId like, const char *suffix, const int64_t *value,
                         size_t n);

/* A new node with one output; its inputs are `a`, `b`, `c` as far as they are not TENSOR_NONE. */
Node *editor_node(Editor *e, const char *op, TensorId a, TensorId b, TensorId c, TensorId output);
/* The node becomes another operator of ai.onnx, without attributes. */
void editor_become(Node *n, const char *op);
void editor_attr_int(Editor *e, Node *n, const char *name, int64_t value);
void editor_attr_ints(Editor *e, Node *n, const char *name, const int64_t *value, size_t count);

/* Every node that read `from` reads `to`.  Refused when a body uses `from`, by its name. */
Status editor_rewire(Editor *e, const Edit *edit, TensorId from, TensorId to);

/* The node that made `from` makes `to`. */
void editor_redirect(Editor *e, TensorId from, TensorId to);

/* Value of an initializer or of a Constant node's output; NULL when unknown. */
const Const *editor_value(const Editor *e, TensorId t);

/* QuantizeLinear or DequantizeLinear, and the parts needed to split it. */
typedef struct {
    const Node *node;
    TensorId scale, zero_point; /* zero_point may be TENSOR_NONE */
    DType dtype;                /* of the quantized side */
    int64_t zero;               /* of a scalar zero point */
    bool scalar;
} Quantization;

/* True for either operator when its scale is named and its zero point, if any, is known. */
bool editor_quantization(const Editor *e, const Node *n, Quantization *ret);

/* The zero point for the same values in the other 8-bit type: int8 is uint8 less 128. */
TensorId editor_shifted_zero(Editor *e, const Quantization *q, DType want);

bool editor_is_op(const Node *n, const char *op); /* of ai.onnx */
bool editor_is_8_bit(DType t);

/* Gives an input or output the element type that the edit's text names, or refuses; `calibrate`
 * does it in a model with stored ranges. */
Status editor_convert_end(Editor *e, const Edit *edit, TensorId t,
                          Status (*calibrate)(Editor *, const Edit *, TensorId, DType),
                          Status (*convert)(Editor *, const Edit *, TensorId, DType, DType));
/* A refusal when the model imports an older opset than the operator needs. */
Status editor_need_opset(Editor *e, const Edit *edit, const char *op, int64_t since);

/* Reads "0,3,1,2" or "[0, 3, 1, 2]"; false unless it is a permutation of 0 … n-1. */
enum { EDIT_PERMUTE_MAX_RANK = 8 };
bool edit_parse_axes(const char *text, int64_t axis[EDIT_PERMUTE_MAX_RANK], int32_t *ret_rank);
