/* Transposes a line of pixels into rows of one channel each, and back, in bytes. */
#pragma once

#include "graph/base/libc.h"

enum { TRANSPOSE_ROW_PLANES = 16 }; /* at once, at most */

/* Where the group of TRANSPOSE_ROW_PLANES after the one at `at` begins, of n in all: the last one
 * ends with them, and may do some twice. */
static inline size_t transpose_row_next(size_t at, size_t n)
{
    at += TRANSPOSE_ROW_PLANES;
    return at < n && at + TRANSPOSE_ROW_PLANES > n ? n - TRANSPOSE_ROW_PLANES : at;
}

/* Channels of `w` pixels, `step` bytes from pixel to pixel, to and from `nrow` rows of w bytes.
 * What is read and what is written do not overlap. */
void transpose_row_to_planes(const uint8_t *pixels, size_t step, size_t w, size_t nrow,
                             uint8_t *const *row);
void transpose_row_to_pixels(const uint8_t *const *row, size_t nrow, size_t w, size_t step,
                             uint8_t *ret_pixels);
