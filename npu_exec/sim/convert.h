/* Converts between the application's tensors and the NPU's, in type and layout.
 *
 * Rounding is half to even and saturating, as ONNX QuantizeLinear has it.  Buffers do not overlap.
 */
#pragma once

#include "graph/base/libc.h"

/* y = saturate(round(x / scale) + zero). */
void convert_float_to_int8(const float *x, float scale, int32_t zero, int8_t *ret_y, size_t n);
void convert_float_to_uint8(const float *x, float scale, int32_t zero, uint8_t *ret_y, size_t n);
/* y = (x - zero) * scale. */
void convert_int8_to_float(const int8_t *x, float scale, int32_t zero, float *ret_y, size_t n);
void convert_uint8_to_float(const uint8_t *x, float scale, int32_t zero, float *ret_y, size_t n);
/* The other sign, the same value: x ^ 0x80. */
void convert_sign(const uint8_t *x, uint8_t *ret_y, size_t n);

/* A tensor as the NPU holds it: N, Ho, Co, Hi, Ci, W, all padding zero (graph/compile/program.h).
 */
typedef struct {
    int64_t n, c, h, w;           /* real */
    int64_t ho, co, hi, ci, wide; /* parts of height and channels, size of a part, padded width */
} LoweredShape;

/* Between plain NCHW (or NHWC) and lowered bytes. */
void convert_lower(const LoweredShape *l, int channels_last, const uint8_t *x, uint8_t *ret_y);
void convert_unlower(const LoweredShape *l, int channels_last, const uint8_t *x, uint8_t *ret_y);

/* Rows of `w` bytes to or from rows of `wide` bytes; new bytes are zero. */
void convert_pad(const uint8_t *x, size_t rows, size_t w, size_t wide, uint8_t *ret_y);
void convert_slice(const uint8_t *x, size_t rows, size_t w, size_t wide, uint8_t *ret_y);
