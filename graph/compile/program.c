/* Names the parts of a program and hashes steps and low-level ops to keys. */
#include "graph/compile/program.h"

#include "graph/compile/layout.h"
#include "graph/edit/opset.h"

ENUM_WORDS(precision_name, Precision, PRECISION_COUNT, "int8", "calibrated", "assumed-ptq")

int64_t program_newest_ir(Sdk sdk)
{
    return sdk >= SDK_0_10 ? OPSET_IR_SDK_0_10 : OPSET_IR_SDK_0_9;
}

bool program_is_for_quantizer(const Program *p)
{
    return p->precision == PRECISION_ASSUMED_PTQ && !p->model->source &&
           machine_quantizer(p->machine, p->options.sdk);
}

ENUM_WORDS(
    step_kind_name, StepKind,
    STEP_D2H + 1, [STEP_HOST] = "host", [STEP_H2D] = "h2d", [STEP_NPU] = "npu", [STEP_D2H] = "d2h")

#define X(id, name) name,
ENUM_WORDS(program_host_op_name, HostOp, HOST_OP_COUNT, "none", HOST_OPS(X))
ENUM_WORDS(program_lowop_name, LowOpKind, LOWOP_KIND_COUNT, LOWOPS(X))
ENUM_WORDS(reason_key, Reason, REASON_COUNT, REASONS(X))
#undef X

LowOpKind program_lowop_from_word(const char *word)
{
    static const char vendor[] = "LowLevel";
    return LIST_VALUE(k, LOWOP_KIND_COUNT,
                      strcmp(word, program_lowop_name((LowOpKind)k) + sizeof vendor - 1) == 0,
                      (LowOpKind)k, LOWOP_KIND_COUNT);
}

ENUM_WORDS(layout_name, Layout, LAYOUT_LOWERED + 1, [LAYOUT_PLAIN] = "plain",
           [LAYOUT_PADDED] = "padded", [LAYOUT_LOWERED] = "lowered")

/* rows of the array: one output channel each where a group shares its input, else one in all. */
LowOpCycles program_lowop_cycles(const Machine *m, const LowOp *op)
{
    LowOpCycles best = {0, 0, 1, m->slices_per_pe};
    if (op->macs <= 0 || op->c_out <= 0 || op->h_out <= 0 || op->w_out <= 0)
        return best;
    int64_t shared = op->c_out / op->group, rows = shared < m->mac_height ? shared : m->mac_height;
    int64_t c_in = op->c_in / op->group > 0 ? op->c_in / op->group : 1;
    int64_t taps = layout_size_mul(op->kernel_h, op->kernel_w);
    int64_t per_w =
        layout_size_mul(layout_size_mul(i64_ceil_div(op->w_out, m->mac_width), taps), c_in);
    int64_t per_channel =
        layout_size_mul(layout_size_mul(op->w_out, taps), i64_ceil_div(c_in, m->mac_width));
    for (int ho = 1; ho <= m->slices_per_pe; ho *= 2) {
        int co = m->slices_per_pe / ho;
        int64_t outer =
            layout_size_mul(i64_ceil_div(op->h_out, ho),
                            i64_ceil_div(i64_ceil_div(op->c_out, co), rows > 0 ? rows : 1));
        outer = layout_size_mul(outer, op->n);
        LowOpCycles now = {layout_size_mul(outer, per_w), layout_size_mul(outer, per_channel), ho,
                           co};
        if (ho == 1 || now.width < best.width)
            best = now;
    }
    return best;
}

static uint64_t hash_int(uint64_t h, int64_t v)
{
    return strmap_hash_bytes(h, &v, sizeof v);
}

uint64_t program_lowop_key(const Program *p, const LowOp *op)
{
    const int64_t geometry[] = {
        op->kind,     op->n,           op->c_out,         op->h_out,      op->w_out,
        op->c_in,     op->h_in,        op->w_in,          op->kernel_h,   op->kernel_w,
        op->stride_h, op->stride_w,    op->dilation_h,    op->dilation_w, op->group,
        op->ninput,   op->macs,        op->bytes_in,      op->bytes_out,  op->weight_bytes,
        op->tiles,    op->spill_bytes, op->vector_passes, op->zero_cost,  p->options.pe};
    return strmap_hash_bytes(HASH_SEED, geometry, sizeof geometry);
}

/* What surrounds a step: the kinds and operators of those it waits for. */
static uint64_t before_key(const Program *p, const Step *s, uint64_t h)
{
    for (uint32_t i = 0; i < s->ndep; i++) {
        const Step *d = &p->step[s->dep[i]];
        h = hash_int(strmap_hash_string(h, d->op), d->kind);
    }
    return h;
}

static uint64_t host_key(const Program *p, const Step *s, uint64_t h)
{
    uint64_t sum = 0; /* in no order: node ids follow the file */
    for (uint32_t i = 0; s->host_op == HOST_OPERATOR && i < s->nnode; i++)
        sum += node_fingerprint(p->model->graph, s->node[i]);
    return hash_int(h, (int64_t)sum);
}

uint64_t step_key(const Program *p, const Step *s)
{
    const int64_t fact[] = {s->kind,     s->host_op,  s->io,        s->io_index, s->from, s->to,
                            s->elements, s->bytes_in, s->bytes_out, s->macs,     s->nop};
    uint64_t h = strmap_hash_string(strmap_hash_bytes(HASH_SEED, fact, sizeof fact), s->op);
    for (uint32_t i = 0; i < s->nop; i++)
        h = hash_int(h, (int64_t)program_lowop_key(p, &p->op[s->first_op + i]));
    if (s->kind == STEP_HOST)
        h = host_key(p, s, h);
    return before_key(p, s, h);
}

const bool *program_nodes_on_npu(Arena *a, const Program *p)
{
    bool *on = ARENA_ARRAY(a, bool, p->model->graph->nnode + 1);
    for (size_t i = 0; i < p->nop; i++)
        for (uint32_t k = 0; k < p->op[i].nnode; k++)
            on[p->op[i].node[k]] = true;
    return on;
}
