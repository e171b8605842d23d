/* Converts numbers and layouts with loops that the compiler vectorises. */
#include "npu_exec/sim/convert.h"
#include "npu_exec/sim/transpose_row.h"
#include "npu_exec/sim/vectorise.h"

/* Adding and taking away 1.5 * 2^23 rounds a small float half to even. */
static const float rounder = 12582912.0f;

/* Bounds as steps from the zero point, as floats: whole numbers, so that rounding stays within. NaN
 * becomes the lower end. */
static inline __attribute__((always_inline)) int32_t
quantize_float(float x, float scale, int32_t zero, float lo, float hi)
{
    float v = x / scale;
    v = v > lo ? v : lo;
    v = v < hi ? v : hi;
    return (int32_t)((v + rounder) - rounder) + zero;
}

#define BYTES(name, Byte, least, most)                                                             \
    LOOP convert_float_to_##name##_loop(const float *restrict x, float scale, int32_t zero,        \
                                        Byte *restrict y, size_t n)                                \
    {                                                                                              \
        const float lo = (float)((least)-zero), hi = (float)((most)-zero);                         \
        for (size_t i = 0; i < n; i++)                                                             \
            y[i] = (Byte)quantize_float(x[i], scale, zero, lo, hi);                                \
    }                                                                                              \
    VECTORISED(convert_float_to_##name,                                                            \
               (const float *x, float scale, int32_t zero, Byte *ret_y, size_t n),                 \
               (x, scale, zero, ret_y, n))                                                         \
    LOOP convert_##name##_to_float_loop(const Byte *restrict x, float scale, int32_t zero,         \
                                        float *restrict y, size_t n)                               \
    {                                                                                              \
        for (size_t i = 0; i < n; i++)                                                             \
            y[i] = (float)(x[i] - zero) * scale;                                                   \
    }                                                                                              \
    VECTORISED(convert_##name##_to_float,                                                          \
               (const Byte *x, float scale, int32_t zero, float *ret_y, size_t n),                 \
               (x, scale, zero, ret_y, n))

BYTES(int8, int8_t, INT8_MIN, INT8_MAX)
BYTES(uint8, uint8_t, 0, UINT8_MAX)

LOOP convert_sign_loop(const uint8_t *restrict x, uint8_t *restrict y, size_t n)
{
    for (size_t i = 0; i < n; i++)
        y[i] = x[i] ^ 0x80;
}
VECTORISED(convert_sign, (const uint8_t *x, uint8_t *ret_y, size_t n), (x, ret_y, n))

/* Up to TRANSPOSE_ROW_PLANES channels of one line of an image, from channel `c` on: where their
 * rows lie in the lowered bytes, and where the line lies in the plain ones. */
typedef struct {
    size_t nrow, row[TRANSPOSE_ROW_PLANES];
    size_t pixels;            /* of NHWC: the line's first channel of these … */
    size_t plain, plain_step; /* … of NCHW: their rows */
} Group;

static Group group_at(const LoweredShape *l, int64_t n, int64_t h, int64_t c)
{
    Group g = {.pixels = (size_t)((n * l->h + h) * l->w * l->c + c),
               .plain = (size_t)(((n * l->c + c) * l->h + h) * l->w),
               .plain_step = (size_t)(l->h * l->w)};
    int64_t line = n * l->ho + h / l->hi, part = c / l->ci, inside = c % l->ci;
    for (; g.nrow < TRANSPOSE_ROW_PLANES && c + (int64_t)g.nrow < l->c; g.nrow++) {
        int64_t at = ((line * l->co + part) * l->hi + h % l->hi) * l->ci + inside;
        g.row[g.nrow] = (size_t)(at * l->wide);
        if (++inside == l->ci) {
            inside = 0;
            part++;
        }
    }
    return g;
}

static void group_in(const LoweredShape *l, int channels_last, const Group *g, const uint8_t *x,
                     uint8_t *y)
{
    uint8_t *row[TRANSPOSE_ROW_PLANES];
    size_t w = (size_t)l->w, rest = (size_t)(l->wide - l->w);
    for (size_t i = 0; i < g->nrow; i++) {
        row[i] = y + g->row[i];
        if (!channels_last)
            memcpy(row[i], x + g->plain + i * g->plain_step, w);
        if (rest > 0)
            memset(row[i] + w, 0, rest);
    }
    if (channels_last)
        transpose_row_to_planes(x + g->pixels, (size_t)l->c, w, g->nrow, row);
}

static void group_out(const LoweredShape *l, int channels_last, const Group *g, const uint8_t *x,
                      uint8_t *y)
{
    const uint8_t *row[TRANSPOSE_ROW_PLANES];
    for (size_t i = 0; i < g->nrow; i++) {
        row[i] = x + g->row[i];
        if (!channels_last)
            memcpy(y + g->plain + i * g->plain_step, row[i], (size_t)l->w);
    }
    if (channels_last)
        transpose_row_to_pixels(row, g->nrow, (size_t)l->w, (size_t)l->c, y + g->pixels);
}

typedef void Move(const LoweredShape *l, int channels_last, const Group *g, const uint8_t *x,
                  uint8_t *y);

static void for_each_group(const LoweredShape *l, int channels_last, const uint8_t *x, uint8_t *y,
                           Move *move)
{
    size_t channels = (size_t)l->c;
    for (int64_t n = 0; n < l->n; n++)
        for (int64_t h = 0; h < l->h; h++)
            for (size_t c = 0; c < channels;
                 c = channels_last ? transpose_row_next(c, channels) : c + TRANSPOSE_ROW_PLANES) {
                Group g = group_at(l, n, h, (int64_t)c);
                move(l, channels_last, &g, x, y);
            }
}

void convert_lower(const LoweredShape *l, int channels_last, const uint8_t *x, uint8_t *ret_y)
{
    if (l->ho * l->hi > l->h || l->co * l->ci > l->c) /* rows that nothing fills */
        memset(ret_y, 0, (size_t)(l->n * l->ho * l->co * l->hi * l->ci * l->wide));
    for_each_group(l, channels_last, x, ret_y, group_in);
}

void convert_unlower(const LoweredShape *l, int channels_last, const uint8_t *x, uint8_t *ret_y)
{
    for_each_group(l, channels_last, x, ret_y, group_out);
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
