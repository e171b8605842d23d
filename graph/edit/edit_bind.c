/* Implements the edit that fixes a free dimension. It also checks whether the rest of the model
 * fits the new size. */
#include "graph/edit/editor.h"

#include "graph/infer/shape.h"

static Status require_positive(Editor *e, const Edit *edit)
{
    if (edit->number >= 1)
        return STATUS_OK;
    return editor_refuse(e, edit, "a size of %lld is none", (long long)edit->number);
}

/* The dimension that the name means: of the first input that has it. */
static const Dim *named_dim(const Graph *g, const DimBinding *name)
{
    for (size_t i = 0; i < g->ninput; i++) {
        const Tensor *t = &g->tensor[g->input[i]];
        for (int32_t k = 0; k < t->shape.rank; k++)
            if (shape_binds(name, t, k))
                return &t->shape.dim[k];
    }
    return NULL;
}

Status edit_bind_dim(Editor *e, const Edit *edit)
{
    const Graph *g = e->before; /* what inference knows of a dimension is not in the file yet */
    const DimBinding name = {edit->where, edit->number};
    const Dim *found = named_dim(g, &name);
    Status st = require_positive(e, edit);
    if (!st && !found)
        st = editor_refuse(e, edit, "no input has such a free dimension");
    if (st)
        return st;
    const Dim dim = *found; /* another axis of the same symbol is bound as well */
    for (size_t i = 0; i < g->ninput; i++) {
        const Tensor *t = &g->tensor[g->input[i]];
        for (int32_t k = 0; k < t->shape.rank; k++) {
            const Dim *d = &t->shape.dim[k];
            bool same = dim.symbol && d->value == DIM_UNKNOWN && texts_equal(d->symbol, dim.symbol);
            if (shape_binds(&name, t, k) || same)
                editor_set_dim(e, e->graph->input[i], k, edit->number);
        }
    }
    editor_clear_shapes(e);
    return STATUS_OK;
}

/* ---- does the rest fit? ---- */

/* What inference finds in a throw-away copy. */
typedef struct {
    const char *conflict; /* text of the first contradiction, or NULL */
    const Graph *graph;
} Inferred;

static Inferred infer_copy_of(Arena *a, const Model *m)
{
    static const char conflict[] = "shape-conflict";
    Editor copy;
    Diag unused;
    Notes *notes = ARENA_NEW(a, Notes);
    notes_init(notes, a);
    editor_begin(&copy, a, m, &unused);
    copy.model->notes = notes;
    shape_infer(copy.model, NULL, 0, 1); /* one image: sizes that a free batch would hide show */
    Inferred r = {.graph = copy.graph};
    for (size_t i = 0; !r.conflict && i < notes->nnote; i++)
        if (strncmp(notes->note[i].cause, conflict, sizeof conflict - 1) == 0)
            r.conflict = message_format(a, NULL, notes->note[i].said);
    return r;
}

static const Shape *shape_before(const Inferred *old, const Tensor *t)
{
    uint32_t was = strmap_get(&old->graph->by_name, t->name);
    return was == STRMAP_NONE ? NULL : &old->graph->tensor[was].shape;
}

Status edit_check_shapes(Editor *e, const Model *before, const Edit *edit)
{
    Inferred old = infer_copy_of(e->arena, before), now = infer_copy_of(e->arena, e->model);
    if (now.conflict && !old.conflict)
        return editor_refuse(e, edit, "the rest of the model does not fit: %s", now.conflict);
    for (size_t i = 0; i < now.graph->noutput; i++) {
        const Tensor *t = &now.graph->tensor[now.graph->output[i]];
        const Shape *was = shape_before(&old, t);
        if (t->shape.rank == RANK_UNKNOWN && was && was->rank != RANK_UNKNOWN)
            return editor_refuse(e, edit, "no shape can be told for output '%s' then", t->name);
    }
    return STATUS_OK;
}
