/* Reads kernel, stride, dilation and padding of convolutions and pools. */
#include "graph/compile/compile_lower.h"

int64_t lower_bounded(int64_t v, int64_t lo)
{
    return v < lo ? lo : v > INT32_MAX ? INT32_MAX : v;
}

/* Attribute with one number per spatial axis; a 1-D window is one of W. */
static void read_pair(const Node *n, const char *name, int axes, int64_t lo, int64_t pair[2])
{
    const int64_t *v;
    size_t count = node_attr_ints(n, name, &v);
    for (int i = 0; i < axes && (size_t)i < count; i++)
        pair[2 - axes + i] = lower_bounded(v[i], lo);
}

uint32_t lower_weight_index(const Node *n)
{
    bool scaled = op_is(n->op_id, OP_QLinearConv, OP_MsQLinearConv, OP_QLinearMatMul, OP_MsQGemm);
    return scaled ? 3 : 1;
}

static void read_kernel(const Compile *c, const Ir *op, int axes, SpatialWindow *w)
{
    const Node *n = ir_node(c, op);
    const Tensor *weight = node_input(c->graph, n, lower_weight_index(n));
    const Geometry *in = &c->value[op->in[0]].g;
    if (ir_class(op) == CLASS_MAC && weight && weight->shape.rank == axes + 2) {
        for (int i = 0; i < axes; i++)
            w->k[2 - axes + i] = lower_bounded(weight->shape.dim[i + 2].value, 1);
    } else if (op->op == OP_AveragePool || op->op == OP_MaxPool) {
        read_pair(n, "kernel_shape", axes, 1, w->k);
    } else { /* a global pool, or a mean over H and W */
        w->k[0] = lower_bounded(in->h, 1);
        w->k[1] = lower_bounded(in->w, 1);
    }
}

/* SAME: as much padding as gives ceil(in / stride) outputs. */
static void same_padding(const Geometry *in, SpatialWindow *w)
{
    const int64_t size[2] = {in->h, in->w};
    for (int i = 0; i < 2; i++) {
        int64_t out = (size[i] + w->stride[i] - 1) / w->stride[i];
        int64_t extent = w->dilation[i] * (w->k[i] - 1) + 1;
        int64_t total = (out - 1) * w->stride[i] + extent - size[i];
        w->pad[i] = total < 0 ? 0 : total;
    }
}

SpatialWindow lower_read_window(const Compile *c, const Ir *op)
{
    SpatialWindow w = WINDOW_OF_ONE;
    const Node *n = ir_node(c, op);
    int axes = c->graph->tensor[c->value[op->in[0]].tensor].shape.rank - 2;
    if (axes < 1 || axes > 2)
        return w;
    read_kernel(c, op, axes, &w);
    if (w.k[0] == 0 || op->op == OP_ReduceMean || op->op == OP_GlobalAveragePool)
        return w;
    read_pair(n, "strides", axes, 1, w.stride);
    read_pair(n, "dilations", axes, 1, w.dilation);
    const char *mode = node_attr_string(n, "auto_pad", "NOTSET");
    const int64_t *pad;
    size_t count = node_attr_ints(n, "pads", &pad);
    if (strncmp(mode, "SAME", 4) == 0)
        same_padding(&c->value[op->in[0]].g, &w);
    for (int i = 0; i < axes && count == 2 * (size_t)axes && strcmp(mode, "NOTSET") == 0; i++)
        w.pad[2 - axes + i] = lower_bounded(pad[i], 0) + lower_bounded(pad[i + axes], 0);
    return w;
}

bool lower_window_pads(const SpatialWindow *w)
{
    return w->pad[0] || w->pad[1];
}
