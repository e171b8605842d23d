/* Finds values whose last axis lies as channels, and joins runs of Reshape and Transpose beside
 * them: the compiler of a machine of rows moves such a value once, or not at all. */
#include "graph/compile/compile_state.h"
#include "graph/infer/ops.h"

static bool is_view(const Compile *c, IrId id)
{
    return id != IR_NONE && !c->ir[id].merged && c->ir[id].nin == 1 && c->ir[id].nout == 1 &&
           op_is((OpId)c->ir[id].op, OP_Reshape, OP_Transpose, OP_Flatten, OP_Squeeze,
                 OP_Unsqueeze);
}

static IrId maker_of(const Compile *c, const Ir *op)
{
    return op->nin ? c->value[op->in[0]].producer : IR_NONE;
}

/* A product of its last axis, or a normalization along it. */
static bool works_on_last_axis(const Compile *c, const Ir *op)
{
    IrId from = maker_of(c, op);
    if (op->op == OP_LayerNormalization)
        return c->graph->tensor[c->value[op->in[0]].tensor].shape.rank < 4 ||
               (from != IR_NONE && c->ir[from].op == OP_Transpose);
    if (op->op == OP_Attention)
        return op->out[0] != VALUE_NONE && c->value[op->out[0]].last_axis;
    return (op_is((OpId)op->op, OP_MatMul, OP_Gemm) && op->nin == 1);
}

/* Its inputs and outputs have the same order of axes. */
static bool keeps_order(const Compile *c, IrId id)
{
    OpClass class = ir_class(&c->ir[id]);
    return class == CLASS_ELEMENTWISE || class == CLASS_ACTIVATION ||
           op_is((OpId)c->ir[id].op, OP_Concat, OP_Split, OP_Slice, OP_Gather, OP_Expand,
                 OP_Softmax, OP_LogSoftmax);
}

/* What follows from the ops before. */
static void mark_results(Compile *c, IrId id)
{
    const Ir *op = &c->ir[id];
    bool rows = works_on_last_axis(c, op) ||
                (keeps_order(c, id) && LIST_ANY(k, op->nin, c->value[op->in[k]].last_axis));
    for (uint32_t k = 0; rows && k < op->nout; k++)
        if (op->out[k] != VALUE_NONE)
            c->value[op->out[k]].last_axis = true;
}

/* What the op wants of values that can lie either way: the graph's inputs and views. */
static void mark_operands(Compile *c, IrId id)
{
    const Ir *op = &c->ir[id];
    bool rows = works_on_last_axis(c, op) ||
                (keeps_order(c, id) &&
                 LIST_ANY(k, op->nout, op->out[k] != VALUE_NONE && c->value[op->out[k]].last_axis));
    for (uint32_t k = 0; rows && k < op->nin; k++) {
        IrId from = c->value[op->in[k]].producer;
        if (from == IR_NONE || is_view(c, from) || keeps_order(c, from))
            c->value[op->in[k]].last_axis = true;
    }
}

static void mark_values(Compile *c)
{
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < c->nir; i++)
            if (!c->ir[i].merged)
                mark_results(c, (IrId)i);
        for (size_t i = c->nir; i-- > 0;)
            if (!c->ir[i].merged)
                mark_operands(c, (IrId)i);
    }
}

/* The views from `first` on that nothing else reads, as the last of them. */
static void join_run(Compile *c, IrId first)
{
    IrId last = first, next = compile_only_user(c, c->ir[first].out[0]);
    bool turns = c->ir[first].op == OP_Transpose, both = false;
    for (; is_view(c, next); next = compile_only_user(c, c->ir[last].out[0])) {
        both |= turns != (c->ir[next].op == OP_Transpose);
        last = next;
    }
    ValueId in = c->ir[first].in[0], out = c->ir[last].out[0];
    if (last == first || out == VALUE_NONE ||
        ((turns || both) && !c->value[in].last_axis && !c->value[out].last_axis))
        return;
    for (IrId id = first; id != last; id = next) {
        next = compile_only_user(c, c->ir[id].out[0]);
        compile_merge_ir(c, id, last);
    }
    c->ir[last].in[0] = in;
    c->ir[last].op = turns && !both ? OP_Transpose : OP_Reshape;
}

/* What is turned back to channels on their own axis was never turned. */
static void absorb_turn(Compile *c, IrId id)
{
    IrId from = maker_of(c, &c->ir[id]);
    ValueId in = c->ir[id].nin ? c->ir[id].in[0] : VALUE_NONE, out = c->ir[id].out[0];
    if (from == IR_NONE || is_view(c, from) || c->ir[id].op != OP_Transpose ||
        compile_only_user(c, in) != id || c->ir[from].nin != 1 || out == VALUE_NONE ||
        !c->value[in].last_axis || c->value[out].last_axis)
        return;
    compile_merge_ir(c, id, from);
    c->ir[from].out = c->ir[id].out;
    c->value[out].producer = from;
}

void rows_views(Compile *c)
{
    mark_values(c);
    for (size_t i = 0; i < c->nir; i++) {
        IrId id = (IrId)i, from = maker_of(c, &c->ir[i]);
        bool begins =
            is_view(c, id) && !(is_view(c, from) && compile_only_user(c, c->ir[id].in[0]) == id);
        if (begins && c->ir[id].out[0] != VALUE_NONE)
            join_run(c, id);
    }
    for (size_t i = 0; i < c->nir; i++)
        if (is_view(c, (IrId)i))
            absorb_turn(c, (IrId)i);
    compile_index(c);
}
