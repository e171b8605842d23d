/* Lowering: a segment's ops as the NPU's low-level ops, named as the vendor's profiler names them.
 *
 * By kind, not by model (facts: the published traces of MobileNet v1 and MNIST): a fully connected
 * layer is a Conv2d, an average pool a DepthwiseConv2d, and every window with padding has one Pad.
 */
#include "graph/compile_emit.h"

#include <string.h>

typedef struct {
    Emit *e;
    Compile *c;
    Step *step;
} Lower;

/* --- windows
 * --------------------------------------------------------------------------------------- */

typedef struct {
    int64_t k[2], stride[2], dilation[2], before[2], after[2]; /* of H and W */
} Window;

static int64_t bounded(int64_t v, int64_t lo)
{
    return v < lo ? lo : v > INT32_MAX ? INT32_MAX : v;
}

/* Attribute with one number per spatial axis; a 1-D window is one of W. */
static void read_pair(const Node *n, const char *name, int axes, int64_t lo, int64_t pair[2])
{
    const int64_t *v;
    size_t count = node_attr_ints(n, name, &v);
    for (int i = 0; i < axes && (size_t)i < count; i++)
        pair[2 - axes + i] = bounded(v[i], lo);
}

static uint32_t weight_index(const Node *n)
{
    bool scaled = n->op_id == OP_QLinearConv || n->op_id == OP_MsQLinearConv ||
                  n->op_id == OP_QLinearMatMul || n->op_id == OP_MsQGemm;
    return scaled ? 3 : 1;
}

static void read_kernel(const Compile *c, const Ir *op, int axes, Window *w)
{
    const Node *n = ir_node(c, op);
    const Tensor *weight = node_input(c->graph, n, weight_index(n));
    const Geometry *in = &c->value[op->in[0]].g;
    if (ir_class(op) == CLASS_MAC && weight && weight->shape.rank == axes + 2) {
        for (int i = 0; i < axes; i++)
            w->k[2 - axes + i] = bounded(weight->shape.dim[i + 2].value, 1);
    } else if (op->op == OP_AveragePool || op->op == OP_MaxPool) {
        read_pair(n, "kernel_shape", axes, 1, w->k);
    } else { /* a global pool, or a mean over H and W */
        w->k[0] = bounded(in->h, 1);
        w->k[1] = bounded(in->w, 1);
    }
}

/* SAME: as much padding as gives ceil(in / stride) outputs. */
static void same_padding(const Geometry *in, bool upper, Window *w)
{
    const int64_t size[2] = {in->h, in->w};
    for (int i = 0; i < 2; i++) {
        int64_t out = (size[i] + w->stride[i] - 1) / w->stride[i];
        int64_t extent = w->dilation[i] * (w->k[i] - 1) + 1;
        int64_t total = (out - 1) * w->stride[i] + extent - size[i];
        total = total < 0 ? 0 : total;
        w->before[i] = upper ? total / 2 : total - total / 2;
        w->after[i] = total - w->before[i];
    }
}

static Window read_window(const Compile *c, const Ir *op)
{
    Window w = {{1, 1}, {1, 1}, {1, 1}, {0, 0}, {0, 0}};
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
        same_padding(&c->value[op->in[0]].g, strcmp(mode, "SAME_UPPER") == 0, &w);
    for (int i = 0; i < axes && count == 2 * (size_t)axes && strcmp(mode, "NOTSET") == 0; i++) {
        w.before[2 - axes + i] = bounded(pad[i], 0);
        w.after[2 - axes + i] = bounded(pad[i + axes], 0);
    }
    return w;
}

static bool has_padding(const Window *w)
{
    return w->before[0] || w->before[1] || w->after[0] || w->after[1];
}

/* --- buffers and ops
 * ------------------------------------------------------------------------------- */

static uint32_t buf_add(Lower *l, TensorId tensor, const Geometry *g)
{
    Emit *e = l->e;
    uint32_t id = (uint32_t)e->nbuf;
    LowBuf *b = VEC_PUSH(l->c->scratch, e->buf, e->nbuf, e->buf_cap);
    *b = (LowBuf){.root = id, .maker = LOWOP_NONE, .tensor = tensor, .g = *g};
    b->lowered = layout_lower(l->c->machine, l->c->options->pe, g);
    b->bytes = b->lowered.bytes;
    return id;
}

static uint32_t buf_of_value(Lower *l, ValueId v)
{
    const Value *value = &l->c->value[v];
    return l->e->buf_of[v] = buf_add(l, value->tensor, &value->g);
}

static void op_buf_add(Lower *l, uint32_t buf)
{
    *VEC_PUSH(l->c->scratch, l->e->op_buf, l->e->nop_buf, l->e->op_buf_cap) = buf;
}

static void set_output_geometry(LowOp *op, const Geometry *g)
{
    op->n = g->n;
    op->c_out = g->c;
    op->h_out = g->h;
    op->w_out = g->w;
}

/* Producers within the segment, ascending and once each: insertion into a short list. */
static void add_dep(LowOpId *dep, uint32_t *n, LowOpId id)
{
    uint32_t i = *n;
    while (i > 0 && dep[i - 1] > id)
        i--;
    if (i > 0 && dep[i - 1] == id)
        return;
    memmove(dep + i + 1, dep + i, (*n - i) * sizeof *dep);
    dep[i] = id;
    (*n)++;
}

/* Appends an op that reads the `nin` buffers.  Its outputs follow with low_output. */
static LowOp *low_add(Lower *l, LowOpKind kind, const uint32_t *in, uint32_t nin)
{
    Emit *e = l->e;
    Program *p = e->p;
    LowOpId id = (LowOpId)p->nop;
    LowOp *op = VEC_PUSH(l->c->arena, p->op, p->nop, e->op_cap);
    *op = (LowOp){.id = id,
                  .kind = kind,
                  .step = l->step->id,
                  .kernel_h = 1,
                  .kernel_w = 1,
                  .stride_h = 1,
                  .stride_w = 1,
                  .dilation_h = 1,
                  .dilation_w = 1,
                  .group = 1,
                  .ninput = (int)nin,
                  .tiles = 1};
    LowUse *u = VEC_PUSH(l->c->scratch, e->use, e->nuse, e->use_cap);
    *u = (LowUse){.first = (uint32_t)e->nop_buf, .nin = nin};
    LowOpId *dep = ARENA_ARRAY(l->c->arena, LowOpId, nin + 1);
    int64_t largest = -1;
    for (uint32_t i = 0; i < nin; i++) {
        op_buf_add(l, in[i]);
        const LowBuf *b = &e->buf[in[i]];
        if (b->maker != LOWOP_NONE)
            add_dep(dep, &op->ndep, b->maker);
        int64_t n = geometry_elements(&b->g);
        op->elements_in = size_add(op->elements_in, n);
        op->bytes_in = size_add(op->bytes_in, b->lowered.bytes);
        if (n <= largest)
            continue;
        largest = n;
        op->c_in = b->g.c;
        op->h_in = b->g.h;
        op->w_in = b->g.w;
    }
    op->dep = dep;
    return op;
}

static void low_output(Lower *l, LowOp *op, uint32_t buf)
{
    LowBuf *b = &l->e->buf[buf];
    b->maker = op->id;
    op_buf_add(l, buf);
    l->e->use[l->e->nuse - 1].nout++;
    op->elements_out = size_add(op->elements_out, geometry_elements(&b->g));
    op->bytes_out = size_add(op->bytes_out, b->lowered.bytes);
    set_output_geometry(op, &b->g);
}

static void low_nodes(Lower *l, LowOp *op, IrId ir)
{
    op->node = l->e->nodes_of_ir[ir];
    op->nnode = l->e->nnodes_of_ir[ir];
}

/* A view: lies where its input lies. */
static void low_view(Lower *l, LowOp *op, uint32_t in, uint32_t out)
{
    op->zero_cost = true;
    l->e->buf[out].root = l->e->buf[in].root;
}

/* An op between two buffers that stand for one value: Pad, Mask, Lower … Returns the new buffer. */
static uint32_t low_between(Lower *l, LowOpKind kind, IrId ir, uint32_t in, const Geometry *g,
                            bool is_view)
{
    TensorId tensor = l->e->buf[in].tensor;
    uint32_t out = buf_add(l, tensor, g);
    LowOp *op = low_add(l, kind, &in, 1);
    low_nodes(l, op, ir);
    low_output(l, op, out);
    if (is_view)
        low_view(l, op, in, out);
    return out;
}

/* --- padding
 * --------------------------------------------------------------------------------------- */

/* Rows are dealt to the slices in equal parts; when they do not come out even, the last slices hold
 * rows that are none, and a window with padding would read them.  Where the output keeps the parts,
 * a Mask clears those rows in place; where it does not, a Slice cuts them off and an Expand deals
 * the padded rows anew (both as the genuine MNIST trace has them). */
static uint32_t pad_input(Lower *l, IrId ir, const Window *w, uint32_t in, const Geometry *out)
{
    const LowBuf *b = &l->e->buf[in];
    Geometry g = b->g;
    int ho = b->lowered.ho;
    bool surplus = ho * b->lowered.hi > g.h;
    bool keeps = layout_lower(l->c->machine, l->c->options->pe, out).ho == ho;
    if (surplus)
        in = low_between(l, keeps ? LOWOP_MASK : LOWOP_SLICE, ir, in, &g, !keeps);
    g.h = size_add(g.h, w->before[0] + w->after[0]);
    g.w = size_add(g.w, w->before[1] + w->after[1]);
    in = low_between(l, LOWOP_PAD, ir, in, &g, false);
    if (surplus && !keeps)
        in = low_between(l, LOWOP_EXPAND, ir, in, &g, true);
    return in;
}

/* --- ops by kind
 * ----------------------------------------------------------------------------------- */

static int64_t elements_of(const Compile *c, const Node *n, uint32_t input)
{
    const Tensor *t = node_input(c->graph, n, input);
    int64_t count = t && compile_is_constant(c, n->input[input]) ? shape_elements(&t->shape) : 0;
    return count < 0 ? 0 : count > SIZE_CAP ? SIZE_CAP : count;
}

static bool has_bias(const Compile *c, const Node *n, uint32_t *ret_index)
{
    switch (n->op_id) {
    case OP_ConvInteger:
    case OP_MatMulInteger:
    case OP_MatMul:
    case OP_QLinearMatMul:
        return false;
    case OP_QLinearConv:
    case OP_MsQLinearConv:
        *ret_index = 8;
        break;
    case OP_MsQGemm:
        *ret_index = 6;
        break;
    default:
        *ret_index = 2;
    }
    return elements_of(c, n, *ret_index) > 0;
}

/* Weights int8 and biases int32: as the model has them, and as the slices hold them: each slice has
 * those of its own output channels, so that parts along the height repeat them. */
static void set_weights(Lower *l, LowOp *op, const Node *n, const Lowered *out)
{
    const Compile *c = l->c;
    uint32_t bias;
    int64_t weights = elements_of(c, n, weight_index(n));
    int64_t biases = has_bias(c, n, &bias) ? size_mul(4, elements_of(c, n, bias)) : 0;
    op->weight_bytes = size_add(weights, biases);
    int64_t per_channel = op->c_out > 0 ? (op->weight_bytes + op->c_out - 1) / op->c_out : 0;
    l->e->use[op->id].weight_bytes =
        size_mul(size_mul(per_channel, out->ci), (int64_t)out->ho * out->co);
}

static void set_window(LowOp *op, const Window *w)
{
    op->kernel_h = (int)w->k[0];
    op->kernel_w = (int)w->k[1];
    op->stride_h = (int)w->stride[0];
    op->stride_w = (int)w->stride[1];
    op->dilation_h = (int)w->dilation[0];
    op->dilation_w = (int)w->dilation[1];
}

static int64_t macs_of(const Compile *c, const Node *n)
{
    int64_t macs = node_macs(c->graph, n);
    return macs > 0 ? size_mul(macs, c->options->batch) : 0;
}

/* Products over rows: the reduced axis is the last of the first input, whatever its letter. */
static void set_product(Lower *l, LowOp *op, const Ir *ir)
{
    const Shape *a = &l->c->graph->tensor[l->c->value[ir->in[0]].tensor].shape;
    if ((ir->op == OP_MatMul || ir->op == OP_Gemm) && a->rank > 0)
        op->c_in = a->dim[a->rank - 1].value;
}

static bool is_one_tap_per_channel(const Compile *c, const Ir *ir, const LowOp *op)
{
    (void)c;
    return ir->op == OP_Conv && op->group > 1 && op->group == op->c_in;
}

static void lower_mac(Lower *l, IrId id, const Ir *ir)
{
    Compile *c = l->c;
    const Node *n = ir_node(c, ir);
    bool windowed = ir->op == OP_Conv || ir->op == OP_ConvTranspose;
    uint32_t in[2] = {l->e->buf_of[ir->in[0]]};
    uint32_t nin = 1;
    for (uint32_t k = 1; k < ir->nin && nin < 2; k++)
        if (ir->in[k] != ir->in[0])
            in[nin++] = l->e->buf_of[ir->in[k]];
    const Geometry *g = &c->value[ir->out[0]].g;
    Window w = {{1, 1}, {1, 1}, {1, 1}, {0, 0}, {0, 0}};
    if (windowed)
        w = read_window(c, ir);
    int64_t c_in = c->value[ir->in[0]].g.c;
    if (has_padding(&w) && ir->op == OP_Conv)
        in[0] = pad_input(l, id, &w, in[0], g);
    uint32_t out = buf_of_value(l, ir->out[0]);
    LowOp *op = low_add(l, LOWOP_CONV2D, in, nin);
    low_nodes(l, op, id);
    op->group = windowed ? bounded(node_attr_int(n, "group", 1), 1) : 1;
    op->c_in = c_in;
    set_product(l, op, ir);
    set_window(op, &w);
    if (ir->op == OP_ConvTranspose)
        op->stride_h = op->stride_w = 1; /* the window slides over the outputs one by one */
    op->macs = macs_of(c, n);
    op->vector_passes = ir->fused == FUSED_VECTOR;
    low_output(l, op, out);
    if (is_one_tap_per_channel(c, ir, op))
        op->kind = LOWOP_DEPTHWISE;
    set_weights(l, op, n, &l->e->buf[out].lowered);
}

static bool is_average(const Compile *c, const Ir *ir)
{
    return strcmp(op_table_name(c, ir), "AveragePool") == 0;
}

/* An average is a depthwise product with equal weights; a maximum is work of the vector engine. */
static void lower_pool(Lower *l, IrId id, const Ir *ir)
{
    Compile *c = l->c;
    bool average = is_average(c, ir);
    uint32_t in = l->e->buf_of[ir->in[0]];
    Window w = read_window(c, ir);
    const Geometry g = c->value[ir->out[0]].g;
    int64_t c_in = c->value[ir->in[0]].g.c;
    if (has_padding(&w))
        in = pad_input(l, id, &w, in, &g);
    uint32_t out = buf_of_value(l, ir->out[0]);
    LowOp *op = low_add(l, average ? LOWOP_DEPTHWISE : LOWOP_POOL, &in, 1);
    low_nodes(l, op, id);
    set_window(op, &w);
    op->group = bounded(c_in, 1);
    low_output(l, op, out);
    int64_t taps = size_mul(w.k[0], w.k[1]);
    if (average)
        op->macs = size_mul(op->elements_out, taps);
    else
        op->vector_passes = (int)bounded((taps + 4) / 9, 1); /* a 3x3 window is one pass */
}

static void lower_transpose(Lower *l, IrId id, const Ir *ir)
{
    Compile *c = l->c;
    Value *from = &c->value[ir->in[0]], *to = &c->value[ir->out[0]];
    bool relabels = transpose_relabels(c, ir);
    bool last = to->letter[c->graph->tensor[to->tensor].shape.rank - 1] == 'C' && to->g.c > 1 &&
                size_mul(to->g.h, to->g.w) > 1;
    to->channel_last = relabels && last;
    bool is_view = transpose_is_view(c, ir) || (relabels && from->channel_last == to->channel_last);
    uint32_t in = l->e->buf_of[ir->in[0]], out = buf_of_value(l, ir->out[0]);
    LowOp *op = low_add(l, is_view ? LOWOP_RESHAPE : LOWOP_TRANSPOSE, &in, 1);
    low_nodes(l, op, id);
    low_output(l, op, out);
    op->inner_axis_changes = !is_view && transpose_moves_last(c, ir);
    op->vector_passes = !is_view;
    if (is_view)
        low_view(l, op, in, out);
}

/* LowLevel op per operator, where that is all: how many passes, and whether it is a view.
 * passes: -1 as many as parts in the table's name, -2 once over the input. */
enum { PASSES_PARTS = -1, PASSES_INPUT = -2 };
static const struct {
    OpIndex op;
    LowOpKind kind;
    int passes;
    bool is_view;
} simple[] = {
    {OP_Concat, LOWOP_CONCAT, 0, false},
    {OP_Split, LOWOP_SPLIT, 0, false},
    {OP_Slice, LOWOP_SLICE, 0, true},
    {OP_Expand, LOWOP_EXPAND, 0, true},
    {OP_Pad, LOWOP_PAD, 0, false},
    {OP_Resize, LOWOP_RESIZE, 1, false},
    {OP_DepthToSpace, LOWOP_TRANSPOSE, 1, false},
    {OP_SpaceToDepth, LOWOP_TRANSPOSE, 1, false},
    {OP_Softmax, LOWOP_SOFTMAX, 4, false},
    {OP_LpNormalization, LOWOP_REDUCE, 3, false},
    {OP_ReduceSum, LOWOP_REDUCE, PASSES_INPUT, false},
    {OP_ReduceL2, LOWOP_REDUCE, PASSES_INPUT, false},
};

typedef struct {
    LowOpKind kind;
    int passes;
    bool is_view;
} Recipe;

static Recipe recipe_of(const Ir *ir)
{
    for (size_t i = 0; i < sizeof simple / sizeof *simple; i++)
        if (simple[i].op == ir->op)
            return (Recipe){simple[i].kind, simple[i].passes, simple[i].is_view};
    switch (ir_class(ir)) {
    case CLASS_VIEW:
        return (Recipe){LOWOP_RESHAPE, 0, true};
    case CLASS_ACTIVATION:
        return (Recipe){LOWOP_ACTIVATION, PASSES_PARTS, false};
    case CLASS_REDUCE:
        return (Recipe){LOWOP_REDUCE, PASSES_INPUT, false};
    default:
        return (Recipe){LOWOP_ELEMENTWISE, PASSES_PARTS, false};
    }
}

static int parts_of(const char *name)
{
    int n = 1;
    for (; *name; name++)
        n += *name == '+';
    return n;
}

static void set_passes(const Compile *c, const Ir *ir, int passes, LowOp *op)
{
    if (passes == PASSES_PARTS)
        passes = parts_of(op_table_name(c, ir));
    else if (passes == PASSES_INPUT)
        passes = (int)bounded(op->elements_in / (op->elements_out > 0 ? op->elements_out : 1), 1);
    op->vector_passes = passes;
}

/* Constants beside one activation, as Add of a vector has them. */
static void set_operands(Lower *l, LowOp *op, const Ir *ir)
{
    const Node *n = ir_node(l->c, ir);
    OpClass k = ir_class(ir);
    for (uint32_t i = 0; k == CLASS_ELEMENTWISE && i < n->ninput; i++)
        op->weight_bytes = size_add(op->weight_bytes, elements_of(l->c, n, i));
    l->e->use[op->id].weight_bytes = op->weight_bytes;
}

static void lower_simple(Lower *l, IrId id, const Ir *ir)
{
    Compile *c = l->c;
    Recipe r = recipe_of(ir);
    uint32_t *in = ARENA_ARRAY(c->scratch, uint32_t, ir->nin + 1), *out;
    for (uint32_t k = 0; k < ir->nin; k++)
        in[k] = l->e->buf_of[ir->in[k]];
    out = ARENA_ARRAY(c->scratch, uint32_t, ir->nout + 1);
    for (uint32_t k = 0; k < ir->nout; k++)
        out[k] = ir->out[k] == VALUE_NONE ? BUF_NONE : buf_of_value(l, ir->out[k]);
    LowOp *op = low_add(l, r.kind, in, ir->nin);
    low_nodes(l, op, id);
    for (uint32_t k = 0; k < ir->nout; k++) {
        if (out[k] == BUF_NONE)
            continue;
        low_output(l, op, out[k]);
        if (r.is_view)
            low_view(l, op, in[0], out[k]);
        if (ir->nin && (ir_class(ir) == CLASS_ELEMENTWISE || ir_class(ir) == CLASS_ACTIVATION))
            c->value[ir->out[k]].channel_last = c->value[ir->in[0]].channel_last;
    }
    set_passes(c, ir, r.passes, op);
    set_operands(l, op, ir);
}

static void lower_op(Lower *l, IrId id)
{
    const Ir *ir = &l->c->ir[id];
    if (ir->op == OP_Conv || ir->op == OP_ConvTranspose || ir->op == OP_Gemm || ir->op == OP_MatMul)
        lower_mac(l, id, ir);
    else if (ir->op == OP_MaxPool || is_average(l->c, ir))
        lower_pool(l, id, ir);
    else if (ir->op == OP_Transpose)
        lower_transpose(l, id, ir);
    else
        lower_simple(l, id, ir);
}

/* --- the edges of the segment
 * ---------------------------------------------------------------------- */

/* Host Lower leaves the channels innermost when they are so in the application's order; an op that
 * needs rows then has a Transpose in front (one LowLevelTranspose in the NHWC trace). */
static bool arrives_channel_last(const Compile *c, ValueId v)
{
    const Value *value = &c->value[v];
    return value->input != INDEX_NOT && value_last_letter(c, v) == 'C' && value->g.c > 1 &&
           size_mul(value->g.h, value->g.w) > 1;
}

static void lower_import(Lower *l, ValueId v, IrId reader)
{
    Compile *c = l->c;
    Value *value = &c->value[v];
    Layout layout = l->e->p->tensor[l->e->form[v].ready].layout;
    uint32_t buf = buf_of_value(l, v);
    if (layout != LAYOUT_LOWERED) {
        Geometry g = value->g;
        l->e->buf[buf].bytes = l->e->p->tensor[l->e->form[v].ready].bytes;
        l->e->buf[buf].lowered = (Lowered){.bytes = l->e->buf[buf].bytes};
        buf = low_between(l, LOWOP_LOWER, reader, buf, &g, false);
        l->e->p->op[l->e->p->nop - 1].vector_passes = 1;
    }
    int rank = c->graph->tensor[value->tensor].shape.rank;
    value->channel_last = arrives_channel_last(c, v);
    if (value->channel_last && rank && value->letter[rank - 1] != 'C') {
        Geometry g = value->g;
        buf = low_between(l, LOWOP_TRANSPOSE, reader, buf, &g, false);
        l->e->p->op[l->e->p->nop - 1].vector_passes = 1;
        l->e->p->op[l->e->p->nop - 1].inner_axis_changes = true;
        value->channel_last = false;
    }
    l->e->buf_of[v] = buf;
}

static void lower_export(Lower *l, ValueId v)
{
    Compile *c = l->c;
    uint32_t buf = l->e->buf_of[v];
    IrId maker = c->value[v].producer;
    Way way = l->e->form[v].way;
    if (boundary_dequantizes_on_npu(c, v)) {
        Geometry g = c->value[v].g;
        buf = low_between(l, LOWOP_DEQUANTIZE, maker, buf, &g, false);
        LowOp *op = &l->e->p->op[l->e->p->nop - 1];
        op->vector_passes = 1;
        op->bytes_out = size_mul(4, op->bytes_out);
        l->e->buf[buf].bytes = op->bytes_out;
        l->e->buf[buf].lowered.bytes = op->bytes_out;
    }
    if (way == WAY_NPU || way == WAY_NPU_PAD) {
        Geometry g = c->value[v].g;
        int64_t scale = boundary_dequantizes_on_npu(c, v) ? 4 : 1;
        int64_t plain =
            way == WAY_NPU ? geometry_elements(&g) : layout_padded_bytes(c->machine, &g);
        buf = low_between(l, LOWOP_UNLOWER, maker, buf, &g, false);
        LowOp *op = &l->e->p->op[l->e->p->nop - 1];
        op->vector_passes = 1;
        op->bytes_out = size_mul(plain, scale);
        l->e->buf[buf].bytes = op->bytes_out;
    }
}

void lower_segment(Emit *e, Step *s, const IrId *op, size_t nop, const SegmentEdges *edges)
{
    Lower l = {.e = e, .c = e->c, .step = s};
    s->first_op = (LowOpId)e->p->nop;
    for (size_t i = 0; i < edges->nimport; i++)
        lower_import(&l, edges->import[i], edges->reader[i]);
    for (size_t i = 0; i < nop; i++)
        lower_op(&l, op[i]);
    for (size_t i = 0; i < edges->nexport; i++)
        lower_export(&l, edges->export[i]);
    s->nop = (uint32_t)(e->p->nop - s->first_op);
}
