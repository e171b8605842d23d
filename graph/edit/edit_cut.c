/* Implements the edits that cut the model's tail or head, or drop an output. */
#include "graph/edit/editor.h"

/* Tensors that depend on one that a cut names, those themselves included. */
static bool *mark_downstream(const Editor *e, EditKind kind)
{
    const Graph *g = e->graph;
    bool *after = ARENA_ARRAY(e->arena, bool, g->ntensor + 1);
    for (size_t i = 0; i < e->nedit; i++) {
        uint32_t t = strmap_get(&g->by_name, e->edit[i].where);
        if (e->edit[i].kind == kind && t != STRMAP_NONE)
            after[t] = true;
    }
    bool *node = ARENA_ARRAY(e->arena, bool, g->nnode + 1);
    for (size_t t = 0; t < g->ntensor; t++)
        for (uint32_t k = 0; after[t] && k < g->tensor[t].nconsumer; k++)
            node[g->tensor[t].consumer[k]] = true;
    for (size_t i = 0; i < g->nnode; i++) { /* in topological order: once is enough */
        for (uint32_t k = 0; node[i] && k < g->node[i].noutput; k++) {
            TensorId out = g->node[i].output[k];
            if (out == TENSOR_NONE)
                continue;
            after[out] = true;
            for (uint32_t j = 0; j < g->tensor[out].nconsumer; j++)
                node[g->tensor[out].consumer[j]] = true;
        }
    }
    return after;
}

bool *editor_mark_downstream(const Editor *e)
{
    return mark_downstream(e, EDIT_CUT_TAIL);
}

static Status check_cut(Editor *e, const Edit *edit, TensorId *ret)
{
    uint32_t id = strmap_get(&e->graph->by_name, edit->where);
    if (id == STRMAP_NONE)
        return editor_refuse(e, edit, "the model has no such tensor");
    const Tensor *t = &e->graph->tensor[id];
    if (t->producer == NODE_NONE || editor_value(e, id))
        return editor_refuse(e, edit, "is an input or a constant: nothing would be left");
    *ret = id;
    return STATUS_OK;
}

/* All cuts at once, because one cut may take away what only another one's tensor still needs.
 * Outputs that do not depend on a cut stay; the cut tensors come where the first output that they
 * replace was. */
static Status cut_all(Editor *e)
{
    Graph *g = e->graph;
    bool *after = editor_mark_downstream(e);
    TensorId *output = ARENA_ARRAY(e->arena, TensorId, g->noutput + e->nedit);
    size_t n = 0, first = g->noutput;
    for (size_t i = 0; i < g->noutput; i++) {
        g->tensor[g->output[i]].is_output = !after[g->output[i]];
        if (after[g->output[i]] && first == g->noutput)
            first = i;
    }
    for (size_t i = 0; i <= g->noutput; i++) {
        for (size_t k = 0; i == first && k < e->nedit; k++) {
            TensorId t = TENSOR_NONE;
            if (e->edit[k].kind != EDIT_CUT_TAIL)
                continue;
            Status st = check_cut(e, &e->edit[k], &t);
            if (st)
                return st;
            if (g->tensor[t].is_output)
                continue; /* named twice */
            g->tensor[t].is_output = g->tensor[t].edited = true;
            output[n++] = t;
        }
        if (i < g->noutput && !after[g->output[i]])
            output[n++] = g->output[i];
    }
    g->output = output;
    g->noutput = n;
    return STATUS_OK;
}

static bool is_first_of_kind(const Editor *e, const Edit *edit)
{
    return LIST_ALL(i, edit - e->edit, e->edit[i].kind != edit->kind);
}

Status edit_cut_tail(Editor *e, const Edit *edit)
{
    return is_first_of_kind(e, edit) ? cut_all(e) : STATUS_OK; /* which cuts them all */
}

Status edit_drop_output(Editor *e, const Edit *edit)
{
    TensorId id;
    Graph *g = e->graph;
    Status st = editor_find_output(e, edit, &id);
    if (st)
        return st;
    TensorId *output = ARENA_ARRAY(e->arena, TensorId, g->noutput);
    size_t n = 0;
    for (size_t i = 0; i < g->noutput; i++) /* a model may list one output more than once */
        if (g->output[i] != id)
            output[n++] = g->output[i];
    if (n == 0)
        return editor_refuse(e, edit, "is the only output");
    g->tensor[id].is_output = false;
    g->output = output;
    g->noutput = n;
    return STATUS_OK;
}

/* A known value as an initializer, of which every node reads. */
static Status bind_value(Editor *e, const Edit *edit, TensorId t)
{
    const Tensor *known = &e->before->tensor[t];
    TensorId id = editor_tensor(e, t, "_value");
    Tensor *x = &e->graph->tensor[id];
    x->is_initializer = true;
    x->dtype = known->value->dtype;
    x->shape = known->shape;
    x->value = known->value;
    return editor_rewire(e, edit, t, id);
}

/* Makes known sizes constants, so that nothing computes them from the removed part. */
static Status bind_values(Editor *e, const Edit *edit)
{
    const bool *after = mark_downstream(e, EDIT_CUT_HEAD);
    for (size_t i = 0; i < e->before->ntensor; i++) {
        const Tensor *t = &e->before->tensor[i];
        bool read = false;
        for (uint32_t k = 0; k < t->nconsumer; k++)
            for (uint32_t j = 0; j < e->before->node[t->consumer[k]].noutput; j++) {
                TensorId out = e->before->node[t->consumer[k]].output[j];
                const Const *value = out == TENSOR_NONE ? NULL : e->before->tensor[out].value;
                read |= out != TENSOR_NONE && !(value && value->data);
            }
        bool known = t->value && t->value->data && !t->is_initializer && shape_is_known(&t->shape);
        if (!read || !known || after[i] || t->producer == NODE_NONE || editor_value(e, (TensorId)i))
            continue;
        Status st = bind_value(e, edit, (TensorId)i);
        if (st)
            return st;
    }
    return STATUS_OK;
}

Status edit_cut_head(Editor *e, const Edit *edit)
{
    TensorId id = TENSOR_NONE;
    Graph *g = e->graph;
    Status st = check_cut(e, edit, &id);
    if (!st && is_first_of_kind(e, edit))
        st = bind_values(e, edit);
    if (st)
        return st;
    DType dtype = tensor_dtype(&g->tensor[id]);
    if (dtype == DT_UNKNOWN)
        return editor_refuse(e, edit, "has an unknown element type");
    TensorId unread = editor_tensor(e, id, "_cut");
    editor_redirect(e, id, unread);
    Tensor *t = &g->tensor[id];
    t->is_input = t->edited = true;
    t->dtype = dtype;
    t->producer = NODE_NONE;
    TensorId *input = ARENA_ARRAY(e->arena, TensorId, g->ninput + 1);
    for (size_t i = 0; i < g->ninput; i++)
        input[i] = g->input[i];
    input[g->ninput++] = id;
    g->input = input;
    return STATUS_OK;
}
