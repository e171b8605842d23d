/* Tells which values an operator can produce and which its quantized form can hold. */
#pragma once

#include "graph/model/model.h"

/* Bounds of the operator's output that it and those before it prove, by interval arithmetic,
 * whatever the graph is fed (Sigmoid: 0 to 1; Relu: 0 to infinity); false when they prove none. */
bool range_proven(const Graph *g, const Node *n, double *ret_lo, double *ret_hi);

/* Least and greatest value of the 8-bit codes of a QuantizeLinear or DequantizeLinear with one
 * scale; false when scale or zero point are not known, or there are several. */
bool range_of_codes(const Graph *g, const Node *n, double *ret_lo, double *ret_hi);
