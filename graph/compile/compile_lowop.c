/* Appends low-level ops and the buffers between them to the program. */
#include "graph/compile/compile_lower.h"

static uint32_t buf_add(Lower *l, TensorId tensor, const Geometry *g)
{
    CompileEmit *e = l->e;
    uint32_t id = (uint32_t)e->nbuf;
    LowBuf *b = VEC_PUSH(l->c->scratch, e->buf, e->nbuf, e->buf_cap);
    *b = (LowBuf){.root = id, .maker = LOWOP_NONE, .tensor = tensor, .g = *g};
    b->lowered = layout_lower(l->c->machine, l->c->options->pe, g);
    b->bytes = b->lowered.bytes;
    return id;
}

uint32_t lower_new_buffer(Lower *l, ValueId v)
{
    const CompileValue *value = &l->c->value[v];
    return l->e->buf_of[v] = buf_add(l, value->tensor, &value->g);
}

static void op_buf_add(Lower *l, uint32_t buf)
{
    *VEC_PUSH(l->c->scratch, l->e->op_buf, l->e->nop_buf, l->e->op_buf_cap) = buf;
}

void lower_add_dep(LowOpId *dep, uint32_t *n, LowOpId id)
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

LowOp *lower_add_op(Lower *l, LowOpKind kind, const uint32_t *in, uint32_t nin)
{
    CompileEmit *e = l->e;
    Program *p = e->p;
    LowOpId id = (LowOpId)p->nop;
    LowOp *op = VEC_PUSH(l->c->arena, p->op, p->nop, e->op_cap);
    *op = (LowOp){
        .id = id, .kind = kind, .step = l->step->id, .group = 1, .ninput = (int)nin, .tiles = 1};
    op->kernel_h = op->kernel_w = op->stride_h = op->stride_w = 1;
    op->dilation_h = op->dilation_w = 1;
    assert(l->step->kind == STEP_NPU);
    LowUse *u = VEC_PUSH(l->c->scratch, e->use, e->nuse, e->use_cap);
    *u = (LowUse){.first = (uint32_t)e->nop_buf, .nin = nin};
    LowOpId *dep = ARENA_ARRAY(l->c->arena, LowOpId, nin + 1);
    int64_t largest = -1;
    for (uint32_t i = 0; i < nin; i++) {
        assert(in[i] < e->nbuf);
        op_buf_add(l, in[i]);
        const LowBuf *b = &e->buf[in[i]];
        if (b->maker != LOWOP_NONE)
            lower_add_dep(dep, &op->ndep, b->maker);
        int64_t n = layout_elements(&b->g);
        op->elements_in = layout_size_add(op->elements_in, n);
        op->bytes_in = layout_size_add(op->bytes_in, b->lowered.bytes);
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

void lower_add_output(Lower *l, LowOp *op, uint32_t buf)
{
    assert(buf < l->e->nbuf && op->id + 1 == l->e->p->nop);
    LowBuf *b = &l->e->buf[buf];
    b->maker = op->id;
    op_buf_add(l, buf);
    l->e->use[l->e->nuse - 1].nout++;
    op->elements_out = layout_size_add(op->elements_out, layout_elements(&b->g));
    op->bytes_out = layout_size_add(op->bytes_out, b->lowered.bytes);
    op->n = b->g.n;
    op->c_out = b->g.c;
    op->h_out = b->g.h;
    op->w_out = b->g.w;
}

void lower_add_nodes(Lower *l, LowOp *op, IrId ir)
{
    op->node = l->e->nodes_of_ir[ir];
    op->nnode = l->e->nnodes_of_ir[ir];
}

void lower_make_view(Lower *l, LowOp *op, uint32_t in, uint32_t out)
{
    assert(in != out);
    op->zero_cost = true;
    l->e->buf[out].root = l->e->buf[in].root;
}

uint32_t lower_add_between(Lower *l, LowOpKind kind, IrId ir, uint32_t in, const Geometry *g)
{
    TensorId tensor = l->e->buf[in].tensor;
    uint32_t out = buf_add(l, tensor, g);
    LowOp *op = lower_add_op(l, kind, &in, 1);
    lower_add_nodes(l, op, ir);
    lower_add_output(l, op, out);
    return out;
}

uint32_t lower_add_view(Lower *l, LowOpKind kind, IrId ir, uint32_t in, const Geometry *g)
{
    uint32_t out = lower_add_between(l, kind, ir, in, g);
    lower_make_view(l, &l->e->p->op[l->e->p->nop - 1], in, out);
    return out;
}
