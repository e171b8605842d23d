/* Places every op on the NPU or the host, with a reason and what would pass. */
#include "graph/base/messages.h"
#include "graph/compile/compile_state.h"

static bool is_byte_or_float(DType t)
{
    return dtype_is_float(t) || t == DT_INT8 || t == DT_UINT8;
}

static DType dtype_of(const Compile *c, ValueId v)
{
    return c->graph->tensor[c->value[v].tensor].dtype;
}

static void keep_on_host(Ir *op, Reason reason, const Message *why, const Message *nearest)
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
        size_t k = LIST_INDEX(j, b->nkind, strcmp(b->op[j], g->node[i].op) == 0);
        b->nnode++;
        if (k == BODY_KINDS)
            continue; /* the rest is in the number of nodes */
        b->op[k] = g->node[i].op;
        b->count[k]++;
        b->nkind += k == b->nkind;
    }
}

/* "7 nodes: Add 3, MatMul 2 …" */
static const Message *body_message(Compile *c, const Node *n)
{
    Body b = {.nnode = 0};
    for (uint32_t i = 0; i < n->nattr; i++)
        if (n->attr[i].type == ATTR_GRAPH && n->attr[i].graph)
            body_add(&b, n->attr[i].graph);
    const char *kinds = "";
    for (size_t k = 0; k < b.nkind; k++)
        kinds = arena_printf(c->scratch, "%s%s %s %zu", kinds, k ? "," : ":", b.op[k], b.count[k]);
    if (b.nkind == BODY_KINDS)
        kinds = arena_printf(c->scratch, "%s …", kinds);
    return MESSAGE(c->arena, MESSAGE_ID(BODY), arg_size(b.nnode), arg_text(kinds));
}

/* ---- one question each; true when it decided that the op stays on the host ---- */

static bool is_control(Compile *c, Ir *op)
{
    if (ir_class(op) != CLASS_CONTROL)
        return false;
    keep_on_host(op, REASON_CONTROL_FLOW,
                 MESSAGE(c->arena, MESSAGE_ID(WHY_CONTROL), arg_text(ir_node(c, op)->op),
                         arg_message(body_message(c, ir_node(c, op)))),
                 MESSAGE(c->arena, MESSAGE_ID(NEAREST_TAKEN_BRANCH)));
    return true;
}

static bool is_unknown_operator(Compile *c, Ir *op)
{
    const Node *n = ir_node(c, op);
    if (ir_class(op) != CLASS_UNKNOWN)
        return false;
    keep_on_host(op, REASON_UNKNOWN_OPERATOR,
                 MESSAGE(c->arena, MESSAGE_ID(WHY_UNKNOWN_OPERATOR),
                         arg_text(arena_printf(c->scratch, "%s%s%s", n->domain,
                                               *n->domain ? "::" : "", n->op))),
                 MESSAGE(c->arena, MESSAGE_ID(NEAREST_AI_ONNX)));
    return true;
}

ValueId compile_unknown_value(const Compile *c, const Ir *op)
{
    for (uint32_t k = 0; k < op->nin; k++)
        if (!c->value[op->in[k]].known)
            return op->in[k];
    return LIST_VALUE(k, op->nout, op->out[k] != VALUE_NONE && !c->value[op->out[k]].known,
                      op->out[k], VALUE_NONE);
}

/* The tensor at which shapes contradict, of those that this one's shape comes from; NULL. */
static const Tensor *conflict_before(const Graph *g, const Tensor *t)
{
    while (t && !t->conflict && t->producer != NODE_NONE) {
        const Node *n = &g->node[t->producer];
        const Tensor *from = NULL;
        for (uint32_t k = 0; k < n->ninput && !from; k++)
            if (n->input[k] != TENSOR_NONE && !shape_is_known(&g->tensor[n->input[k]].shape))
                from = &g->tensor[n->input[k]];
        t = from;
    }
    return t && t->conflict ? t : NULL;
}

static bool has_unknown_shape(Compile *c, Ir *op)
{
    ValueId v = compile_unknown_value(c, op);
    if (v == VALUE_NONE)
        return false;
    const Tensor *t = &c->graph->tensor[c->value[v].tensor];
    const Tensor *at = conflict_before(c->graph, t);
    if (at) {
        keep_on_host(op, REASON_SHAPE_CONFLICT,
                     MESSAGE(c->arena, MESSAGE_ID(WHY_CONFLICT),
                             arg_text(node_label(c->arena, &c->graph->node[at->producer])),
                             arg_message(at->conflict), arg_text(t->name)),
                     MESSAGE(c->arena, MESSAGE_ID(NEAREST_NO_CONFLICT)));
        return true;
    }
    keep_on_host(op, REASON_SHAPE_UNKNOWN,
                 MESSAGE(c->arena, MESSAGE_ID(WHY_DYNAMIC), arg_text(t->name),
                         arg_text(shape_text(c->scratch, &t->shape))),
                 MESSAGE(c->arena, MESSAGE_ID(NEAREST_STATIC)));
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
    keep_on_host(
        op, REASON_INTEGER_ARITHMETIC,
        MESSAGE(c->arena,
                arg_message_id(op->nin ? &message_WHY_WORKS_ON_TYPE : &message_WHY_MAKES_TYPE),
                arg_text(ir_node(c, op)->op), arg_text(dtype_name(t))),
        MESSAGE(c->arena, MESSAGE_ID(NEAREST_AT_EXPORT)));
    return true;
}

static bool has_computed_parameters(Compile *c, Ir *op)
{
    if (op->nin == 1 || (op->nin > 1 && op_is((OpId)op->op, OP_Add, OP_Sub, OP_Mul, OP_Div, OP_Pow,
                                              OP_Concat, OP_MatMul, OP_Gemm, OP_Mean, OP_Sum)))
        return false;
    keep_on_host(
        op, REASON_CONDITION_FAILED,
        MESSAGE(c->arena, MESSAGE_ID(WHY_COMPUTED_PARAMETER), arg_text(ir_node(c, op)->op)),
        MESSAGE(c->arena, MESSAGE_ID(NEAREST_CONSTANTS)));
    return true;
}

static bool has_many_axes(Compile *c, Ir *op)
{
    const Shape *s = &c->graph->tensor[c->value[op->in[0]].tensor].shape;
    bool images = op->op == OP_Conv || op->op == OP_ConvTranspose || ir_class(op) == CLASS_POOL;
    if (!images || s->rank <= 4)
        return false;
    keep_on_host(op, REASON_CONDITION_FAILED,
                 MESSAGE(c->arena, MESSAGE_ID(WHY_SPATIAL_AXES), arg_text(ir_node(c, op)->op),
                         arg_count(s->rank - 2)),
                 MESSAGE(c->arena, MESSAGE_ID(NEAREST_TWO_AXES)));
    return true;
}

/* True if MaxPool's second output is read. */
static bool gives_indices(Compile *c, Ir *op)
{
    if (ir_class(op) != CLASS_POOL || op->nout < 2 || op->out[1] == VALUE_NONE)
        return false;
    const CompileValue *v = &c->value[op->out[1]];
    if (v->nuser == 0 && !v->is_output)
        return false;
    keep_on_host(op, REASON_CONDITION_FAILED,
                 MESSAGE(c->arena, MESSAGE_ID(WHY_GIVES_PLACES), arg_text(ir_node(c, op)->op)),
                 MESSAGE(c->arena, MESSAGE_ID(NEAREST_ONE_OUTPUT)));
    return true;
}

/* Makes data out of nothing that the NPU reads: RandomNormal, Shape … */
static bool has_no_input(Compile *c, Ir *op)
{
    if (op->nin)
        return false;
    keep_on_host(op, REASON_UNSUPPORTED,
                 MESSAGE(c->arena, MESSAGE_ID(WHY_NO_ACTIVATION), arg_text(ir_node(c, op)->op)),
                 MESSAGE(c->arena, MESSAGE_ID(NEAREST_CONSTANT)));
    return true;
}

/* ---- float models: types that the vendor's quantizer assigns ---- */

static void keep_in_float(Compile *c, Ir *op, const Condition *want)
{
    const MessageId *spelled = support_spelled_as(c, op);
    MessageArg name = arg_text(ir_node(c, op)->op);
    ConditionMiss miss = want ? condition_miss(c, op, want) : (ConditionMiss){NULL, NULL};
    const Message *why =
        want ? MESSAGE(c->arena, MESSAGE_ID(WHY_QUANTIZER_CONDITION), name, arg_message(miss.found))
             : MESSAGE(c->arena, MESSAGE_ID(WHY_QUANTIZER_FLOAT), name);
    keep_on_host(op, want ? REASON_CONDITION_FAILED : REASON_UNSUPPORTED, why,
                 spelled ? MESSAGE(c->arena, arg_message_id(spelled)) : miss.nearest);
    op->as_others = spelled != NULL;
    if (op->place_unknown)
        op->why = MESSAGE(c->arena, MESSAGE_ID(WHY_INFERRED), arg_message(why));
}

/* Float in the vendor's graph, between its conversions; a row of its quantizer may say why. */
static bool is_placed_by_file(Compile *c, Ir *op)
{
    const Node *n = ir_node(c, op);
    if (!n->on_host)
        return false;
    const Quantizer *quantizer = machine_quantizer(c->machine, c->options->sdk);
    const Condition *miss = NULL;
    const QuantizerRow *row = quantizer ? support_quantized(c, quantizer, op, &miss) : NULL;
    if (miss && row && row->type == QUANTIZED_FLOAT)
        keep_in_float(c, op, miss);
    else
        keep_on_host(op, REASON_FLOAT_ISLAND,
                     MESSAGE(c->arena, MESSAGE_ID(WHY_FILE_PLACES), arg_text(n->op)),
                     MESSAGE(c->arena, MESSAGE_ID(NEAREST_INT8_FORM)));
    return true;
}

static void keep_refused(Compile *c, Ir *op, const Support *page)
{
    const Message *why =
        MESSAGE(c->arena, MESSAGE_ID(WHY_QUANTIZER_REFUSES), arg_text(ir_node(c, op)->op));
    if (op->place_unknown)
        why = MESSAGE(c->arena, MESSAGE_ID(WHY_INFERRED), arg_message(why));
    keep_on_host(op, REASON_UNSUPPORTED, why, page->allowed ? NULL : page->nearest);
    op->as_others = page->as_others;
}

/* int8 at the quantizer, on no page. */
static void keep_off_page(Compile *c, Ir *op, const Support *page)
{
    const Message *why =
        op->place_unknown ? MESSAGE(c->arena, MESSAGE_ID(WHY_PLACE_UNKNOWN), arg_message(page->why))
                          : page->why;
    keep_on_host(op, page->reason, why, page->nearest);
    op->as_others = page->as_others;
}

/* A graph of the vendor's quantizer tells the types, and what is in float on the host; not the
 * place of the rest. */
static bool is_int8_in_file(const Compile *c, const Ir *op)
{
    const ModelSource *s = c->model->source;
    return s && !strcmp(s->format, "dfg") && !op->float_island && !ir_node(c, op)->on_host;
}

static bool is_not_supported(Compile *c, Ir *op)
{
    Support page = support_find(c, op, PAGE_DECIDES);
    const Condition *miss = NULL;
    const QuantizerRow *row = c->quantizer ? support_quantized(c, c->quantizer, op, &miss) : NULL;
    op->row = page.row;
    op->type = row ? row->type : is_int8_in_file(c, op) ? QUANTIZED_INT8 : QUANTIZED_UNKNOWN;
    op->place_unknown = page.allowed ? op->type > QUANTIZED_INT8 && c->quantizer->inferred
                                     : op->type == QUANTIZED_INT8;
    if (op->place_unknown && c->options->unknown_on == UNKNOWN_ON_NPU)
        return false;
    if (op->type == QUANTIZED_REFUSED)
        keep_refused(c, op, &page);
    else if (page.allowed && op->type == QUANTIZED_FLOAT)
        keep_in_float(c, op, miss);
    else if (page.allowed)
        return false;
    else
        keep_off_page(c, op, &page);
    return true;
}

/* The first value around the op that has no int8 form; VALUE_NONE when there is none. */
static ValueId without_scale(const Compile *c, const Ir *op, const MessageId **ret_side)
{
    for (uint32_t k = 0; k < op->nin + op->nout; k++) {
        ValueId v = k < op->nin ? op->in[k] : op->out[k - op->nin];
        if (v == VALUE_NONE || c->value[v].quantized)
            continue;
        *ret_side = k < op->nin ? &message_SIDE_INPUT : &message_SIDE_OUTPUT;
        return v;
    }
    *ret_side = &message_SIDE_VALUE;
    return VALUE_NONE;
}

static bool stays_in_float(Compile *c, Ir *op)
{
    if (!op->float_island)
        return false;
    const MessageId *side;
    ValueId v = without_scale(c, op, &side);
    const char *name = v == VALUE_NONE ? "" : c->graph->tensor[c->value[v].tensor].name;
    const char *codes = v == VALUE_NONE ? NULL : c->value[v].foreign_codes;
    MessageArg its_op = arg_text(ir_node(c, op)->op);
    if (codes)
        keep_on_host(op, REASON_FOREIGN_CODES,
                     MESSAGE(c->arena, MESSAGE_ID(WHY_FOREIGN_CODES), its_op, arg_text(name),
                             arg_text(codes)),
                     MESSAGE(c->arena, MESSAGE_ID(NEAREST_TENSOR_INT8)));
    else
        keep_on_host(op, REASON_FLOAT_ISLAND,
                     MESSAGE(c->arena, MESSAGE_ID(WHY_FLOAT_ISLAND), its_op, arg_message_id(side),
                             arg_text(name)),
                     MESSAGE(c->arena, MESSAGE_ID(NEAREST_QUANTIZE)));
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
    int64_t bytes =
        layout_size_mul(layout_size_mul(in->c, rows), layout_padded_width(c->machine, in->w));
    if (op->nout && op->out[0] != VALUE_NONE) {
        const Geometry *out = &c->value[op->out[0]].g;
        /* Output channels can be split down to one row of the array per slice. */
        bytes = layout_size_add(bytes, layout_size_mul(layout_padded_width(c->machine, out->w),
                                                       c->machine->mac_height));
    }
    return bytes;
}

static bool is_too_large(Compile *c, Ir *op)
{
    int64_t need = smallest_tile(c, op), have = layout_sram_bytes(c->machine, c->options->pe) / 2;
    if (need <= have)
        return false;
    keep_on_host(op, REASON_TOO_LARGE,
                 MESSAGE(c->arena, MESSAGE_ID(WHY_TOO_LARGE), arg_text(ir_node(c, op)->op),
                         arg_fixed((double)need / 1048576, 1),
                         arg_fixed((double)have / 1048576, 1)),
                 MESSAGE(c->arena, MESSAGE_ID(NEAREST_SMALLER)));
    return true;
}

static void place_op(Compile *c, Ir *op)
{
    /* Those after is_not_supported are of machines of tasks: the table of others says all. */
    static bool (*const question[])(Compile * c, Ir * op) = {
        is_control,        is_unknown_operator,     is_placed_by_file,
        has_unknown_shape, is_integer_arithmetic,   has_no_input,
        is_not_supported,  has_computed_parameters, has_many_axes,
        gives_indices,     stays_in_float,          is_too_large};
    enum { OF_HOST = 6, OF_ROWS = 7, ALL = sizeof question / sizeof *question };
    size_t n = c->options->on_host ? OF_HOST : c->machine->kind == MACHINE_ROWS ? OF_ROWS : ALL;
    op->on_npu = !LIST_ANY(i, n, question[i](c, op)) && !c->options->on_host;
}

void compile_place(Compile *c)
{
    for (size_t i = 0; i < c->nir; i++)
        if (!c->ir[i].merged)
            place_op(c, &c->ir[i]);
}
