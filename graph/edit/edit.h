/* Model edits: what a lever may change in the model itself.  Each edit keeps the model valid;
 * the edited model is compiled like any other and can be written with onnx_write. */
#ifndef GRAPH_EDIT_EDIT_H
#define GRAPH_EDIT_EDIT_H

#include "graph/model/model.h"

typedef enum {
    EDIT_WIDTH,       /* input: last spatial axis (the layout's W) resized to `number` */
    EDIT_CUT_TAIL,    /* tensor: becomes an output, everything only needed after it goes */
    EDIT_DROP_OUTPUT, /* tensor: no longer an output; dead nodes go */
    EDIT_REPLACE_OP,  /* node: operator type becomes `text` (same arity, or the last product of a
                         sequence such as x * Sigmoid(x)), attributes dropped; Resize may become a
                         Resize with default attributes */
    EDIT_PAD_OUTPUT,  /* output tensor: last axis padded with zeros to `number`, as the last thing
                         before its Dequantize (so that Unlower can run on the NPU) */
    /* The next three change the model's interface and insert, or take away, what keeps its meaning.
     * `apply` writes them; the compiler has options of the same names, which need no edit. */
    EDIT_INPUT_DTYPE,    /* input: element type becomes `text`.  Its QuantizeLinear goes, or a
                            DequantizeLinear or Cast comes */
    EDIT_PERMUTE_INPUT,  /* input: axes permuted by `text`, "0,3,1,2", as torch.permute does; a
                            Transpose back comes, or cancels the one that is there */
    EDIT_OUTPUT_DTYPE,   /* output: element type becomes `text`.  Its DequantizeLinear goes, or a
                            QuantizeLinear or Cast comes.  Refused when no scale is known */
    EDIT_HEIGHT,         /* input: the axis before the width resized to `number` */
    EDIT_BIND_DIM,       /* dimension, as --dim names it (shape.h): becomes `number` in the file */
    EDIT_BATCH,          /* input: its first dimension becomes `number`, and so does that of every
                            input that has the same one.  Refused where images would be mixed */
    EDIT_PERMUTE_OUTPUT, /* output: axes permuted by `text`; a Transpose comes, or cancels the one
                            that is there */
    EDIT_REWRITE,        /* node that makes the tensor: the rewrite named `text` is done there
                            (graph/edit/rewrite.h); all edits with one text are done together */
    EDIT_COUNT
} EditKind;

typedef struct {
    EditKind kind;
    const char *where; /* tensor; for replace-op a tensor that the node makes, or the node's name;
                          for bind-dim a dimension */
    int64_t number;
    const char *text;
} Edit;

/* Spelling of a kind, as in rules ("width", "cut-tail", "drop-output", "replace-op",
 * "pad-output", "input-dtype", "permute-input", "output-dtype", "height", "bind-dim", "batch",
 * "permute-output", "rewrite"). */
const char *edit_name(EditKind k);
bool edit_from_name(const char *name, EditKind *ret);

/* A copy of `m` in arena `a` with the edits applied in order; all cut-tail edits are one cut.
 * Nodes that no output needs any more go, with their initializers; inputs stay.  The copy shares
 * the file mapping and the notes, so `m` must outlive it.  Its types and shapes are inferred with
 * free dimensions left free, and can be inferred again with bindings.  Fails (STATUS_INPUT) when an
 * edit does not apply: unknown name, no width, an operator of another arity, nothing left, a tensor
 * that is used inside a body, a width that sizes written down in the model contradict. */
Status model_edit(Arena *a, const Model *m, const Edit *edit, size_t nedit, Model **ret,
                  Diag *diag);

#endif
