/* Loops over bytes: each element by itself, with the arithmetic of the plain kernels. */
#include "npu_exec/values/code_loops.h"

#include "npu_exec/sim/vectorise.h"

#include <math.h>
#include <string.h>

/* As in npu_exec/sim/convert.c: adding and taking away 1.5 * 2^23 rounds half to even. */
static const float rounder = 12582912.0f;

#define INLINE static inline __attribute__((always_inline))

INLINE uint8_t coded(float x, const Coding *c, float lo, float hi)
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
        y[i] = coded((float)(sum[i] - less[i]) * scale[i] + bias[i], &k, lo, hi);
}

LOOP code_sums_plain_loop(const int32_t *sum, const int32_t *less, const float *scale,
                          const float *bias, const Coding *to, uint8_t *y, size_t n, size_t m)
{
    for (size_t p = 0; p < n; p++)
        code_row(sum + p * m, less, scale, bias, to, y + p * m, m);
}
VECTORISED(code_sums_plain,
           (const int32_t *sum, const int32_t *less, const float *scale, const float *bias,
            const Coding *to, uint8_t *y, size_t n, size_t m),
           (sum, less, scale, bias, to, y, n, m))

INLINE float decoded(uint8_t x, const Decoding *d)
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
            y[i] = coded(decoded(a[i], &x) op decoded(b[i], &z), &k, lo, hi);                      \
    }                                                                                              \
    VECTORISED(name,                                                                               \
               (const uint8_t *a, const uint8_t *b, const Decoding *da, const Decoding *db,        \
                const Coding *to, uint8_t *y, size_t n),                                           \
               (a, b, da, db, to, y, n))
PAIR(code_add_plain, +)
PAIR(code_sub_plain, -)
PAIR(code_mul_plain, *)

/* ---- rows as blocks ---- */

/* How many rows of m channels make whole blocks; 1 where that are too many. */
static size_t rows_at_once(size_t m, size_t at_once)
{
    size_t rows = 1;
    while (rows * m % at_once && rows * m <= CODE_CHANNELS)
        rows++;
    return rows * m <= CODE_CHANNELS ? rows : 1;
}

/* Rows of at most CODE_CHANNELS, which lie one behind the other: several are as one. */
static size_t code_rows(CodeBlock *block, size_t at_once, const int32_t *sum, const CodeTerms *t,
                        const Coding *to, uint8_t *y, size_t n, size_t m)
{
    int32_t less[CODE_CHANNELS];
    float scale[CODE_CHANNELS], bias[CODE_CHANNELS];
    size_t rows = rows_at_once(m, at_once), all = rows * m;
    for (size_t i = 0; i < all; i += m) {
        memcpy(less + i, t->less, m * sizeof *less);
        memcpy(scale + i, t->scale, m * sizeof *scale);
        memcpy(bias + i, t->bias, m * sizeof *bias);
    }
    block(sum, &(CodeTerms){less, scale, bias}, to, y, n / rows, all, all);
    return n / rows * rows;
}

void code_in_blocks(CodeBlock *block, size_t at_once, const int32_t *sum, const CodeTerms *t,
                    const Coding *to, uint8_t *y, size_t n, size_t m)
{
    size_t done = m <= CODE_CHANNELS ? code_rows(block, at_once, sum, t, to, y, n, m) : 0;
    for (size_t i = 0; i < m && done < n; i += CODE_CHANNELS)
        block(sum + done * m + i, &(CodeTerms){t->less + i, t->scale + i, t->bias + i}, to,
              y + done * m + i, n - done, m - i < CODE_CHANNELS ? m - i : CODE_CHANNELS, m);
}

/* Exactly, both numbers are rounded, their sum, and the quotient: 2^-24 of both three times.  Here
 * it is both factors, the base and two sums; the last one is a code, and its error counts near
 * codes alone.  The bound is a fifth more than that, which squares of errors are far below. */
bool code_shorten_add(const Decoding *a, const Decoding *b, const Coding *to, CodeShortAdd *ret)
{
    const double inverse = 1 / (double)to->step;
    double by_a = a->scale * inverse, by_b = b->scale * inverse;
    double base = to->zero - by_a * a->zero - by_b * b->zero;
    double both = UINT8_MAX * (fabs(by_a) + fabs(by_b));
    *ret = (CodeShortAdd){(float)by_a, (float)by_b, (float)base,
                          (float)(0x1p-24 * 1.2 * (5 * both + 2 * fabs(base) + 256))};
    return both + fabs(base) < CODE_LARGEST && inverse < DBL_MAX && inverse > 0;
}
