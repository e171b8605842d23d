/* Loops over bytes one element at a time, with the arithmetic of the plain kernels. */
#include "npu_exec/values/loops.h"
#include "npu_exec/sim/vectorise.h"

/* As in npu_exec/sim/convert.c: adding and taking away 1.5 * 2^23 rounds half to even. */
static const float rounder = 12582912.0f;

#define INLINE static inline __attribute__((always_inline))

INLINE uint8_t quantize_one(float x, const Coding *c, float lo, float hi)
{
    float v = c->relu && x < 0 ? 0 : x;
    v /= c->step;
    v = v > lo ? v : lo;
    v = v < hi ? v : hi;
    return (uint8_t)((int32_t)((v + rounder) - rounder) + c->zero) ^ c->flip;
}

LOOP code_row(const int32_t *restrict sum, const int32_t *restrict less,
              const float *restrict scale, const float *restrict bias, const Coding *c,
              uint8_t *restrict y, size_t m)
{
    const Coding k = *c;
    const float lo = (float)-k.zero, hi = (float)(255 - k.zero);
    for (size_t i = 0; i < m; i++)
        y[i] = quantize_one((float)(sum[i] - less[i]) * scale[i] + bias[i], &k, lo, hi);
}

LOOP loop_quantize_sums_loop(const QuantizeTerms *t, const int32_t *sum, uint8_t *y, size_t n)
{
    for (size_t p = 0; p < n; p++)
        code_row(sum + p * t->m, t->less, t->scale, t->bias, &t->to, y + p * t->m, t->m);
}
VECTORISED(loop_quantize_sums, (const QuantizeTerms *t, const int32_t *sum, uint8_t *y, size_t n),
           (t, sum, y, n))

INLINE float dequantize_one(uint8_t x, const Decoding *d)
{
    return (float)((int32_t)(uint8_t)(x ^ d->flip) - d->zero) * d->scale;
}

#define PAIR(name, op)                                                                             \
    LOOP name##_loop(const uint8_t *restrict a, const uint8_t *restrict b, const Decoding *da,     \
                     const Decoding *db, const Coding *to, uint8_t *restrict y, size_t n)          \
    {                                                                                              \
        const Coding k = *to;                                                                      \
        const Decoding x = *da, z = *db;                                                           \
        const float lo = (float)-k.zero, hi = (float)(255 - k.zero);                               \
        for (size_t i = 0; i < n; i++)                                                             \
            y[i] = quantize_one(dequantize_one(a[i], &x) op dequantize_one(b[i], &z), &k, lo, hi); \
    }                                                                                              \
    VECTORISED(name,                                                                               \
               (const uint8_t *a, const uint8_t *b, const Decoding *da, const Decoding *db,        \
                const Coding *to, uint8_t *y, size_t n),                                           \
               (a, b, da, db, to, y, n))
PAIR(loop_add_bytes, +)
PAIR(loop_sub_bytes, -)
PAIR(loop_mul_bytes, *)

LOOP loop_max_bytes_loop(const uint8_t *restrict x, uint8_t flip, uint8_t *restrict y, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint8_t a = x[i] ^ flip, b = y[i] ^ flip;
        y[i] = (a > b ? a : b) ^ flip;
    }
}
VECTORISED(loop_max_bytes, (const uint8_t *x, uint8_t flip, uint8_t *y, size_t n), (x, flip, y, n))

void loop_look_up(const uint8_t *x, const uint8_t table[256], uint8_t *y, size_t n)
{
    for (size_t i = 0; i < n; i++)
        y[i] = table[x[i]];
}
