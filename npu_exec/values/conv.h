/* Reads what a convolution needs before it is computed, whatever computes it. */
#pragma once

#include "npu_exec/values/kernels.h"
#include "npu_exec/conv/prepared_conv.h"

/* From x [n, c, …], w [m, c/group, …] and out [n, m, …]; false when they do not go together. */
bool conv_geometry(const Call *c, const Value *x, const Value *w, const Value *out, ConvShape *ret);

/* A convolution (or a product as such) of bytes less their zero points. */
typedef struct {
    ConvShape g;
    Value *x, *w;
    int32_t zero_x;
    const int32_t *zero_w; /* nzero of them, one or one per output channel */
    int64_t nzero;
    float scale_x;
    const float *scale_w; /* nscale of them; NULL: sums are wanted */
    int64_t nscale;
    const float *bias; /* or NULL */
} ConvBytes;

/* Of two dequantized operands with one scale for the image. */
ConvBytes conv_operands(const Value *x, const Value *w, const ConvShape *g);
/* Of a Conv whose operands are dequantized, the image with one scale, the weights with one or one
 * per channel; false where they are not, or more is summed up than 32 bits hold. */
bool conv_bytes(Value *x, Value *w, const ConvShape *g, ConvBytes *ret);
/* Of bytes that are inputs x and w, with zero points at two more. */
Status conv_read_bytes(Call *c, uint32_t x, uint32_t w, uint32_t zero_x, uint32_t zero_w,
                       ConvBytes *ret);
/* Scales and bias of a QLinearConv, of which the bytes are read; the bias as real numbers. */
Status conv_read_scales(Call *c, ConvBytes *v);
