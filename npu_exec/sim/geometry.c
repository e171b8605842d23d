/* Counts the work of the slice that has the most. */
#include "npu_exec/sim/geometry.h"
#include "npu_exec/sim/ps.h"

static int64_t mul_nonnegative(int64_t a, int64_t b, int64_t c)
{
    return i64_mul(i64_mul(i64_max(a, 0), i64_max(b, 0)), i64_max(c, 0));
}

int64_t geometry_slice_elements(const SliceGrid *g, int64_t n, int64_t c, int64_t h, int64_t w)
{
    int64_t least = INT64_MAX;
    for (int64_t ho = 1; ho <= g->slices; ho *= 2) {
        int64_t part = i64_mul(i64_ceil_div(h, ho), i64_ceil_div(c, g->slices / ho));
        least = i64_min(least, mul_nonnegative(n, part, w));
    }
    return least;
}

static int64_t kernel_taps(const LowOp *op)
{
    return mul_nonnegative(i64_max(op->kernel_h, 1), i64_max(op->kernel_w, 1), 1);
}

static int64_t group_channels(const LowOp *op)
{
    return i64_ceil_div(op->c_in, i64_max(op->group, 1));
}

/* Steps for one cut: `hi` rows of the image, `rows` row groups of the array. */
static int64_t steps_of_cut(const SliceGrid *g, const LowOp *op, int64_t hi, int64_t rows)
{
    int64_t lines = i64_mul(hi, rows), k = kernel_taps(op);
    int64_t by_width = mul_nonnegative(lines, i64_ceil_div(op->w_out, g->mac_width),
                                       i64_mul(k, group_channels(op)));
    if (op->kind == LOWOP_DEPTHWISE)
        return by_width;
    int64_t by_channel = mul_nonnegative(
        lines, op->w_out, i64_mul(k, i64_ceil_div(group_channels(op), g->mac_width)));
    return i64_min(by_width, by_channel);
}

/* Rows of all products lie along the lanes, columns are channels. */
static int64_t product_steps(const SliceGrid *g, const LowOp *op)
{
    int64_t results = mul_nonnegative(op->matrices, op->columns, 1), least = INT64_MAX;
    int64_t rows = i64_ceil_div(op->elements_out, results);
    for (int64_t ho = 1; ho <= g->slices; ho *= 2) {
        int64_t lanes = i64_ceil_div(i64_ceil_div(rows, ho), g->mac_width);
        int64_t channels = i64_ceil_div(i64_ceil_div(op->columns, g->slices / ho), g->mac_height);
        least = i64_min(least, mul_nonnegative(lanes, channels, op->c_in));
    }
    return i64_mul(least, op->matrices);
}

int64_t geometry_array_steps(const SliceGrid *g, const LowOp *op)
{
    int64_t least = INT64_MAX;
    if (op->columns > 0 && op->matrices > 0)
        return product_steps(g, op);
    for (int64_t ho = 1; ho <= g->slices; ho *= 2) {
        int64_t ci = i64_ceil_div(op->c_out, g->slices / ho);
        int64_t rows = op->kind == LOWOP_DEPTHWISE ? ci : i64_ceil_div(ci, g->mac_height);
        least = i64_min(least, steps_of_cut(g, op, i64_ceil_div(op->h_out, ho), rows));
    }
    return i64_mul(least, i64_max(op->n, 1));
}

int64_t geometry_op_macs(const LowOp *op)
{
    int64_t out = i64_mul(mul_nonnegative(op->n, op->c_out, op->h_out), op->w_out);
    return i64_mul(out, i64_mul(kernel_taps(op), group_channels(op)));
}
