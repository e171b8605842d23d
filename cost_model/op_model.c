/* Computes the work of an operator per term, from the compiled program and the machine. */
#include "cost_model/op_model.h"

#include <assert.h>
#include <math.h>
#include <string.h>

const TermInfo term_table[TERM_COUNT] = {
#define X(id, name, figure, limit, part, split)                                                    \
    {name, COST_##figure, LIMIT_##limit, PART_##part, split},
    TERMS(X)
#undef X
};

int term_from_name(const char *name)
{
    for (int t = 0; t < TERM_COUNT; t++)
        if (strcmp(term_table[t].name, name) == 0)
            return t;
    return -1;
}

static const char *const limit_table[LIMIT_COUNT] = {
#define X(id, key) key,
    LIMITS(X)
#undef X
};

const char *limit_key(Limit l)
{
    assert(l < LIMIT_COUNT);
    return limit_table[l];
}

/* Per kind: the fixed cost and the class of its residual.  Conv2d and DepthwiseConv2d are the
 * vendor's names; average pooling appears as the latter. */
static const struct {
    Term fixed;
    int residual;
} kind_table[] = {
    [LOWOP_CONV2D] = {TERM_OP, COST_residual_conv},
    [LOWOP_DEPTHWISE] = {TERM_DEPTHWISE_OP, COST_residual_depthwise},
    [LOWOP_PAD] = {TERM_PAD, COST_residual_move},
    [LOWOP_MASK] = {TERM_TRANSPOSE, COST_residual_unseen},
    [LOWOP_EXPAND] = {TERM_VIEW, COST_residual_move},
    [LOWOP_RESHAPE] = {TERM_VIEW, COST_residual_move},
    [LOWOP_SLICE] = {TERM_VIEW, COST_residual_move},
    [LOWOP_TRANSPOSE] = {TERM_TRANSPOSE, COST_residual_unseen},
    [LOWOP_POOL] = {TERM_OP, COST_residual_vector},
    [LOWOP_ELEMENTWISE] = {TERM_OP, COST_residual_vector},
    [LOWOP_ACTIVATION] = {TERM_OP, COST_residual_unseen},
    [LOWOP_SOFTMAX] = {TERM_OP, COST_residual_unseen},
    [LOWOP_REDUCE] = {TERM_OP, COST_residual_unseen},
    [LOWOP_CONCAT] = {TERM_OP, COST_residual_move},
    [LOWOP_SPLIT] = {TERM_OP, COST_residual_move},
    [LOWOP_RESIZE] = {TERM_OP, COST_residual_vector},
    [LOWOP_LOWER] = {TERM_TRANSPOSE, COST_residual_unseen},
    [LOWOP_UNLOWER] = {TERM_TRANSPOSE, COST_residual_unseen},
    [LOWOP_DEQUANTIZE] = {TERM_OP, COST_residual_unseen},
};
static_assert(sizeof kind_table / sizeof *kind_table == LOWOP_KIND_COUNT, "a row for each kind");

int op_residual_figure(const LowOp *op)
{
    if (op->kind == LOWOP_CONV2D && op->weight_bytes == 0)
        return COST_residual_unseen; /* a product of two activations */
    if (op->kind == LOWOP_CONV2D && op->group > 1)
        return COST_residual_depthwise;
    return kind_table[op->kind].residual;
}

Interval op_fixed_ns(const Costs *c, LowOpKind kind)
{
    return costs_figure(c, term_table[kind_table[kind].fixed].figure);
}

OpModel op_model(const Program *p, const Costs *c)
{
    const Machine *m = p->machine;
    int pe = p->options.pe;
    assert(pe >= 1);
    OpModel o = {
        .program = p,
        .ns_per_cycle = 1e9 / c->clock_hz.mid,
        .row_bytes = c->row_bytes.mid,
        .costs = c,
        .share = 1 / (1 + c->fusion_phi.mid * (pe - 1)),
        .sram_bytes = m->sram_slice_bytes * m->slices_per_pe * pe,
    };
    int64_t weights = 0;
    for (size_t i = 0; i < p->nop; i++)
        weights += p->op[i].weight_bytes;
    if (weights > o.sram_bytes)
        o.overflow_ratio = (double)(weights - o.sram_bytes) / (double)weights;
    return o;
}

/* Slices, lanes and their splits are powers of two: a shift takes a tenth of a division, and this
 * is most of what a prediction does. */
static int64_t div_up_fast(int64_t a, int64_t b)
{
    if ((b & (b - 1)) == 0)
        return (a + b - 1) >> __builtin_ctzll((unsigned long long)b);
    return (a + b - 1) / b;
}

/* Rows of the array that one pixel keeps busy: output channels of one group share their input. */
static int64_t rows_of(const Machine *m, const LowOp *op, int64_t channels)
{
    int64_t group = op->group > 0 ? op->group : 1;
    int64_t shared = op->c_out / group;
    int64_t height = shared < 1 ? 1 : shared < m->mac_height ? shared : m->mac_height;
    return div_up_fast(channels, height);
}

double op_mac_cycles(const Machine *m, const LowOp *op)
{
    if (op->macs <= 0 || op->c_out <= 0 || op->h_out <= 0 || op->w_out <= 0)
        return 0;
    int64_t group = op->group > 0 ? op->group : 1;
    int64_t c_in = op->c_in / group > 0 ? op->c_in / group : 1;
    double window = (double)op->kernel_h * (double)op->kernel_w;
    /* Lanes along the width multiply one tap each; lanes along the channels reduce 32 at once. */
    double per_width = (double)div_up_fast(op->w_out, m->mac_width) * window * (double)c_in;
    double per_channel = (double)op->w_out * window * (double)div_up_fast(c_in, m->mac_width);
    double inner = fmin(per_width, per_channel), best = INFINITY;
    for (int64_t ho = 1; ho <= m->slices_per_pe; ho *= 2) {
        int64_t co = m->slices_per_pe / ho;
        double outer =
            (double)div_up_fast(op->h_out, ho) * (double)rows_of(m, op, div_up_fast(op->c_out, co));
        best = fmin(best, outer);
    }
    double full = (double)op->n * (double)op->c_out * (double)op->h_out * (double)op->w_out *
                  window * (double)c_in;
    /* A transposed convolution multiplies fewer taps than its window has. */
    double real = full > (double)op->macs ? (double)op->macs / full : 1;
    assert(real > 0 && real <= 1 && best < INFINITY);
    return best * inner * (double)op->n * real;
}

static double padded_width(const Machine *m, int64_t w)
{
    return (double)(div_up_fast(w, m->width_multiple) * m->width_multiple);
}

double lowered_bytes(const Machine *m, int pe, int64_t n, int64_t c, int64_t h, int64_t w)
{
    int64_t slices = (int64_t)m->slices_per_pe * pe;
    double best = INFINITY;
    for (int64_t ho = 1; ho <= slices; ho *= 2)
        best = fmin(best, (double)div_up_fast(h, ho) * (double)div_up_fast(c, slices / ho));
    return best * padded_width(m, w) * (double)n * (double)slices;
}

double op_row_bytes(const Machine *m, int pe, double longer, int64_t n, int64_t c, int64_t h,
                    int64_t w)
{
    double width = padded_width(m, w);
    return width > 0 ? lowered_bytes(m, pe, n, c, h, w) * (1 + longer / width) : 0;
}

/* Windows of up to 3 x 3 pass once, larger ones in proportion; other ops as the compiler says. */
static double vector_passes(const LowOp *op)
{
    if (op->kind != LOWOP_POOL)
        return op->vector_passes;
    return fmax(1, (double)op->kernel_h * (double)op->kernel_w / 9);
}

/* Groups of images that the op takes one after the other. */
static double groups_of(const OpModel *m, const LowOp *op)
{
    int64_t groups = m->program->groups;
    return groups > 1 && op->n % groups == 0 ? (double)groups : 1;
}

/* Bytes of the op's maps, of all its images.  All inputs are padded as the largest is. */
static double map_bytes(const OpModel *m, const LowOp *op)
{
    const Machine *x = m->program->machine;
    int pe = m->program->options.pe;
    double in = lowered_bytes(x, pe, op->n, op->c_in, op->h_in, op->w_in);
    double out = lowered_bytes(x, pe, op->n, op->c_out, op->h_out, op->w_out);
    double largest = (double)op->n * (double)op->c_in * (double)op->h_in * (double)op->w_in;
    double padding = largest > 0 ? in / largest : 1;
    return padding * (double)op->elements_in + out;
}

/* How often the compiled program reads weights that do not stay: once for each group of images,
 * unless the maps of all groups fit side by side. */
static double weight_reads(const LowOp *op)
{
    double weights = (double)op->weight_bytes;
    return weights > 0 ? fmax(1, (double)op->streamed_bytes / weights) : 1;
}

/* A quarter of the SRAM is left for weights and for the next op's input; what a group of images
 * takes beyond the rest goes through DRAM.  Which ops that hits, whole networks do not tell (all
 * weights share what does not fit); where single ops were measured, the compiled program does. */
static void fill_dram(const OpModel *m, const LowOp *op, double work[TERM_COUNT])
{
    if (m->costs->carried) {
        work[TERM_WEIGHT] = (double)op->weight_bytes;
        work[TERM_OVERFLOW] = (double)op->streamed_bytes;
        work[TERM_SPILL] = (double)(op->spill_bytes - op->streamed_bytes);
        return;
    }
    double room = 0.75 * (double)m->sram_bytes, maps = map_bytes(m, op), groups = groups_of(m, op);
    double over = maps / groups - room;
    work[TERM_WEIGHT] = (double)op->weight_bytes;
    work[TERM_OVERFLOW] = (double)op->weight_bytes * m->overflow_ratio * weight_reads(op);
    work[TERM_SPILL] = over > 0 ? over * groups : 0;
}

static void fill_work(const OpModel *m, const LowOp *op, double work[TERM_COUNT])
{
    const Machine *machine = m->program->machine;
    int pe = m->program->options.pe;
    double out = op_row_bytes(machine, pe, m->row_bytes, op->n, op->c_out, op->h_out, op->w_out);
    work[kind_table[op->kind].fixed] = 1;
    work[TERM_VECTOR] = out * vector_passes(op) * 1e-3 * m->share;
    if (op->kind == LOWOP_CONCAT && op->ninput > 1) {
        work[TERM_CONCAT] = out * 1e-3 * m->share;
        work[TERM_CONCAT_MORE] = out * (op->ninput - 2) * 1e-3 * m->share;
    }
    if (op->kind == LOWOP_CONV2D || op->kind == LOWOP_DEPTHWISE) {
        work[TERM_MAC] = op_mac_cycles(machine, op) * m->ns_per_cycle * m->share;
        work[TERM_FETCH] =
            1e-3 * op_row_bytes(machine, pe, m->row_bytes, op->n, op->c_in, op->h_in, op->w_in);
    }
    fill_dram(m, op, work);
}

/* The array multiplies one image while the vector unit has the one before it: all but one of the
 * images of the shorter stage are hidden behind the longer one. */
static void hide_shorter(const OpModel *m, double images, double work[TERM_COUNT])
{
    double array = work[TERM_MAC] * m->costs->mac_kappa.mid;
    double vector = work[TERM_VECTOR] * m->costs->vector_ps.mid;
    if (array > vector)
        work[TERM_VECTOR] /= images;
    else
        work[TERM_MAC] /= images;
}

void op_work(const OpModel *m, const LowOp *op, double work[TERM_COUNT])
{
    assert(op->kind < LOWOP_KIND_COUNT);
    memset(work, 0, TERM_COUNT * sizeof *work);
    if (op->zero_cost)
        work[TERM_VIEW] = 1;
    else
        fill_work(m, op, work);
    for (int t = 0; t < TERM_COUNT && m->costs->calibration; t++)
        work[t] *= m->costs->kind_factor[op->kind][t];
    if (m->costs->carried && op->macs > 0 && op->n > 1)
        hide_shorter(m, (double)op->n, work);
}
