/* Lowers ops by kind, named as the vendor's profiler names them.
 *
 * By kind, not by model (counted in the vendor's published traces of MobileNet v1 and MNIST): a
 * fully connected layer is a Conv2d, an average pool a DepthwiseConv2d, and every window with
 * padding has one Pad. */
#include "graph/compile/compile_lower.h"
#include "graph/edit/rewrite.h"

/* ---- padding ---- */

/* Each slice gets an equal number of rows.  If the rows do not divide evenly, the last slices hold
 * filler rows, which a window with padding would read.  Where the output keeps the split, a Mask
 * clears those rows in place; elsewhere a Slice cuts them off and an Expand redistributes the
 * padded rows (both as in the genuine MNIST trace). */
static uint32_t add_pad(Lower *l, IrId ir, const SpatialWindow *w, uint32_t in, const Geometry *out)
{
    const LowBuf *b = &l->e->buf[in];
    Geometry g = b->g;
    int ho = b->lowered.ho;
    bool surplus = ho * b->lowered.hi > g.h;
    bool keeps = layout_lower(l->c->machine, l->c->options->pe, out).ho == ho;
    if (surplus)
        in = keeps ? lower_add_between(l, LOWOP_MASK, ir, in, &g)
                   : lower_add_view(l, LOWOP_SLICE, ir, in, &g);
    g.h = layout_size_add(g.h, w->pad[0]);
    g.w = layout_size_add(g.w, w->pad[1]);
    in = lower_add_between(l, LOWOP_PAD, ir, in, &g);
    if (surplus && !keeps)
        in = lower_add_view(l, LOWOP_EXPAND, ir, in, &g);
    return in;
}

/* ---- ops by kind ---- */

static int64_t elements_of(const Compile *c, const Node *n, uint32_t input)
{
    const Tensor *t = node_input(c->graph, n, input);
    int64_t count =
        t && tensor_is_constant(c->graph, n->input[input]) ? shape_elements(&t->shape) : 0;
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

/* Weights int8 and biases int32, as in the model and as in the slices.  A slice holds those of its
 * output channels, so that parts along the height repeat them; those of a product whose columns are
 * no channels lie there once. */
static void set_weights(Lower *l, LowOp *op, const Node *n, const Lowered *out)
{
    const Compile *c = l->c;
    uint32_t bias;
    int64_t weights = elements_of(c, n, lower_weight_index(n));
    int64_t biases = has_bias(c, n, &bias) ? layout_size_mul(4, elements_of(c, n, bias)) : 0;
    op->weight_bytes = layout_size_add(weights, biases);
    int64_t per_channel = op->c_out > 0 ? (op->weight_bytes + op->c_out - 1) / op->c_out : 0;
    bool once = op->columns > 0 && op->columns != op->c_out;
    l->e->use[op->id].weight_bytes =
        once ? op->weight_bytes
             : layout_size_mul(layout_size_mul(per_channel, out->ci), (int64_t)out->ho * out->co);
}

static void set_window(LowOp *op, const SpatialWindow *w)
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
    return macs > 0 ? layout_size_mul(macs, c->options->batch) : 0;
}

static int64_t dim_from_end(const Shape *s, int back)
{
    return s->rank >= back ? s->dim[s->rank - back].value : 1;
}

/* Products over rows: the reduced axis is the last of the first input, whatever its letter.  Rows
 * of all matrices are one where they share the second operand. */
static void set_product(Lower *l, LowOp *op, const Ir *ir)
{
    const Graph *g = l->c->graph;
    const Shape *a = &g->tensor[l->c->value[ir->in[0]].tensor].shape;
    const Shape *y = &g->tensor[l->c->value[ir->out[0]].tensor].shape;
    if ((ir->op != OP_MatMul && ir->op != OP_Gemm) || a->rank == 0)
        return;
    bool shared = ir->nin < 2 || shape_elements(y) <= 0;
    int64_t one = layout_size_mul(dim_from_end(y, 1), dim_from_end(y, 2));
    op->c_in = dim_from_end(a, 1);
    op->columns = lower_bounded(dim_from_end(y, 1), 1);
    op->matrices = 1;
    if (!shared && one > 0)
        op->matrices =
            lower_bounded(layout_size_mul(shape_elements(y) / one, l->c->options->batch), 1);
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
    SpatialWindow w = WINDOW_OF_ONE;
    if (windowed)
        w = lower_read_window(c, ir);
    int64_t c_in = c->value[ir->in[0]].g.c;
    if (lower_window_pads(&w) && ir->op == OP_Conv)
        in[0] = add_pad(l, id, &w, in[0], g);
    uint32_t out = lower_new_buffer(l, ir->out[0]);
    LowOp *op = lower_add_op(l, LOWOP_CONV2D, in, nin);
    lower_add_nodes(l, op, id);
    op->group = windowed ? lower_bounded(node_attr_int(n, "group", 1), 1) : 1;
    op->c_in = c_in;
    set_product(l, op, ir);
    set_window(op, &w);
    if (ir->op == OP_ConvTranspose)
        op->stride_h = op->stride_w = 1; /* the window slides over the outputs one by one */
    op->macs = macs_of(c, n);
    op->vector_passes = ir->fused == FUSED_VECTOR;
    lower_add_output(l, op, out);
    if (ir->op == OP_Conv && op->group > 1 && op->group == op->c_in)
        op->kind = LOWOP_DEPTHWISE;
    set_weights(l, op, n, &l->e->buf[out].lowered);
}

static bool is_average(const Compile *c, const Ir *ir)
{
    return strcmp(compile_op_table_name(c, ir), "AveragePool") == 0;
}

/* An average is a depthwise product with equal weights; a maximum is work of the vector engine. */
static void lower_pool(Lower *l, IrId id, const Ir *ir)
{
    Compile *c = l->c;
    bool average = is_average(c, ir);
    uint32_t in = l->e->buf_of[ir->in[0]];
    SpatialWindow w = lower_read_window(c, ir);
    const Geometry g = c->value[ir->out[0]].g;
    int64_t c_in = c->value[ir->in[0]].g.c;
    if (lower_window_pads(&w))
        in = add_pad(l, id, &w, in, &g);
    uint32_t out = lower_new_buffer(l, ir->out[0]);
    LowOp *op = lower_add_op(l, average ? LOWOP_DEPTHWISE : LOWOP_POOL, &in, 1);
    lower_add_nodes(l, op, id);
    set_window(op, &w);
    op->group = lower_bounded(c_in, 1);
    lower_add_output(l, op, out);
    int64_t taps = layout_size_mul(w.k[0], w.k[1]);
    if (average)
        op->macs = layout_size_mul(op->elements_out, taps);
    else
        op->vector_passes = (int)lower_bounded((taps + 4) / 9, 1); /* a 3x3 window is one pass */
}

static void lower_transpose(Lower *l, IrId id, const Ir *ir)
{
    Compile *c = l->c;
    CompileValue *from = &c->value[ir->in[0]], *to = &c->value[ir->out[0]];
    bool relabels = compile_transpose_relabels(c, ir);
    bool last = to->letter[c->graph->tensor[to->tensor].shape.rank - 1] == 'C' && to->g.c > 1 &&
                layout_size_mul(to->g.h, to->g.w) > 1;
    to->channel_last = relabels && last;
    bool is_view = rewrite_transposes_ones(c->graph, ir_node(c, ir)) ||
                   (relabels && from->channel_last == to->channel_last);
    uint32_t in = l->e->buf_of[ir->in[0]], out = lower_new_buffer(l, ir->out[0]);
    LowOp *op = lower_add_op(l, is_view ? LOWOP_RESHAPE : LOWOP_TRANSPOSE, &in, 1);
    lower_add_nodes(l, op, id);
    lower_add_output(l, op, out);
    op->vector_passes = !is_view;
    if (is_view)
        lower_make_view(l, op, in, out);
}

/* LowLevel op per operator, where that is all: how many passes, and whether it is a view.
 * passes: -1 as many as parts in the table's name, -2 once over the input. */
enum { PASSES_PARTS = -1, PASSES_INPUT = -2 };
typedef struct {
    OpIndex op;
    LowOpKind kind;
    int passes;
    bool is_view;
} Recipe;
static const Recipe simple[] = {
#define SIMPLE(op, kind, passes, view) {OP_##op, LOWOP_##kind, passes, view},
#include "graph/compile/simple_ops.def"
};

static Recipe recipe_of(const Ir *ir)
{
    for (size_t i = 0; i < sizeof simple / sizeof *simple; i++)
        if (simple[i].op == ir->op)
            return simple[i];
    switch (ir_class(ir)) {
    case CLASS_VIEW:
        return (Recipe){ir->op, LOWOP_RESHAPE, 0, true};
    case CLASS_ACTIVATION:
        return (Recipe){ir->op, LOWOP_ACTIVATION, PASSES_PARTS, false};
    case CLASS_REDUCE:
        return (Recipe){ir->op, LOWOP_REDUCE, PASSES_INPUT, false};
    default:
        return (Recipe){ir->op, LOWOP_ELEMENTWISE, PASSES_PARTS, false};
    }
}

static void set_passes(const Compile *c, const Ir *ir, int passes, LowOp *op)
{
    if (passes == PASSES_PARTS) {
        passes = 1;
        for (const char *name = compile_op_table_name(c, ir); *name; name++)
            passes += *name == '+';
    } else if (passes == PASSES_INPUT)
        passes =
            (int)lower_bounded(op->elements_in / (op->elements_out > 0 ? op->elements_out : 1), 1);
    op->vector_passes = passes;
}

/* Constants beside one activation, as Add of a vector has them. */
static void set_operands(Lower *l, LowOp *op, const Ir *ir)
{
    const Node *n = ir_node(l->c, ir);
    OpClass k = ir_class(ir);
    uint32_t step = compile_takes_codes(n) ? 3 : 1; /* each with its scale and zero point */
    uint32_t end = step == 1 ? n->ninput : 2 * step;
    for (uint32_t i = 0; k == CLASS_ELEMENTWISE && i < end; i += step)
        op->weight_bytes = layout_size_add(op->weight_bytes, elements_of(l->c, n, i));
    l->e->use[op->id].weight_bytes = op->weight_bytes;
}

static uint32_t add_pass(Lower *l, LowOpKind kind, IrId id, uint32_t in, ValueId v)
{
    uint32_t out = lower_add_between(l, kind, id, in, &l->c->value[v].g);
    l->e->p->op[l->e->p->nop - 1].vector_passes = 1;
    return out;
}

static void lower_simple(Lower *l, IrId id, const Ir *ir)
{
    Compile *c = l->c;
    Recipe r = recipe_of(ir);
    uint32_t *in = ARENA_ARRAY(c->scratch, uint32_t, ir->nin + 1), *out;
    for (uint32_t k = 0; k < ir->nin; k++)
        in[k] = l->e->buf_of[ir->in[k]];
    bool parts = c->quantizer && ir->op == OP_BatchNormalization; /* Mul and Add there */
    if (parts)
        in[0] = add_pass(l, LOWOP_ELEMENTWISE, id, in[0], ir->in[0]);
    out = ARENA_ARRAY(c->scratch, uint32_t, ir->nout + 1);
    for (uint32_t k = 0; k < ir->nout; k++)
        out[k] = ir->out[k] == VALUE_NONE ? BUF_NONE : lower_new_buffer(l, ir->out[k]);
    LowOp *op = lower_add_op(l, r.kind, in, ir->nin);
    lower_add_nodes(l, op, id);
    for (uint32_t k = 0; k < ir->nout; k++) {
        if (out[k] == BUF_NONE)
            continue;
        lower_add_output(l, op, out[k]);
        if (r.is_view)
            lower_make_view(l, op, in[0], out[k]);
        if (ir->nin && (ir_class(ir) == CLASS_ELEMENTWISE || ir_class(ir) == CLASS_ACTIVATION))
            c->value[ir->out[k]].channel_last = c->value[ir->in[0]].channel_last;
    }
    set_passes(c, ir, parts ? 1 : r.passes, op);
    set_operands(l, op, ir);
}

/* The vendor's quantizer writes it as Relu, two Mul and Add. One Mul goes into a copy of the Conv
 * before it, and Relu into that Conv if nothing else reads it. */
static void lower_prelu(Lower *l, IrId id, const Ir *ir)
{
    Compile *c = l->c;
    ValueId v = ir->in[0];
    IrId maker = c->value[v].producer;
    const Ir *conv = maker == IR_NONE ? ir : &c->ir[maker];
    uint32_t x = l->e->buf_of[v], in[2];
    bool copies = op_is((OpId)conv->op, OP_Conv, OP_ConvTranspose) && conv->nin == 1 &&
                  conv->segment == ir->segment && conv->fused == FUSED_NONE && !conv->folded &&
                  !compile_is_depthwise(c, conv) && elements_of(c, ir_node(c, ir), 1) > 1;
    if (copies)
        lower_mac(l, maker, conv);
    in[1] = copies ? l->e->buf_of[v] : add_pass(l, LOWOP_ELEMENTWISE, id, x, v);
    l->e->buf_of[v] = x;
    in[0] = add_pass(
        l, LOWOP_ELEMENTWISE, id,
        copies && compile_only_user(c, v) == id ? x : add_pass(l, LOWOP_ELEMENTWISE, id, x, v), v);
    uint32_t out = lower_new_buffer(l, ir->out[0]);
    LowOp *op = lower_add_op(l, LOWOP_ELEMENTWISE, in, 2);
    lower_add_nodes(l, op, id);
    op->vector_passes = 1;
    lower_add_output(l, op, out);
    c->value[ir->out[0]].channel_last = c->value[v].channel_last;
}

static void lower_parts(Lower *l, IrId id, const Ir *ir)
{
    Ir part = *ir;
    part.op = OP_Slice;
    part.nout = 1;
    for (uint32_t k = 0; k < ir->nout; k++, part.out++)
        if (*part.out != VALUE_NONE)
            lower_simple(l, id, &part);
}

static void lower_op(Lower *l, IrId id)
{
    const Ir *ir = &l->c->ir[id];
    if (ir->op == OP_PRelu && ir->nin == 1 && l->c->quantizer)
        lower_prelu(l, id, ir);
    else if (op_is((OpId)ir->op, OP_Conv, OP_ConvTranspose, OP_Gemm, OP_MatMul))
        lower_mac(l, id, ir);
    else if (ir->op == OP_MaxPool || is_average(l->c, ir))
        lower_pool(l, id, ir);
    else if (ir->op == OP_Transpose)
        lower_transpose(l, id, ir);
    else if (compile_is_parts(l->c, ir))
        lower_parts(l, id, ir);
    else
        lower_simple(l, id, ir);
}

/* ---- the edges of the segment ---- */

/* Host Lower leaves the channels innermost when they are so in the application's order; an op that
 * needs rows then has a Transpose in front (one LowLevelTranspose in the NHWC trace). */
static bool arrives_channel_last(const Compile *c, ValueId v)
{
    const CompileValue *value = &c->value[v];
    return value->input != INDEX_NOT && compile_value_last_letter(c, v) == 'C' && value->g.c > 1 &&
           layout_size_mul(value->g.h, value->g.w) > 1;
}

static void lower_import(Lower *l, ValueId v, IrId reader)
{
    Compile *c = l->c;
    CompileValue *value = &c->value[v];
    Layout layout = l->e->p->tensor[l->e->form[v].ready].layout;
    uint32_t buf = lower_new_buffer(l, v);
    if (layout != LAYOUT_LOWERED) {
        l->e->buf[buf].bytes = l->e->p->tensor[l->e->form[v].ready].bytes;
        l->e->buf[buf].lowered = (Lowered){.bytes = l->e->buf[buf].bytes};
        buf = add_pass(l, LOWOP_LOWER, reader, buf, v);
    }
    int rank = c->graph->tensor[value->tensor].shape.rank;
    value->channel_last = arrives_channel_last(c, v);
    if (value->channel_last && rank && value->letter[rank - 1] != 'C') {
        buf = add_pass(l, LOWOP_TRANSPOSE, reader, buf, v);
        value->channel_last = false;
    }
    l->e->buf_of[v] = buf;
}

static void lower_export(Lower *l, ValueId v)
{
    Compile *c = l->c;
    uint32_t buf = l->e->buf_of[v];
    IrId maker = c->value[v].producer;
    LoweringSide way = l->e->form[v].way;
    if (compile_dequantizes_on_npu(c, v)) {
        buf = add_pass(l, LOWOP_DEQUANTIZE, maker, buf, v);
        LowOp *op = &l->e->p->op[l->e->p->nop - 1];
        op->bytes_out = layout_size_mul(4, op->bytes_out);
        l->e->buf[buf].bytes = op->bytes_out;
        l->e->buf[buf].lowered.bytes = op->bytes_out;
    }
    if (way == LOWERING_NPU || way == LOWERING_NPU_PAD) {
        Geometry g = c->value[v].g;
        int64_t scale = compile_dequantizes_on_npu(c, v) ? 4 : 1;
        int64_t plain =
            way == LOWERING_NPU ? layout_elements(&g) : layout_padded_bytes(c->machine, &g);
        buf = add_pass(l, LOWOP_UNLOWER, maker, buf, v);
        LowOp *op = &l->e->p->op[l->e->p->nop - 1];
        op->bytes_out = layout_size_mul(plain, scale);
        l->e->buf[buf].bytes = op->bytes_out;
    }
}

void lower_segment(CompileEmit *e, Step *s, const IrId *op, size_t nop, const SegmentEdges *edges)
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
