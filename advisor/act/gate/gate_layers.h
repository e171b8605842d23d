/* Reads the metrics of a compiled graph from its measured layer times. */
#pragma once

#include "advisor/act/gate/gate_parts.h"

/* "compute_ns": whole queries on the GPU; "layers_ns": what the layers sum up to; "reformat_share":
 * of that sum, 0..1; "layers_above:TYPE": layers that read or make a type wider than TYPE.  True
 * when it is one of them; ret->known is false where the result is of no such graph, or no file
 * tells. */
bool gate_layer_figure(const Result *r, const char *name, Aggregation how, MetricFigure *ret);

/* True for "layers_above:" and the name of a type whose size is known. */
bool gate_layer_type(const char *name, size_t len);
