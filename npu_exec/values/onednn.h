/* Convolutions by oneDNN, where it is there: 2.x and 3.x behind one interface.
 *
 * The library is looked for at run time, so that a program built with its headers runs without it.
 * The plain kernels (conv.c) are the second implementation: the same integers, floats up to the
 * order of sums. */
#ifndef NPU_EXEC_VALUES_ONEDNN_H
#define NPU_EXEC_VALUES_ONEDNN_H

#include "npu_exec/values/value.h"

/* A convolution over one or two axes; one axis is a picture one line high. */
typedef struct {
    int64_t n, c, h, w, m, oh, ow, kh, kw, group;
    int64_t sh, sw, dh, dw, ph, pw;
} ConvShape;

/* Which convolutions it is for. */
typedef enum { ONEDNN_LARGE, ONEDNN_ALWAYS } OnednnUse;

/* Loads the library; to be called before the process is confined.  "oneDNN 2.6.3"; NULL where it is
 * not there, or was not when this program was built. */
const char *onednn_load(OnednnUse use);

/* A convolution that is made once for its weights, of which it has its own copy, and run again and
 * again. */
typedef struct OnednnConv OnednnConv;

/* Of w[m][c / group][kh * kw].  NULL where the library does not do it, or is not for it. */
OnednnConv *onednn_conv_floats(const ConvShape *s, const float *w);

/* The same of bytes less their zero points (nzero of them for w, one or one per output channel),
 * exact whatever the processor; `x`: DT_INT8 or DT_UINT8; `small`: small ones too. */
OnednnConv *onednn_conv_ints(const ConvShape *s, DType x, const Value *w, const int32_t *zero_w,
                             int64_t nzero, bool small);

/* ret_sum[n][m][oh * ow], floats or int32_t, of x[n][c][h * w], bytes less zero_x or floats. False:
 * nothing is promised of ret_sum. */
bool onednn_conv_run(OnednnConv *c, const void *x, int32_t zero_x, void *ret_sum);

void onednn_conv_free(void *conv); /* accepts NULL */

#endif
