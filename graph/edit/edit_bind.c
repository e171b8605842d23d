/* Implements the edits that fix a free dimension or change the batch. It also checks whether
 * the rest of the model fits the new size. */
#include "graph/edit/editor.h"

#include "graph/infer/shape.h"

static Status require_positive(Editor *e, const Edit *edit)
{
    if (edit->number >= 1)
        return STATUS_OK;
    return editor_refuse(e, edit, "a size of %lld is none", (long long)edit->number);
}

static bool same_dim(const Dim *a, const Dim *b)
{
    if (a->value != DIM_UNKNOWN || b->value != DIM_UNKNOWN)
        return a->value == b->value;
    return a->symbol == b->symbol || (a->symbol && b->symbol && !strcmp(a->symbol, b->symbol));
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
        for (int32_t k = 0; k < t->shape.rank; k++)
            if (shape_binds(&name, t, k) || (dim.symbol && same_dim(&t->shape.dim[k], &dim)))
                editor_set_dim(e, e->graph->input[i], k, edit->number);
    }
    editor_clear_shapes(e);
    return STATUS_OK;
}

Status model_bind_dims(Arena *a, Model **m, const DimBinding *dim, size_t n, Diag *diag)
{
    Status st = STATUS_OK;
    for (size_t i = 0; i < n && !st; i++) {
        Edit edit = {.kind = EDIT_BIND_DIM, .where = dim[i].name, .number = dim[i].value};
        if (named_dim((*m)->graph, &dim[i]))
            st = model_edit(a, *m, &edit, 1, m, diag);
    }
    return st;
}

Status model_fix_dims(Arena *a, Model **m, const DimBinding *dim, size_t n, Diag *diag)
{
    const Graph *g = (*m)->graph;
    DimBinding *first = ARENA_ARRAY(a, DimBinding, g->ninput + 1);
    for (size_t i = 0; i < g->ninput; i++)
        first[i] = (DimBinding){arena_printf(a, "%s:0", g->tensor[g->input[i]].name), 1};
    Status st = model_bind_dims(a, m, dim, n, diag);
    return st ? st : model_bind_dims(a, m, first, g->ninput, diag);
}

Status edit_batch(Editor *e, const Edit *edit)
{
    TensorId id;
    Status st = editor_find_input(e, edit, &id);
    if (!st)
        st = require_positive(e, edit);
    if (st)
        return st;
    const Graph *g = e->graph;
    const Shape shape = g->tensor[id].shape;
    if (shape.rank < 2)
        return editor_refuse(e, edit, "its shape %s has no axis for images",
                             shape_text(e->arena, &shape));
    const Dim old = shape.dim[0];
    for (size_t i = 0; i < g->ninput; i++) {
        const Shape *s = &g->tensor[g->input[i]].shape;
        if (s->rank >= 2 && same_dim(&s->dim[0], &old))
            editor_set_dim(e, g->input[i], 0, edit->number);
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

/* new / old of two sizes is the same in both pairs. */
static bool same_ratio(int64_t a, int64_t b, int64_t c, int64_t d)
{
    return (__int128)a * d == (__int128)b * c;
}

/* A Reshape that makes more elements, but not along the first axis, puts several images into one
 * row; so does one to a size that was written down, which then contradicts and is found before. */
static const Node *mixing_node(const Inferred *old, const Inferred *now)
{
    const Graph *g = now->graph;
    for (size_t i = 0; i < g->nnode; i++) {
        const Node *n = &g->node[i];
        if (n->op_id != OP_Reshape && n->op_id != OP_Flatten)
            continue;
        const Tensor *t = node_output(g, n, 0);
        const Shape *was = t ? shape_before(old, t) : NULL;
        if (!was || was->rank < 1 || t->shape.rank < 1 || !shape_is_known(was) ||
            !shape_is_known(&t->shape))
            continue;
        if (!same_ratio(shape_elements(&t->shape), shape_elements(was), t->shape.dim[0].value,
                        was->dim[0].value))
            return n;
    }
    return NULL;
}

Status edit_check_shapes(Editor *e, const Model *before, const Edit *edit)
{
    Inferred old = infer_copy_of(e->arena, before), now = infer_copy_of(e->arena, e->model);
    if (now.conflict && !old.conflict)
        return editor_refuse(e, edit, "the rest of the model does not fit: %s", now.conflict);
    const Node *mixing = edit->kind == EDIT_BATCH ? mixing_node(&old, &now) : NULL;
    if (mixing)
        return editor_refuse(e, edit, "node '%s' would put several images into one row",
                             node_label(e->arena, mixing));
    for (size_t i = 0; i < now.graph->noutput; i++) {
        const Tensor *t = &now.graph->tensor[now.graph->output[i]];
        const Shape *was = shape_before(&old, t);
        if (t->shape.rank == RANK_UNKNOWN && was && was->rank != RANK_UNKNOWN)
            return editor_refuse(e, edit, "no shape can be told for output '%s' then", t->name);
    }
    return STATUS_OK;
}
