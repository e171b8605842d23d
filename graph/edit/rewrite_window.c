/* Folds a Pad into the following window, and splits windows by axis and groups. */
#include "graph/edit/rewriter.h"

/* ---- fold-pad ---- */

enum { CONVERSIONS_MAX = 4 };

typedef struct {
    int64_t pad[4]; /* top, left, bottom, right */
    double value;
    const Node *window;                    /* Conv or pool that takes it over */
    TensorId between[CONVERSIONS_MAX + 1]; /* tensors from the Pad to the window */
    int nbetween;
} PadFold;

/* Axis of entry `i` of a list of pads: itself, or as the input "axes" says. */
static bool pad_axis(const Scene *s, const Node *n, int64_t i, int64_t *ret)
{
    const Tensor *axes = node_input(s->graph, n, 3);
    *ret = i;
    if (!axes)
        return true;
    if (!axes->value || !const_int(axes->value, i, ret))
        return false;
    *ret += *ret < 0 ? 4 : 0;
    return true;
}

static bool pad_entry(const Scene *s, const Node *n, int64_t i, int64_t *ret)
{
    const int64_t *given;
    size_t count = node_attr_ints(n, "pads", &given);
    const Const *input = node_constant(s->graph, n, 1);
    if (i < (int64_t)count) {
        *ret = given[i];
        return true;
    }
    return input && const_int(input, i, ret);
}

/* Pads of H and W alone, none negative. */
static bool read_pads(const Scene *s, const Node *n, int64_t pad[4])
{
    const Const *input = node_constant(s->graph, n, 1);
    const int64_t *given;
    int64_t count = (int64_t)node_attr_ints(n, "pads", &given);
    int64_t total = count ? count : input ? input->nelem : 0;
    if (total < 2 || total > 8 || total % 2)
        return false;
    for (int64_t i = 0; i < total; i++) {
        int64_t axis, v;
        if (!pad_axis(s, n, i % (total / 2), &axis) || !pad_entry(s, n, i, &v) || v < 0 ||
            axis < 0 || axis > 3 || (axis < 2 && v))
            return false;
        if (axis >= 2)
            pad[axis - 2 + (i >= total / 2 ? 2 : 0)] = v;
    }
    return true;
}

static bool read_pad_value(const Scene *s, const Node *n, double *ret)
{
    TensorId value = n->ninput > 2 ? n->input[2] : TENSOR_NONE;
    *ret = node_attr_float(n, "value", 0);
    return value == TENSOR_NONE || rewrite_scalar_value(s->graph, value, ret);
}

static bool is_zero(double v)
{
    return fabs(v) <= 0;
}

/* A Quantize or Dequantize with one scale: zero stays zero, a zero point becomes it. */
static bool keeps_zero(const Scene *s, const Node *n, double *value)
{
    double scale, zero = 0;
    bool q = editor_is_op(n, "QuantizeLinear");
    if ((!q && !editor_is_op(n, "DequantizeLinear")) || n->ninput < 2 ||
        !rewrite_scalar_value(s->graph, n->input[1], &scale) ||
        (n->ninput > 2 && n->input[2] != TENSOR_NONE &&
         !rewrite_scalar_value(s->graph, n->input[2], &zero)))
        return false;
    if (!is_zero(*value - (q ? 0 : zero)))
        return false;
    *value = q ? zero : 0;
    return true;
}

static const Node *find_window(const Scene *s, const Node *pad, PadFold *f)
{
    const Graph *g = s->graph;
    TensorId t = pad->output[0];
    double value = f->value;
    for (int hop = 0; hop <= CONVERSIONS_MAX; hop++) {
        const Node *n = rewrite_only_reader(g, t);
        f->between[f->nbetween++] = t;
        if (!n || n->input[0] != t || n->noutput < 1)
            return NULL;
        if (editor_is_op(n, "Conv") || editor_is_op(n, "MaxPool") || editor_is_op(n, "AveragePool"))
            return is_zero(value) && dtype_is_float(g->tensor[t].dtype) ? n : NULL;
        if (!keeps_zero(s, n, &value))
            return NULL;
        t = n->output[0];
    }
    return NULL;
}

static bool is_never_negative(const Scene *s, TensorId t)
{
    const Node *n = tensor_maker(s->graph, t);
    double low;
    if (!n)
        return false;
    if (n->op_id == OP_Clip)
        return n->ninput > 1 ? rewrite_scalar_value(s->graph, n->input[1], &low) && low >= 0
                             : node_attr_float(n, "min", -1) >= 0;
    return op_is(n->op_id, OP_Relu, OP_Sigmoid, OP_Softmax, OP_HardSigmoid);
}

/* A pool may not have a window of padding alone; a maximum ignores padding, where the Pad's zeros
 * counted, which is the same if no value is below zero. */
static const char *why_not_into_pool(const Scene *s, const Node *pad, const PadFold *f,
                                     const Window2 *w)
{
    bool average = editor_is_op(f->window, "AveragePool"), padded = false;
    for (int i = 0; i < 4; i++) {
        padded |= w->pad[i] != 0;
        if (w->pad[i] + f->pad[i] >= w->kernel[i % 2])
            return "the pool would have windows of padding alone";
    }
    if (w->ceil_mode || w->dilation[0] != 1 || w->dilation[1] != 1)
        return "the pool rounds up, or is dilated";
    if (average && padded && !node_attr_int(f->window, "count_include_pad", 0))
        return "the pool counts the Pad's zeros, but not its own";
    if (!average && !is_never_negative(s, pad->input[0]))
        return "values below zero may be there, which the Pad's zeros hide";
    return NULL;
}

static const char *find_fold(const Scene *s, NodeId node, PadFold *ret, Window2 *ret_window)
{
    const Node *n = scene_node(s, node, "Pad");
    PadFold f = {.value = 0};
    if (!n || s->graph->tensor[n->input[0]].shape.rank != 4)
        return "not a Pad of images";
    if (strcmp(node_attr_string(n, "mode", "constant"), "constant") != 0)
        return "it does not pad with a constant";
    if (!read_pads(s, n, f.pad) || !read_pad_value(s, n, &f.value))
        return "its amounts are not constant, negative, or not of height and width alone";
    f.window = find_window(s, n, &f);
    if (!f.window)
        return "no Conv or pool that is its only reader, or what it pads with is not zero there";
    if (!window2_read(s->graph, f.window, ret_window) || !ret_window->explicit_pads)
        return "the window after it has no pads to add to";
    *ret = f;
    return editor_is_op(f.window, "Conv") ? NULL : why_not_into_pool(s, n, &f, ret_window);
}

const char *rewrite_check_fold_pad(const Scene *s, NodeId node)
{
    PadFold f;
    Window2 w;
    return find_fold(s, node, &f, &w);
}

void rewrite_fold_pad(Editor *e, const Scene *s, NodeId node)
{
    PadFold f;
    Window2 w;
    find_fold(s, node, &f, &w);
    NodeId window = node_id(s->graph, f.window);
    for (int i = 0; i < 4; i++)
        w.pad[i] += f.pad[i];
    if (editor_is_op(f.window, "AveragePool"))
        rewrite_set_int(e, window, "count_include_pad", 1);
    rewrite_set_ints(e, window, "pads", w.pad, 4);
    rewrite_drop_attr(e, window, "auto_pad");
    for (int i = 0; i < f.nbetween; i++)
        rewrite_clear_tensor_type(e, f.between[i]);
    rewrite_replace_result(e, node, s->graph->node[node].input[0]);
}

/* ---- split-kernel ---- */

const char *rewrite_check_split_kernel(const Scene *s, NodeId node)
{
    const Node *max = scene_node(s, node, "MaxPool"), *mean = scene_node(s, node, "AveragePool");
    Window2 w;
    if (!max && !mean)
        return "not a pool";
    if (!window2_read(s->graph, max ? max : mean, &w) || w.kernel[0] < 2 || w.kernel[1] < 2)
        return "its window has one axis only";
    if (max && max->noutput > 1 && max->output[1] != TENSOR_NONE)
        return "its indices are read";
    return mean && w.ceil_mode ? "it rounds up, which changes what the last windows count" : NULL;
}

/* One axis of the window, for a node that has the attributes of the whole. */
static void keep_axis(Editor *e, NodeId node, const Window2 *w, int axis)
{
    int64_t kernel[2] = {1, 1}, stride[2] = {1, 1}, dilation[2] = {1, 1}, pad[4] = {0};
    const Node *n = &e->graph->node[node];
    bool dilated = node_attr(n, "dilations") != NULL, padded = node_attr(n, "pads") != NULL;
    kernel[axis] = w->kernel[axis];
    stride[axis] = w->stride[axis];
    dilation[axis] = w->dilation[axis];
    pad[axis] = w->pad[axis];
    pad[axis + 2] = w->pad[axis + 2];
    rewrite_set_ints(e, node, "kernel_shape", kernel, 2);
    rewrite_set_ints(e, node, "strides", stride, 2);
    if (dilated)
        rewrite_set_ints(e, node, "dilations", dilation, 2);
    if (padded)
        rewrite_set_ints(e, node, "pads", pad, 4);
}

/* In a quantized model the averages of rows have the scale of what is averaged. */
static TensorId quantize_rows(Editor *e, const Scene *s, TensorId averaged, TensorId rows)
{
    const Node *made = tensor_maker(s->graph, averaged);
    const char *const op[2] = {"QuantizeLinear", "DequantizeLinear"};
    const Node scales = made ? *made : (Node){.op = "", .domain = ""}; /* nodes move */
    NodeId node;
    double scale;
    if (!editor_is_op(&scales, op[1]) || !rewrite_scalar_value(s->graph, scales.input[1], &scale))
        return rows;
    for (int k = 0; k < 2; k++) {
        rows = rewrite_add_node(e, op[k], averaged, "_rows", rows, &node);
        for (uint32_t i = 1; i < scales.ninput; i++)
            rewrite_set_input(e, node, i, scales.input[i]);
    }
    return rows;
}

void rewrite_split_kernel(Editor *e, const Scene *s, NodeId node)
{
    Window2 w;
    NodeId rows;
    const Node *n = &s->graph->node[node];
    bool average = editor_is_op(n, "AveragePool");
    window2_read(s->graph, n, &w);
    TensorId between = rewrite_add_node(e, n->op, n->output[0], "_rows", n->input[0], &rows);
    e->graph->node[rows].attr = e->graph->node[node].attr;
    e->graph->node[rows].nattr = e->graph->node[node].nattr;
    keep_axis(e, rows, &w, 1);
    keep_axis(e, node, &w, 0);
    if (average)
        between = quantize_rows(e, s, e->graph->node[node].input[0], between);
    rewrite_set_input(e, node, 0, between);
}

/* ---- split-groups ---- */

enum { OPSET_SLICE_INPUTS = 10 };

const char *rewrite_check_split_groups(const Scene *s, NodeId node)
{
    const Node *n = scene_node(s, node, "Conv");
    const Graph *g = s->graph;
    int64_t group = n ? node_attr_int(n, "group", 1) : 1;
    if (!n || group < 2 || group % 2)
        return "not a Conv whose groups can be halved";
    if (s->opset < OPSET_SLICE_INPUTS)
        return "it needs Slice of opset 10";
    const Shape *x = &g->tensor[n->input[0]].shape;
    if (x->rank < 3 || x->dim[1].value < group || x->dim[1].value % group)
        return "its channels are not known";
    for (uint32_t i = 1; i < n->ninput; i++) {
        const Tensor *t = node_input(g, n, i);
        if (t && (!t->is_initializer || t->shape.rank < 1 || t->shape.dim[0].value % group))
            return "its weights are not constants of the model";
    }
    return NULL;
}

/* Half of the first axis: its bytes lie together. */
static TensorId half_of(Editor *e, TensorId whole, int half)
{
    const Tensor t = e->graph->tensor[whole];
    int64_t dim[EDIT_PERMUTE_MAX_RANK];
    for (int32_t i = 0; i < t.shape.rank; i++)
        dim[i] = t.shape.dim[i].value / (i ? 1 : 2);
    size_t nbyte = t.value->nbyte / 2;
    const uint8_t *data = t.value->data ? t.value->data + (size_t)half * nbyte : NULL;
    return editor_constant(e, whole, half ? "_second" : "_first", t.dtype, dim, t.shape.rank, data);
}

static TensorId half_conv(Editor *e, NodeId node, int half)
{
    const Node n = e->graph->node[node];
    TensorId out = n.output[0];
    int64_t channels = e->graph->tensor[n.input[0]].shape.dim[1].value / 2;
    NodeId conv;
    TensorId x = rewrite_add_slice(e, out, n.input[0], 1, half * channels, (half + 1) * channels);
    TensorId y = rewrite_add_node(e, "Conv", out, "_half", x, &conv);
    for (uint32_t i = 1; i < n.ninput; i++)
        if (n.input[i] != TENSOR_NONE)
            rewrite_set_input(e, conv, i, half_of(e, n.input[i], half));
    e->graph->node[conv].attr = n.attr;
    e->graph->node[conv].nattr = n.nattr;
    rewrite_set_int(e, conv, "group", node_attr_int(&n, "group", 1) / 2);
    return y;
}

void rewrite_split_groups(Editor *e, const Scene *s, NodeId node)
{
    (void)s;
    const TensorId first = half_conv(e, node, 0), second = half_conv(e, node, 1);
    rewrite_become(e, node, "Concat", (const TensorId[]){first, second}, 2);
    rewrite_set_int(e, node, "axis", 1);
}
