/* Edits: the table of kinds, and applying a list of them. */
#include "graph/edit/editor.h"

#include "graph/infer/shape.h"

#include <string.h>

typedef struct {
    const char *name;
    Editing apply;
    bool resizes; /* the rest of the model may contradict it */
} Kind;

static const Kind kind[EDIT_COUNT] = {
    [EDIT_WIDTH] = {"width", edit_width, true},
    [EDIT_CUT_TAIL] = {"cut-tail", edit_cut_tail, false},
    [EDIT_DROP_OUTPUT] = {"drop-output", edit_drop_output, false},
    [EDIT_REPLACE_OP] = {"replace-op", edit_replace_op, false},
    [EDIT_PAD_OUTPUT] = {"pad-output", edit_pad_output, false},
    [EDIT_INPUT_DTYPE] = {"input-dtype", edit_input_dtype, false},
    [EDIT_PERMUTE_INPUT] = {"permute-input", edit_permute_input, false},
    [EDIT_OUTPUT_DTYPE] = {"output-dtype", edit_output_dtype, false},
    [EDIT_HEIGHT] = {"height", edit_height, true},
    [EDIT_BIND_DIM] = {"bind-dim", edit_bind_dim, true},
    [EDIT_BATCH] = {"batch", edit_batch, true},
    [EDIT_PERMUTE_OUTPUT] = {"permute-output", edit_permute_output, false},
    [EDIT_REWRITE] = {"rewrite", edit_rewrite, false},
};

const char *edit_name(EditKind k)
{
    return kind[k].name;
}

bool edit_from_name(const char *name, EditKind *ret)
{
    for (int k = 0; k < EDIT_COUNT; k++) {
        if (strcmp(kind[k].name, name) == 0) {
            *ret = (EditKind)k;
            return true;
        }
    }
    return false;
}

/* What inference has to say is said again when the edited model is compiled: not here. */
void editor_infer(Editor *e)
{
    Notes *notes = e->model->notes, unread;
    notes_init(&unread, e->arena);
    e->model->notes = &unread;
    shape_infer(e->model, NULL, 0, DIM_UNKNOWN);
    e->model->notes = notes;
}

/* Rewrites of one name are done together, by the first of them. */
static bool is_done_already(const Edit *edit, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (edit_is_same_rewrite(&edit[k], &edit[i]))
            return true;
    return false;
}

Status model_edit(Arena *a, const Model *m, const Edit *edit, size_t nedit, Model **ret, Diag *diag)
{
    Editor e;
    const Edit *resizing = NULL;
    editor_begin(&e, a, m, diag);
    editor_infer(&e);
    editor_forget(e.graph);
    e.edit = edit;
    e.nedit = nedit;
    Status st = STATUS_OK;
    for (size_t i = 0; !st && i < nedit; i++) {
        if (is_done_already(edit, i))
            continue;
        if (kind[edit[i].kind].resizes)
            resizing = &edit[i];
        st = kind[edit[i].kind].apply(&e, &edit[i]);
        if (!st)
            st = editor_index(&e);
    }
    if (!st)
        st = editor_finish(&e);
    if (!st && resizing)
        st = edit_check_shapes(&e, m, resizing);
    if (st)
        return st;
    editor_infer(&e);
    *ret = e.model;
    return STATUS_OK;
}
