/* Counts the multiply-accumulates of one execution of a node. The functions are those of
 * ops.def. Biases, scalings and activations do not count; -1: a shape that is needed is
 * unknown. */
#ifndef GRAPH_INFER_MACS_H
#define GRAPH_INFER_MACS_H

#include "graph/infer/ops.h"

int64_t macs_attention(const Graph *g, const Node *n);
int64_t macs_conv(const Graph *g, const Node *n);
int64_t macs_conv_nhwc(const Graph *g, const Node *n);
int64_t macs_conv_transpose(const Graph *g, const Node *n);
int64_t macs_einsum(const Graph *g, const Node *n);
int64_t macs_gemm(const Graph *g, const Node *n);
int64_t macs_linear_ml(const Graph *g, const Node *n);
int64_t macs_matmul(const Graph *g, const Node *n);
int64_t macs_matmul_nbits(const Graph *g, const Node *n);
int64_t macs_ms_attention(const Graph *g, const Node *n);
int64_t macs_qgemm(const Graph *g, const Node *n);
int64_t macs_qlinear_conv(const Graph *g, const Node *n);
int64_t macs_qlinear_matmul(const Graph *g, const Node *n);
int64_t macs_rnn(const Graph *g, const Node *n);
int64_t macs_unknown(const Graph *g, const Node *n);

/* Of CLASS_CONTROL: what its bodies take; `each` is node_macs. */
typedef int64_t NodeMacs(const Graph *g, const Node *n);
int64_t macs_control(const Graph *g, const Node *n, NodeMacs *each);

#endif
