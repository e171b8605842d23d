/* Searches by bisection for the last channel count that takes no more MAC-array cycles. */
#include "passes/alignment.h"
#include "cost_model/op_model.h"
#include "passes/pixels.h"

/* The array of as many PEs as the program uses together. */
typedef struct {
    const Machine *machine;
    int pe;
} Array;

/* Channels are looked for this many rows or lanes further: one block of every slice. */
static int64_t channel_search_range(const Array *a)
{
    const Machine *m = a->machine;
    int64_t lanes = m->mac_height > m->mac_width ? m->mac_height : m->mac_width;
    return lanes * m->slices_per_pe * a->pe;
}

/* Cycles with other channel counts; all else stays, work included, which scales with them. */
static double cycles_with(const Array *a, const LowOp *op, int64_t c_in, int64_t c_out)
{
    LowOp other = *op;
    other.c_in = c_in;
    other.c_out = c_out;
    double grown = ((double)c_in * (double)c_out) / ((double)op->c_in * (double)op->c_out);
    other.macs = (int64_t)((double)op->macs * grown);
    other.elements_out = op->elements_out / op->c_out * c_out;
    other.columns = op->columns > 0 ? c_out : 0;
    return op_mac_cycles(a->machine, a->pe, &other);
}

/* Cycles never fall with more channels, so the last count that still fits is found by halving. */
static int64_t max_channels_within(const Array *a, const LowOp *op, int64_t c_in, bool of_input)
{
    int64_t low = of_input ? op->c_in : op->c_out, high = low + channel_search_range(a);
    double limit = cycles_with(a, op, c_in, op->c_out) * (1 + 1e-9);
    while (low < high) {
        int64_t mid = low + (high - low + 1) / 2;
        double cycles =
            of_input ? cycles_with(a, op, mid, op->c_out) : cycles_with(a, op, c_in, mid);
        if (cycles <= limit)
            low = mid;
        else
            high = mid - 1;
    }
    assert(low >= (of_input ? op->c_in : op->c_out));
    return low;
}

FullChannels alignment_full_channels(const Machine *m, int pe, const LowOp *op)
{
    FullChannels full = {op->c_in, op->c_out};
    const Array a = {m, pe};
    /* Of a product of rank 3 and more the columns are no channels. */
    if ((op->columns != 0 && op->columns != op->c_out) || op->macs <= 0 || op->group > 1 ||
        op->c_in <= 0 || op->c_out <= 0)
        return full;
    if (op->c_in > PIXELS_CHANNELS_MAX)
        full.c_in = max_channels_within(&a, op, op->c_in, true);
    full.c_out = max_channels_within(&a, op, full.c_in, false);
    return full;
}

double alignment_idle_share(const LowOp *op, const FullChannels *full)
{
    assert(full->c_in >= op->c_in && full->c_out >= op->c_out);
    double filled = (double)full->c_in * (double)full->c_out;
    return filled > 0 ? 1 - (double)op->c_in * (double)op->c_out / filled : 0;
}
