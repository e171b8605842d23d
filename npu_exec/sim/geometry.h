/* Counts the steps of a slice from shapes and the machine alone.
 *
 * A tensor is cut over S slices as ho parts of the height times co parts of the channels,
 * ho * co = S, both powers of two.  Every count below is for the slice with the most work. */
#pragma once

#include "graph/compile/program.h"

typedef struct {
    int64_t slices, mac_width, mac_height;
} SliceGrid;

/* Least number of elements any cut leaves to one slice. */
int64_t geometry_slice_elements(const SliceGrid *g, int64_t n, int64_t c, int64_t h, int64_t w);

/* Steps of the MAC array: lanes lie along the width or along the input channels, whichever is less;
 * rows are output channels.  Depthwise uses one row and the lanes along the width. */
int64_t geometry_array_steps(const SliceGrid *g, const LowOp *op);

/* Multiply-accumulates of the op as its shape tells them. */
int64_t geometry_op_macs(const LowOp *op);
