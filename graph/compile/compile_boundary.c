/* Emits what the host does to a value on its way to the NPU and back. */
#include "graph/compile/compile_emit.h"

#include "graph/base/messages.h"
#include "graph/compile/compiler_config.h"

static const Tensor *tensor_of(const Compile *c, ValueId v)
{
    return &c->graph->tensor[c->value[v].tensor];
}

bool compile_value_read_on_host(const Compile *c, ValueId v)
{
    const CompileValue *value = &c->value[v];
    return LIST_ANY(u, value->nuser, !c->ir[value->user[u]].on_npu);
}

/* One decision for both directions: by bytes alone, because the graph knows no times.  Rows padded
 * to the multiple never take more bytes than the lowered layout, which pads them too and rounds up
 * its slices besides: Pad and Lower on the NPU is never worse than Lower on the host, and what the
 * guide says the compiler does. */
LoweringSide compile_boundary_lowering(const Compile *c, ValueId v, bool is_output)
{
    const CompileValue *value = &c->value[v];
    bool from_application = value->input != INDEX_NOT;
    if (!is_output && from_application && compiler_config_on(c->options, KEY_REMOVE_LOWER))
        return LOWERING_NONE;
    if (is_output && value->is_output && !compile_value_read_on_host(c, v) &&
        compiler_config_on(c->options, KEY_REMOVE_UNLOWER))
        return LOWERING_NONE;
    if (compile_value_last_letter(c, v) != 'W' || c->options->sdk < c->machine->npu_lower_since)
        return LOWERING_HOST;
    return value->g.w % c->machine->width_multiple == 0 ? LOWERING_NPU : LOWERING_NPU_PAD;
}

/* ---- words ---- */

static const MessageId *axis_word(char letter)
{
    return letter == 'C'   ? &message_AXIS_CHANNELS
           : letter == 'H' ? &message_AXIS_HEIGHT
           : letter == 'N' ? &message_AXIS_BATCH
                           : &message_AXIS_WIDTH;
}

/* Why Lower, Unlower, Pad or Slice of this value runs on the host, and what would pass. */
static void say_layout(const Compile *c, Step *s, ValueId v, Reason island)
{
    const CompileValue *value = &c->value[v];
    const char *what = s->op, *name = c->graph->tensor[compile_value_tensor(c, v)].name;
    char last = compile_value_last_letter(c, v);
    int64_t w = value->g.w, m = c->machine->width_multiple;
    if (last != 'W') {
        s->reason = REASON_LAST_AXIS_NOT_WIDTH;
        s->why = MESSAGE(c->arena, MESSAGE_ID(WHY_LAST_AXIS), arg_text(what), arg_text(name),
                         arg_message_id(axis_word(last)));
        s->nearest = MESSAGE(c->arena, MESSAGE_ID(NEAREST_LAST_AXIS));
    } else if (c->options->sdk < c->machine->npu_lower_since) {
        s->reason = REASON_SDK_TOO_OLD;
        const char *since = sdk_text(c->machine->npu_lower_since);
        s->why = MESSAGE(c->arena, MESSAGE_ID(WHY_SINCE_SDK_ONLY), arg_text(what), arg_text(since),
                         arg_text(sdk_text(c->options->sdk)));
        s->nearest = MESSAGE(c->arena, MESSAGE_ID(NEAREST_SDK), arg_text(since));
    } else {
        int64_t up = layout_padded_width(c->machine, w);
        s->reason = REASON_WIDTH_NOT_MULTIPLE;
        s->why = MESSAGE(c->arena, MESSAGE_ID(WHY_WIDTH), arg_text(what), arg_text(name),
                         arg_count(w), arg_count(m));
        s->nearest =
            w > m ? MESSAGE(c->arena, MESSAGE_ID(NEAREST_WIDTHS), arg_count(up - m), arg_count(up))
                  : MESSAGE(c->arena, MESSAGE_ID(NEAREST_WIDTH), arg_count(up));
    }
    if (island != REASON_NONE)
        s->reason = island;
}

/* Which way a value crosses the boundary of the NPU. */
typedef enum { WAY_IN, WAY_OUT } BoundaryWay;

static bool crosses_inside(const Compile *c, ValueId v, BoundaryWay way)
{
    const CompileValue *value = &c->value[v];
    return way == WAY_OUT ? !value->is_output : value->input == INDEX_NOT;
}

/* The operator on the host for whose sake an inner value is converted. */
static const Message *neighbour_message(const Compile *c, ValueId v, BoundaryWay way)
{
    const CompileValue *value = &c->value[v];
    IrId id = value->producer;
    for (uint32_t u = 0; way == WAY_OUT && u < value->nuser; u++)
        if (!c->ir[value->user[u]].on_npu) {
            id = value->user[u];
            break;
        }
    if (id == IR_NONE)
        return MESSAGE(c->arena, MESSAGE_ID(NEIGHBOUR_UNKNOWN));
    const Node *n = ir_node(c, &c->ir[id]);
    return MESSAGE(c->arena, MESSAGE_ID(NEIGHBOUR), arg_text(node_label(c->scratch, n)),
                   arg_text(n->op));
}

/* The Quantize- and DequantizeLinear nodes of the value belong to its first conversion. */
static void take_nodes(CompileEmit *e, Step *s, ValueId v)
{
    NodeId *list = NULL;
    size_t n = 0, cap = 0;
    for (NodeId i = e->first_of_value[v]; i != NODE_NONE; i = e->next_of_value[i])
        *VEC_PUSH(e->c->arena, list, n, cap) = i;
    s->node = list;
    s->nnode = (uint32_t)n;
    e->first_of_value[v] = NODE_NONE;
}

/* ---- host steps ---- */

static PTensorId emit_conversion(CompileEmit *e, HostOp op, ValueId v, PTensorId from, DType to,
                                 BoundaryWay way)
{
    const Compile *c = e->c;
    PTensorId out = compile_emit_tensor(e, v, to, LAYOUT_PLAIN);
    Step *s = compile_emit_step(e, STEP_HOST, op);
    s->from = e->p->tensor[from].dtype;
    s->to = to;
    compile_emit_mark_io(c, s, v, way == WAY_IN);
    take_nodes(e, s, v);
    compile_emit_step_io(e, s, &from, 1, &out, 1);
    bool inside = crosses_inside(c, v, way);
    const char *name = c->graph->tensor[compile_value_tensor(c, v)].name;
    if (inside) {
        s->reason = REASON_ISLAND_EDGE;
        s->why = MESSAGE(c->arena, MESSAGE_ID(WHY_NEIGHBOUR), arg_text(s->op), arg_text(name),
                         arg_message(neighbour_message(c, v, way)));
    } else if (way == WAY_OUT) {
        s->reason = dtype_is_float(to) ? REASON_FLOAT_OUTPUT : REASON_INTEGER_OUTPUT;
        s->why = MESSAGE(c->arena, MESSAGE_ID(WHY_TAKES_OUTPUT), arg_text(name),
                         arg_text(dtype_name(to)));
    } else {
        s->reason = dtype_is_float(s->from) ? REASON_FLOAT_INPUT : REASON_INTEGER_INPUT;
        s->why = MESSAGE(c->arena, MESSAGE_ID(WHY_FEEDS_INPUT), arg_text(name),
                         arg_text(dtype_name(s->from)));
    }
    if (!inside && way == WAY_OUT)
        s->nearest = MESSAGE(c->arena, MESSAGE_ID(NEAREST_INT8));
    else if (!inside && dtype_is_float(s->from))
        s->nearest = MESSAGE(c->arena, MESSAGE_ID(NEAREST_UINT8));
    return out;
}

static PTensorId emit_relayout(CompileEmit *e, HostOp op, ValueId v, PTensorId from, Layout to,
                               BoundaryWay way)
{
    PTensorId out = compile_emit_tensor(e, v, e->p->tensor[from].dtype, to);
    Step *s = compile_emit_step(e, STEP_HOST, op);
    s->from = s->to = e->p->tensor[from].dtype;
    compile_emit_mark_io(e->c, s, v, way == WAY_IN);
    compile_emit_step_io(e, s, &from, 1, &out, 1);
    say_layout(e->c, s, v, crosses_inside(e->c, v, way) ? REASON_ISLAND_EDGE : REASON_NONE);
    return out;
}

static PTensorId base_form(CompileEmit *e, ValueId v)
{
    Forms *f = &e->form[v];
    if (f->base != PTENSOR_NONE)
        return f->base;
    const CompileValue *value = &e->c->value[v];
    assert(value->input != INDEX_NOT);
    f->base = compile_emit_tensor(e, v, e->c->input_dtype[value->input], LAYOUT_PLAIN);
    return f->base;
}

/* Whether the bytes represent floats: the application's pixels, or a quantized tensor. */
static bool bytes_stand_for_floats(const CompileEmit *e, ValueId v)
{
    const CompileValue *value = &e->c->value[v];
    bool overridden = value->input != INDEX_NOT && dtype_is_float(tensor_of(e->c, v)->dtype);
    return overridden || dtype_is_float(tensor_of(e->c, v)->dtype) ||
           e->first_of_value[v] != NODE_NONE;
}

PTensorId compile_boundary_real(CompileEmit *e, ValueId v)
{
    Forms *f = &e->form[v];
    if (f->real != PTENSOR_NONE)
        return f->real;
    PTensorId from = f->exported ? f->int8 : base_form(e, v);
    uint32_t i = e->c->value[v].nuser ? INDEX_NOT : e->c->first_output[v]; /* after a Cast */
    DType t = e->p->tensor[from].dtype,
          real = i == INDEX_NOT ? tensor_of(e->c, v)->dtype : e->c->output_dtype[i];
    if ((t == DT_INT8 || t == DT_UINT8) && bytes_stand_for_floats(e, v))
        f->real =
            emit_conversion(e, HOST_DEQUANTIZE, v, from, dtype_is_float(real) ? real : DT_FLOAT32,
                            f->exported || f->host_int8 ? WAY_OUT : WAY_IN);
    else
        f->real = from;
    return f->real;
}

PTensorId compile_boundary_int8(CompileEmit *e, ValueId v)
{
    Forms *f = &e->form[v];
    if (f->int8 != PTENSOR_NONE)
        return f->int8;
    PTensorId from = base_form(e, v);
    f->int8 = e->p->tensor[from].dtype == DT_INT8
                  ? from
                  : emit_conversion(e, HOST_QUANTIZE, v, from, DT_INT8, WAY_IN);
    return f->int8;
}

PTensorId compile_boundary_ready(CompileEmit *e, ValueId v)
{
    Forms *f = &e->form[v];
    if (f->ready != PTENSOR_NONE)
        return f->ready;
    f->way = compile_boundary_lowering(e->c, v, false);
    if (f->way == LOWERING_NONE)
        return f->ready = compile_emit_tensor(e, v, DT_INT8, LAYOUT_LOWERED);
    PTensorId plain = compile_boundary_int8(e, v);
    if (f->way == LOWERING_HOST)
        f->ready = emit_relayout(e, HOST_LOWER, v, plain, LAYOUT_LOWERED, WAY_IN);
    else if (f->way == LOWERING_NPU_PAD)
        f->ready = emit_relayout(e, HOST_PAD, v, plain, LAYOUT_PADDED, WAY_IN);
    else
        f->ready = plain;
    return f->ready;
}

bool compile_dequantizes_on_npu(const Compile *c, ValueId v)
{
    const char *key = c->options->sdk >= 10 ? "lower_tabulated_dequantize" : "tabulate_dequantize";
    if (!c->value[v].is_output || !compiler_config_on(c->options, key) ||
        c->options->sdk < c->machine->npu_dequantize_since)
        return false;
    for (uint32_t i = c->first_output[v]; i != INDEX_NOT; i = c->next_output[i])
        if (!dtype_is_float(c->output_dtype[i]))
            return false;
    return true;
}

/* Gives output `i`, whose value is on the host, the type that the application takes. */
static void finish_output(CompileEmit *e, ValueId v, size_t i)
{
    Forms *f = &e->form[v];
    DType want = e->c->output_dtype[i];
    if (dtype_is_float(want) || (want != DT_INT8 && want != DT_UINT8)) {
        compile_boundary_real(e, v);
        return;
    }
    PTensorId from = f->exported || f->host_int8 ? f->int8 : compile_boundary_real(e, v);
    DType t = e->p->tensor[from].dtype;
    if (t == want)
        return;
    emit_conversion(e, dtype_is_float(t) ? HOST_QUANTIZE : HOST_DEQUANTIZE, v, from, want, WAY_OUT);
}

void compile_boundary_outputs(CompileEmit *e, ValueId v)
{
    const Compile *c = e->c;
    Forms *f = &e->form[v];
    if (f->exported && f->way != LOWERING_NONE) {
        f->int8 = f->way == LOWERING_HOST
                      ? emit_relayout(e, HOST_UNLOWER, v, f->ready, LAYOUT_PLAIN, WAY_OUT)
                  : f->way == LOWERING_NPU_PAD
                      ? emit_relayout(e, HOST_SLICE, v, f->ready, LAYOUT_PLAIN, WAY_OUT)
                      : f->ready;
        if (e->p->tensor[f->int8].dtype == DT_FLOAT32)
            f->real = f->int8;
    }
    for (uint32_t i = c->first_output[v]; i != INDEX_NOT && f->way != LOWERING_NONE;
         i = c->next_output[i])
        finish_output(e, v, i);
    if (f->way == LOWERING_NONE)
        f->way = LOWERING_NPU;
}
