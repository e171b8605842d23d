/* Convolutions (and matrix products as such) as a whole: by oneDNN where it is there; of bytes by
 * loops of our own (loop_conv.h) where they are as quick or alone are exact.
 *
 * The plain kernels (values/conv.c) are the second implementation: the same integers, floats up to
 * the order of sums. */
#ifndef NPU_EXEC_CONV_WHOLE_CONV_H
#define NPU_EXEC_CONV_WHOLE_CONV_H

#include "npu_exec/conv/conv_shape.h"

/* A convolution that is made once for its weights and run again and again. */
typedef struct WholeConv WholeConv;

/* Of w[m][c / group][kh * kw].  NULL where the library does not do it, or is not for it. */
WholeConv *whole_conv_of_floats(const ConvShape *s, const float *w);
/* ret_sum[n][m][oh * ow] of x[n][c][h * w].  False: nothing is promised of ret_sum. */
bool whole_conv_run_floats(WholeConv *c, const float *x, float *ret_sum);

/* The same of bytes less their zero points, exact whatever the processor; `x`: DT_INT8 or DT_UINT8,
 * whose zero point is zero_x: made for 0 it is run with no other; `small`: small ones too. */
WholeConv *whole_conv_of_bytes(const ConvShape *s, DType x, const ConvWeights *w, int32_t zero_x,
                               bool small);

/* Whether it has no copy of the weights. */
bool whole_conv_borrows(const WholeConv *c);

/* What its sums are too large by where the zero point is zero_x, of each of m channels; false where
 * it is not to be run with that. */
bool whole_conv_less(const WholeConv *c, int32_t zero_x, int32_t *ret_less);

/* Of x[n][h * w][c], bytes, what lies outside being zero_x, and the weights that it was made of.
 * False: nothing is promised of what was taken. */
bool whole_conv_run_bytes(WholeConv *c, const void *x, int32_t zero_x, const void *weights,
                          ConvTake *take, void *user);

void whole_conv_free(void *conv); /* accepts NULL */

#endif
