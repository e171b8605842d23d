/* Resizes an image input and checks whether the rest of the model fits. */
#include "graph/edit/editor.h"

static bool is_transpose_to_nchw(const Node *n)
{
    static const int64_t nchw[] = {0, 3, 1, 2};
    const int64_t *perm;
    return strcmp(n->op, "Transpose") == 0 && node_attr_ints(n, "perm", &perm) == 4 &&
           memcmp(perm, nchw, sizeof nchw) == 0;
}

/* Operators of ai.onnx whose data is N, C, spatial axes. */
static bool wants_nchw(const Node *n)
{
    static const char *const op[] = {
        "Conv",        "ConvInteger", "QLinearConv",        "ConvTranspose",         "MaxPool",
        "AveragePool", "LRN",         "BatchNormalization", "InstanceNormalization", "DepthToSpace",
        "SpaceToDepth"};
    return LIST_ANY(i, sizeof op / sizeof *op, strcmp(n->op, op[i]) == 0);
}

/* Width axis that the first consumers tell, through operators that keep axes; -1 if they do not.
 * The walk follows one chain of bounded length: exports put at most a few casts and scalings
 * before the first convolution. */
static int axis_by_consumer(const Graph *g, TensorId t)
{
    enum { STEPS = 16 };
    for (int step = 0; step < STEPS && g->tensor[t].nconsumer; step++) {
        const Node *n = &g->node[g->tensor[t].consumer[0]];
        if (is_transpose_to_nchw(n))
            return 2;
        if (wants_nchw(n))
            return n->ninput && n->input[0] == t ? 3 : -1;
        OpClass c = op_info(n->op_id)->op_class;
        bool keeps = c == CLASS_ELEMENTWISE || c == CLASS_CONVERT || c == CLASS_ACTIVATION ||
                     strcmp(n->op, "Identity") == 0 || strcmp(n->op, "Pad") == 0;
        if (!keeps || !n->noutput || n->output[0] == TENSOR_NONE)
            return -1;
        t = n->output[0];
    }
    return -1;
}

static bool is_channel_count(int64_t n)
{
    return n == 1 || n == 3 || n == 4;
}

int edit_width_axis(const Graph *g, TensorId t)
{
    const Shape *s = &g->tensor[t].shape;
    if (s->rank != 4)
        return -1;
    int axis = axis_by_consumer(g, t);
    if (axis >= 0)
        return axis;
    bool first = is_channel_count(s->dim[1].value), last = is_channel_count(s->dim[3].value);
    return first == last ? -1 : first ? 3 : 2;
}

void editor_clear_shapes(Editor *e)
{
    for (size_t t = 0; t < e->graph->ntensor; t++) {
        Tensor *x = &e->graph->tensor[t];
        x->declared_shape = (Shape){.rank = RANK_UNKNOWN};
        bool vague = x->is_input && x->dtype != DT_UNKNOWN && !shape_is_known(&x->shape);
        x->edited = x->edited || x->is_output || vague;
    }
}

void editor_set_dim(Editor *e, TensorId input, int axis, int64_t value)
{
    Tensor *t = &e->graph->tensor[input];
    Dim *dim = ARENA_ARRAY(e->arena, Dim, (size_t)t->shape.rank);
    memcpy(dim, t->shape.dim, (size_t)t->shape.rank * sizeof *dim);
    dim[axis] = (Dim){.value = value};
    t->shape.dim = dim;
    t->edited = true;
}

/* `before`: axes between the width and the one that is resized. */
static Status resize_axis(Editor *e, const Edit *edit, int before)
{
    TensorId id;
    Status st = editor_find_input(e, edit, &id);
    if (st)
        return st;
    int axis = edit_width_axis(e->graph, id);
    if (axis < 0)
        return editor_refuse(e, edit, "cannot tell which axis of %s is the width",
                             shape_text(e->arena, &e->graph->tensor[id].shape));
    if (edit->number < 1)
        return editor_refuse(e, edit, "a size of %lld is none", (long long)edit->number);
    editor_set_dim(e, id, axis - before, edit->number);
    editor_clear_shapes(e);
    return STATUS_OK;
}

Status edit_width(Editor *e, const Edit *edit)
{
    return resize_axis(e, edit, 0);
}

Status edit_height(Editor *e, const Edit *edit)
{
    return resize_axis(e, edit, 1);
}
