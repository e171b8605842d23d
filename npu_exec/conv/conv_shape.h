/* Describes a convolution by sizes and weights, and declares who gets the sums. */
#pragma once

#include "graph/model/dtype.h"

/* A convolution over one or two axes; one axis is an image one line high. */
typedef struct {
    int64_t n, c, h, w, m, oh, ow, kh, kw, group;
    int64_t sh, sw, dh, dw, ph, pw;
    bool turned; /* weights of bytes lie [c][m]: of a matrix product, with windows of one pixel */
} ConvShape;

/* Weights of bytes [m][c / group][kh * kw], less their zero points. */
typedef struct {
    DType dtype; /* DT_INT8 or DT_UINT8 */
    const void *data;
    const int32_t *zero; /* nzero of them, one or one per output channel */
    int64_t nzero;
} ConvWeights;

/* Sums of `count` of the output's pixels from `first` on, of all n * oh * ow, and of all channels:
 * sum[i * m + k] of pixel first + i and channel k. */
typedef struct {
    int64_t first, count;
    const int32_t *sum;
} ConvSums;

/* Takes them.  Each pixel comes once. */
typedef void ConvConsumer(void *user, const ConvSums *s);
