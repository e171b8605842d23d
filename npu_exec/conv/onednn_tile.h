/* Convolves bytes with oneDNN, a tile of output rows at a time, exactly everywhere.
 *
 * Without VNNI the library adds pairs of products in 16 bits, which saturate. There the weights are
 * cut into parts of at most 64, so that no pair exceeds 2 * 255 * 64, and the sums of the parts are
 * added in 32 bits. */
#pragma once

#include "npu_exec/conv/onednn_forms.h"
#include "npu_exec/conv/row_tile.h"

#ifdef HAVE_ONEDNN

enum { ONEDNN_PARTS = 4 }; /* a weight less its zero point is at most 255 */

typedef struct {
    ConvShape s;
    RowTiling cut;
    DType x;
    bool direct; /* a tile's input is part of the image as it is */
    dnnl_primitive_t run;
    OnednnDesc image, sums;
    dnnl_memory_t weights[ONEDNN_PARTS];
    int nparts;
    int64_t depth;  /* weights of an output channel */
    int32_t *sum_w; /* of each output channel */
    size_t image_bytes, nsum, scratch_bytes;
} OnednnTile;

/* Of an image of type `x`, DT_INT8 or DT_UINT8. *ret is to be freed, made or not. */
bool onednn_tile_make(const ConvShape *s, DType x, const ConvWeights *w, OnednnTile *ret);
/* The share of the image's zero point in the sums, of each output channel. */
void onednn_tile_zero_offsets(const OnednnTile *b, int32_t zero_x, int32_t *ret_less);
/* Of x[n][h * w][c] with pads of zero_x. */
bool onednn_tile_run(const OnednnTile *b, const uint8_t *x, int32_t zero_x, ConvConsumer *take,
                     void *user);
void onednn_tile_free(OnednnTile *b);

#endif
