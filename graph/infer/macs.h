/* Counts the multiply-accumulates of one execution of a node. The functions are those of
 * ops.xml. Biases, scalings and activations do not count; -1: a shape that is needed is
 * unknown. */
#pragma once

#include "graph/infer/ops.h"

MacFunction macs_attention, macs_conv, macs_conv_transpose, macs_einsum, macs_linear_ml,
    macs_matmul;
MacFunction macs_ms_attention, macs_qlinear_conv, macs_rnn, macs_tflite_rnn, macs_unknown;

/* How often the body of a Loop or Scan runs; -1: that is not known. */
int64_t macs_loop_trips(const Graph *g, const Node *n, const Graph *body);
int64_t macs_scan_trips(const Graph *g, const Node *n, const Graph *body);

/* Of CLASS_CONTROL: what its bodies take; `each` is node_macs. */
int64_t macs_control(const Graph *g, const Node *n, MacFunction *each);
