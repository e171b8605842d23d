/* Placement: NPU or host for every op, with a reason, a sentence, and what would pass. */
#include "graph/compile/compile_state.h"

#include <string.h>

static bool is_byte_or_float(DType t)
{
    return dtype_is_float(t) || t == DT_INT8 || t == DT_UINT8;
}

static DType dtype_of(const Compile *c, ValueId v)
{
    return c->graph->tensor[c->value[v].tensor].dtype;
}

static void keep_on_host(Ir *op, Reason reason, const char *why, const char *nearest)
{
    op->on_npu = false;
    op->reason = reason;
    op->why = why;
    op->nearest = nearest;
}

/* ---- what a body holds ---- */

enum { BODY_KINDS = 6 };

typedef struct {
    const char *op[BODY_KINDS];
    size_t count[BODY_KINDS];
    size_t nkind, nnode;
} Body;

static void body_add(Body *b, const Graph *g)
{
    for (size_t i = 0; i < g->nnode; i++) {
        size_t k = 0;
        while (k < b->nkind && strcmp(b->op[k], g->node[i].op) != 0)
            k++;
        b->nnode++;
        if (k == BODY_KINDS)
            continue; /* the rest is in the number of nodes */
        b->op[k] = g->node[i].op;
        b->count[k]++;
        b->nkind += k == b->nkind;
    }
}

/* "7 nodes: Add 3, MatMul 2 …" */
static const char *body_text(Compile *c, const Node *n)
{
    Body b = {.nnode = 0};
    for (uint32_t i = 0; i < n->nattr; i++)
        if (n->attr[i].type == ATTR_GRAPH && n->attr[i].graph)
            body_add(&b, n->attr[i].graph);
    const char *text = arena_printf(c->arena, "%zu node%s", b.nnode, b.nnode == 1 ? "" : "s");
    for (size_t k = 0; k < b.nkind; k++)
        text = arena_printf(c->arena, "%s%s %s %zu", text, k ? "," : ":", b.op[k], b.count[k]);
    return b.nkind == BODY_KINDS ? arena_printf(c->arena, "%s …", text) : text;
}

/* ---- one question each; true when it decided that the op stays on the host ---- */

static bool is_control(Compile *c, Ir *op)
{
    if (ir_class(op) != CLASS_CONTROL)
        return false;
    keep_on_host(op, REASON_CONTROL_FLOW,
                 arena_printf(c->arena,
                              "%s chooses or repeats its body (%s) at run time: one step on the "
                              "host, whose cost depends on the data",
                              ir_node(c, op)->op, body_text(c, ir_node(c, op))),
                 "unroll or export the branch that is taken");
    return true;
}

static bool is_unknown_operator(Compile *c, Ir *op)
{
    const Node *n = ir_node(c, op);
    if (ir_class(op) != CLASS_UNKNOWN)
        return false;
    keep_on_host(op, REASON_UNKNOWN_OPERATOR,
                 arena_printf(c->arena, "nothing is known of operator %s%s%s", n->domain,
                              *n->domain ? "::" : "", n->op),
                 "replace it by operators of ai.onnx");
    return true;
}

static ValueId unknown_value(const Compile *c, const Ir *op)
{
    for (uint32_t k = 0; k < op->nin; k++)
        if (!c->value[op->in[k]].known)
            return op->in[k];
    for (uint32_t k = 0; k < op->nout; k++)
        if (op->out[k] != VALUE_NONE && !c->value[op->out[k]].known)
            return op->out[k];
    return VALUE_NONE;
}

static bool has_unknown_shape(Compile *c, Ir *op)
{
    ValueId v = unknown_value(c, op);
    if (v == VALUE_NONE)
        return false;
    const Tensor *t = &c->graph->tensor[c->value[v].tensor];
    keep_on_host(op, REASON_SHAPE_UNKNOWN,
                 arena_printf(c->arena,
                              "the shape of '%s' (%s) depends on the data; the NPU needs static "
                              "shapes",
                              t->name, shape_text(c->arena, &t->shape)),
                 "fix the shapes at export, or cut the model before it");
    return true;
}

/* Shape computations and indices that were not folded. */
static bool is_integer_arithmetic(Compile *c, Ir *op)
{
    bool any = false;
    for (uint32_t k = 0; k < op->nin; k++) {
        if (is_byte_or_float(dtype_of(c, op->in[k])))
            return false;
        any = true;
    }
    for (uint32_t k = 0; k < op->nout; k++)
        any |= op->out[k] != VALUE_NONE && !is_byte_or_float(dtype_of(c, op->out[k]));
    if (!any || ir_class(op) == CLASS_MAC)
        return false;
    DType t = op->nin ? dtype_of(c, op->in[0]) : dtype_of(c, op->out[0]);
    keep_on_host(op, REASON_INTEGER_ARITHMETIC,
                 arena_printf(c->arena,
                              op->nin ? "%s works on %s values, which the NPU does not have"
                                      : "%s makes %s values, which the NPU does not have",
                              ir_node(c, op)->op, dtype_name(t)),
                 "compute it at export, so that it is a constant");
    return true;
}

/* How many activations the NPU's form of the operator takes: its parameters are constants. */
static bool takes_many(const Ir *op)
{
    switch (op->op) {
    case OP_Add:
    case OP_Sub:
    case OP_Mul:
    case OP_Pow:
    case OP_Concat:
    case OP_MatMul:
    case OP_Gemm:
    case OP_Mean:
    case OP_Sum:
        return true;
    default:
        return false;
    }
}

static bool has_computed_parameters(Compile *c, Ir *op)
{
    if (op->nin == 1 || (op->nin > 1 && takes_many(op)))
        return false;
    keep_on_host(op, REASON_CONDITION_FAILED,
                 arena_printf(c->arena,
                              "a parameter of %s (weights, axes or sizes) is computed at run time; "
                              "the NPU's takes constants",
                              ir_node(c, op)->op),
                 "constant parameters");
    return true;
}

static bool has_many_axes(Compile *c, Ir *op)
{
    const Shape *s = &c->graph->tensor[c->value[op->in[0]].tensor].shape;
    bool images = op->op == OP_Conv || op->op == OP_ConvTranspose || ir_class(op) == CLASS_POOL;
    if (!images || s->rank <= 4)
        return false;
    keep_on_host(op, REASON_CONDITION_FAILED,
                 arena_printf(c->arena, "%s works on %d spatial axes; the NPU's on two",
                              ir_node(c, op)->op, s->rank - 2),
                 "two spatial axes");
    return true;
}

/* MaxPool's second output, where somebody reads it. */
static bool gives_indices(Compile *c, Ir *op)
{
    if (ir_class(op) != CLASS_POOL || op->nout < 2 || op->out[1] == VALUE_NONE)
        return false;
    const Value *v = &c->value[op->out[1]];
    if (v->nuser == 0 && !v->is_output)
        return false;
    keep_on_host(op, REASON_CONDITION_FAILED,
                 arena_printf(c->arena, "%s gives the places of its maxima too; the NPU's does not",
                              ir_node(c, op)->op),
                 "drop the second output");
    return true;
}

/* Makes data out of nothing that the NPU reads: RandomNormal, Shape … */
static bool has_no_input(Compile *c, Ir *op)
{
    if (op->nin)
        return false;
    keep_on_host(op, REASON_UNSUPPORTED,
                 arena_printf(c->arena, "%s reads no activation: the host makes its values",
                              ir_node(c, op)->op),
                 "make it a constant at export");
    return true;
}

static bool is_not_supported(Compile *c, Ir *op)
{
    Support s = support_ask(c, op, PAGE_DECIDES);
    if (s.allowed)
        return false;
    keep_on_host(op, s.reason, s.why, s.nearest);
    return true;
}

/* The first tensor around the op that has no int8 form. */
static const char *without_scale(const Compile *c, const Ir *op, const char **ret_side)
{
    for (uint32_t k = 0; k < op->nin + op->nout; k++) {
        ValueId v = k < op->nin ? op->in[k] : op->out[k - op->nin];
        if (v == VALUE_NONE || c->value[v].quantized)
            continue;
        *ret_side = k < op->nin ? "input" : "output";
        return c->graph->tensor[c->value[v].tensor].name;
    }
    *ret_side = "a value";
    return "";
}

static bool stays_in_float(Compile *c, Ir *op)
{
    if (!op->float_island)
        return false;
    const char *side, *name = without_scale(c, op, &side);
    keep_on_host(op, REASON_FLOAT_ISLAND,
                 arena_printf(c->arena,
                              "%s computes in float inside a quantized model: its %s '%s' has no "
                              "QuantizeLinear",
                              ir_node(c, op)->op, side, name),
                 "quantize that tensor too");
    return true;
}

/* The smallest piece of work: one row of the output, and the rows of the input that it needs. */
static int64_t smallest_tile(const Compile *c, const Ir *op)
{
    const Geometry *in = &c->value[op->in[0]].g;
    const Node *n = ir_node(c, op);
    const int64_t *k;
    int64_t rows = node_attr_ints(n, "kernel_shape", &k) ? k[0] : 1;
    rows = rows < in->h ? rows : in->h;
    int64_t bytes = size_mul(size_mul(in->c, rows), layout_padded_width(c->machine, in->w));
    if (op->nout && op->out[0] != VALUE_NONE) {
        const Geometry *out = &c->value[op->out[0]].g;
        /* Output channels can be split down to one row of the array per slice. */
        bytes = size_add(bytes,
                         size_mul(layout_padded_width(c->machine, out->w), c->machine->mac_height));
    }
    return bytes;
}

static bool is_too_large(Compile *c, Ir *op)
{
    int64_t need = smallest_tile(c, op), have = layout_sram_bytes(c->machine, c->options->pe) / 2;
    if (need <= have)
        return false;
    keep_on_host(
        op, REASON_TOO_LARGE,
        arena_printf(c->arena,
                     "the smallest tile of %s takes %.1f MiB; half of the SRAM is %.1f MiB",
                     ir_node(c, op)->op, (double)need / 1048576, (double)have / 1048576),
        "a smaller image");
    return true;
}

static void place(Compile *c, Ir *op)
{
    static bool (*const question[])(Compile * c, Ir * op) = {is_control,
                                                             is_unknown_operator,
                                                             has_unknown_shape,
                                                             is_integer_arithmetic,
                                                             has_no_input,
                                                             is_not_supported,
                                                             has_computed_parameters,
                                                             has_many_axes,
                                                             gives_indices,
                                                             stays_in_float,
                                                             is_too_large};
    for (size_t i = 0; i < sizeof question / sizeof *question; i++)
        if (question[i](c, op))
            return;
    op->on_npu = true;
}

void compile_place(Compile *c)
{
    for (size_t i = 0; i < c->nir; i++)
        if (!c->ir[i].merged)
            place(c, &c->ir[i]);
}
