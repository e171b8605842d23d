/* Convolves bytes with oneDNN, a tile of output rows at a time. */
#ifndef NPU_EXEC_CONV_ONEDNN_TILE_H
#define NPU_EXEC_CONV_ONEDNN_TILE_H

#include "npu_exec/conv/onednn_forms.h"
#include "npu_exec/conv/row_tile.h"

#ifdef HAVE_ONEDNN

typedef struct {
    ConvShape s;
    RowTiling cut;
    bool direct; /* what a slab sees lies in the image as it is */
    dnnl_primitive_t run;
    OnednnDesc image, sums;
    dnnl_memory_t weights;
    size_t image_bytes, sum_bytes, scratch_bytes;
} OnednnTile;

/* Of an image of bytes `x`, and w[m][c / group][kh * kw].  *ret is to be freed, made or not. */
bool onednn_tile_make(const ConvShape *s, DType x, const int8_t *w, OnednnTile *ret);
/* Of x[n][h * w][c] with pads of byte `zero`. */
bool onednn_tile_run(OnednnTile *b, const uint8_t *x, uint8_t zero, ConvConsumer *take, void *user);
void onednn_tile_free(OnednnTile *b);

#endif

#endif
