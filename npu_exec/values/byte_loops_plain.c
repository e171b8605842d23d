/* Loops over bytes one element at a time, with the arithmetic of the plain kernels. */
#include "npu_exec/values/byte_loops.h"

#include "npu_exec/sim/vectorise.h"

#include <math.h>

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

LOOP byte_loops_sums_plain_loop(const QuantizeTerms *t, const QuantizeSums *s)
{
    for (size_t p = 0; p < s->n; p++)
        code_row(s->sum + p * s->stride, t->less + s->channel, t->scale + s->channel,
                 t->bias + s->channel, &t->to, s->y + p * s->all, s->m);
}
VECTORISED(byte_loops_sums_plain, (const QuantizeTerms *t, const QuantizeSums *s), (t, s))

/* ---- nearly ---- */

/* What is vague where errors are at most 2^-24 of `size`; all, where that is a half or no number.
 * `near`: errors in the last of the bits behind the point, to which one comes for rounding there.
 */
INLINE uint16_t vague_of(double size)
{
    double near = 0x1p-8 * size + 2;
    return near < 0x1p15 ? (uint16_t)(2 * (uint32_t)near) : UINT16_MAX;
}

/* The base, such that what is vague lies behind the point from 0 on. */
INLINE float base_of(double base, uint16_t vague)
{
    return (float)((base + 0.5) * 0x1p16 + vague / 2);
}

/* As large as an error where small numbers have fewer bits, and large ones end. */
INLINE double step_error(const Coding *to)
{
    return to->step >= 0x1p-90f && to->step < 0x1p90f ? 0 : 0x1p24;
}

/* Exactly, the sum, its product, the sum with the bias and the quotient are rounded, here the sum,
 * its factor, the base and what is added up.  A code is at most 256, a product at most that and the
 * base: 2^-24 of 7 * 256 and five times the bases.  A hundredth more is for squares of errors. */
LOOP byte_loops_code_terms_loop(QuantizeTerms *t, size_t m)
{
    const double inverse = 1 / (double)t->to.step, lost = step_error(&t->to);
    for (size_t i = 0; i < m; i++) {
        double by = t->scale[i] * inverse, bias = t->bias[i] * inverse;
        double base = bias - t->less[i] * by + t->to.zero;
        t->vague[i] = vague_of(1.01 * (7 * 256 + 5 * (fabs(base) + fabs(bias))) + lost);
        t->by[i] = (float)(by * 0x1p16);
        t->base[i] = base_of(base, t->vague[i]);
    }
}
VECTORISED(byte_loops_code_terms, (QuantizeTerms * t, size_t m), (t, m))

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
PAIR(byte_loops_add_plain, +)
PAIR(byte_loops_sub_plain, -)
PAIR(byte_loops_mul_plain, *)

/* Exactly, both numbers are rounded, their sum, and the quotient: 2^-24 of both three times.  Here
 * it is both factors, the base and two sums; the last one is a code, and its error counts near
 * codes alone.  A fifth more is for squares of errors, and more than they are. */
ByteAddTerms byte_loops_add_terms(const Decoding *a, const Decoding *b, const Coding *to)
{
    const double inverse = 1 / (double)to->step;
    double by_a = a->scale * inverse, by_b = b->scale * inverse;
    double base = to->zero - by_a * a->zero - by_b * b->zero;
    double both = UINT8_MAX * (fabs(by_a) + fabs(by_b));
    uint16_t vague = vague_of(1.2 * (5 * both + 2 * fabs(base) + 256) + step_error(to));
    return (ByteAddTerms){(float)(by_a * 0x1p16), (float)(by_b * 0x1p16), base_of(base, vague),
                          vague};
}
