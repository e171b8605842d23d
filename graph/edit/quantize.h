/* Quantizes a float model to int8. QuantizeLinear and DequantizeLinear surround what the NPU
 * computes, in the vendor's spelling (NAME_quantized, _dequantized, _scale, _zero_point). */
#pragma once

#include "graph/model/model.h"

/* What quantizers do to a model first: nodes that do nothing go, BatchNormalization and Pad go into
 * the convolution beside them, and the opset becomes 13, which scales per channel need.
 * STATUS_INPUT names a node that means something else in opset 13.  The copy lives in `a`; `m` must
 * outlive it. */
Status model_prepare(Arena *a, const Model *m, Model **ret, Diag *diag);

/* The same model in opset 13, where `m` is of an older one (7 to 12).  STATUS_INPUT as above. */
Status model_raise_opset(Arena *a, const Model *m, Model **ret, Diag *diag);

typedef struct {
    const bool *on_npu;       /* per node: its operands and results become 8 bits wide */
    const double (*range)[2]; /* per tensor: its smallest and largest value; [0] > [1]: not known */
    bool symmetric;           /* zero points are 0 */
    bool per_channel;         /* weights: a scale for each output channel */
    bool as_sdk_0_9;          /* activations have the scales of that SDK's quantizer */
} Quantizing;

typedef struct {
    size_t activations, weights; /* that were quantized */
    size_t unknown;              /* operands of the NPU that have no range: they stay float */
} Quantized;

/* `m` is inferred (model_prepare, then shape_infer or a compile).  Activations and weights are
 * int8, biases int32; operators that only move values, and MaxPool, but not Concat, have one scale
 * on both sides; nothing comes between a product or sum and the Relu or Clip after
 * it.  Inputs and outputs keep name and type.  STATUS_INPUT when weights are not there or nothing
 * can be quantized.
 */
Status model_quantize(Arena *a, const Model *m, const Quantizing *q, Model **ret,
                      Quantized *ret_done, Diag *diag);
