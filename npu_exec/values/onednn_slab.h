/* A convolution of bytes by oneDNN, a slab of output rows at a time: the sums of a slab are taken
 * while they are near, and the image around a slab is padded while it is copied. */
#ifndef NPU_EXEC_VALUES_ONEDNN_SLAB_H
#define NPU_EXEC_VALUES_ONEDNN_SLAB_H

#include "npu_exec/values/onednn_forms.h"

#ifdef HAVE_ONEDNN

typedef struct {
    ConvShape s;
    int64_t images, rows, in_all; /* output rows of a slab, and of an image */
    int64_t width;                /* pixels of an output row */
    int64_t lines, columns;       /* of the image that a slab sees */
    bool direct;                  /* where they lie in the image as it is */
    bool pixels;                  /* windows of one pixel: all images are one row of them */
    dnnl_primitive_t run;
    OnednnDesc image, sums;
    dnnl_memory_t weights;
    size_t image_bytes, sum_bytes, scratch_bytes;
} OnednnSlab;

/* Of an image of bytes `x`, and w[m][c / group][kh * kw].  *ret is to be freed, made or not. */
bool onednn_slab_make(const ConvShape *s, DType x, const int8_t *w, OnednnSlab *ret);
/* Of x[n][h * w][c] with pads of byte `zero`; `less` is handed on. */
bool onednn_slab_run(OnednnSlab *b, const uint8_t *x, uint8_t zero, const int32_t *less,
                     OnednnTake *take, void *user);
void onednn_slab_free(OnednnSlab *b);

#endif

#endif
