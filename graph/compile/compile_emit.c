/* Emits the steps in execution order, with the conversions and transfers between them. */
#include "graph/compile/compile_emit.h"

/* ---- host ops ---- */

ORDER_BY(by_node, NodeId, COMPARE(*a, *b))

static void take_ir_nodes(CompileEmit *e, Step *s, const IrId *op, size_t nop)
{
    size_t n = LIST_SUM(size_t, i, nop, e->nnodes_of_ir[op[i]]);
    NodeId *node = ARENA_ARRAY(e->c->arena, NodeId, n + 1);
    n = 0;
    for (size_t i = 0; i < nop; i++)
        for (uint32_t k = 0; k < e->nnodes_of_ir[op[i]]; k++)
            node[n++] = e->nodes_of_ir[op[i]][k];
    qsort(node, n, sizeof *node, by_node);
    s->node = node;
    s->nnode = (uint32_t)n;
}

static bool has_size(const PTensor *t)
{
    return t->at_most || t->bytes > 0;
}

/* A step with an unknown shape has a cost if the shape has a bound. */
static bool is_known(const Program *p, const Step *s)
{
    if (s->reason == REASON_CONTROL_FLOW || s->reason == REASON_UNKNOWN_OPERATOR)
        return false;
    if (s->reason != REASON_SHAPE_UNKNOWN && s->reason != REASON_SHAPE_CONFLICT)
        return true;
    return LIST_ALL(i, s->ninput, has_size(&p->tensor[s->input[i]])) &&
           LIST_ALL(i, s->noutput, has_size(&p->tensor[s->output[i]]));
}

static bool is_float_value(const Compile *c, ValueId v)
{
    return dtype_is_float(c->graph->tensor[c->value[v].tensor].dtype);
}

/* int8 at the vendor's quantizer: on the host it needs no conversions. */
static bool is_host_int8(const Compile *c, const Ir *op)
{
    bool all = op->type == QUANTIZED_INT8 && LIST_ALL(k, op->nin, is_float_value(c, op->in[k]));
    for (uint32_t k = 0; k < op->nout; k++)
        all &= op->out[k] == VALUE_NONE || is_float_value(c, op->out[k]);
    return all;
}

static PTensorId emit_host_output(CompileEmit *e, ValueId v, bool int8)
{
    const Compile *c = e->c;
    TensorId named = c->options->on_host ? compile_value_tensor(c, v) : c->value[v].tensor;
    DType own = c->graph->tensor[named].dtype;
    DType t = int8 ? DT_INT8 : c->value[v].is_output ? own : compile_host_type(c, own);
    Forms *f = &e->form[v];
    f->base = compile_emit_tensor(e, v, t, LAYOUT_PLAIN);
    f->host_int8 = int8;
    if (int8)
        f->int8 = f->base;
    return f->base;
}

static void emit_host_op(CompileEmit *e, IrId id)
{
    Compile *c = e->c;
    const Ir *op = &c->ir[id];
    PTensorId *in = ARENA_ARRAY(c->scratch, PTensorId, op->nin + 1);
    PTensorId *out = ARENA_ARRAY(c->scratch, PTensorId, op->nout + 1);
    uint32_t nin = 0, nout = 0;
    bool int8 = is_host_int8(c, op);
    for (uint32_t k = 0; k < op->nin; k++) {
        if (e->read_by[op->in[k]] == id)
            continue;
        e->read_by[op->in[k]] = id;
        in[nin++] =
            int8 ? compile_boundary_int8(e, op->in[k]) : compile_boundary_real(e, op->in[k]);
    }
    for (uint32_t k = 0; k < op->nout; k++) {
        if (op->out[k] == VALUE_NONE)
            continue;
        out[nout++] = emit_host_output(e, op->out[k], int8);
    }
    bool control = op->reason == REASON_CONTROL_FLOW;
    Step *s = compile_emit_step(e, STEP_HOST, control ? HOST_CONTROL : HOST_OPERATOR);
    s->op = c->options->on_host || (c->quantizer && compile_is_pattern(c, op))
                ? op_info((OpId)op->op)->name
                : ir_node(c, op)->op;
    s->type = op->type;
    s->place_unknown = op->place_unknown;
    s->finer =
        compile_is_parts(c, op) ? "Slice" : program_host_form(c->arena, c->model, ir_node(c, op));
    s->reason = op->reason;
    s->why = op->why;
    s->nearest = op->nearest;
    s->as_others = op->as_others;
    take_ir_nodes(e, s, &id, 1);
    compile_host_work(c, op, s);
    compile_emit_step_io(e, s, in, nin, out, nout);
    s->known = is_known(e->p, s);
    for (uint32_t k = 0; k < op->nout; k++)
        if (op->out[k] != VALUE_NONE && c->value[op->out[k]].is_output)
            compile_boundary_outputs(e, op->out[k]);
}

/* ---- segments ---- */

typedef struct {
    ValueId *v;
    PTensorId *t;
    IrId *reader; /* imports: the first op of the segment that reads it */
    size_t n, cap, reader_cap;
} ValueList;

static void list_add(const CompileEmit *e, ValueList *l, ValueId v)
{
    *VEC_PUSH(e->c->scratch, l->v, l->n, l->cap) = v;
}

/* Values that the segment reads from outside, in the order of their first use. */
static ValueList find_imports(CompileEmit *e, uint32_t segment, const IrId *op, size_t nop,
                              uint32_t *mark)
{
    const Compile *c = e->c;
    ValueList l = {.n = 0};
    for (size_t i = 0; i < nop; i++) {
        const Ir *o = &c->ir[op[i]];
        for (uint32_t k = 0; k < o->nin; k++) {
            IrId from = c->value[o->in[k]].producer;
            bool inside = from != IR_NONE && c->ir[from].segment == segment;
            if (inside || mark[o->in[k]] == segment + 1)
                continue;
            mark[o->in[k]] = segment + 1;
            size_t n = l.n;
            list_add(e, &l, o->in[k]);
            *VEC_PUSH(c->scratch, l.reader, n, l.reader_cap) = op[i];
        }
    }
    return l;
}

static bool leaves_segment(const Compile *c, ValueId v, uint32_t segment)
{
    const CompileValue *value = &c->value[v];
    return LIST_ANY(u, value->nuser, c->ir[value->user[u]].segment != segment) || value->is_output;
}

static ValueList find_exports(CompileEmit *e, uint32_t segment, const IrId *op, size_t nop)
{
    ValueList l = {.n = 0};
    for (size_t i = 0; i < nop; i++) {
        const Ir *o = &e->c->ir[op[i]];
        for (uint32_t k = 0; k < o->nout; k++)
            if (o->out[k] != VALUE_NONE && leaves_segment(e->c, o->out[k], segment))
                list_add(e, &l, o->out[k]);
    }
    return l;
}

static void emit_transfer(CompileEmit *e, StepKind kind, ValueId v, PTensorId from, PTensorId to)
{
    Step *s = compile_emit_step(e, kind, HOST_NONE);
    s->from = s->to = e->p->tensor[from].dtype;
    compile_emit_mark_io(e->c, s, v, kind == STEP_H2D);
    compile_emit_step_io(e, s, &from, 1, &to, 1);
}

static void emit_imports(CompileEmit *e, ValueList *in)
{
    in->t = ARENA_ARRAY(e->c->scratch, PTensorId, in->n + 1);
    for (size_t i = 0; i < in->n; i++) {
        PTensorId host = compile_boundary_ready(e, in->v[i]);
        const PTensor *t = &e->p->tensor[host];
        PTensorId device = compile_emit_tensor(e, in->v[i], t->dtype, t->layout);
        emit_transfer(e, STEP_H2D, in->v[i], host, device);
        in->t[i] = device;
    }
}

static void emit_exports(CompileEmit *e, ValueList *out, PTensorId *device)
{
    for (size_t i = 0; i < out->n; i++) {
        Forms *f = &e->form[out->v[i]];
        const PTensor *t = &e->p->tensor[device[i]];
        f->ready = compile_emit_tensor(e, out->v[i], t->dtype, t->layout);
        f->exported = true;
        emit_transfer(e, STEP_D2H, out->v[i], device[i], f->ready);
    }
    for (size_t i = 0; i < out->n; i++)
        if (e->c->value[out->v[i]].is_output || compile_value_read_on_host(e->c, out->v[i]))
            compile_boundary_outputs(e, out->v[i]);
}

static void emit_segment(CompileEmit *e, uint32_t segment, const IrId *op, size_t n, uint32_t *mark)
{
    Compile *c = e->c;
    ValueList in = find_imports(e, segment, op, n, mark);
    ValueList out = find_exports(e, segment, op, n);
    emit_imports(e, &in);
    out.t = ARENA_ARRAY(c->scratch, PTensorId, out.n + 1);
    for (size_t i = 0; i < out.n; i++) {
        Forms *f = &e->form[out.v[i]];
        f->way = compile_boundary_lowering(c, out.v[i], true);
        out.t[i] = compile_emit_tensor(
            e, out.v[i], compile_dequantizes_on_npu(c, out.v[i]) ? DT_FLOAT32 : DT_INT8,
            f->way == LOWERING_NPU       ? LAYOUT_PLAIN
            : f->way == LOWERING_NPU_PAD ? LAYOUT_PADDED
                                         : LAYOUT_LOWERED);
    }
    Step *s = compile_emit_step(e, STEP_NPU, HOST_NONE);
    s->segment = segment;
    s->from = s->to = DT_INT8;
    take_ir_nodes(e, s, op, n);
    s->macs = compile_macs(c, s->node, s->nnode);
    compile_emit_step_io(e, s, in.t, (uint32_t)in.n, out.t, (uint32_t)out.n);
    lower_segment(e, s, op, n, &(SegmentEdges){in.v, in.reader, out.v, in.n, out.n});
    emit_exports(e, &out, out.t);
}

/* ---- all of it ---- */

void compile_emit_index_nodes(CompileEmit *e)
{
    const Compile *c = e->c;
    e->nodes_of_ir = ARENA_ARRAY(c->scratch, NodeId *, c->nir + 1);
    e->nnodes_of_ir = ARENA_ARRAY(c->scratch, uint32_t, c->nir + 1);
    e->first_of_value = ARENA_ARRAY(c->scratch, NodeId, c->nvalue + 1);
    e->next_of_value = ARENA_ARRAY(c->scratch, NodeId, c->graph->nnode + 1);
    NodeId *pool = ARENA_ARRAY(c->arena, NodeId, c->graph->nnode + 1);
    for (size_t v = 0; v < c->nvalue; v++)
        e->first_of_value[v] = NODE_NONE;
    for (size_t i = c->graph->nnode; i-- > 0;) {
        const NodeUse *u = &c->use[i];
        if (u->role == NODE_OP) {
            e->nnodes_of_ir[u->id]++;
        } else if (u->role == NODE_VALUE) {
            e->next_of_value[i] = e->first_of_value[u->id];
            e->first_of_value[u->id] = (NodeId)i;
        }
    }
    for (size_t i = 0; i < c->nir; i++) {
        e->nodes_of_ir[i] = pool;
        pool += e->nnodes_of_ir[i];
        e->nnodes_of_ir[i] = 0;
    }
    for (size_t i = 0; i < c->graph->nnode; i++)
        if (c->use[i].role == NODE_OP)
            e->nodes_of_ir[c->use[i].id][e->nnodes_of_ir[c->use[i].id]++] = (NodeId)i;
}

void compile_emit_folded(CompileEmit *e)
{
    Compile *c = e->c;
    Program *p = e->p;
    bool *taken = ARENA_ARRAY(c->scratch, bool, c->graph->nnode + 1);
    for (size_t i = 0; i < p->nstep; i++)
        for (uint32_t k = 0; k < p->step[i].nnode; k++)
            taken[p->step[i].node[k]] = true;
    size_t cap = 0;
    for (size_t i = 0; i < c->graph->nnode; i++)
        if (!taken[i])
            *VEC_PUSH(c->arena, p->folded, p->nfolded, cap) =
                (FoldedNode){(NodeId)i, c->use[i].reason};
}

void compile_emit(Compile *c)
{
    if (c->machine->kind == MACHINE_ROWS)
        return;
    CompileEmit e = {.c = c, .p = c->program};
    e.form = ARENA_ARRAY(c->scratch, Forms, c->nvalue + 1);
    e.buf_of = ARENA_ARRAY(c->scratch, uint32_t, c->nvalue + 1);
    e.read_by = ARENA_ARRAY(c->scratch, IrId, c->nvalue + 1);
    uint32_t *mark = ARENA_ARRAY(c->scratch, uint32_t, c->nvalue + 1);
    for (size_t v = 0; v < c->nvalue; v++) {
        e.form[v] = (Forms){PTENSOR_NONE, PTENSOR_NONE, PTENSOR_NONE, PTENSOR_NONE,
                            LOWERING_NPU, false,        false};
        e.buf_of[v] = BUF_NONE;
        e.read_by[v] = IR_NONE;
    }
    compile_emit_index_nodes(&e);
    Units u = compile_order_units(c);
    for (uint32_t k = 0; k < u.nordered; k++) {
        uint32_t unit = u.order[k];
        const IrId *op = &u.op[u.first[unit]];
        if (unit < c->nsegment)
            emit_segment(&e, unit, op, u.first[unit + 1] - u.first[unit], mark);
        else
            emit_host_op(&e, op[0]);
    }
    compile_emit_folded(&e);
    sram_schedule(&e);
}
