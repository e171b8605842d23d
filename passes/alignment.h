/* Tells how far channel counts can grow before the MAC array needs more cycles. */
#pragma once

#include "graph/compile/program.h"

/* The largest channel counts that cost the array no more cycles than the op's own.  The op's own
 * counts where nothing is idle, and for an image's few input channels, which no one chose. */
typedef struct {
    int64_t c_in, c_out;
} FullChannels;
FullChannels alignment_full_channels(const Machine *m, int pe, const LowOp *op);

/* Share of the array's work that the missing channels leave undone: 0 when aligned. */
double alignment_idle_share(const LowOp *op, const FullChannels *full);
