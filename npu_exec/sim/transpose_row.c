/* Transposes squares of sixteen by sixteen bytes, and the three channels of an image. */
#include "npu_exec/sim/transpose_row.h"
#include "npu_exec/sim/vectorise.h"

LOOP transpose_row_rgb_to_planes_loop(const uint8_t *restrict p, uint8_t *restrict a,
                                      uint8_t *restrict b, uint8_t *restrict c, size_t w)
{
    for (size_t i = 0; i < w; i++) {
        a[i] = p[3 * i];
        b[i] = p[3 * i + 1];
        c[i] = p[3 * i + 2];
    }
}
static void transpose_row_rgb_to_planes(const uint8_t *p, uint8_t *a, uint8_t *b, uint8_t *c,
                                        size_t w);
VECTORISED(transpose_row_rgb_to_planes,
           (const uint8_t *p, uint8_t *a, uint8_t *b, uint8_t *c, size_t w), (p, a, b, c, w))

LOOP transpose_row_rgb_to_pixels_loop(const uint8_t *restrict a, const uint8_t *restrict b,
                                      const uint8_t *restrict c, uint8_t *restrict p, size_t w)
{
    for (size_t i = 0; i < w; i++) {
        p[3 * i] = a[i];
        p[3 * i + 1] = b[i];
        p[3 * i + 2] = c[i];
    }
}
static void transpose_row_rgb_to_pixels(const uint8_t *a, const uint8_t *b, const uint8_t *c,
                                        uint8_t *p, size_t w);
VECTORISED(transpose_row_rgb_to_pixels,
           (const uint8_t *a, const uint8_t *b, const uint8_t *c, uint8_t *p, size_t w),
           (a, b, c, p, w))

typedef uint8_t Bytes __attribute__((vector_size(TRANSPOSE_ROW_PLANES)));

/* Row i meets row i + 8, byte by byte. */
static inline __attribute__((always_inline)) void interleave_rows(const Bytes *t, Bytes *ret)
{
    for (int i = 0; i < TRANSPOSE_ROW_PLANES / 2; i++) {
        Bytes a = t[i], b = t[i + TRANSPOSE_ROW_PLANES / 2];
        ret[2 * i] =
            __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        ret[2 * i + 1] = __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29,
                                                 14, 30, 15, 31);
    }
}

/* Four times over, rows are columns. */
static inline __attribute__((always_inline)) void turn_square(Bytes *t)
{
    Bytes other[TRANSPOSE_ROW_PLANES];
    interleave_rows(t, other);
    interleave_rows(other, t);
    interleave_rows(t, other);
    interleave_rows(other, t);
}

LOOP transpose_row_block_to_planes_loop(const uint8_t *pixels, size_t step, uint8_t *const *row,
                                        size_t at)
{
    Bytes t[TRANSPOSE_ROW_PLANES];
    for (size_t i = 0; i < TRANSPOSE_ROW_PLANES; i++)
        memcpy(&t[i], pixels + i * step, sizeof t[i]);
    turn_square(t);
    for (size_t i = 0; i < TRANSPOSE_ROW_PLANES; i++)
        memcpy(row[i] + at, &t[i], sizeof t[i]);
}
static void transpose_row_block_to_planes(const uint8_t *pixels, size_t step, uint8_t *const *row,
                                          size_t at);
VECTORISED(transpose_row_block_to_planes,
           (const uint8_t *pixels, size_t step, uint8_t *const *row, size_t at),
           (pixels, step, row, at))

LOOP transpose_row_block_to_pixels_loop(const uint8_t *const *row, size_t at, size_t step,
                                        uint8_t *pixels)
{
    Bytes t[TRANSPOSE_ROW_PLANES];
    for (size_t i = 0; i < TRANSPOSE_ROW_PLANES; i++)
        memcpy(&t[i], row[i] + at, sizeof t[i]);
    turn_square(t);
    for (size_t i = 0; i < TRANSPOSE_ROW_PLANES; i++)
        memcpy(pixels + i * step, &t[i], sizeof t[i]);
}
static void transpose_row_block_to_pixels(const uint8_t *const *row, size_t at, size_t step,
                                          uint8_t *pixels);
VECTORISED(transpose_row_block_to_pixels,
           (const uint8_t *const *row, size_t at, size_t step, uint8_t *pixels),
           (row, at, step, pixels))

void transpose_row_to_planes(const uint8_t *pixels, size_t step, size_t w, size_t nrow,
                             uint8_t *const *row)
{
    if (nrow == 3 && step == 3) {
        transpose_row_rgb_to_planes(pixels, row[0], row[1], row[2], w);
    } else if (nrow == TRANSPOSE_ROW_PLANES && w >= TRANSPOSE_ROW_PLANES) {
        for (size_t at = 0; at < w; at = transpose_row_next(at, w))
            transpose_row_block_to_planes(pixels + at * step, step, row, at);
    } else {
        for (size_t i = 0; i < nrow; i++)
            for (size_t at = 0; at < w; at++)
                row[i][at] = pixels[at * step + i];
    }
}

void transpose_row_to_pixels(const uint8_t *const *row, size_t nrow, size_t w, size_t step,
                             uint8_t *ret_pixels)
{
    if (nrow == 3 && step == 3) {
        transpose_row_rgb_to_pixels(row[0], row[1], row[2], ret_pixels, w);
    } else if (nrow == TRANSPOSE_ROW_PLANES && w >= TRANSPOSE_ROW_PLANES) {
        for (size_t at = 0; at < w; at = transpose_row_next(at, w))
            transpose_row_block_to_pixels(row, at, step, ret_pixels + at * step);
    } else {
        for (size_t at = 0; at < w; at++)
            for (size_t i = 0; i < nrow; i++)
                ret_pixels[at * step + i] = row[i][at];
    }
}
