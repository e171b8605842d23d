/* Cuts a convolution into tiles of output rows, so that sums take bounded memory. */
#pragma once

#include "npu_exec/conv/conv_shape.h"

typedef struct {
    int64_t images, rows, in_all; /* output rows of a tile, and of an image */
    int64_t width;                /* pixels of an output row */
    int64_t lines, columns;       /* of the image that a tile sees, pads included */
    bool pixels; /* windows of one pixel: all images are one row of them, and a tile is a part of it
                  */
} RowTiling;

RowTiling row_tile_plan(const ConvShape *s);

/* Tiles in all. */
int64_t row_tile_count(const RowTiling *cut);

/* All tiles have the same size: the last one begins among the rows of the one before. */
typedef struct {
    int64_t image, first; /* row of the output */
    int64_t again;        /* rows that the tile before has, too */
} RowTile;
RowTile row_tile_at(const RowTiling *cut, int64_t i);

/* Pixels of the tile that no earlier tile has, for the ConvConsumer. */
int64_t row_tile_first_pixel(const RowTiling *cut, const RowTile *s);
int64_t row_tile_pixels(const RowTiling *cut, const RowTile *s);

/* Pixels that `out` windows in a row see. */
int64_t row_tile_input_extent(int64_t out, int64_t stride, int64_t kernel, int64_t dilation);

/* Working memory, kept from convolution to convolution; NULL where memory ends. */
typedef enum {
    ROW_TILE_IMAGE,
    ROW_TILE_SUMS,
    ROW_TILE_MORE_SUMS,
    ROW_TILE_SCRATCH,
    ROW_TILE_BUFFERS
} RowTileBuffer;
void *row_tile_buffer(RowTileBuffer which, size_t bytes);

/* Copies n bytes of an image; the bits of `flip` change. */
void row_tile_copy(const uint8_t *x, uint8_t flip, uint8_t *y, size_t n);
/* Adds n sums to others. */
void row_tile_add_sums(const int32_t *more, int32_t *sum, size_t n);
