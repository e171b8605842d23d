/* Dispatches each edit to its function by a table, and applies a list of them. */
#include "graph/edit/editor.h"

typedef struct {
    Editing apply;
    bool resizes; /* the rest of the model may contradict it */
} Kind;

static const Kind kind[] = {
#define EDIT(id, name, function, resizes) {function, resizes},
#include "graph/edit/edits.def"
};
static_assert(sizeof kind / sizeof *kind == EDIT_COUNT, "a function for each kind of edit");

/* Replacements in a row are indexed once, after the last: what each looks at is its own sequence.
 */
static Status end_edit(Editor *e, size_t i)
{
    const Edit *next = i + 1 < e->nedit ? &e->edit[i + 1] : NULL;
    if (next && e->edit[i].kind == EDIT_REPLACE_OP && next->kind == EDIT_REPLACE_OP)
        return STATUS_OK;
    if (e->inferred)
        editor_clear_names(e->graph);
    e->inferred = false;
    return editor_index(e);
}

Status model_edit(Arena *a, const Model *m, const Edit *edit, size_t nedit, Model **ret, Diag *diag)
{
    Editor e;
    const Edit *resizing = NULL;
    editor_begin(&e, a, m, diag);
    editor_infer(&e);
    Status st = editor_inline(&e);
    editor_clear_names(e.graph);
    e.edit = edit;
    e.nedit = nedit;
    e.before = m->graph;
    for (size_t i = 0; !st && i < nedit; i++) {
        if (LIST_ANY(k, i, edit_is_same_rewrite(&edit[k], &edit[i])))
            continue; /* rewrites of one name are done together, by the first of them */
        if (kind[edit[i].kind].resizes)
            resizing = &edit[i];
        st = kind[edit[i].kind].apply(&e, &edit[i]);
        if (!st)
            st = end_edit(&e, i);
    }
    if (!st)
        st = editor_finish(&e);
    if (!st && resizing)
        st = edit_check_shapes(&e, m, resizing);
    if (st)
        return st;
    editor_infer(&e);
    assert(e.graph->noutput > 0 ||
           m->graph->noutput == 0); /* an edit that leaves none is refused */
    *ret = e.model;
    return STATUS_OK;
}
