/* OpModel: the time of one low-level op as a sum of terms. */
#include "cost_model/op_model.h"

#include <math.h>
#include <string.h>

const TermInfo term_table[TERM_COUNT] = {
#define X(id, figure, limit, part, split) {COST_##figure, LIMIT_##limit, PART_##part, split},
    TERMS(X)
#undef X
};

static const char *const limit_table[LIMIT_COUNT] = {
#define X(id, key) key,
    LIMITS(X)
#undef X
};

const char *limit_key(Limit l)
{
    return limit_table[l];
}

/* Per kind: the fixed cost, the array's term (TERM_COUNT: none), and the class of its residual.
 * Conv2d and DepthwiseConv2d are the vendor's names; average pooling appears as the latter. */
static const struct {
    Term fixed, array;
    int residual;
} kind_table[LOWOP_KIND_COUNT] = {
    [LOWOP_CONV2D] = {TERM_OP, TERM_MAC, COST_residual_conv},
    [LOWOP_DEPTHWISE] = {TERM_OP, TERM_DEPTHWISE, COST_residual_depthwise},
    [LOWOP_PAD] = {TERM_PAD, TERM_COUNT, COST_residual_move},
    [LOWOP_MASK] = {TERM_TRANSPOSE, TERM_COUNT, COST_residual_move},
    [LOWOP_EXPAND] = {TERM_VIEW, TERM_COUNT, COST_residual_move},
    [LOWOP_RESHAPE] = {TERM_VIEW, TERM_COUNT, COST_residual_move},
    [LOWOP_SLICE] = {TERM_VIEW, TERM_COUNT, COST_residual_move},
    [LOWOP_TRANSPOSE] = {TERM_TRANSPOSE, TERM_COUNT, COST_residual_move},
    [LOWOP_POOL] = {TERM_OP, TERM_COUNT, COST_residual_vector},
    [LOWOP_ELEMENTWISE] = {TERM_OP, TERM_COUNT, COST_residual_vector},
    [LOWOP_ACTIVATION] = {TERM_OP, TERM_COUNT, COST_residual_vector},
    [LOWOP_SOFTMAX] = {TERM_OP, TERM_COUNT, COST_residual_vector},
    [LOWOP_REDUCE] = {TERM_OP, TERM_COUNT, COST_residual_vector},
    [LOWOP_CONCAT] = {TERM_OP, TERM_COUNT, COST_residual_move},
    [LOWOP_SPLIT] = {TERM_OP, TERM_COUNT, COST_residual_move},
    [LOWOP_RESIZE] = {TERM_OP, TERM_COUNT, COST_residual_vector},
    [LOWOP_LOWER] = {TERM_TRANSPOSE, TERM_COUNT, COST_residual_move},
    [LOWOP_UNLOWER] = {TERM_TRANSPOSE, TERM_COUNT, COST_residual_move},
    [LOWOP_DEQUANTIZE] = {TERM_OP, TERM_COUNT, COST_residual_vector},
};

int op_residual_figure(LowOpKind k)
{
    return kind_table[k].residual;
}

OpModel op_model(const Program *p, const Costs *c)
{
    const Machine *m = p->machine;
    int pe = p->options.pe;
    OpModel o = {
        .program = p,
        .ns_per_cycle = 1e9 / c->clock_hz.mid,
        .share = 1 / (1 + c->fusion_phi.mid * (pe - 1)),
        .sram_bytes = m->sram_slice_bytes * m->slices_per_pe * pe,
    };
    int64_t weights = 0, peak = 0;
    for (size_t i = 0; i < p->nop; i++) {
        weights += p->op[i].weight_bytes;
        if (p->op[i].bytes_in + p->op[i].bytes_out > peak)
            peak = p->op[i].bytes_in + p->op[i].bytes_out;
    }
    /* Activations may take half of the SRAM before they push weights out: what is above is spilled
     * or tiled (facts of the published set: weights and activations share one memory). */
    int64_t held = peak < o.sram_bytes / 2 ? peak : o.sram_bytes / 2;
    int64_t over = weights + held - o.sram_bytes;
    o.overflow_ratio = over > 0 ? (double)over / (double)weights : 0;
    return o;
}

static int64_t div_up(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

/* Rows of the array that one pixel keeps busy: output channels of one group share their input. */
static int64_t rows_of(const Machine *m, const LowOp *op, int64_t channels)
{
    int64_t group = op->group > 0 ? op->group : 1;
    int64_t shared = op->c_out / group;
    int64_t height = shared < 1 ? 1 : shared < m->mac_height ? shared : m->mac_height;
    return div_up(channels, height);
}

double op_mac_cycles(const Machine *m, const LowOp *op)
{
    if (op->macs <= 0 || op->c_out <= 0 || op->h_out <= 0 || op->w_out <= 0)
        return 0;
    int64_t group = op->group > 0 ? op->group : 1;
    int64_t c_in = op->c_in / group > 0 ? op->c_in / group : 1;
    double window = (double)op->kernel_h * (double)op->kernel_w;
    /* Lanes along the width multiply one tap each; lanes along the channels reduce 32 at once. */
    double per_width = (double)div_up(op->w_out, m->mac_width) * window * (double)c_in;
    double per_channel = (double)op->w_out * window * (double)div_up(c_in, m->mac_width);
    double inner = fmin(per_width, per_channel), best = INFINITY;
    for (int64_t ho = 1; ho <= m->slices_per_pe; ho *= 2) {
        int64_t co = m->slices_per_pe / ho;
        double outer = (double)div_up(op->h_out, ho) *
                       (double)rows_of(m, op, div_up(op->c_out, co));
        best = fmin(best, outer);
    }
    double full = (double)op->n * (double)op->c_out * (double)op->h_out * (double)op->w_out *
                  window * (double)c_in;
    /* A transposed convolution multiplies fewer taps than its window has. */
    double real = full > (double)op->macs ? (double)op->macs / full : 1;
    return best * inner * (double)op->n * real;
}

static double above(double bytes, double limit)
{
    return bytes > limit ? bytes - limit : 0;
}

void op_work(const OpModel *m, const LowOp *op, double work[TERM_COUNT])
{
    memset(work, 0, TERM_COUNT * sizeof *work);
    Term fixed = op->zero_cost ? TERM_VIEW : kind_table[op->kind].fixed;
    Term array = kind_table[op->kind].array;
    work[fixed] = 1;
    if (op->zero_cost)
        return;
    if (array != TERM_COUNT)
        work[array] = op_mac_cycles(m->program->machine, op) * m->ns_per_cycle * m->share;
    double elements = (double)op->elements_out;
    work[TERM_VECTOR] = elements * op->vector_passes * 1e-3 * m->share;
    if (op->kind == LOWOP_CONCAT && op->ninput > 2)
        work[TERM_CONCAT] = elements * (op->ninput - 2) * 1e-3 * m->share;
    work[TERM_WEIGHT] = (double)op->weight_bytes;
    work[TERM_OVERFLOW] = (double)op->weight_bytes * m->overflow_ratio;
    work[TERM_SPILL] = above((double)op->bytes_in + (double)op->bytes_out, 0.75 * (double)m->sram_bytes);
}
