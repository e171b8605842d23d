/* Loops over bytes: each element by itself, with the arithmetic of the plain kernels.
 *
 * Half of the time of a quantization is its division.  With AVX-512 it is multiplied by the
 * reciprocal instead, which is off by less than two units in the last place, 5e-5 where codes are;
 * only where that is nearer to a half than 1e-4 it is divided. */
#include "npu_exec/values/loops.h"

#include "npu_exec/sim/vectorise.h"
#include "npu_exec/conv/instructions.h"

#include <float.h>
#include <math.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#define AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#endif

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

LOOP code_sums_loop(const int32_t *sum, const int32_t *less, const float *scale, const float *bias,
                    const Coding *to, uint8_t *y, size_t n, size_t m)
{
    for (size_t p = 0; p < n; p++)
        code_row(sum + p * m, less, scale, bias, to, y + p * m, m);
}
static void code_sums(const int32_t *sum, const int32_t *less, const float *scale,
                      const float *bias, const Coding *to, uint8_t *y, size_t n, size_t m);
VECTORISED(code_sums,
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
    static void name(const uint8_t *a, const uint8_t *b, const Decoding *da, const Decoding *db,   \
                     const Coding *to, uint8_t *y, size_t n);                                      \
    VECTORISED(name,                                                                               \
               (const uint8_t *a, const uint8_t *b, const Decoding *da, const Decoding *db,        \
                const Coding *to, uint8_t *y, size_t n),                                           \
               (a, b, da, db, to, y, n))
PAIR(code_add, +)
PAIR(code_sub, -)
PAIR(code_mul, *)

#if defined(__x86_64__)

/* A Coding in registers. */
typedef struct {
    __m512 step, inverse, lo, hi, least; /* the last: 0 before a Relu, else the lowest */
    __m512i zero;
    __m128i flip;
} Wide;

#define WIDE static inline __attribute__((always_inline)) AVX512

WIDE Wide widened(const Coding *c)
{
    return (Wide){.step = _mm512_set1_ps(c->step),
                  .inverse = _mm512_set1_ps(1 / c->step),
                  .lo = _mm512_set1_ps((float)-c->zero),
                  .hi = _mm512_set1_ps((float)(255 - c->zero)),
                  .least = _mm512_set1_ps(c->relu ? 0 : -__builtin_inff()),
                  .zero = _mm512_set1_epi32(c->zero),
                  .flip = _mm_set1_epi8((char)c->flip)};
}

/* The order of operands decides what becomes of NaN: as in coded(). */
WIDE __m512 rounded(__m512 v, const Wide *w, __m512 *ret_within)
{
    const __m512 big = _mm512_set1_ps(12582912.0f);
    v = _mm512_min_ps(_mm512_max_ps(v, w->lo), w->hi);
    __m512 whole = _mm512_sub_ps(_mm512_add_ps(v, big), big);
    *ret_within = _mm512_abs_ps(_mm512_sub_ps(v, whole));
    return whole;
}

WIDE __m128i coded16(__m512 x, const Wide *w)
{
    const __m512 clear = _mm512_set1_ps(0.4999f);
    __m512 within, v = _mm512_max_ps(w->least, x);
    __m512 whole = rounded(_mm512_mul_ps(v, w->inverse), w, &within);
    if (__builtin_expect(_mm512_cmp_ps_mask(within, clear, _CMP_NLT_UQ) != 0, 0))
        whole = rounded(_mm512_div_ps(v, w->step), w, &within);
    __m512i code = _mm512_add_epi32(_mm512_cvtps_epi32(whole), w->zero);
    return _mm_xor_si128(_mm512_cvtepi32_epi8(code), w->flip);
}

enum { LANES = 16, AT_ONCE = 4 * LANES };

WIDE __mmask16 lanes(size_t left)
{
    unsigned mask = left < LANES ? (1u << left) - 1 : 0xffffu;
    return (__mmask16)mask;
}

/* Of each channel; `less` is taken off the sums. */
typedef struct {
    const int32_t *less;
    const float *scale, *bias;
} Terms;

WIDE __m128i exact16(__mmask16 k, const int32_t *sum, const Terms *t, size_t i, const Wide *w)
{
    __m512i whole = _mm512_sub_epi32(_mm512_maskz_loadu_epi32(k, sum + i),
                                     _mm512_maskz_loadu_epi32(k, t->less + i));
    __m512 v = _mm512_mul_ps(_mm512_cvtepi32_ps(whole), _mm512_maskz_loadu_ps(k, t->scale + i));
    return coded16(_mm512_add_ps(v, _mm512_maskz_loadu_ps(k, t->bias + i)), w);
}

enum { CHANNELS = 576 };

/* Codes as sum * scale + bias, near enough to round but where they lie within `near` of a half;
 * nothing where there is no channel. */
typedef struct {
    float scale[CHANNELS], bias[CHANNELS], near;
} Short;

/* False where what adds up to a code is so large that its errors are, or is no number, or where
 * codes may leave 31 bits.  Each of five roundings is off by 2^-24 of what it rounds, which is at
 * most a code and twice the bias. */
WIDE bool shorten(const Terms *t, const Coding *to, size_t m, Short *ret)
{
    const double largest = 4096, steepest = 0.5, inverse = 1 / (double)to->step;
    const __m512d by = _mm512_set1_pd(inverse), zero = _mm512_set1_pd(to->zero);
    __m512d most = _mm512_setzero_pd(), steep = _mm512_setzero_pd();
    for (size_t i = 0; i < (m + LANES - 1) / LANES * LANES; i += LANES / 2) {
        __mmask8 k = (__mmask8)lanes(i < m ? m - i : 0);
        __m512d s = _mm512_mul_pd(_mm512_cvtps_pd(_mm256_maskz_loadu_ps(k, t->scale + i)), by);
        __m512d b = _mm512_mul_pd(_mm512_cvtps_pd(_mm256_maskz_loadu_ps(k, t->bias + i)), by);
        __m512d less_by =
            _mm512_mul_pd(_mm512_cvtepi32_pd(_mm256_maskz_loadu_epi32(k, t->less + i)), s);
        b = _mm512_add_pd(_mm512_sub_pd(b, less_by), zero);
        most = _mm512_max_pd(_mm512_abs_pd(b), most);
        steep = _mm512_max_pd(_mm512_abs_pd(s), steep);
        if (_mm512_cmp_pd_mask(_mm512_abs_pd(b), _mm512_set1_pd(largest), _CMP_NLT_UQ))
            return false;
        _mm256_storeu_ps(ret->scale + i, _mm512_cvtpd_ps(s));
        _mm256_storeu_ps(ret->bias + i, _mm512_cvtpd_ps(b));
    }
    ret->near = (float)(0x1p-24 * 6 * (256 + 2 * _mm512_reduce_max_pd(most)));
    return inverse < DBL_MAX && inverse > 0 && _mm512_reduce_max_pd(steep) < steepest;
}

enum { LARGER_MAGNITUDE = 11 }; /* of _mm512_range_ps, without its sign */

/* Codes before they are made bytes; *off is what the largest lies from a whole one. */
WIDE __m512i whole16(__m512 v, __m512 *off)
{
    __m512i whole = _mm512_cvtps_epi32(v);
    *off = _mm512_range_ps(*off, _mm512_sub_ps(v, _mm512_cvtepi32_ps(whole)), LARGER_MAGNITUDE);
    return whole;
}

/* How numbers become bytes: what is nearer to a half than `clear` is not near to a whole code; a
 * Relu is a least code. */
typedef struct {
    __m512 clear;
    __m512i least, flip, order;
} Ends;

WIDE Ends ends_of(const Coding *to, float clear)
{
    return (Ends){
        .clear = _mm512_set1_ps(clear),
        .least = _mm512_set1_epi8((char)(to->relu ? to->zero : 0)),
        .flip = _mm512_set1_epi8((char)to->flip),
        /* what packing four registers leaves of each in every quarter */
        .order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15),
    };
}

WIDE bool is_clear(__m512 off, const Ends *e)
{
    return __builtin_expect(_mm512_cmp_ps_mask(off, e->clear, _CMP_NLT_UQ) == 0, 1);
}

WIDE __m128i bytes16(__m512i whole, const Ends *e)
{
    __m128i code = _mm512_cvtusepi32_epi8(_mm512_max_epi32(whole, _mm512_setzero_si512()));
    code = _mm_max_epu8(code, _mm512_castsi512_si128(e->least));
    return _mm_xor_si128(code, _mm512_castsi512_si128(e->flip));
}

/* Codes of 64 numbers, near enough; false where one is not clear. */
WIDE bool code64(const __m512 v[4], const Ends *e, uint8_t *y)
{
    __m512 off = _mm512_setzero_ps();
    __m512i a = whole16(v[0], &off), b = whole16(v[1], &off);
    __m512i c = whole16(v[2], &off), d = whole16(v[3], &off);
    __m512i code = _mm512_packus_epi16(_mm512_packs_epi32(a, b), _mm512_packs_epi32(c, d));
    code = _mm512_max_epu8(_mm512_permutexvar_epi32(e->order, code), e->least);
    _mm512_storeu_si512(y, _mm512_xor_si512(code, e->flip));
    return is_clear(off, e);
}

WIDE __m512 shortly(__m512i sum, const Short *s, size_t i)
{
    return _mm512_fmadd_ps(_mm512_cvtepi32_ps(sum), _mm512_loadu_ps(s->scale + i),
                           _mm512_loadu_ps(s->bias + i));
}

/* Channels [0, m) of rows of `all`, m at most CHANNELS. */
AVX512 static void code_block(const int32_t *sum, const Terms *t, const Coding *to, uint8_t *y,
                              size_t n, size_t m, size_t all)
{
    Short s;
    bool quick = shorten(t, to, m, &s);
    const Wide w = widened(to);
    const Ends e = ends_of(to, quick ? 0.5f - s.near : -1);
    for (size_t p = 0; p < n; p++, sum += all, y += all) {
        size_t i = 0;
        for (; i + AT_ONCE <= m; i += AT_ONCE) {
            __m512 v[AT_ONCE / LANES];
            for (size_t k = 0; k < AT_ONCE / LANES; k++)
                v[k] = shortly(_mm512_loadu_si512(sum + i + k * LANES), &s, i + k * LANES);
            bool clear = code64(v, &e, y + i);
            for (size_t k = i; k < i + AT_ONCE && !clear; k += LANES)
                _mm_mask_storeu_epi8(y + k, 0xffff, exact16(0xffff, sum, t, k, &w));
        }
        for (; i < m; i += LANES) {
            __mmask16 k = lanes(m - i);
            __m512 off = _mm512_setzero_ps();
            __m512i whole = whole16(shortly(_mm512_maskz_loadu_epi32(k, sum + i), &s, i), &off);
            __m128i code = is_clear(off, &e) ? bytes16(whole, &e) : exact16(k, sum, t, i, &w);
            _mm_mask_storeu_epi8(y + i, k, code);
        }
    }
}

/* How many rows of m channels make whole blocks; 1 where that are too many. */
static size_t rows_at_once(size_t m)
{
    size_t rows = 1;
    while (rows * m % AT_ONCE && rows * m <= CHANNELS)
        rows++;
    return rows * m <= CHANNELS ? rows : 1;
}

/* Rows of at most CHANNELS, which lie one behind the other: several are as one. */
static size_t code_rows(const int32_t *sum, const Terms *t, const Coding *to, uint8_t *y, size_t n,
                        size_t m)
{
    int32_t less[CHANNELS];
    float scale[CHANNELS], bias[CHANNELS];
    size_t rows = rows_at_once(m), all = rows * m;
    for (size_t i = 0; i < all; i += m) {
        memcpy(less + i, t->less, m * sizeof *less);
        memcpy(scale + i, t->scale, m * sizeof *scale);
        memcpy(bias + i, t->bias, m * sizeof *bias);
    }
    code_block(sum, &(Terms){less, scale, bias}, to, y, n / rows, all, all);
    return n / rows * rows;
}

AVX512 static void code_sums_wide(const int32_t *sum, const int32_t *less, const float *scale,
                                  const float *bias, const Coding *to, uint8_t *y, size_t n,
                                  size_t m)
{
    size_t done = m <= CHANNELS ? code_rows(sum, &(Terms){less, scale, bias}, to, y, n, m) : 0;
    for (size_t i = 0; i < m && done < n; i += CHANNELS)
        code_block(sum + done * m + i, &(Terms){less + i, scale + i, bias + i}, to,
                   y + done * m + i, n - done, m - i < CHANNELS ? m - i : CHANNELS, m);
}

WIDE __m512 decoded16(__mmask16 k, const uint8_t *x, const Decoding *d)
{
    __m128i bytes = _mm_xor_si128(_mm_maskz_loadu_epi8(k, x), _mm_set1_epi8((char)d->flip));
    __m512i whole = _mm512_sub_epi32(_mm512_cvtepu8_epi32(bytes), _mm512_set1_epi32(d->zero));
    return _mm512_mul_ps(_mm512_cvtepi32_ps(whole), _mm512_set1_ps(d->scale));
}

#define WIDE_PAIR(name, join)                                                                      \
    AVX512 static void name##_wide(const uint8_t *a, const uint8_t *b, const Decoding *da,         \
                                   const Decoding *db, const Coding *to, uint8_t *y, size_t n)     \
    {                                                                                              \
        const Wide w = widened(to);                                                                \
        for (size_t i = 0; i < n; i += LANES) {                                                    \
            __mmask16 k = lanes(n - i);                                                            \
            __m512 v = join(decoded16(k, a + i, da), decoded16(k, b + i, db));                     \
            _mm_mask_storeu_epi8(y + i, k, coded16(v, &w));                                        \
        }                                                                                          \
    }
WIDE_PAIR(exact_add, _mm512_add_ps)
WIDE_PAIR(code_sub, _mm512_sub_ps)
WIDE_PAIR(code_mul, _mm512_mul_ps)

/* Codes of a sum as a * by_a + b * by_b + base. */
typedef struct {
    __m512 by_a, by_b, base;
    float near;
} ShortAdd;

/* Exactly, both numbers are rounded, their sum, and the quotient: 2^-24 of both three times.  Here
 * it is both factors, the base and two sums; the last one is a code, and its error counts near
 * codes alone.  The bound is a fifth more than that, which squares of errors are far below. */
WIDE bool shorten_add(const Decoding *a, const Decoding *b, const Coding *to, ShortAdd *ret)
{
    const double largest = 4096, inverse = 1 / (double)to->step;
    double by_a = a->scale * inverse, by_b = b->scale * inverse;
    double base = to->zero - by_a * a->zero - by_b * b->zero;
    double both = UINT8_MAX * (fabs(by_a) + fabs(by_b));
    *ret = (ShortAdd){_mm512_set1_ps((float)by_a), _mm512_set1_ps((float)by_b),
                      _mm512_set1_ps((float)base),
                      (float)(0x1p-24 * 1.2 * (5 * both + 2 * fabs(base) + 256))};
    return both + fabs(base) < largest && inverse < DBL_MAX && inverse > 0;
}

WIDE __m512 unsigned16(const uint8_t *x, const Decoding *d)
{
    __m128i bytes = _mm_maskz_loadu_epi8(0xffff, x);
    return _mm512_cvtepi32_ps(
        _mm512_cvtepu8_epi32(_mm_xor_si128(bytes, _mm_set1_epi8((char)d->flip))));
}

AVX512 static void code_add_wide(const uint8_t *a, const uint8_t *b, const Decoding *da,
                                 const Decoding *db, const Coding *to, uint8_t *y, size_t n)
{
    ShortAdd s;
    bool quick = shorten_add(da, db, to, &s);
    const Ends e = ends_of(to, 0.5f - s.near);
    size_t i = 0;
    for (; quick && i + AT_ONCE <= n; i += AT_ONCE) {
        __m512 v[AT_ONCE / LANES];
        for (size_t k = 0; k < AT_ONCE / LANES; k++)
            v[k] =
                _mm512_fmadd_ps(unsigned16(a + i + k * LANES, da), s.by_a,
                                _mm512_fmadd_ps(unsigned16(b + i + k * LANES, db), s.by_b, s.base));
        if (!code64(v, &e, y + i))
            exact_add_wide(a + i, b + i, da, db, to, y + i, AT_ONCE);
    }
    exact_add_wide(a + i, b + i, da, db, to, y + i, n - i);
}

#define CHOSEN(name, parameters, arguments)                                                        \
    void loop_##name parameters                                                                    \
    {                                                                                              \
        if (has_avx512())                                                                          \
            name##_wide arguments;                                                                 \
        else                                                                                       \
            name arguments;                                                                        \
    }
#else
#define CHOSEN(name, parameters, arguments)                                                        \
    void loop_##name parameters                                                                    \
    {                                                                                              \
        name arguments;                                                                            \
    }
#endif

CHOSEN(code_sums,
       (const int32_t *sum, const int32_t *less, const float *scale, const float *bias,
        const Coding *to, uint8_t *y, size_t n, size_t m),
       (sum, less, scale, bias, to, y, n, m))
CHOSEN(code_add,
       (const uint8_t *a, const uint8_t *b, const Decoding *da, const Decoding *db,
        const Coding *to, uint8_t *y, size_t n),
       (a, b, da, db, to, y, n))
CHOSEN(code_sub,
       (const uint8_t *a, const uint8_t *b, const Decoding *da, const Decoding *db,
        const Coding *to, uint8_t *y, size_t n),
       (a, b, da, db, to, y, n))
CHOSEN(code_mul,
       (const uint8_t *a, const uint8_t *b, const Decoding *da, const Decoding *db,
        const Coding *to, uint8_t *y, size_t n),
       (a, b, da, db, to, y, n))

LOOP loop_max_bytes_loop(const uint8_t *restrict x, uint8_t flip, uint8_t *restrict y, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint8_t a = x[i] ^ flip, b = y[i] ^ flip;
        y[i] = (a > b ? a : b) ^ flip;
    }
}
VECTORISED(loop_max_bytes, (const uint8_t *x, uint8_t flip, uint8_t *y, size_t n), (x, flip, y, n))

/* ---- tables ---- */

static void look_up_any(const uint8_t *x, const uint8_t *table, uint8_t *y, size_t n)
{
    for (size_t i = 0; i < n; i++)
        y[i] = table[x[i]];
}

#if defined(__x86_64__)

/* The table in four registers, 64 elements at a time. */
__attribute__((target("avx512f,avx512bw,avx512vbmi"))) static void
look_up_vbmi(const uint8_t *x, const uint8_t *table, uint8_t *y, size_t n)
{
    const size_t at_once = 64;
    __m512i t0 = _mm512_loadu_si512(table), t1 = _mm512_loadu_si512(table + at_once);
    __m512i t2 = _mm512_loadu_si512(table + 2 * at_once),
            t3 = _mm512_loadu_si512(table + 3 * at_once);
    size_t i = 0;
    for (; i + at_once <= n; i += at_once) {
        __m512i v = _mm512_loadu_si512(x + i);
        __m512i low = _mm512_permutex2var_epi8(t0, v, t1);
        __m512i high = _mm512_permutex2var_epi8(t2, v, t3);
        _mm512_storeu_si512(y + i, _mm512_mask_blend_epi8(_mm512_movepi8_mask(v), low, high));
    }
    look_up_any(x + i, table, y + i, n - i);
}

void loop_look_up(const uint8_t *x, const uint8_t table[256], uint8_t *y, size_t n)
{
    if (has_avx512() && __builtin_cpu_supports("avx512vbmi"))
        look_up_vbmi(x, table, y, n);
    else
        look_up_any(x, table, y, n);
}
#else
void loop_look_up(const uint8_t *x, const uint8_t table[256], uint8_t *y, size_t n)
{
    look_up_any(x, table, y, n);
}
#endif
