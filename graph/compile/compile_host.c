/* Computes the work of a step, which the cost model counts. That is multiplications, and what a
 * host operator reads beside its activations. */
#include "graph/compile/compile_lower.h"

int64_t compile_macs(const Compile *c, const NodeId *node, uint32_t n)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        int64_t macs = node_macs(c->graph, &c->graph->node[node[i]]);
        if (macs > 0)
            sum = layout_size_add(sum, layout_size_mul(macs, c->options->batch));
    }
    return sum;
}

DType compile_host_type(const Compile *c, DType t)
{
    bool codes = c->quantized_model && (t == DT_INT8 || t == DT_UINT8);
    return c->options->on_host && codes ? DT_FLOAT32 : t;
}

static int64_t weight_bytes(const Compile *c, const Node *n)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < n->ninput; i++) {
        const Tensor *t = node_input(c->graph, n, i);
        if (!t || !tensor_is_constant(c->graph, n->input[i]))
            continue;
        int64_t count = shape_elements(&t->shape),
                bytes = dtype_bytes(compile_host_type(c, t->dtype), count);
        sum = layout_size_add(sum, count > 0 && bytes > 0 ? bytes : 0);
    }
    return sum;
}

static bool reads_single_elements(const Node *n, const Shape *weight)
{
    const int64_t *stride;
    size_t nstride = node_attr_ints(n, "strides", &stride);
    return LIST_ALL(i, weight->rank, i < 2 || weight->dim[i].value == 1) &&
           LIST_ALL(i, nstride, stride[i] == 1);
}

/* Of every output element of a group's channel, the window that it multiplies; of a transposed
 * convolution, what each input element makes; of a pool, the windows. */
static int64_t gathered_bytes(const Compile *c, const Ir *op, int64_t macs, int64_t outputs)
{
    const Node *n = ir_node(c, op);
    const Tensor *x = node_input(c->graph, n, 0);
    const Tensor *w = node_input(c->graph, n, lower_weight_index(n));
    int64_t elements = outputs;
    const int64_t *size;
    if (op_info(n->op_id)->op_class == CLASS_POOL)
        for (size_t i = node_attr_ints(n, "kernel_shape", &size); i > 0; i--)
            elements = layout_size_mul(elements, size[i - 1]);
    else if ((op->op != OP_Conv && op->op != OP_ConvTranspose) || !w || w->shape.rank < 3 ||
             w->shape.dim[0].value <= 0 || reads_single_elements(n, &w->shape))
        return 0;
    else
        elements = layout_size_mul(macs / w->shape.dim[0].value, node_attr_int(n, "group", 1));
    return x ? i64_max(0, dtype_bytes(compile_host_type(c, x->dtype), elements)) : 0;
}

static int kept_axes(const Node *n, int rank)
{
    const int64_t *perm;
    int nperm = (int)node_attr_ints(n, "perm", &perm), kept = 0;
    int64_t axis = node_attr_int(n, "axis", 0);
    if (n->op_id == OP_Gather)
        return axis < -rank || axis >= rank ? 0 : (int)(axis < 0 ? -1 - axis : rank - 1 - axis);
    while (nperm == rank && kept < rank && perm[rank - 1 - kept] == rank - 1 - kept)
        kept++;
    return n->op_id == OP_Transpose ? kept : rank;
}

/* Elements that lie beside each other before and after a copy. */
static int64_t copied_row(const Compile *c, const Node *n)
{
    const Tensor *x = node_input(c->graph, n, 0), *y = node_output(c->graph, n, 0);
    int64_t row = 1, from = 0, to = 0;
    int kept = x ? kept_axes(n, x->shape.rank) : 0;
    for (int i = 1; i <= kept && i <= y->shape.rank && from == to; i++) {
        from = x->shape.dim[x->shape.rank - i].value;
        to = y->shape.dim[y->shape.rank - i].value;
        row = layout_size_mul(row, i64_max(1, i64_min(from, to)));
    }
    return row;
}

bool compile_is_parts(const Compile *c, const Ir *op)
{
    return op->op == OP_Split && c->quantizer && !c->quantizer->inferred;
}

void compile_host_work(const Compile *c, const Ir *op, Step *s)
{
    s->macs = i64_max(compile_macs(c, s->node, s->nnode), compile_macs(c, &op->node, 1));
    for (uint32_t i = 0; i < s->nnode; i++)
        s->weight_bytes =
            layout_size_add(s->weight_bytes, weight_bytes(c, &c->graph->node[s->node[i]]));
    const Node *n = ir_node(c, op);
    const Tensor *y = node_output(c->graph, n, 0);
    int64_t images = i64_max(1, c->options->batch);
    int64_t outputs = y ? layout_size_mul(i64_max(0, shape_elements(&y->shape)), images) : 0;
    s->gathered_bytes = gathered_bytes(c, op, s->macs, outputs);
    if (y && op_info(n->op_id)->op_class == CLASS_MOVE)
        s->rows = outputs / copied_row(c, n);
    if (compile_is_parts(c, op)) {
        uint32_t parts = LIST_SUM(uint32_t, k, op->nout, op->out[k] != VALUE_NONE);
        s->more_calls = parts > 1 ? parts - 1 : 0;
        s->rows = layout_size_mul(s->rows, s->more_calls + 1);
    }
}

bool compile_node_is_depthwise(const Graph *g, const Node *conv)
{
    int64_t group = node_attr_int(conv, "group", 1);
    const Tensor *x = node_input(g, conv, 0);
    return group > 1 && x && x->shape.rank > 2 && x->shape.dim[1].value == group;
}

/* Over other axes than the innermost one.  Before opset 13 a Softmax makes one axis of the last. */
static bool reduces_across(const Model *m, const Node *n, int rank)
{
    int64_t axis[8] = {node_attr_int(n, "axis", -1)};
    size_t count = compile_reduce_axes(m->graph, n, axis);
    bool flat = m->opset < 13 && (n->op_id == OP_Softmax || n->op_id == OP_LogSoftmax);
    return !flat && LIST_ALL(i, count ? count : 1, axis[i] != -1 && axis[i] != rank - 1);
}

/* Runtimes have code of their own for rows and columns that are each written twice. */
static bool writes_twice(const Model *m, const Node *n)
{
    const Tensor *x = node_input(m->graph, n, 0), *y = node_output(m->graph, n, 0);
    bool first =
        n->op_id == OP_Upsample || m->opset < 11 ||
        (!strcmp(node_attr_string(n, "coordinate_transformation_mode", ""), "asymmetric") &&
         !strcmp(node_attr_string(n, "nearest_mode", ""), "floor"));
    return first && y && x->shape.rank == 4 && y->shape.rank == 4 &&
           LIST_ALL(i, 4, y->shape.dim[i].value == x->shape.dim[i].value * (i < 2 ? 1 : 2));
}

static const char *resize_form(const Model *m, const Node *n)
{
    const char *mode = node_attr_string(n, "mode", "nearest");
    return *mode == 'c'         ? "ResizeCubic"
           : *mode == 'l'       ? "ResizeLinear"
           : writes_twice(m, n) ? "ResizeTwice"
                                : NULL;
}

const char *program_host_form(Arena *a, const Model *m, const Node *n)
{
    const Tensor *x = node_input(m->graph, n, 0);
    if (!x)
        return NULL;
    if (op_is(n->op_id, OP_Conv, OP_QLinearConv))
        return compile_node_is_depthwise(m->graph, n) ? "DepthwiseConv" : NULL;
    if (n->op_id == OP_Resize || n->op_id == OP_Upsample)
        return resize_form(m, n);
    if (n->op_id == OP_Transpose)
        return kept_axes(n, x->shape.rank) > 0 ? "TransposeRows" : NULL;
    bool reduces = op_info(n->op_id)->op_class == CLASS_REDUCE;
    return reduces && reduces_across(m, n, x->shape.rank) ? arena_printf(a, "%sAcross", n->op)
                                                          : NULL;
}
