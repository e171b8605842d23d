/* Adds products for a panel of columns at a time. */
#pragma once

#include "graph/base/libc.h"

enum { PANEL = 16 }; /* columns */

/* ret_sum[r][j] = sum over k of a[r * stride + k] * b[k][j], in the order of k, for `rows` rows.
 * int: |a|, |b| <= 255 and depth < 2^15, so that no sum overflows. */
void product_float(const float *a, size_t stride, size_t rows, const float (*b)[PANEL],
                   size_t depth, float (*ret_sum)[PANEL]);
void product_int(const int16_t *a, size_t stride, size_t rows, const int16_t (*b)[PANEL],
                 size_t depth, int32_t (*ret_sum)[PANEL]);

enum { PRODUCT_MAX_DEPTH = 1 << 15 };
