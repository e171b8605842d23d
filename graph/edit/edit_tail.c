/* Extracts the part of a model that a cut removes, as a model. */
#include "graph/edit/editor.h"
#include "graph/edit/rewrite.h"

/* Unread inputs belong to the first half. */
static void drop_unread_inputs(Model *m)
{
    Graph *g = m->graph;
    TensorId *input = ARENA_ARRAY(m->arena, TensorId, g->ninput + 1);
    size_t n = 0;
    for (size_t i = 0; i < g->ninput; i++) {
        Tensor *t = &g->tensor[g->input[i]];
        t->is_input = t->nconsumer > 0;
        if (t->is_input)
            input[n++] = g->input[i];
    }
    g->input = input;
    g->ninput = n;
}

/* An output that stays, and that something after the cut reads as well. */
static bool is_read_after(const Graph *g, const bool *downstream, TensorId id)
{
    const Tensor *t = &g->tensor[id];
    bool read = false;
    for (uint32_t k = 0; k < t->nconsumer; k++)
        read |= g->node[t->consumer[k]].noutput &&
                g->node[t->consumer[k]].output[0] != TENSOR_NONE &&
                downstream[g->node[t->consumer[k]].output[0]];
    return read && t->producer != NODE_NONE;
}

/* What the application runs keeps few boxes of many: those alone are decoded. */
static Status filter_first(Arena *a, Model **m, size_t *ret_chosen, Diag *diag)
{
    const Graph *g = (*m)->graph;
    const Scene s = {.graph = g, .opset = (*m)->opset};
    Edit *list = ARENA_ARRAY(a, Edit, g->nnode + 1);
    size_t n = 0;
    for (size_t i = 0; i < g->nnode; i++)
        if (!rewrite_refusal(&s, REWRITE_FILTER_FIRST, (NodeId)i))
            list[n++] = (Edit){.kind = EDIT_REWRITE,
                               .where = g->tensor[g->node[i].output[0]].name,
                               .text = rewrite_name(REWRITE_FILTER_FIRST)};
    *ret_chosen = n;
    return n ? model_edit(a, *m, list, n, m, diag) : STATUS_OK;
}

Status model_tail(Arena *a, const Model *m, const Edit *edit, size_t nedit, Model **ret,
                  size_t *ret_chosen, Diag *diag)
{
    const Graph *g = m->graph;
    Editor look = {.arena = a, .graph = m->graph, .edit = edit, .nedit = nedit};
    const bool *downstream = editor_mark_downstream(&look);
    Edit *list = ARENA_ARRAY(a, Edit, nedit + 2 * g->noutput);
    size_t n = 0, left = 0;
    for (size_t i = 0; i < nedit; i++)
        if (edit[i].kind == EDIT_CUT_TAIL)
            list[n++] = (Edit){.kind = EDIT_CUT_HEAD, .where = edit[i].where, .text = ""};
    for (size_t i = 0; i < g->noutput; i++)
        if (!downstream[g->output[i]] && is_read_after(g, downstream, g->output[i]))
            list[n++] =
                (Edit){.kind = EDIT_CUT_HEAD, .where = g->tensor[g->output[i]].name, .text = ""};
    for (size_t i = 0; i < g->noutput; i++) {
        const char *name = g->tensor[g->output[i]].name;
        if (downstream[g->output[i]] &&
            !LIST_ANY(k, nedit, edit[k].kind == EDIT_CUT_TAIL && strcmp(edit[k].where, name) == 0))
            left++;
        else
            list[n++] = (Edit){.kind = EDIT_DROP_OUTPUT, .where = name, .text = ""};
    }
    if (left == 0)
        return diag_set(diag, STATUS_INPUT, m->path, NULL, "no output depends on what is cut");
    Status st = model_edit(a, m, list, n, ret, diag);
    st = st ? st : filter_first(a, ret, ret_chosen, diag);
    if (!st)
        drop_unread_inputs(*ret);
    return st;
}
