/* Builds values and ops, and sees through quantization and constants. */
#include "graph/base/messages.h"
#include "graph/compile/compile_state.h"
#include "graph/edit/rewrite.h"
#include "graph/model/order.h"

/* Quantized and renamed forms of one operation are one operator here. */
static const struct {
    OpIndex from, to;
} canonical[] = {
#define CANONICAL(from, to) {OP_##from, OP_##to},
#include "graph/compile/canonical_ops.def"
};

OpIndex compile_canonical_op(OpId id)
{
    return LIST_VALUE(i, sizeof canonical / sizeof *canonical, (OpId)canonical[i].from == id,
                      canonical[i].to, (OpIndex)id);
}

bool compile_takes_codes(const Node *n)
{
    return compile_canonical_op(n->op_id) != (OpIndex)n->op_id && *n->op == 'Q';
}

/* ---- liveness ---- */

static bool tensor_is_needed(const bool *live, const Tensor *t)
{
    return t->is_output || LIST_ANY(i, t->nconsumer, live[t->consumer[i]]);
}

static bool *live_nodes(Compile *c)
{
    const Graph *g = c->graph;
    bool *live = ARENA_ARRAY(c->scratch, bool, g->nnode + 1);
    for (size_t i = g->nnode; i-- > 0;) {
        const Node *n = &g->node[i];
        for (uint32_t k = 0; k < n->noutput && !live[i]; k++)
            live[i] =
                n->output[k] != TENSOR_NONE && tensor_is_needed(live, &g->tensor[n->output[k]]);
    }
    return live;
}

/* ---- what a node is ---- */

static void mark_folded(Compile *c, NodeId id, const char *reason)
{
    c->use[id] = (NodeUse){NODE_FOLDED, 0, reason};
}

static bool input_is_constant(const Compile *c, const Node *n, uint32_t i)
{
    return i >= n->ninput || n->input[i] == TENSOR_NONE ||
           tensor_is_constant(c->graph, n->input[i]);
}

/* One element, and its value where there is one. */
static bool input_is_scalar_constant(const Compile *c, const Node *n, uint32_t i)
{
    const Tensor *t = node_input(c->graph, n, i);
    return t && tensor_is_constant(c->graph, n->input[i]) && shape_elements(&t->shape) == 1;
}

static bool is_quantizer(OpId op)
{
    return op_is(op, OP_QuantizeLinear, OP_DequantizeLinear, OP_MsQuantizeLinear,
                 OP_MsDequantizeLinear, OP_QonnxQuant, OP_QonnxBipolarQuant, OP_QonnxTrunc,
                 OP_BrevitasQuant);
}

static bool is_byte(DType t)
{
    return t == DT_UINT8 || t == DT_INT8;
}

static bool reads_pixels(const Compile *c, const Node *n, uint32_t i)
{
    if (i >= n->ninput || n->input[i] == TENSOR_NONE)
        return false;
    ValueId v = c->value_of[n->input[i]];
    return v != VALUE_NONE && c->value[v].pixels;
}

static bool keeps_pixels(const Compile *c, const Node *n)
{
    bool moves = op_is(n->op_id, OP_Transpose, OP_Reshape, OP_Squeeze, OP_Unsqueeze);
    return moves && reads_pixels(c, n, 0);
}

/* int32 sums of products, which the output stage scales. */
static bool is_accumulator(const Compile *c, const Tensor *t)
{
    if (t->dtype != DT_INT32 || t->producer == NODE_NONE)
        return false;
    OpId op = c->graph->node[t->producer].op_id;
    return op == OP_ConvInteger || op == OP_MatMulInteger;
}

/* A Cast between floating-point types, of pixels or of accumulators changes no int8 value. */
static bool cast_is_alias(const Compile *c, const Node *n)
{
    const Tensor *in = node_input(c->graph, n, 0), *out = node_output(c->graph, n, 0);
    if (!in || !out || !dtype_is_float(out->dtype))
        return in && out && in->dtype == out->dtype && in->dtype != DT_UNKNOWN;
    return dtype_is_float(in->dtype) || reads_pixels(c, n, 0) || is_accumulator(c, in);
}

/* Pixels, cast to float, times 1/255: the scale of the Quantize that the compiler makes anyway. */
static bool scale_is_alias(const Compile *c, const Node *n)
{
    if (n->ninput != 2 || !input_is_scalar_constant(c, n, 1) || !reads_pixels(c, n, 0))
        return false;
    NodeId p = c->graph->tensor[n->input[0]].producer;
    return p != NODE_NONE && c->graph->node[p].op_id == OP_Cast;
}

/* A Reshape may give back what the one before it was given. */
static bool keeps_sizes(const Compile *c, const Node *n)
{
    const Shape *in = &node_input(c->graph, n, 0)->shape,
                *out = &node_output(c->graph, n, 0)->shape;
    return in->rank == out->rank &&
           LIST_ALL(i, in->rank, in->dim[i].value >= 0 && in->dim[i].value == out->dim[i].value);
}

/* The vendor's quantizer drops what returns its input, all but these. */
static bool is_dropped(const Compile *c, const Node *n)
{
    const Scene s = {.graph = c->graph, .opset = c->model->opset};
    return c->quantizer &&
           !op_is(n->op_id, OP_Resize, OP_Upsample, OP_Tile, OP_Sum, OP_Mean, OP_Max, OP_Min,
                  OP_Split, OP_Einsum, OP_Flatten, OP_Squeeze, OP_Unsqueeze) &&
           op_info(n->op_id)->op_class != CLASS_POOL &&
           op_info(n->op_id)->op_class != CLASS_REDUCE &&
           !rewrite_refusal(&s, REWRITE_DROP_IDENTITY, (NodeId)(n - c->graph->node)) &&
           (n->op_id != OP_Reshape || keeps_sizes(c, n));
}

static bool is_alias(const Compile *c, const Node *n)
{
    if (n->ninput == 0 || n->noutput == 0 || n->input[0] == TENSOR_NONE ||
        n->output[0] == TENSOR_NONE || input_is_constant(c, n, 0))
        return false;
    if (is_quantizer(n->op_id))
        return input_is_constant(c, n, 1) && input_is_constant(c, n, 2);
    switch (n->op_id) {
    case OP_Identity:
        return true;
    case OP_Dropout: {
        const Tensor *mask = node_output(c->graph, n, 1);
        return !mask || (mask->nconsumer == 0 && !mask->is_output);
    }
    case OP_Cast:
    case OP_CastLike:
        return cast_is_alias(c, n);
    case OP_Mul:
    case OP_Div:
        return scale_is_alias(c, n) || is_dropped(c, n);
    default:
        return is_dropped(c, n);
    }
}

/* ---- building ---- */

static ValueId new_value(Compile *c, TensorId t, IrId producer)
{
    ValueId id = (ValueId)c->nvalue;
    const Tensor *tensor = &c->graph->tensor[t];
    CompileValue *v = VEC_PUSH(c->scratch, c->value, c->nvalue, c->value_cap);
    *v = (CompileValue){.tensor = t, .producer = producer, .input = INDEX_NOT};
    v->is_output = tensor->is_output;
    v->quantized = is_byte(tensor->dtype);
    v->known = tensor->dtype != DT_UNKNOWN && shape_is_known(&tensor->shape);
    c->value_of[t] = id;
    return id;
}

enum { NPU_BITS = 8, QONNX_BITS_INPUT = 3 };

/* The codes that a conversion makes or reads. */
static const Tensor *codes_of(const Compile *c, const Node *n)
{
    bool reads = op_is(n->op_id, OP_DequantizeLinear, OP_MsDequantizeLinear);
    return reads ? node_input(c->graph, n, 0) : node_output(c->graph, n, 0);
}

/* Their bits; 0 when the conversion does not say. */
static int code_bits(const Compile *c, const Node *n)
{
    const Tensor *codes = codes_of(c, n), *bits = node_input(c->graph, n, QONNX_BITS_INPUT);
    double number;
    if (n->op_id == OP_QonnxQuant || n->op_id == OP_BrevitasQuant)
        return bits && bits->value && const_float(bits->value, 0, &number) && number <= 64
                   ? (int)number
                   : 0;
    return codes && dtype_is_integer(codes->dtype) ? dtype_bits(codes->dtype) : 0;
}

/* Integers of 8 bits or fewer are held in 8; others the NPU does not have. */
static void alias_quantizer(Compile *c, const Node *n, CompileValue *v)
{
    const Tensor *codes = codes_of(c, n);
    int bits = code_bits(c, n);
    bool typed = codes && (dtype_is_integer(codes->dtype) || dtype_bits(codes->dtype) <= NPU_BITS);
    if (bits > NPU_BITS || (typed && dtype_is_float(codes->dtype)))
        v->foreign_codes = typed ? dtype_name(codes->dtype) : arena_printf(c->arena, "int%d", bits);
    v->quantized = !v->foreign_codes;
}

static void alias_add(Compile *c, NodeId id)
{
    const Node *n = &c->graph->node[id];
    ValueId v = c->value_of[n->input[0]];
    c->value_of[n->output[0]] = v;
    c->value[v].is_output |= c->graph->tensor[n->output[0]].is_output;
    if (is_quantizer(n->op_id))
        alias_quantizer(c, n, &c->value[v]);
    c->use[id] = (NodeUse){NODE_VALUE, v, "quantization-parameters"};
    if (n->op_id == OP_Identity || n->op_id == OP_Dropout || is_dropped(c, n))
        mark_folded(c, id, "identity");
}

typedef struct {
    const Compile *c;
    Ir *op;
    size_t room;
} Reading;

static void add_read(void *user, TensorId t)
{
    Reading *r = user;
    ValueId v = t < r->c->graph->ntensor ? r->c->value_of[t] : VALUE_NONE;
    if (v != VALUE_NONE)
        *VEC_PUSH(r->c->scratch, r->op->in, r->op->nin, r->room) = v;
}

/* Values that the node reads: its inputs, and what the bodies of If, Loop and Scan take. */
static void collect_inputs(Compile *c, const Node *n, Ir *op)
{
    Reading r = {c, op, (size_t)n->ninput + 1};
    op->in = ARENA_ARRAY(c->scratch, ValueId, r.room);
    if (n->op_id != OP_Shape && n->op_id != OP_Size) /* a size is known without the data */
        node_each_read(c->graph, n, add_read, &r);
}

static void op_add(Compile *c, NodeId id)
{
    const Node *n = &c->graph->node[id];
    IrId ir = (IrId)c->nir;
    Ir op = {.node = id, .op = compile_canonical_op(n->op_id), .nout = n->noutput};
    op.segment = SEGMENT_NONE;
    collect_inputs(c, n, &op);
    op.out = ARENA_ARRAY(c->scratch, ValueId, n->noutput + 1);
    for (uint32_t k = 0; k < n->noutput; k++) {
        const Tensor *t = node_output(c->graph, n, k);
        bool used = t && (t->nconsumer || t->is_output);
        op.out[k] = used ? new_value(c, n->output[k], ir) : VALUE_NONE;
        if (used)
            c->value[op.out[k]].pixels = keeps_pixels(c, n);
    }
    *VEC_PUSH(c->scratch, c->ir, c->nir, c->ir_cap) = op;
    c->use[id] = (NodeUse){NODE_OP, ir, NULL};
}

/* All the results that anybody reads are known at compile time. */
static bool is_constant_node(const Compile *c, const Node *n)
{
    bool any = false;
    for (uint32_t k = 0; k < n->noutput; k++) {
        const Tensor *t = node_output(c->graph, n, k);
        if (!t || (!t->nconsumer && !t->is_output))
            continue;
        if (!tensor_is_constant(c->graph, n->output[k]))
            return false;
        any = true;
    }
    return any;
}

static void note_quantized(Compile *c, const Node *n)
{
    bool data =
        n->ninput && n->input[0] != TENSOR_NONE && !tensor_is_constant(c->graph, n->input[0]);
    if (!data)
        return;
    if (is_quantizer(n->op_id) || compile_takes_codes(n) || n->op_id == OP_ConvInteger ||
        n->op_id == OP_MatMulInteger)
        c->quantized_model = true;
}

/* A value that goes from an input to an output and nowhere else: its nodes are work after all. */
static void keep_converters(Compile *c)
{
    bool *read = ARENA_ARRAY(c->scratch, bool, c->nvalue + 1);
    for (size_t i = 0; i < c->nir; i++)
        for (uint32_t k = 0; k < c->ir[i].nin; k++)
            read[c->ir[i].in[k]] = true;
    size_t nvalue = c->nvalue;
    for (size_t i = 0; i < c->graph->nnode; i++) {
        if (c->use[i].role != NODE_VALUE || c->use[i].id >= nvalue)
            continue;
        const CompileValue *v = &c->value[c->use[i].id];
        if (v->input == INDEX_NOT || read[c->use[i].id])
            continue;
        c->value_of[c->graph->node[i].output[0]] = VALUE_NONE;
        op_add(c, (NodeId)i);
    }
    for (size_t v = 0; v < nvalue; v++) /* its later names are values of their own now */
        if (c->value[v].input != INDEX_NOT && !read[v])
            c->value[v].is_output = c->graph->tensor[c->value[v].tensor].is_output;
}

/* What has other codes than the NPU's is said: it is not compiled as what it is not. */
static void note_widths(Compile *c)
{
    const Graph *g = c->graph;
    size_t foreign = 0, narrow = 0, wide_weights = 0;
    const char *codes = NULL;
    for (size_t v = 0; v < c->nvalue; v++) {
        foreign += c->value[v].foreign_codes != NULL;
        codes = codes ? codes : c->value[v].foreign_codes;
    }
    for (size_t i = 0; i < g->nnode; i++) {
        const Node *n = &g->node[i];
        if (!is_quantizer(n->op_id) || !n->ninput || n->input[0] == TENSOR_NONE || !n->noutput)
            continue;
        int its = code_bits(c, n);
        narrow += its > 0 && its < NPU_BITS;
        wide_weights += its > NPU_BITS && its < 32 && tensor_is_constant(c->graph, n->input[0]);
    }
    if (foreign)
        notes_add(c->notes, "foreign-codes", MESSAGE_ID(FOREIGN_CODES), arg_size(foreign),
                  arg_text(codes));
    if (narrow)
        notes_add(c->notes, "narrow-codes", MESSAGE_ID(NARROW_CODES), arg_size(narrow));
    if (wide_weights)
        notes_add(c->notes, "wide-weights", MESSAGE_ID(WIDE_WEIGHTS), arg_size(wide_weights));
}

/* The input of a product that is of another type than its first, which ONNX does not allow. */
static const Tensor *odd_input(const Graph *g, const Node *n)
{
    static const OpIndex product[] = {OP_Conv, OP_ConvTranspose, OP_Gemm, OP_MatMul};
    bool is_product = LIST_ANY(i, sizeof product / sizeof *product, n->op_id == (OpId)product[i]);
    const Tensor *first = is_product ? node_input(g, n, 0) : NULL;
    for (uint32_t k = 1; first && k < n->ninput; k++) {
        const Tensor *t = node_input(g, n, k);
        if (t && t->dtype != first->dtype && t->dtype != DT_UNKNOWN && first->dtype != DT_UNKNOWN)
            return t;
    }
    return NULL;
}

/* No runtime opens such a model, but the intended model can be timed. */
static void note_mixed_types(Compile *c)
{
    const Graph *g = c->graph;
    const Node *first = NULL;
    int64_t count = 0;
    for (size_t i = 0; i < g->nnode; i++) {
        if (!odd_input(g, &g->node[i]))
            continue;
        first = first ? first : &g->node[i];
        count++;
    }
    if (first)
        notes_add(c->notes, "mixed-types", MESSAGE_ID(MIXED_TYPES), arg_count(count),
                  arg_text(dtype_name(node_input(g, first, 0)->dtype)),
                  arg_text(dtype_name(odd_input(g, first)->dtype)));
}

void compile_values(Compile *c)
{
    const Graph *g = c->graph;
    c->use = ARENA_ARRAY(c->scratch, NodeUse, g->nnode + 1);
    c->value_of = ARENA_ARRAY(c->scratch, ValueId, g->ntensor + 1);
    for (size_t t = 0; t < g->ntensor; t++)
        c->value_of[t] = VALUE_NONE;
    for (size_t i = 0; i < g->ninput; i++) {
        ValueId v = new_value(c, g->input[i], IR_NONE);
        c->value[v].input = (uint32_t)i;
        c->value[v].pixels = is_byte(g->tensor[g->input[i]].dtype);
    }
    bool *live = live_nodes(c);
    for (size_t i = 0; i < g->nnode; i++)
        note_quantized(c, &g->node[i]);
    if (!c->quantized_model)
        c->quantizer = machine_quantizer(c->machine, c->options->sdk);
    for (size_t i = 0; i < g->nnode; i++) {
        const Node *n = &g->node[i];
        if (is_constant_node(c, n))
            mark_folded(c, (NodeId)i, "constant");
        else if (!live[i])
            mark_folded(c, (NodeId)i, "dead");
        else if (is_alias(c, n))
            alias_add(c, (NodeId)i);
        else
            op_add(c, (NodeId)i);
    }
    keep_converters(c);
    note_widths(c);
    note_mixed_types(c);
}

void compile_index(Compile *c)
{
    uint32_t *count = ARENA_ARRAY(c->scratch, uint32_t, c->nvalue + 1);
    size_t total = 0;
    for (size_t i = 0; i < c->nir; i++) {
        const Ir *op = &c->ir[i];
        for (uint32_t k = 0; !op->merged && k < op->nin; k++, total++)
            count[op->in[k]]++;
    }
    IrId *pool = ARENA_ARRAY(c->scratch, IrId, total + 1);
    for (size_t v = 0; v < c->nvalue; v++) {
        c->value[v].user = pool;
        c->value[v].nuser = 0;
        pool += count[v];
    }
    for (size_t i = 0; i < c->nir; i++) {
        const Ir *op = &c->ir[i];
        for (uint32_t k = 0; !op->merged && k < op->nin; k++) {
            CompileValue *v = &c->value[op->in[k]];
            if (v->nuser == 0 || v->user[v->nuser - 1] != (IrId)i)
                ((IrId *)v->user)[v->nuser++] = (IrId)i;
        }
        for (uint32_t k = 0; !op->merged && k < op->nout; k++)
            if (op->out[k] != VALUE_NONE)
                c->value[op->out[k]].producer = (IrId)i;
    }
}

IrId compile_only_user(const Compile *c, ValueId v)
{
    const CompileValue *value = v == VALUE_NONE ? NULL : &c->value[v];
    return value && value->nuser == 1 && !value->is_output ? value->user[0] : IR_NONE;
}

void compile_merge_ir(Compile *c, IrId from, IrId into)
{
    assert(from != into && from < c->nir && into < c->nir);
    c->ir[from].merged = true;
    c->ir[from].into = into;
}

void compile_follow_merged(Compile *c)
{
    for (size_t i = 0; i < c->graph->nnode; i++) {
        NodeUse *u = &c->use[i];
        while (u->role == NODE_OP && c->ir[u->id].merged)
            u->id = c->ir[u->id].into;
    }
    compile_index(c);
}
