/* Conversions. */
#include "npu_exec/convert.h"

#include "npu_exec/vectorise.h"

#include <string.h>

/* Adding and taking away 1.5 * 2^23 rounds a small float half to even. */
static const float rounder = 12582912.0f;

/* What is beyond +-512 saturates anyway, whatever the zero point; NaN becomes the lower end. */
static inline __attribute__((always_inline)) int32_t quantized(float x, float scale, int32_t zero,
                                                               int32_t lo, int32_t hi)
{
    float v = x / scale;
    v = v > -512.0f ? v : -512.0f;
    v = v < 512.0f ? v : 512.0f;
    int32_t q = (int32_t)((v + rounder) - rounder) + zero;
    q = q > lo ? q : lo;
    return q < hi ? q : hi;
}

LOOP convert_float_to_int8_loop(const float *restrict x, float scale, int32_t zero,
                                int8_t *restrict y, size_t n)
{
    for (size_t i = 0; i < n; i++)
        y[i] = (int8_t)quantized(x[i], scale, zero, INT8_MIN, INT8_MAX);
}
VECTORISED(convert_float_to_int8,
           (const float *x, float scale, int32_t zero, int8_t *ret_y, size_t n),
           (x, scale, zero, ret_y, n))

LOOP convert_float_to_uint8_loop(const float *restrict x, float scale, int32_t zero,
                                 uint8_t *restrict y, size_t n)
{
    for (size_t i = 0; i < n; i++)
        y[i] = (uint8_t)quantized(x[i], scale, zero, 0, UINT8_MAX);
}
VECTORISED(convert_float_to_uint8,
           (const float *x, float scale, int32_t zero, uint8_t *ret_y, size_t n),
           (x, scale, zero, ret_y, n))

LOOP convert_int8_to_float_loop(const int8_t *restrict x, float scale, int32_t zero,
                                float *restrict y, size_t n)
{
    for (size_t i = 0; i < n; i++)
        y[i] = (float)(x[i] - zero) * scale;
}
VECTORISED(convert_int8_to_float,
           (const int8_t *x, float scale, int32_t zero, float *ret_y, size_t n),
           (x, scale, zero, ret_y, n))

LOOP convert_uint8_to_float_loop(const uint8_t *restrict x, float scale, int32_t zero,
                                 float *restrict y, size_t n)
{
    for (size_t i = 0; i < n; i++)
        y[i] = (float)(x[i] - zero) * scale;
}
VECTORISED(convert_uint8_to_float,
           (const uint8_t *x, float scale, int32_t zero, float *ret_y, size_t n),
           (x, scale, zero, ret_y, n))

LOOP convert_sign_loop(const uint8_t *restrict x, uint8_t *restrict y, size_t n)
{
    for (size_t i = 0; i < n; i++)
        y[i] = x[i] ^ 0x80;
}
VECTORISED(convert_sign, (const uint8_t *x, uint8_t *ret_y, size_t n), (x, ret_y, n))

/* Where the row of image n, channel c, line h begins. */
static size_t lowered_row(const Lowered *l, int64_t n, int64_t c, int64_t h)
{
    int64_t at = n * l->ho + h / l->hi;
    at = at * l->co + c / l->ci;
    at = at * l->hi + h % l->hi;
    at = at * l->ci + c % l->ci;
    return (size_t)(at * l->wide);
}

static void row_in(const Lowered *l, int channels_last, const uint8_t *plain, uint8_t *row)
{
    if (channels_last)
        for (int64_t w = 0; w < l->w; w++)
            row[w] = plain[w * l->c];
    else
        memcpy(row, plain, (size_t)l->w);
}

static void row_out(const Lowered *l, int channels_last, const uint8_t *row, uint8_t *plain)
{
    if (channels_last)
        for (int64_t w = 0; w < l->w; w++)
            plain[w * l->c] = row[w];
    else
        memcpy(plain, row, (size_t)l->w);
}

static size_t plain_row(const Lowered *l, int channels_last, int64_t n, int64_t c, int64_t h)
{
    if (channels_last)
        return (size_t)(((n * l->h + h) * l->w) * l->c + c);
    return (size_t)(((n * l->c + c) * l->h + h) * l->w);
}

void convert_lower(const Lowered *l, int channels_last, const uint8_t *x, uint8_t *ret_y)
{
    memset(ret_y, 0, (size_t)(l->n * l->ho * l->co * l->hi * l->ci * l->wide));
    for (int64_t n = 0; n < l->n; n++)
        for (int64_t c = 0; c < l->c; c++)
            for (int64_t h = 0; h < l->h; h++)
                row_in(l, channels_last, x + plain_row(l, channels_last, n, c, h),
                       ret_y + lowered_row(l, n, c, h));
}

void convert_unlower(const Lowered *l, int channels_last, const uint8_t *x, uint8_t *ret_y)
{
    for (int64_t n = 0; n < l->n; n++)
        for (int64_t c = 0; c < l->c; c++)
            for (int64_t h = 0; h < l->h; h++)
                row_out(l, channels_last, x + lowered_row(l, n, c, h),
                        ret_y + plain_row(l, channels_last, n, c, h));
}

void convert_pad(const uint8_t *x, size_t rows, size_t w, size_t wide, uint8_t *ret_y)
{
    for (size_t i = 0; i < rows; i++) {
        memcpy(ret_y + i * wide, x + i * w, w);
        memset(ret_y + i * wide + w, 0, wide - w);
    }
}

void convert_slice(const uint8_t *x, size_t rows, size_t w, size_t wide, uint8_t *ret_y)
{
    for (size_t i = 0; i < rows; i++)
        memcpy(ret_y + i * w, x + i * wide, w);
}
