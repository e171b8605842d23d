/* Fuses ops that the NPU does in one. The vendor's MobileNet v1 trace has per inference 15
 * Conv2d, 14 DepthwiseConv2d and 14 Pad and nothing for BatchNormalization, Relu6 or the bias:
 * they are part of the convolution before them; and one Pad stays for each padded window. */
#include "graph/compile/compile_state.h"

/* Whether the NPU takes such operators at all.  On the host every node runs by itself. */
static bool is_of_npu(const Compile *c, const Ir *op)
{
    return !ir_node(c, op)->on_host && support_has(c, compile_op_table_name(c, op));
}

/* ---- x * Sigmoid(x) ---- */

/* What makes the only input of the reader, if it is such an operator. */
static IrId maker_of(const Compile *c, IrId reader, OpIndex op)
{
    const Ir *r = reader == IR_NONE ? NULL : &c->ir[reader];
    IrId from = r && r->nin == 1 ? c->value[r->in[0]].producer : IR_NONE;
    return from != IR_NONE && c->ir[from].op == op ? from : IR_NONE;
}

/* The gate of a self-gated activation ends at op `g`: Sigmoid, HardSigmoid, or Tanh of Softplus.
 * Sets the operator that gate and product are together, and the op where the gate begins. */
static bool gate_of(const Compile *c, IrId g, OpIndex *ret_op, IrId *ret_first)
{
    OpIndex end = c->ir[g].op;
    *ret_first = end == OP_Tanh ? maker_of(c, g, OP_Softplus) : g;
    *ret_op = end == OP_Sigmoid ? OP_Swish : end == OP_HardSigmoid ? OP_HardSwish : OP_Mish;
    return end == OP_Sigmoid || end == OP_HardSigmoid ||
           (end == OP_Tanh && *ret_first != IR_NONE && compile_only_user(c, c->ir[g].in[0]) == g);
}

static void fuse_gate(Compile *c, IrId g)
{
    OpIndex op;
    IrId first;
    if (c->options->on_host || c->ir[g].nin != 1 || c->ir[g].nout != 1 ||
        ir_node(c, &c->ir[g])->on_host || !gate_of(c, g, &op, &first))
        return;
    ValueId x = c->ir[first].in[0];
    IrId m = c->ir[g].out[0] == VALUE_NONE ? IR_NONE : compile_only_user(c, c->ir[g].out[0]);
    if (m == IR_NONE || c->ir[m].op != OP_Mul || c->ir[m].nin != 2 ||
        !LIST_ANY(k, c->ir[m].nin, c->ir[m].in[k] == x))
        return;
    Ir gated = c->ir[m];
    gated.op = op;
    gated.nin = 1;
    if (!is_of_npu(c, &gated))
        return;
    compile_merge_ir(c, g, m);
    if (first != g)
        compile_merge_ir(c, first, m);
    c->ir[m] = gated;
    c->ir[m].in[0] = x;
}

/* ---- what follows in the output stage ---- */

static bool is_mac(const Ir *op)
{
    return op_is((OpId)op->op, OP_Conv, OP_ConvTranspose, OP_Gemm, OP_MatMul);
}

/* How `next`, the only reader of `op`, can join it; FUSED_NONE when it cannot. */
static FusedActivation fusable_activation(const Compile *c, const Ir *op, const Ir *next)
{
    if (next->nin != 1 || op->fused != FUSED_NONE || c->machine->kind == MACHINE_ROWS)
        return FUSED_NONE; /* a table's joins are data */
    bool free;
    if (op_is((OpId)next->op, OP_Swish, OP_HardSwish, OP_Mish, OP_MsQuickGelu))
        return is_mac(op) && support_has(c, compile_op_table_name(c, next)) ? FUSED_VECTOR
                                                                            : FUSED_NONE;
    if (next->op == OP_PRelu) /* at the vendor's quantizer several operators (compile_lower.c) */
        free = !c->quantizer && is_mac(op) && support_has(c, "PRelu");
    else if (next->op == OP_LeakyRelu)
        free = is_mac(op);
    else /* The saturation of the requantizer does their work, after whatever computed. */
        free = op_is((OpId)next->op, OP_Relu, OP_Clip) &&
               (is_mac(op) ||
                op_is((OpId)op->op, OP_Add, OP_Sub, OP_Mul, OP_Div, OP_BatchNormalization));
    return free ? FUSED_FREE : FUSED_NONE;
}

/* Arithmetic of the channels that follow a convolution; of a product they are the last axis. */
static bool scales_channels(const Compile *c, const Ir *op, const Ir *next)
{
    const Shape *out = &c->graph->tensor[c->value[op->out[0]].tensor].shape;
    bool rows = op_is((OpId)op->op, OP_MatMul, OP_Gemm) &&
                (c->machine->kind != MACHINE_ROWS || c->value[op->out[0]].last_axis);
    return compile_scales_axis(c, next, rows ? out->rank - 1 : 1);
}

/* Whether `next` folds into the weights: not if a scale between the two rounds separately. The
 * vendor's quantizer folds vectors of channels (docs/decisions.md). */
static bool folds_into_weights(const Compile *c, const Ir *op, const Ir *next)
{
    const Node *n = ir_node(c, next);
    bool convolves = op->op == OP_Conv || op->op == OP_ConvTranspose;
    if (next->op == OP_BatchNormalization)
        return convolves && next->nin == 1 && !op->folded;
    bool scales = !c->value[op->out[0]].quantized && scales_channels(c, op, next);
    if (!scales || !c->quantizer)
        return scales;
    bool second = c->value_of[n->input[0]] == next->in[0];
    return shape_elements(&node_input(c->graph, n, second)->shape) != 1 &&
           (next->op == OP_Mul ? second && convolves && !op->folded && !compile_is_depthwise(c, op)
                               : next->op == OP_Add && op->op != OP_ConvTranspose);
}

static void fuse_ops(Compile *c, IrId id, IrId next, FusedActivation how)
{
    Ir *op = &c->ir[id];
    compile_merge_ir(c, next, id);
    op->out = c->ir[next].out;
    op->nout = c->ir[next].nout;
    op->fused = how;
    if (op->out[0] != VALUE_NONE)
        c->value[op->out[0]].producer = id;
}

/* What folds becomes part of the op; at the vendor's quantizer a copy of the op with weights of its
 * own, as long as something else reads the value. Returns true if nothing else does. */
static bool fold_readers(Compile *c, IrId id)
{
    Ir *op = &c->ir[id], copy = *op;
    CompileValue *v = &c->value[op->out[0]];
    bool alone = false, folds = is_mac(op) && op->nin == 1 && op->fused == FUSED_NONE &&
                                (c->quantizer || compile_only_user(c, op->out[0]) != IR_NONE);
    for (uint32_t u = folds ? v->nuser : 0; u-- > 0;) {
        IrId next = v->user[u];
        if (!folds_into_weights(c, op, &c->ir[next]))
            continue;
        copy.folded = op->folded || (c->quantizer && c->ir[next].op != OP_BatchNormalization);
        copy.out = c->ir[next].out;
        copy.nout = c->ir[next].nout;
        memmove(v->user + u, v->user + u + 1, (--v->nuser - u) * sizeof next);
        alone = v->nuser == 0 && !v->is_output;
        if (alone)
            fuse_ops(c, id, next, FUSED_NONE);
        c->ir[alone ? id : next] = copy;
    }
    return alone;
}

/* To the vendor's optimizer Mul and Add of constants after a Conv are a BatchNormalization. */
static void find_norms(Compile *c)
{
    for (IrId i = c->quantizer ? (IrId)c->nir : 0; i-- > 0;) {
        Ir *add = &c->ir[i];
        IrId mul = maker_of(c, i, OP_Mul), norm = maker_of(c, mul, OP_BatchNormalization);
        IrId conv = maker_of(c, norm == IR_NONE ? mul : norm, OP_Conv);
        if (conv == IR_NONE || add->op != OP_Add || add->merged || !is_of_npu(c, &c->ir[conv]) ||
            !compile_scales_axis(c, add, 1) || !compile_scales_axis(c, &c->ir[mul], 1))
            continue;
        CompileValue *product = &c->value[add->in[0]];
        if (--product->nuser == 0 && !product->is_output)
            compile_merge_ir(c, mul, i);
        add->op = OP_BatchNormalization;
        add->in = c->ir[mul].in;
    }
    compile_index(c);
}

static void fuse_output_stage(Compile *c, IrId id)
{
    while (c->ir[id].nout && c->ir[id].out[0] != VALUE_NONE) {
        if (fold_readers(c, id))
            continue;
        IrId next = compile_only_user(c, c->ir[id].out[0]);
        FusedActivation how =
            next == IR_NONE ? FUSED_NONE : fusable_activation(c, &c->ir[id], &c->ir[next]);
        if (how == FUSED_NONE)
            return;
        fuse_ops(c, id, next, how);
    }
}

void compile_fuse(Compile *c)
{
    compile_index(c);
    bool rows = c->machine->kind == MACHINE_ROWS;
    compile_focus(c);
    if (!c->quantized_model)
        compile_patterns(c);
    if (rows)
        rows_patterns(c);
    for (size_t i = 0; i < c->nir; i++)
        if (!c->ir[i].merged)
            fuse_gate(c, (IrId)i);
    compile_index(c);
    find_norms(c);
    for (size_t i = 0; i < c->nir; i++)
        if (!c->ir[i].merged && is_of_npu(c, &c->ir[i]))
            fuse_output_stage(c, (IrId)i);
    compile_follow_merged(c);
}
