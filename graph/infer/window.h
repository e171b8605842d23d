/* Computes the output sizes of convolution and pooling windows. Private to graph/infer/. */
#pragma once

#include "graph/infer/infer.h"

/* Attributes of a windowed operator over `n` spatial axes; absent ones have ONNX's default. */
typedef struct {
    int32_t n;
    List stride, dilation, pads;
    bool same, valid; /* auto_pad */
    bool ceil_mode;
} Window;

Window window_read(InferContext *c, int32_t spatial);

/* Output size along spatial axis i. */
Dim window_output(InferContext *c, const Window *w, int32_t i, Dim in, Dim kernel);
/* The inverse, of ConvTranspose and MaxUnpool. */
Dim window_input(InferContext *c, const Window *w, int32_t i, Dim in, Dim kernel,
                 int64_t output_padding);
/* A conflict when an output size that is written down cannot be meant for this input: the pads that
 * it implies would cut off whole windows, or leave more than a stride empty. */
void window_check_input(InferContext *c, const Window *w, int32_t i, Dim in, Dim kernel,
                        int64_t output);
