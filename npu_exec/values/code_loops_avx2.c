/* Loops over bytes in AVX2: 8 numbers in a register, codes of 32 packed at once. */
#include "npu_exec/values/code_loops.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define AVX2 __attribute__((target("avx2,fma")))
#define WIDE static inline __attribute__((always_inline)) AVX2

enum { LANES = 8, AT_ONCE = 4 * LANES };

WIDE __m256d size_of(__m256d v)
{
    return _mm256_andnot_pd(_mm256_set1_pd(-0.0), v);
}

WIDE double largest_of(__m256d v)
{
    double each[4];
    _mm256_storeu_pd(each, v);
    double low = each[0] > each[1] ? each[0] : each[1],
           high = each[2] > each[3] ? each[2] : each[3];
    return low > high ? low : high;
}

/* Of m channels, a multiple of 4; false where what adds up to a code is so large that its errors
 * are, or is no number. */
WIDE bool shorten(const CodeTerms *t, const Coding *to, size_t m, CodeShort *ret)
{
    const double inverse = 1 / (double)to->step;
    const __m256d by = _mm256_set1_pd(inverse), zero = _mm256_set1_pd(to->zero);
    __m256d most = _mm256_setzero_pd(), steep = most, beyond = most;
    for (size_t i = 0; i < m; i += 4) {
        __m256d s = _mm256_mul_pd(_mm256_cvtps_pd(_mm_loadu_ps(t->scale + i)), by);
        __m256d b = _mm256_mul_pd(_mm256_cvtps_pd(_mm_loadu_ps(t->bias + i)), by);
        __m256d less = _mm256_cvtepi32_pd(_mm_loadu_si128((const __m128i *)(t->less + i)));
        b = _mm256_add_pd(_mm256_sub_pd(b, _mm256_mul_pd(less, s)), zero);
        beyond = _mm256_or_pd(beyond,
                              _mm256_cmp_pd(size_of(b), _mm256_set1_pd(CODE_LARGEST), _CMP_NLT_UQ));
        most = _mm256_max_pd(size_of(b), most);
        steep = _mm256_max_pd(size_of(s), steep);
        _mm_storeu_ps(ret->scale + i, _mm256_cvtpd_ps(s));
        _mm_storeu_ps(ret->bias + i, _mm256_cvtpd_ps(b));
    }
    ret->near = code_near(largest_of(most));
    return _mm256_movemask_pd(beyond) == 0 && inverse < DBL_MAX && inverse > 0 &&
           largest_of(steep) < CODE_STEEPEST;
}

/* How numbers become bytes: what is nearer to a half than `clear` is not near to a whole code; a
 * Relu is a least code. */
typedef struct {
    __m256 clear;
    __m256i least, flip, order;
} Ends;

WIDE Ends ends_of(const Coding *to, float near)
{
    return (Ends){
        .clear = _mm256_set1_ps(0.5f - near),
        .least = _mm256_set1_epi8((char)(to->relu ? to->zero : 0)),
        .flip = _mm256_set1_epi8((char)to->flip),
        /* what packing four registers leaves of each in either half */
        .order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7),
    };
}

/* Codes before they are made bytes; *off is what the farthest lies from a whole one. */
WIDE __m256i whole8(__m256 v, __m256 *off)
{
    __m256i whole = _mm256_cvtps_epi32(v);
    __m256 from = _mm256_sub_ps(v, _mm256_cvtepi32_ps(whole));
    *off = _mm256_max_ps(*off, _mm256_andnot_ps(_mm256_set1_ps(-0.0f), from));
    return whole;
}

/* Codes of 32 numbers, near enough; false where one is not clear. */
WIDE bool code32(const __m256 v[4], const Ends *e, uint8_t *y)
{
    __m256 off = _mm256_setzero_ps();
    __m256i a = whole8(v[0], &off), b = whole8(v[1], &off);
    __m256i c = whole8(v[2], &off), d = whole8(v[3], &off);
    __m256i code = _mm256_packus_epi16(_mm256_packs_epi32(a, b), _mm256_packs_epi32(c, d));
    code = _mm256_max_epu8(_mm256_permutevar8x32_epi32(code, e->order), e->least);
    _mm256_storeu_si256((__m256i *)y, _mm256_xor_si256(code, e->flip));
    return _mm256_movemask_ps(_mm256_cmp_ps(off, e->clear, _CMP_NLT_UQ)) == 0;
}

WIDE __m256 shortly(const int32_t *sum, const CodeShort *s, size_t i)
{
    __m256 whole = _mm256_cvtepi32_ps(_mm256_loadu_si256((const __m256i *)sum));
    return _mm256_fmadd_ps(whole, _mm256_loadu_ps(s->scale + i), _mm256_loadu_ps(s->bias + i));
}

static void exactly(const int32_t *sum, const CodeTerms *t, const Coding *to, uint8_t *y, size_t i,
                    size_t n)
{
    code_sums_plain(sum + i, t->less + i, t->scale + i, t->bias + i, to, y + i, 1, n);
}

AVX2 static void code_block(const int32_t *sum, const CodeTerms *t, const Coding *to, uint8_t *y,
                            size_t n, size_t m, size_t all)
{
    CodeShort s;
    size_t whole = m / AT_ONCE * AT_ONCE;
    if (!shorten(t, to, whole, &s))
        whole = 0;
    const Ends e = ends_of(to, s.near);
    for (size_t p = 0; p < n; p++, sum += all, y += all) {
        for (size_t i = 0; i < whole; i += AT_ONCE) {
            __m256 v[AT_ONCE / LANES];
            for (size_t k = 0; k < AT_ONCE / LANES; k++)
                v[k] = shortly(sum + i + k * LANES, &s, i + k * LANES);
            if (!code32(v, &e, y + i))
                exactly(sum, t, to, y, i, AT_ONCE);
        }
        if (whole < m)
            exactly(sum, t, to, y, whole, m - whole);
    }
}

void code_sums_avx2(const int32_t *sum, const CodeTerms *t, const Coding *to, uint8_t *y, size_t n,
                    size_t m)
{
    code_in_blocks(code_block, AT_ONCE, sum, t, to, y, n, m);
}

WIDE __m256 unsigned8(const uint8_t *x, const Decoding *d)
{
    __m128i bytes = _mm_loadl_epi64((const __m128i *)x);
    return _mm256_cvtepi32_ps(
        _mm256_cvtepu8_epi32(_mm_xor_si128(bytes, _mm_set1_epi8((char)d->flip))));
}

AVX2 void code_add_avx2(const uint8_t *a, const uint8_t *b, const Decoding *da, const Decoding *db,
                        const Coding *to, uint8_t *y, size_t n)
{
    CodeShortAdd s;
    bool quick = code_shorten_add(da, db, to, &s);
    const Ends e = ends_of(to, s.near);
    const __m256 by_a = _mm256_set1_ps(s.by_a), by_b = _mm256_set1_ps(s.by_b),
                 base = _mm256_set1_ps(s.base);
    size_t i = 0;
    for (; quick && i + AT_ONCE <= n; i += AT_ONCE) {
        __m256 v[AT_ONCE / LANES];
        for (size_t k = 0; k < AT_ONCE / LANES; k++)
            v[k] = _mm256_fmadd_ps(unsigned8(a + i + k * LANES, da), by_a,
                                   _mm256_fmadd_ps(unsigned8(b + i + k * LANES, db), by_b, base));
        if (!code32(v, &e, y + i))
            code_add_plain(a + i, b + i, da, db, to, y + i, AT_ONCE);
    }
    code_add_plain(a + i, b + i, da, db, to, y + i, n - i);
}

/* ---- tables ---- */

/* Sixteen parts of the table, of which each byte is in one: elsewhere its index is made such that
 * nothing is looked up. */
AVX2 size_t code_look_up_avx2(const uint8_t *x, const uint8_t *table, uint8_t *y, size_t n)
{
    enum { PART = 16, BYTES = 32, BEYOND = 0x70 };
    const __m256i part = _mm256_set1_epi8(PART), beyond = _mm256_set1_epi8(BEYOND);
    size_t i = 0;
    for (; i + BYTES <= n; i += BYTES) {
        __m256i at = _mm256_loadu_si256((const __m256i *)(x + i)), found = _mm256_setzero_si256();
        for (size_t k = 0; k < 256; k += PART) {
            __m256i some =
                _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(table + k)));
            found = _mm256_or_si256(found, _mm256_shuffle_epi8(some, _mm256_adds_epu8(at, beyond)));
            at = _mm256_sub_epi8(at, part);
        }
        _mm256_storeu_si256((__m256i *)(y + i), found);
    }
    return i;
}

#endif
