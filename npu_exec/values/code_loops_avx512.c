/* Loops over bytes in AVX-512: 16 numbers in a register, codes of 64 packed at once. */
#include "npu_exec/values/code_loops.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))

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

WIDE __m128i exact16(__mmask16 k, const int32_t *sum, const CodeTerms *t, size_t i, const Wide *w)
{
    __m512i whole = _mm512_sub_epi32(_mm512_maskz_loadu_epi32(k, sum + i),
                                     _mm512_maskz_loadu_epi32(k, t->less + i));
    __m512 v = _mm512_mul_ps(_mm512_cvtepi32_ps(whole), _mm512_maskz_loadu_ps(k, t->scale + i));
    return coded16(_mm512_add_ps(v, _mm512_maskz_loadu_ps(k, t->bias + i)), w);
}

/* False where what adds up to a code is so large that its errors are, or is no number. */
WIDE bool shorten(const CodeTerms *t, const Coding *to, size_t m, CodeShort *ret)
{
    const double inverse = 1 / (double)to->step;
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
        if (_mm512_cmp_pd_mask(_mm512_abs_pd(b), _mm512_set1_pd(CODE_LARGEST), _CMP_NLT_UQ))
            return false;
        _mm256_storeu_ps(ret->scale + i, _mm512_cvtpd_ps(s));
        _mm256_storeu_ps(ret->bias + i, _mm512_cvtpd_ps(b));
    }
    ret->near = code_near(_mm512_reduce_max_pd(most));
    return inverse < DBL_MAX && inverse > 0 && _mm512_reduce_max_pd(steep) < CODE_STEEPEST;
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

WIDE __m512 shortly(__m512i sum, const CodeShort *s, size_t i)
{
    return _mm512_fmadd_ps(_mm512_cvtepi32_ps(sum), _mm512_loadu_ps(s->scale + i),
                           _mm512_loadu_ps(s->bias + i));
}

/* Channels [0, m) of rows of `all`, m at most CHANNELS. */
AVX512 static void code_block(const int32_t *sum, const CodeTerms *t, const Coding *to, uint8_t *y,
                              size_t n, size_t m, size_t all)
{
    CodeShort s;
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

void code_sums_avx512(const int32_t *sum, const CodeTerms *t, const Coding *to, uint8_t *y,
                      size_t n, size_t m)
{
    code_in_blocks(code_block, AT_ONCE, sum, t, to, y, n, m);
}

WIDE __m512 decoded16(__mmask16 k, const uint8_t *x, const Decoding *d)
{
    __m128i bytes = _mm_xor_si128(_mm_maskz_loadu_epi8(k, x), _mm_set1_epi8((char)d->flip));
    __m512i whole = _mm512_sub_epi32(_mm512_cvtepu8_epi32(bytes), _mm512_set1_epi32(d->zero));
    return _mm512_mul_ps(_mm512_cvtepi32_ps(whole), _mm512_set1_ps(d->scale));
}

#define WIDE_PAIR(name, join)                                                                      \
    AVX512 void name(const uint8_t *a, const uint8_t *b, const Decoding *da, const Decoding *db,   \
                     const Coding *to, uint8_t *y, size_t n)                                       \
    {                                                                                              \
        const Wide w = widened(to);                                                                \
        for (size_t i = 0; i < n; i += LANES) {                                                    \
            __mmask16 k = lanes(n - i);                                                            \
            __m512 v = join(decoded16(k, a + i, da), decoded16(k, b + i, db));                     \
            _mm_mask_storeu_epi8(y + i, k, coded16(v, &w));                                        \
        }                                                                                          \
    }
static void exact_add(const uint8_t *a, const uint8_t *b, const Decoding *da, const Decoding *db,
                      const Coding *to, uint8_t *y, size_t n);
WIDE_PAIR(exact_add, _mm512_add_ps)
WIDE_PAIR(code_sub_avx512, _mm512_sub_ps)
WIDE_PAIR(code_mul_avx512, _mm512_mul_ps)

WIDE __m512 unsigned16(const uint8_t *x, const Decoding *d)
{
    __m128i bytes = _mm_maskz_loadu_epi8(0xffff, x);
    return _mm512_cvtepi32_ps(
        _mm512_cvtepu8_epi32(_mm_xor_si128(bytes, _mm_set1_epi8((char)d->flip))));
}

AVX512 void code_add_avx512(const uint8_t *a, const uint8_t *b, const Decoding *da,
                            const Decoding *db, const Coding *to, uint8_t *y, size_t n)
{
    CodeShortAdd s;
    bool quick = code_shorten_add(da, db, to, &s);
    const Ends e = ends_of(to, 0.5f - s.near);
    const __m512 by_a = _mm512_set1_ps(s.by_a), by_b = _mm512_set1_ps(s.by_b),
                 base = _mm512_set1_ps(s.base);
    size_t i = 0;
    for (; quick && i + AT_ONCE <= n; i += AT_ONCE) {
        __m512 v[AT_ONCE / LANES];
        for (size_t k = 0; k < AT_ONCE / LANES; k++)
            v[k] = _mm512_fmadd_ps(unsigned16(a + i + k * LANES, da), by_a,
                                   _mm512_fmadd_ps(unsigned16(b + i + k * LANES, db), by_b, base));
        if (!code64(v, &e, y + i))
            exact_add(a + i, b + i, da, db, to, y + i, AT_ONCE);
    }
    exact_add(a + i, b + i, da, db, to, y + i, n - i);
}

/* ---- tables ---- */

/* The table in four registers, 64 elements at a time. */
__attribute__((target("avx512f,avx512bw,avx512vbmi"))) size_t
code_look_up_vbmi(const uint8_t *x, const uint8_t *table, uint8_t *y, size_t n)
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
    return i;
}

#endif
