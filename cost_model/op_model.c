/* Computes the work of an operator per term, from the compiled program and the machine. */
#include "cost_model/op_model.h"
#include "graph/compile/layout.h"

static const int residual_table[LOWOP_KIND_COUNT] = {
#define RESIDUAL(kind, residual) [LOWOP_##kind] = COST_residual_##residual,
    COST_RESIDUALS(RESIDUAL)};

int op_residual_figure(const LowOp *op)
{
    if (op->kind == LOWOP_CONV2D && op->weight_bytes == 0)
        return COST_residual_unseen; /* a product of two activations */
    if (op->kind == LOWOP_CONV2D && op->group > 1)
        return COST_residual_depthwise;
    return residual_table[op->kind];
}

static bool has_term(const Term *t, LowOpKind kind)
{
    return t->kinds >> kind & 1;
}

Interval op_fixed_ns(const Costs *c, LowOpKind kind)
{
    Interval sum = interval_exact(0);
    for (int t = 0; t < c->nterm; t++)
        if (c->term[t].form == TERM_OPERATOR && has_term(&c->term[t], kind))
            sum = interval_add(sum, c->term[t].figure);
    return sum;
}

/* ---- sizes ---- */

double op_blocks(double a, double b)
{
    return ceil(a / b);
}

static double padded_width(const Machine *m, int64_t w)
{
    return op_blocks((double)w, m->width_multiple) * m->width_multiple;
}

static double out_rows(const LowOp *op)
{
    return (double)op->n * (double)op->c_out * (double)op->h_out;
}

static double out_bytes(const Machine *m, const LowOp *op)
{
    return out_rows(op) * padded_width(m, op->w_out);
}

double op_map_bytes(const Machine *m, const LowOp *op)
{
    if (op->row)
        return (double)op->bytes_in + (double)op->bytes_out;
    /* All inputs are padded as the largest is. */
    double padding = op->w_in > 0 ? padded_width(m, op->w_in) / (double)op->w_in : 1;
    return padding * (double)op->elements_in + out_bytes(m, op);
}

/* ---- the MAC array ---- */

/* Parts that the rows are dealt to; channels of a map of few rows go to all slices. */
static int height_parts(const Machine *m, const LowOp *op)
{
    int parts = layout_height_parts(m->slices_per_pe);
    return op->kind == LOWOP_DEPTHWISE && op->h_out < parts ? 1 : parts;
}

/* Steps that one pixel takes: output channels of one group share their input. */
static double channel_steps(const Machine *m, int pe, int row_parts, double channels, double shared)
{
    double parts = fmax(1, (double)m->slices_per_pe / row_parts) * pe;
    double height = fmax(1, fmin(shared, m->mac_height));
    return op_blocks(op_blocks(channels, parts), height);
}

/* Rows times columns of each product; the columns are output channels. */
static double product_cycles(const Machine *m, int pe, const LowOp *op)
{
    double matrices = (double)op->matrices, columns = (double)op->columns;
    double rows = (double)op->elements_out / (matrices * columns);
    return matrices *
           op_blocks(rows, (double)layout_height_parts(m->slices_per_pe) * m->mac_width) *
           (double)op->c_in *
           channel_steps(m, pe, layout_height_parts(m->slices_per_pe), columns, columns);
}

static double window_cycles(const Machine *m, int pe, const LowOp *op)
{
    double group = op->group > 0 ? (double)op->group : 1;
    double c_in = fmax(1, floor((double)op->c_in / group));
    double taps = (double)op->kernel_h * (double)op->kernel_w * c_in, c_out = (double)op->c_out;
    double pixels = op_blocks((double)op->h_out, height_parts(m, op)) *
                    op_blocks((double)op->w_out, m->mac_width);
    /* A transposed convolution multiplies fewer taps than its window has. */
    double full = (double)op->elements_out * taps;
    double real = full > (double)op->macs ? (double)op->macs / full : 1;
    return (double)op->n * pixels * taps * real *
           channel_steps(m, pe, height_parts(m, op), c_out, floor(c_out / group));
}

double op_mac_cycles(const Machine *m, int pe, const LowOp *op)
{
    if (op->macs <= 0 || op->elements_out <= 0 || op->c_out <= 0)
        return 0;
    return op->columns > 0 && op->matrices > 0 ? product_cycles(m, pe, op)
                                               : window_cycles(m, pe, op);
}

/* ---- rows ---- */

enum { RAW_CHANNELS = 4 };

double op_product_cycles(const Machine *m, double pixels, double taps, double cin, double cout)
{
    return op_blocks(pixels, m->pixel_block) * m->pixel_block *
           fmax(m->least_taps, taps * op_blocks(cin, m->mac_width)) *
           op_blocks(cout, m->mac_height);
}

static double row_cycles(const Machine *m, const LowOp *op)
{
    double pixels = (double)op->h_out * (double)op->w_out;
    double taps = (double)op->kernel_h * op->kernel_w, n = (double)op->n;
    if (op->weight_bytes <= 0 || op->c_out <= 0)
        return 0;
    if (op->kind != LOWOP_DEPTHWISE && op->c_in != 1)
        return n * op_product_cycles(m, pixels, taps, (double)op->c_in, (double)op->c_out);
    return n * op_blocks(pixels, m->pixel_block) * m->pixel_block * taps *
           op_blocks((double)op->c_out, m->depthwise_height);
}

int64_t op_row_cycles(const Machine *m, const LowOp *op)
{
    return op->row ? (int64_t)row_cycles(m, op) : 0;
}

static double table_outputs(const Machine *m, const LowOp *op)
{
    double channels = op_blocks((double)op->c_out, m->mac_height) * m->mac_height;
    return (double)op->n * (double)op->h_out * (double)op->w_out * channels * op->vector_passes;
}

/* ---- the program ---- */

/* The buffer that the op writes: a view's is its input's, and a Pad is done where its reader takes
 * that input. */
static LowOpId buffer_of(const LowOpId *buffer, const LowOp *op)
{
    bool keeps = op->zero_cost || op->kind == LOWOP_PAD;
    return keeps && op->ndep > 0 ? buffer[op->dep[0]] : op->id;
}

/* The most bytes of results that some later operator still reads, from when they are written. */
static double live_peak(const Program *p)
{
    Arena *scratch = arena_new(0);
    LowOpId *buffer = ARENA_ARRAY(scratch, LowOpId, p->nop + 1);
    LowOpId *last = ARENA_ARRAY(scratch, LowOpId, p->nop + 1);
    double *freed = ARENA_ARRAY(scratch, double, p->nop + 1), live = 0, most = 0;
    for (LowOpId i = 0; i < p->nop; i++) {
        buffer[i] = last[i] = i;
        for (uint32_t k = 0; k < p->op[i].ndep; k++)
            last[buffer[p->op[i].dep[k]]] = i;
        buffer[i] = buffer_of(buffer, &p->op[i]);
    }
    for (LowOpId i = 0; i < p->nop; i++)
        if (buffer[i] == i)
            freed[last[i]] += out_bytes(p->machine, &p->op[i]);
    for (LowOpId i = 0; i < p->nop; i++) {
        live += buffer[i] == i ? out_bytes(p->machine, &p->op[i]) : 0;
        most = fmax(most, live);
        live -= freed[i];
    }
    arena_free(scratch);
    return most;
}

static double images_of(const Program *p)
{
    return p->images > 1 ? (double)p->images : 1;
}

/* The larger end of what one image of the op needs in SRAM. */
static double need_bytes(const Program *p, const LowOp *op)
{
    bool moves = op->zero_cost || op->kind == LOWOP_PAD;
    return moves ? 0 : op_map_bytes(p->machine, op) / images_of(p);
}

OpModel op_model(const Program *p, const Costs *c)
{
    const Machine *m = p->machine;
    assert(p->options.pe >= 1);
    OpModel o = {
        .program = p,
        .costs = c,
        .ns_per_cycle = c->clock_hz.mid > 0 ? 1e9 / c->clock_hz.mid : 0,
        .sram_bytes = (double)m->sram_slice_bytes * m->slices_per_pe * p->options.pe,
        .live_bytes = live_peak(p) / images_of(p),
    };
    for (size_t i = 0; i < p->nop; i++) {
        o.weights += (double)p->op[i].weight_bytes;
        o.streamed_weights += p->op[i].streamed_bytes > 0 ? (double)p->op[i].weight_bytes : 0;
        o.largest_op_bytes = fmax(o.largest_op_bytes, need_bytes(p, &p->op[i]));
    }
    o.overflow_bytes = fmax(0, fmin(o.weights, o.weights + o.live_bytes - o.sram_bytes));
    return o;
}

/* Where the largest operator takes more of the SRAM than this, published times scatter. */
#define SRAM_WITH_EASE 0.8

double op_model_widening(const OpModel *m)
{
    bool calibrated = m->costs->info[COST_residual_conv].kind == KIND_CALIBRATED;
    bool tight = m->largest_op_bytes > SRAM_WITH_EASE * m->sram_bytes;
    return tight && !calibrated ? fmax(1, m->costs->residual_tight.mid) : 1;
}

/* ---- works ---- */

static double ps_to_ns(double work)
{
    return work * 1e-3;
}

/* Of the vector unit: what it reads and writes. */
static double moved_bytes(const LowOp *op)
{
    return op->row ? (double)(op->bytes_in + op->bytes_out)
                   : (double)(op->elements_in + op->elements_out);
}

/* What does not fit is shared out to the operators that the compiled program has read their weights
 * each time, as often as it does; to all where it has none. */
static double overflow_bytes(const OpModel *m, const LowOp *op)
{
    if (m->costs->carried)
        return (double)op->streamed_bytes;
    if (m->streamed_weights > 0)
        return m->overflow_bytes * (double)op->streamed_bytes / m->streamed_weights;
    return m->weights > 0 ? m->overflow_bytes * (double)op->weight_bytes / m->weights : 0;
}

static double spill_bytes(const OpModel *m, const LowOp *op)
{
    return m->costs->carried ? (double)(op->spill_bytes - op->streamed_bytes) : 0;
}

/* Of one PE, or of the fused ones where the term says that they divide it. */
static double form_work(const OpModel *m, const LowOp *op, const Term *t)
{
    const Machine *x = m->program->machine;
    double pe = t->fused == FUSED_DIVIDED && (op->joint || !op->row) ? m->program->options.pe : 1;
    double rows = op->row ? images_of(m->program) : 1; /* each image is a row, on one core */
    if (rows > 1)
        pe = rows / op_blocks(rows, m->program->options.pe);
    switch (t->form) {
    case TERM_OPERATOR:
        return rows > 1 ? rows / pe : 1;
    case TERM_ARRAY:
        return op_mac_cycles(x, (int)pe, op) * m->ns_per_cycle;
    case TERM_ACTIVATION:
        return out_rows(op) * op->vector_passes / pe;
    case TERM_ACTIVATION_BYTES:
        return ps_to_ns(out_bytes(x, op) * op->vector_passes) / pe;
    case TERM_OUTPUT_BYTES:
        return ps_to_ns(out_bytes(x, op)) / pe;
    case TERM_BYTES:
        return ps_to_ns(moved_bytes(op)) / pe;
    case TERM_WINDOW:
        return ps_to_ns((double)op->elements_out * op->vector_passes) / pe;
    case TERM_JOIN:
        return op->ninput > 1 ? ps_to_ns((op->ninput - 1) * out_bytes(x, op)) / pe : 0;
    case TERM_OVERSIZE:
        return m->costs->oversize_carried || need_bytes(m->program, op) <= m->sram_bytes
                   ? 0
                   : op_map_bytes(x, op) / pe;
    case TERM_WEIGHT:
        return rows * (double)op->weight_bytes / pe;
    case TERM_OVERFLOW:
        return overflow_bytes(m, op) / pe;
    case TERM_SPILL:
        return spill_bytes(m, op) / pe;
    case TERM_ROW_CYCLES:
        return row_cycles(x, op) * m->ns_per_cycle / pe;
    case TERM_STEM_CYCLES:
        return op->c_in <= RAW_CHANNELS ? row_cycles(x, op) * m->ns_per_cycle / pe : 0;
    case TERM_TABLE:
        return table_outputs(x, op) / pe;
    case TERM_READ:
        return (double)op->bytes_in / pe;
    case TERM_FORM_COUNT:
        break;
    }
    assert(t->form < TERM_FORM_COUNT);
    return 0;
}

static double term_work(const OpModel *m, const LowOp *op, const Term *t)
{
    double phi = t->fused == FUSED_PARTLY ? m->costs->fusion_phi.mid : 0;
    return has_term(t, op->kind) ? form_work(m, op, t) / (1 + phi * (m->program->options.pe - 1))
                                 : 0;
}

/* A view takes only what it takes as an operator. */
static void view_work(const OpModel *m, double work[TERM_MAX])
{
    const Costs *c = m->costs;
    for (int t = 0; t < c->nterm; t++)
        work[t] = c->term[t].form == TERM_OPERATOR && has_term(&c->term[t], LOWOP_RESHAPE);
}

/* The term beside which the term runs, -1 if none; activations may run beside the products. */
static int beside_of(const Costs *c, int term, bool activations)
{
    TermForm form = c->term[term].form;
    if (!activations || (form != TERM_ACTIVATION && form != TERM_ACTIVATION_BYTES))
        return c->term[term].beside;
    for (int t = 0; t < c->nterm; t++)
        if (c->term[t].form == TERM_ARRAY)
            return t;
    return -1;
}

/* Two units work beside each other: the longer hides the shorter. */
static void hide_beside(const Costs *c, double work[TERM_MAX], bool activations)
{
    double beside[TERM_MAX] = {0};
    for (int a = 0; a < c->nterm; a++) {
        int b = beside_of(c, a, activations);
        if (b >= 0)
            beside[b] += costs_term_ns(c, a, work[a]);
    }
    for (int b = 0; b < c->nterm; b++)
        beside[b] -= costs_term_ns(c, b, work[b]);
    for (int a = 0; a < c->nterm; a++) {
        int b = beside_of(c, a, activations);
        if (b >= 0)
            work[beside[b] > 0 ? b : a] = 0;
    }
}

void op_work(const OpModel *m, const LowOp *op, double work[TERM_MAX])
{
    const Costs *c = m->costs;
    double beside[TERM_MAX];
    assert(op->kind < LOWOP_KIND_COUNT && c->nterm <= TERM_MAX);
    memset(work, 0, TERM_MAX * sizeof *work);
    for (int t = 0; t < c->nterm && !op->zero_cost; t++)
        work[t] = term_work(m, op, &c->term[t]);
    if (op->zero_cost)
        view_work(m, work);
    for (int t = 0; t < c->nterm && c->calibration; t++)
        work[t] *= c->kind_factor[op->kind][t];
    memcpy(beside, work, sizeof beside);
    hide_beside(c, work, false);
    if (c->activation_beside > 0)
        hide_beside(c, beside, true);
    for (int t = 0; t < c->nterm && c->activation_beside > 0; t++)
        work[t] += c->activation_beside * (beside[t] - work[t]);
}
