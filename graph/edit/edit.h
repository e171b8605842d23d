/* Applies the changes that a lever may make in the model itself. Each edit keeps the model
 * valid; the edited model is compiled like any other and can be written with onnx_write. */
#pragma once

#include "graph/model/model.h"

/* What each does: edits.xml. */
typedef enum {
#define EDIT(id, name, function, resizes) EDIT_##id,
#include "graph/edit/edits.def"
    EDIT_COUNT
} EditKind;

typedef struct {
    EditKind kind;
    const char *where; /* tensor; of replace-op also the node's name; of bind-dim a dimension */
    int64_t number;
    const char *text;
} Edit;

/* Spelling of a kind, as in rules ("width", "cut-tail", "drop-output", "replace-op",
 * "pad-output", "input-dtype", "permute-input", "output-dtype", "height", "bind-dim",
 * "permute-output", "rewrite"). */
const char *edit_name(EditKind k);
bool edit_from_name(const char *name, EditKind *ret);

/* A copy of `m` in arena `a` with the edits applied in order; all cut-tail edits are one cut.
 * An If whose choice the file itself decides, and a Loop of up to 64 iterations whose number it
 * decides, are replaced by the nodes that they run.
 * Nodes that no output needs any more go, with their initializers; inputs stay.  The copy shares
 * the file mapping and the notes, so `m` must outlive it.  Its types and shapes are inferred with
 * free dimensions left free, and can be inferred again with bindings.  Fails (STATUS_INPUT) when an
 * edit does not apply: unknown name, no width, an operator of another arity, nothing left, a tensor
 * that is used inside a body, a width that sizes written down in the model contradict. */
Status model_edit(Arena *a, const Model *m, const Edit *edit, size_t n, Model **ret, Diag *diag);

/* Axis of the input's width, the height before it; -1 where nothing tells. */
int edit_width_axis(const Graph *g, TensorId input);

/* What cut-tail edits leave over: a model whose inputs are the tensors that they name (and inputs
 * and other outputs of `m` that it reads itself), and whose outputs are those of `m` that depend on
 * them, in order. Both halves, one after the other, are `m`; rows of which few are kept are chosen
 * first, *ret_chosen times.  STATUS_INPUT when nothing depends on the cuts. */
Status model_tail(Arena *a, const Model *m, const Edit *edit, size_t n, Model **ret,
                  size_t *ret_chosen, Diag *diag);

/* So many boxes a threshold leaves of a detector's (design: "The application's share"). */
enum { EDIT_BOXES_KEPT = 300 };

/* The DequantizeLinear that makes the elements of `t`, which others may have moved since (Reshape,
 * Transpose …); NULL: nothing tells what codes they had. */
const Node *edit_dequantize_of(const Graph *g, TensorId t);

/* Whether a float output of a quantized model can be handed out as codes of `want`: a scale is
 * known that holds for all elements, or for each channel where the Dequantize is the output's
 * maker. A Pad can come after the change. */
bool edit_output_has_codes(const Graph *g, TensorId t, DType want);
