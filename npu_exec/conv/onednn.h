/* Convolutions (and matrix products as such) by oneDNN, where it is there, 2.x and 3.x behind one
 * interface; of bytes by loops of our own where they are as quick or alone are exact (loop_conv.h).
 *
 * The library is looked for at run time, so that a program built with its headers runs without it.
 * The plain kernels (conv.c) are the second implementation: the same integers, floats up to the
 * order of sums. */
#ifndef NPU_EXEC_CONV_ONEDNN_H
#define NPU_EXEC_CONV_ONEDNN_H

#include "npu_exec/conv/conv_shape.h"

#include "graph/base/arena.h"

/* Which convolutions it is for. */
typedef enum { ONEDNN_LARGE, ONEDNN_ALWAYS } OnednnUse;

/* Loads the library; to be called before the process is confined.  "oneDNN 2.6.3"; NULL where it is
 * not there, or was not when this program was built. */
const char *onednn_load(OnednnUse use);

/* What convolutions of values run through on this machine, as a sentence; *ret_fast is false where
 * that is the plain kernels alone. */
const char *onednn_about(Arena *a, bool *ret_fast);

/* A convolution that is made once for its weights and run again and again. */
typedef struct OnednnConv OnednnConv;

/* Of w[m][c / group][kh * kw].  NULL where the library does not do it, or is not for it. */
OnednnConv *onednn_conv_floats(const ConvShape *s, const float *w);
/* ret_sum[n][m][oh * ow] of x[n][c][h * w].  False: nothing is promised of ret_sum. */
bool onednn_conv_run_floats(OnednnConv *c, const float *x, float *ret_sum);

/* The same of bytes less their zero points, exact whatever the processor; `x`: DT_INT8 or DT_UINT8,
 * whose zero point is zero_x: made for 0 it is run with no other; `small`: small ones too. */
OnednnConv *onednn_conv_ints(const ConvShape *s, DType x, const ConvWeights *w, int32_t zero_x,
                             bool small);

/* Whether it has no copy of the weights. */
bool onednn_conv_borrows(const OnednnConv *c);

/* What its sums are too large by where the zero point is zero_x, of each of m channels; false where
 * it is not to be run with that. */
bool onednn_conv_less(const OnednnConv *c, int32_t zero_x, int32_t *ret_less);

/* Of x[n][h * w][c], bytes, what lies outside being zero_x, and the weights that it was made of.
 * False: nothing is promised of what was taken. */
bool onednn_conv_run_ints(OnednnConv *c, const void *x, int32_t zero_x, const void *weights,
                          ConvTake *take, void *user);

void onednn_conv_free(void *conv); /* accepts NULL */

/* Whether it was loaded. */
bool onednn_is_ready(void);

/* What a model needs is made: what the library keeps to make the like of it again goes, and what
 * the allocator keeps. */
void onednn_settle(void);

#endif
