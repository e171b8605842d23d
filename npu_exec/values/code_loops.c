/* Loops over bytes: each element by itself, with the arithmetic of the plain kernels.
 *
 * Half of the time of a quantization is its division.  With AVX-512 it is multiplied by the
 * reciprocal instead, which is off by less than two units in the last place, 5e-5 where codes are;
 * only where that is nearer to a half than 1e-4 it is divided. */
#include "npu_exec/values/loops.h"

#include "npu_exec/sim/vectorise.h"

#include <float.h>

#if defined(__x86_64__)
#include <immintrin.h>
#define AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
static int has_avx512(void)
{
    return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}
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

enum { LANES = 16 };

WIDE __mmask16 lanes(size_t left)
{
    unsigned mask = left < LANES ? (1u << left) - 1 : 0xffffu;
    return (__mmask16)mask;
}

WIDE __m128i exact16(__mmask16 k, const int32_t *sum, const int32_t *less, const float *scale,
                     const float *bias, const Wide *w)
{
    __m512i whole =
        _mm512_sub_epi32(_mm512_maskz_loadu_epi32(k, sum), _mm512_maskz_loadu_epi32(k, less));
    __m512 v = _mm512_mul_ps(_mm512_cvtepi32_ps(whole), _mm512_maskz_loadu_ps(k, scale));
    return coded16(_mm512_add_ps(v, _mm512_maskz_loadu_ps(k, bias)), w);
}

enum { CHANNELS = 256 };

/* Codes as sum * scale + bias, near enough to round but where they lie within `near` of a half. */
typedef struct {
    float scale[CHANNELS], bias[CHANNELS], near;
} Short;

/* False where what adds up to a code is so large that its errors are, or is no number.  Each of
 * five roundings is off by 2^-24 of what it rounds, which is at most a code and twice the bias. */
WIDE bool shorten(const int32_t *less, const float *scale, const float *bias, const Coding *to,
                  size_t m, Short *ret)
{
    const double largest = 4096, inverse = 1 / (double)to->step;
    const __m512d by = _mm512_set1_pd(inverse), zero = _mm512_set1_pd(to->zero);
    __m512d most = _mm512_setzero_pd();
    for (size_t i = 0; i < m; i += LANES / 2) {
        __mmask8 k = (__mmask8)(m - i < LANES / 2 ? (1u << (m - i)) - 1 : 0xff);
        __m512d s = _mm512_mul_pd(_mm512_cvtps_pd(_mm256_maskz_loadu_ps(k, scale + i)), by);
        __m512d b = _mm512_mul_pd(_mm512_cvtps_pd(_mm256_maskz_loadu_ps(k, bias + i)), by);
        __m512d less_by =
            _mm512_mul_pd(_mm512_cvtepi32_pd(_mm256_maskz_loadu_epi32(k, less + i)), s);
        b = _mm512_add_pd(_mm512_sub_pd(b, less_by), zero);
        most = _mm512_max_pd(_mm512_abs_pd(b), most);
        if (_mm512_cmp_pd_mask(_mm512_abs_pd(b), _mm512_set1_pd(largest), _CMP_NLT_UQ))
            return false;
        _mm256_storeu_ps(ret->scale + i, _mm512_cvtpd_ps(s));
        _mm256_storeu_ps(ret->bias + i, _mm512_cvtpd_ps(b));
    }
    ret->near = (float)(0x1p-24 * 6 * (256 + 2 * _mm512_reduce_max_pd(most)));
    return inverse < DBL_MAX && inverse > 0;
}

/* Channels [0, m) of rows of `all`, m at most CHANNELS. */
AVX512 static void code_block(const int32_t *sum, const int32_t *less, const float *scale,
                              const float *bias, const Coding *to, uint8_t *y, size_t n, size_t m,
                              size_t all)
{
    Short s;
    const Wide w = widened(to);
    bool quick = shorten(less, scale, bias, to, m, &s);
    const __m512 clear = _mm512_set1_ps(quick ? 0.5f - s.near : -1);
    const __m512 least = _mm512_set1_ps(to->relu ? (float)to->zero : 0);
    for (size_t p = 0; p < n; p++, sum += all, y += all)
        for (size_t i = 0; i < m; i += LANES) {
            __mmask16 k = lanes(m - i);
            __m512 v = _mm512_cvtepi32_ps(_mm512_maskz_loadu_epi32(k, sum + i));
            v = _mm512_fmadd_ps(v, _mm512_loadu_ps(s.scale + i), _mm512_loadu_ps(s.bias + i));
            v = _mm512_max_ps(v, least);
            __m512 within = _mm512_abs_ps(_mm512_reduce_ps(v, 0));
            __m128i code = _mm_xor_si128(_mm512_cvtusepi32_epi8(_mm512_cvtps_epi32(v)), w.flip);
            if (__builtin_expect(_mm512_mask_cmp_ps_mask(k, within, clear, _CMP_NLT_UQ) != 0, 0))
                code = exact16(k, sum + i, less + i, scale + i, bias + i, &w);
            _mm_mask_storeu_epi8(y + i, k, code);
        }
}

AVX512 static void code_sums_wide(const int32_t *sum, const int32_t *less, const float *scale,
                                  const float *bias, const Coding *to, uint8_t *y, size_t n,
                                  size_t m)
{
    for (size_t i = 0; i < m; i += CHANNELS)
        code_block(sum + i, less + i, scale + i, bias + i, to, y + i, n,
                   m - i < CHANNELS ? m - i : CHANNELS, m);
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
#define CHOSEN(name, parameters, arguments)                                                        \
    void loop_##name parameters                                                                    \
    {                                                                                              \
        if (has_avx512())                                                                          \
            name##_wide arguments;                                                                 \
        else                                                                                       \
            name arguments;                                                                        \
    }
WIDE_PAIR(code_add, _mm512_add_ps)
WIDE_PAIR(code_sub, _mm512_sub_ps)
WIDE_PAIR(code_mul, _mm512_mul_ps)
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
    if (__builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512bw"))
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
