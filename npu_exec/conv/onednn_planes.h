/* Convolves planes of floats with oneDNN. */
#pragma once

#include "npu_exec/conv/onednn_forms.h"

#ifdef HAVE_ONEDNN

/* Image and sums each in our form and in that which the convolution wants: the same memory where
 * the forms are. */
typedef struct {
    OnednnDesc ours[2];
    dnnl_memory_t given[2], wanted[2], weights;
    OnednnReorder reorder[2];
    dnnl_primitive_desc_t desc;
    dnnl_primitive_t run;
} OnednnPlanes;

/* *ret is to be freed, made or not. */
bool onednn_planes_make(const ConvShape *s, const float *w, OnednnPlanes *ret);
/* sum[n][m][oh * ow] of x[n][c][h * w]. */
bool onednn_planes_run(const OnednnPlanes *m, const float *x, float *sum);
void onednn_planes_free(OnednnPlanes *m);

#endif
