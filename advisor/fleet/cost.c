/* Computes the cost from the number of nodes and the size of the trace, with figures fitted to
 * public models. */
#include "advisor/fleet/cost.h"

/* Seconds of one 2.x GHz core; only their ratios matter. */
static const double start_s = 0.02, throughput_factor = 1.7, nodes_s = 4.2e-6, exponent = 1.5,
                    trace_s = 0.03, trace_s_per_byte = 3.5e-9;

int64_t cost_of_advice_us(size_t nodes, int64_t trace_bytes)
{
    double s = start_s + nodes_s * pow((double)nodes, exponent);
    if (trace_bytes > 0)
        s += trace_s + trace_s_per_byte * (double)trace_bytes;
    assert(s >= start_s);
    return (int64_t)(s * 1e6);
}

int64_t cost_under_throughput_us(int64_t cost_us)
{
    double start_us = start_s * 1e6, more_us = (double)cost_us - start_us;
    return more_us > 0 ? (int64_t)(start_us + throughput_factor * more_us) : cost_us;
}
