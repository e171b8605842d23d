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

/* ret_sum[n][m][oh * ow] of x[n][c][h * w] and w[m][c / group][kh * kw].  False where the library
 * does not do it, or is not for it: then nothing is promised of ret_sum. */
bool onednn_conv_float(const ConvShape *s, const float *x, const float *w, float *ret_sum);

/* The same of bytes less their zero points (nzero of them for w, one or one per output channel),
 * exact whatever the processor. */
bool onednn_conv_int(const ConvShape *s, const Value *x, int32_t zero_x, const Value *w,
                     const int32_t *zero_w, int64_t nzero, int32_t *ret_sum);

#endif
