/* Turns the blocks of a row into times of its engine and of the memory. */
#include "npu_exec/sim/row_plan.h"
#include "graph/compile/machine.h"
#include "npu_exec/sim/dram.h"

enum { MILLI = 1000, BLOCKS_MAX = 256, HALVES = 2 };

static int64_t round_up(int64_t n, int64_t multiple)
{
    return i64_mul(i64_ceil_div(n, multiple), multiple);
}

/* Groups of pixels by groups of channels, each as many cycles as the window has taps. */
static int64_t array_steps(const Machine *m, const LowOp *op)
{
    int64_t pixels = round_up(i64_mul(op->h_out, op->w_out), m->pixel_block);
    int64_t taps = i64_mul(i64_max(op->kernel_h, 1), i64_max(op->kernel_w, 1));
    int64_t images = i64_mul(i64_max(op->n, 1), pixels);
    if (op->kind == LOWOP_DEPTHWISE)
        return i64_mul(i64_mul(images, taps), i64_ceil_div(op->c_out, m->depthwise_height));
    int64_t depth = i64_ceil_div(i64_ceil_div(op->c_in, i64_max(op->group, 1)), m->mac_width);
    return i64_mul(i64_mul(images, i64_max(i64_mul(taps, depth), m->least_taps)),
                   i64_ceil_div(op->c_out, m->mac_height));
}

static Ps rate_time(const Silicon *si, int64_t bytes, int64_t milli_rate)
{
    return silicon_cycles(si, i64_mul_div(bytes, MILLI * MILLI, milli_rate));
}

/* Products, and the table unit that takes their results as they come: the slower one holds. */
static Ps product_time(const Silicon *si, const Program *p, const LowOp *op)
{
    int64_t cores = op->joint ? p->options.pe : 1;
    Ps array = silicon_cycles(si, i64_mul(array_steps(p->machine, op), si->array_step)) / cores;
    int64_t pixels = i64_mul(i64_max(op->n, 1), i64_mul(op->h_out, op->w_out));
    int64_t results = i64_mul(pixels, round_up(op->c_out, p->machine->mac_height));
    return op->vector_passes ? i64_max(array, rate_time(si, results, si->table_rate)) : array;
}

static Ps compute_time(const Silicon *si, const Program *p, const LowOp *op)
{
    if (op->kind == LOWOP_CONV2D || op->kind == LOWOP_DEPTHWISE)
        return product_time(si, p, op);
    bool tabled = op->vector_passes || op->kind == LOWOP_SOFTMAX || op->kind == LOWOP_REDUCE;
    bool gathers = op->kind == LOWOP_CONCAT || op->kind == LOWOP_SPLIT;
    return rate_time(si, op->bytes_out,
                     tabled                     ? si->table_rate
                     : gathers                  ? si->gather_rate
                     : op->kind == LOWOP_POOL   ? si->pool_rate
                     : op->kind == LOWOP_RESIZE ? si->resize_rate
                                                : si->commit_rate);
}

/* Rows of the input that one block reads for the windows of the one before it. */
static int64_t halo_bytes(const LowOp *op)
{
    int64_t rows = i64_max(op->kernel_h - op->stride_h, 0);
    return i64_mul(rows, op->bytes_in / i64_max(op->h_in, 1));
}

PlanEntry row_plan(const Silicon *si, const Program *p, const LowOp *op)
{
    PlanEntry e = {.op = op->id, .nblock = 1, .command = ps_service(si->row_start)};
    if (op->kind == LOWOP_RESHAPE) {
        e.command = silicon_cycles(si, si->view_command);
        return e;
    }
    int64_t part = i64_max(p->machine->sram_slice_bytes / HALVES, 1);
    int64_t n = i64_min(i64_max(i64_ceil_div(op->bytes_in, part), 1), BLOCKS_MAX);
    int64_t weights = i64_mul_div(op->weight_bytes, si->weight_spread, MILLI * MILLI);
    e.nblock = (uint32_t)n;
    e.array =
        ps_service(i64_ceil_div(compute_time(si, p, op), n) + silicon_cycles(si, si->array_fill));
    e.load_bytes = i64_ceil_div(op->bytes_in, n) + (n > 1 ? halo_bytes(op) : 0);
    e.store_bytes = i64_ceil_div(op->bytes_out, n);
    e.first_bytes = op->weight_bytes;
    e.load = dram_work(si, e.load_bytes);
    e.store = dram_work(si, e.store_bytes);
    e.weights = dram_work(si, weights);
    e.barrier = silicon_cycles(si, si->slice_barrier);
    e.waits_store = true;
    return e;
}
