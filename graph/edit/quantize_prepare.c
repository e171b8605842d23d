/* Converts a model to opset 13 and rewrites it before it is quantized. */
#include "graph/edit/quantize.h"

#include "graph/edit/rewriter.h"

enum { OPSET_WANTED = 13, OPSET_MIN = 7 };

/* ---- a newer opset ---- */

/* What means something else since `since`: a list that was an attribute is an input. */
static const struct {
    OpIndex op;
    int64_t since;
    const char *list; /* NULL: nothing else would do */
} changed[] = {
    {OP_Squeeze, 13, "axes"}, {OP_Unsqueeze, 13, "axes"}, {OP_ReduceSum, 13, "axes"},
    {OP_Split, 13, "split"},  {OP_Upsample, 10, NULL},    {OP_Resize, 11, NULL},
    {OP_TopK, 11, NULL},      {OP_Scatter, 11, NULL},     {OP_If, 13, NULL},
    {OP_Loop, 13, NULL},      {OP_Scan, 13, NULL},
};

static Status refuse_opset(Editor *e, const Node *n)
{
    return diag_set(e->diag, STATUS_INPUT, e->model->path, node_label(e->arena, n),
                    "%s means something else in opset %d, which scales per channel need: convert "
                    "the model first (onnx.version_converter, or export it with opset %d)",
                    n->op, OPSET_WANTED, OPSET_WANTED);
}

/* It has no other inputs in opsets in which these are attributes. */
static void set_inputs(Editor *e, NodeId node, const TensorId *more, uint32_t nmore)
{
    for (uint32_t k = 0; k < nmore; k++)
        rewrite_set_input(e, node, 1 + k, more[k]);
}

/* The list that was an attribute, as a constant; TENSOR_NONE where there is none. */
static TensorId taken_list(Editor *e, NodeId node, const char *name)
{
    const int64_t *list;
    size_t count = node_attr_ints(&e->graph->node[node], name, &list);
    if (!count)
        return TENSOR_NONE;
    TensorId t = editor_integers(e, e->graph->node[node].output[0],
                                 arena_printf(e->arena, "_%s", name), list, count);
    rewrite_drop_attr(e, node, name);
    return t;
}

static void list_to_input(Editor *e, NodeId node, const char *name)
{
    TensorId t = taken_list(e, node, name);
    if (t != TENSOR_NONE)
        set_inputs(e, node, &t, 1);
}

/* Slice: where it begins and ends are inputs since opset 10. */
static void slice_to_inputs(Editor *e, NodeId node)
{
    TensorId list[] = {taken_list(e, node, "starts"), taken_list(e, node, "ends"),
                       taken_list(e, node, "axes")};
    set_inputs(e, node, list, list[2] != TENSOR_NONE ? 3 : 2);
}

/* Pad: how much, and with what, are inputs since opset 11. */
static void pad_to_inputs(Editor *e, NodeId node)
{
    const Attr *a = node_attr(&e->graph->node[node], "value");
    TensorId list[] = {taken_list(e, node, "pads"), TENSOR_NONE};
    list[1] = editor_scalar(e, e->graph->node[node].output[0], "_padding", a ? (float)a->f : 0);
    rewrite_drop_attr(e, node, "value");
    set_inputs(e, node, list, 2);
}

/* Clip: its bounds are inputs since opset 11. */
static void bounds_to_inputs(Editor *e, NodeId node)
{
    static const char *const name[] = {"min", "max"};
    TensorId bound[2] = {TENSOR_NONE, TENSOR_NONE};
    for (int k = 0; k < 2; k++) {
        const Attr *a = node_attr(&e->graph->node[node], name[k]);
        if (!a)
            continue;
        bound[k] =
            editor_scalar(e, e->graph->node[node].output[0], k ? "_max" : "_min", (float)a->f);
        rewrite_drop_attr(e, node, name[k]);
    }
    set_inputs(e, node, bound, bound[1] != TENSOR_NONE ? 2 : bound[0] != TENSOR_NONE ? 1 : 0);
}

/* The node works on the rows of a matrix; one dimension may be unknown. */
static bool flatten_around(Editor *e, NodeId node, const Shape *s, int64_t axis)
{
    const Node n = e->graph->node[node];
    int64_t dim[REWRITE_MAX_RANK];
    NodeId flat, inner;
    for (int32_t i = 0; i < s->rank; i++)
        dim[i] = s->dim[i].value;
    if (LIST_SUM(int, i, s->rank, dim[i] ? dim[i] < 0 : 2) > 1)
        return false;
    TensorId rows = rewrite_add_node(e, "Flatten", n.output[0], "_rows", n.input[0], &flat);
    TensorId back[] = {rewrite_add_node(e, n.op, n.output[0], "_shares", rows, &inner),
                       editor_integers(e, n.output[0], "_shape", dim, (size_t)s->rank)};
    rewrite_set_int(e, flat, "axis", axis);
    rewrite_set_int(e, inner, "axis", 1);
    rewrite_become(e, node, "Reshape", back, 2);
    return true;
}

/* Before opset 13 over all axes from `axis` (1) on: the same where the later ones have one element
 * each. */
static bool soften_one_axis(Editor *e, NodeId node)
{
    const Node *n = &e->graph->node[node];
    const Shape s = e->graph->tensor[n->input[0]].shape;
    int64_t axis = node_attr_int(n, "axis", 1);
    axis += axis < 0 ? s.rank : 0;
    if (axis < 0 || axis >= s.rank || s.rank > REWRITE_MAX_RANK)
        return false;
    if (LIST_ANY(i, s.rank, i > axis && s.dim[i].value != 1))
        return flatten_around(e, node, &s, axis);
    rewrite_set_int(e, node, "axis", axis);
    return true;
}

static Status upgrade_node(Editor *e, NodeId node, int64_t from)
{
    Node *n = &e->graph->node[node];
    if (*n->domain ||
        !(n->ninput && n->input[0] != TENSOR_NONE && n->noutput && n->output[0] != TENSOR_NONE))
        return STATUS_OK;
    for (size_t i = 0; i < sizeof changed / sizeof changed[0]; i++) {
        if (changed[i].op != (OpIndex)n->op_id || from >= changed[i].since)
            continue;
        if (!changed[i].list)
            return refuse_opset(e, n);
        list_to_input(e, node, changed[i].list);
        return STATUS_OK;
    }
    if (n->op_id == OP_Clip && from < 11)
        bounds_to_inputs(e, node);
    else if (n->op_id == OP_Slice && from < 10)
        slice_to_inputs(e, node);
    else if (n->op_id == OP_Pad && from < 11)
        pad_to_inputs(e, node);
    else if (n->op_id == OP_Dropout && from < 12)
        rewrite_drop_attr(e, node, "ratio");
    else if ((op_is(n->op_id, OP_Softmax, OP_LogSoftmax, OP_Hardmax)) && !soften_one_axis(e, node))
        return refuse_opset(e, n);
    else if (n->op_id == OP_BatchNormalization && node_attr(n, "spatial"))
        rewrite_drop_attr(e, node, "spatial");
    return STATUS_OK;
}

Status model_raise_opset(Arena *a, const Model *m, Model **ret, Diag *diag)
{
    Editor e;
    editor_begin(&e, a, m, diag);
    editor_infer(&e);
    Status st = STATUS_OK;
    if (m->opset < OPSET_MIN)
        st = diag_set(diag, STATUS_INPUT, m->path, NULL,
                      "is of opset %lld; convert it to %d first (onnx.version_converter)",
                      (long long)m->opset, OPSET_WANTED);
    for (size_t i = 0; i < m->graph->nnode && !st; i++)
        st = upgrade_node(&e, (NodeId)i, m->opset);
    editor_clear_names(e.graph);
    e.model->opset = OPSET_WANTED;
    st = st ? st : editor_index(&e);
    st = st ? st : editor_finish(&e);
    if (st)
        return st;
    editor_infer(&e);
    *ret = e.model;
    return STATUS_OK;
}

/* ---- rewrites ---- */

static Status rewrite_everywhere(Arena *a, RewriteKind k, Model **m, Diag *diag)
{
    const Graph *g = (*m)->graph;
    const Scene s = {.graph = g, .opset = (*m)->opset};
    Edit *edit = ARENA_ARRAY(a, Edit, g->nnode + 1);
    size_t n = 0;
    for (size_t i = 0; i < g->nnode; i++)
        if (g->node[i].noutput && g->node[i].output[0] != TENSOR_NONE &&
            (k != REWRITE_SPELL_OUT ||
             op_is(g->node[i].op_id, OP_Attention, OP_MsMultiHeadAttention, OP_RMSNormalization,
                   OP_SimplifiedLayerNormalization, OP_MsSimplifiedLayerNormalization,
                   OP_MsSkipLayerNormalization, OP_MsSkipSimplifiedLayerNormalization,
                   OP_MsBiasGelu)) &&
            !rewrite_refusal(&s, k, (NodeId)i))
            edit[n++] = (Edit){.kind = EDIT_REWRITE,
                               .where = g->tensor[g->node[i].output[0]].name,
                               .text = rewrite_name(k)};
    return n ? model_edit(a, *m, edit, n, m, diag) : STATUS_OK;
}

Status model_prepare(Arena *a, const Model *m, Model **ret, Diag *diag)
{
    static const RewriteKind kind[] = {
        REWRITE_DROP_IDENTITY, REWRITE_FOLD_BN, REWRITE_FOLD_PAD,
        REWRITE_SPELL_OUT /* operators whose values are not computed */};
    Model *now = NULL;
    Status st = model_edit(a, m, NULL, 0, &now, diag);
    for (size_t i = 0; i < sizeof kind / sizeof kind[0] && !st; i++)
        st = rewrite_everywhere(a, kind[i], &now, diag);
    if (!st && now->opset < OPSET_WANTED)
        st = model_raise_opset(a, now, &now, diag);
    if (!st)
        now->folds_large = true; /* what quantization of them needs */
    *ret = now;
    return st;
}
