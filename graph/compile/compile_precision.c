/* Determines the values with an int8 form and the ops that stay in float. */
#include "graph/base/messages.h"
#include "graph/compile/compile_state.h"

/* Keeps scale and zero point: what holds for its input holds for its output. */
static bool passes_scale(const Ir *op)
{
    OpClass k = ir_class(op);
    return k == CLASS_VIEW || k == CLASS_MOVE || op->op == OP_MaxPool || op->op == OP_Relu ||
           op->op == OP_Clip;
}

static bool is_data(const Compile *c, ValueId v)
{
    if (v == VALUE_NONE)
        return false;
    DType t = c->graph->tensor[c->value[v].tensor].dtype;
    return t == DT_UNKNOWN || dtype_is_float(t) || t == DT_INT8 || t == DT_UINT8;
}

static bool all_int8(const Compile *c, const ValueId *v, uint32_t n)
{
    bool any = false;
    for (uint32_t k = 0; k < n; k++) {
        if (!is_data(c, v[k]))
            continue;
        if (!c->value[v[k]].quantized)
            return false;
        any = true;
    }
    return any;
}

static void set_quantized(Compile *c, const ValueId *v, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        if (is_data(c, v[k]) && !c->value[v[k]].foreign_codes)
            c->value[v[k]].quantized = true;
}

/* Scales travel along views and moves, forwards and then backwards. */
static void propagate_scales(Compile *c)
{
    for (size_t i = 0; i < c->nir; i++) {
        Ir *op = &c->ir[i];
        if (!op->merged && passes_scale(op) && all_int8(c, op->in, op->nin))
            set_quantized(c, op->out, op->nout);
    }
    for (size_t i = c->nir; i-- > 0;) {
        Ir *op = &c->ir[i];
        if (!op->merged && passes_scale(op) && all_int8(c, op->out, op->nout))
            set_quantized(c, op->in, op->nin);
    }
}

/* Values that only reach outputs of the graph: nothing after them would need a scale. */
static bool *find_tails(Compile *c)
{
    bool *tail = ARENA_ARRAY(c->scratch, bool, c->nvalue + 1);
    for (size_t v = 0; v < c->nvalue; v++)
        tail[v] = true;
    for (size_t i = c->nir; i-- > 0;) {
        const Ir *op = &c->ir[i];
        bool through = !op->merged && passes_scale(op);
        for (uint32_t k = 0; through && k < op->nout; k++)
            through = op->out[k] == VALUE_NONE || tail[op->out[k]];
        for (uint32_t k = 0; !op->merged && k < op->nin; k++)
            tail[op->in[k]] &= through;
    }
    return tail;
}

/* An int8 product whose result leaves the graph as float: the accumulators are scaled on the way
 * out, as quantizers that leave the last layer's output alone intend. */
static bool leaves_graph(const Compile *c, const bool *tail, const Ir *op)
{
    return ir_class(op) == CLASS_MAC && op->nout && op->out[0] != VALUE_NONE && tail[op->out[0]] &&
           all_int8(c, op->in, op->nin);
}

static void let_products_out(Compile *c)
{
    bool *tail = find_tails(c);
    size_t count = 0;
    for (size_t i = 0; i < c->nir; i++) {
        Ir *op = &c->ir[i];
        if (op->merged || all_int8(c, op->out, op->nout) || !leaves_graph(c, tail, op))
            continue;
        set_quantized(c, op->out, op->nout);
        count++;
    }
    if (count)
        notes_add(c->notes, "output-not-quantized", MESSAGE_ID(PRODUCTS_NOT_QUANTIZED),
                  arg_size(count));
    propagate_scales(c);
}

void compile_precision(Compile *c)
{
    if (!c->quantized_model) {
        for (size_t v = 0; v < c->nvalue; v++)
            c->value[v].quantized = true;
        if (!c->model->stored_ranges)
            notes_add(c->notes, "assumed-ptq", MESSAGE_ID(ASSUMED_PTQ));
        return;
    }
    propagate_scales(c);
    let_products_out(c);
    for (size_t i = 0; i < c->nir; i++) {
        Ir *op = &c->ir[i];
        op->float_island = !(all_int8(c, op->in, op->nin) && all_int8(c, op->out, op->nout));
    }
}
