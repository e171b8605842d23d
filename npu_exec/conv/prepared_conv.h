/* Prepares a convolution or matrix product once and runs it many times.
 *
 * The plain kernels (values/conv.c) are the second implementation: the same integers, floats up to
 * the order of sums. */
#pragma once

#include "npu_exec/conv/conv_shape.h"

/* How often one is run: again, a small one pays for its preparation, too. */
typedef enum { CONV_RUN_ONCE, CONV_RUN_AGAIN } ConvUse;

/* A convolution that is made once for its weights and run again and again. */
typedef struct PreparedConv PreparedConv;

/* Of w[m][c / group][kh * kw].  NULL where the library does not do it, or is not for it. */
PreparedConv *prepared_conv_of_floats(const ConvShape *s, const float *w);
/* ret_sum[n][m][oh * ow] of x[n][c][h * w].  False: nothing is promised of ret_sum. */
bool prepared_conv_run_floats(PreparedConv *c, const float *x, float *ret_sum);

/* A convolution of bytes less their zero points, exact on any processor; `x`: DT_INT8 or DT_UINT8.
 * It has a copy of the weights. */
PreparedConv *prepared_conv_of_bytes(const ConvShape *s, DType x, const ConvWeights *w,
                                     ConvUse use);

/* What its sums are too large by where the zero point is zero_x, of each of m channels; false where
 * that is no value of the image's type. */
bool prepared_conv_zero_offsets(const PreparedConv *c, int32_t zero_x, int32_t *ret_less);

/* Of x[n][h * w][c], bytes, with zero_x as the padding.  False: the sums already taken are
 * undefined. */
bool prepared_conv_run_bytes(PreparedConv *c, const void *x, int32_t zero_x, ConvConsumer *take,
                             void *user);

void prepared_conv_free(void *conv); /* accepts NULL */
