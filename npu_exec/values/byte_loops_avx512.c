/* Loops over bytes in AVX-512, with 16 numbers in a register and 64 bytes packed at once. */
#include "npu_exec/values/byte_loops.h"

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

WIDE Wide broadcast_coding(const Coding *c)
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
WIDE __m512 round_in_range(__m512 v, const Wide *w, __m512 *ret_within)
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
    __m512 whole = round_in_range(_mm512_mul_ps(v, w->inverse), w, &within);
    if (__builtin_expect(_mm512_cmp_ps_mask(within, clear, _CMP_NLT_UQ) != 0, 0))
        whole = round_in_range(_mm512_div_ps(v, w->step), w, &within);
    __m512i code = _mm512_add_epi32(_mm512_cvtps_epi32(whole), w->zero);
    return _mm_xor_si128(_mm512_cvtepi32_epi8(code), w->flip);
}

enum { LANES = 16, AT_ONCE = 4 * LANES };

WIDE __mmask16 lane_mask(size_t left)
{
    unsigned mask = left < LANES ? (1u << left) - 1 : 0xffffu;
    return (__mmask16)mask;
}

WIDE __m128i exact16(__mmask16 k, const int32_t *sum, const QuantizeTerms *t, size_t i,
                     const Wide *w)
{
    __m512i whole = _mm512_sub_epi32(_mm512_maskz_loadu_epi32(k, sum),
                                     _mm512_maskz_loadu_epi32(k, t->less + i));
    __m512 v = _mm512_mul_ps(_mm512_cvtepi32_ps(whole), _mm512_maskz_loadu_ps(k, t->scale + i));
    return coded16(_mm512_add_ps(v, _mm512_maskz_loadu_ps(k, t->bias + i)), w);
}

/* How numbers become bytes: a Relu is a least code. */
typedef struct {
    __m512i least, flip, whole, part, order;
} Ends;

WIDE Ends ends_of(const Coding *to)
{
    const __m512i even = _mm512_set1_epi32(0x00020000), odd = _mm512_set1_epi32(0x00030001);
    __m512i two = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    two = _mm512_or_si512(_mm512_slli_epi32(two, 2), _mm512_slli_epi32(two, 18));
    return (Ends){
        .least = _mm512_set1_epi8((char)(to->relu ? to->zero : 0)),
        .flip = _mm512_set1_epi8((char)to->flip),
        /* words of two registers in order: what is before the point, and behind it */
        .whole = _mm512_add_epi16(two, odd),
        .part = _mm512_add_epi16(two, even),
        /* what packing two registers leaves of each in every quarter */
        .order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7),
    };
}

/* Codes of 32 numbers as words; *vague has a bit for each that is not sure. */
WIDE __m512i code32(__m512 low, __m512 high, const Ends *e, __m512i vague, __mmask32 *ret_vague)
{
    __m512i a = _mm512_cvtps_epi32(low), b = _mm512_cvtps_epi32(high);
    *ret_vague = _mm512_cmple_epu16_mask(_mm512_permutex2var_epi16(a, e->part, b), vague);
    return _mm512_permutex2var_epi16(a, e->whole, b);
}

WIDE __m512i bytes64(__m512i low, __m512i high, const Ends *e)
{
    __m512i code = _mm512_permutexvar_epi64(e->order, _mm512_packus_epi16(low, high));
    return _mm512_xor_si512(_mm512_max_epu8(code, e->least), e->flip);
}

/* Up to 32 channels, in two registers: which are there, and what is nearly a code of them. */
typedef struct {
    __mmask32 there;
    __m512 by[2], base[2];
    __m512i vague;
} Pair;

WIDE Pair pair_of(const QuantizeTerms *t, size_t channel, size_t left)
{
    Pair ret = {.there =
                    _mm512_kunpackw(lane_mask(left > LANES ? left - LANES : 0), lane_mask(left))};
    for (size_t k = 0; k < 2; k++) {
        __mmask16 there = (__mmask16)(ret.there >> (k * LANES));
        ret.by[k] = _mm512_maskz_loadu_ps(there, t->by + channel + k * LANES);
        ret.base[k] = _mm512_maskz_loadu_ps(there, t->base + channel + k * LANES);
    }
    ret.vague = _mm512_maskz_loadu_epi16(ret.there, t->vague + channel);
    return ret;
}

WIDE __m512 approximate_value(const int32_t *sum, const Pair *p, size_t k)
{
    __m512i whole = _mm512_maskz_loadu_epi32((__mmask16)(p->there >> (k * LANES)), sum + k * LANES);
    return _mm512_fmadd_ps(_mm512_cvtepi32_ps(whole), p->by[k], p->base[k]);
}

/* Apart from the loop, whose registers it would take. */
__attribute__((noinline)) AVX512 static void
put_exactly(const QuantizeTerms *t, size_t channel, size_t left, const int32_t *sum, uint8_t *y)
{
    const Wide w = broadcast_coding(&t->to);
    for (size_t i = 0; i < left && i < 2 * LANES; i += LANES) {
        __mmask16 k = lane_mask(left - i);
        _mm_mask_storeu_epi8(y + i, k, exact16(k, sum + i, t, channel + i, &w));
    }
}

/* Two pixels at a time; the last of an odd number is its own neighbour. */
AVX512 void byte_loops_sums_avx512(const QuantizeTerms *t, const QuantizeSums *s)
{
    const Ends e = ends_of(&t->to);
    const size_t stride = s->stride, all = s->all, n = s->n, m = s->m;
    for (size_t i = 0; i < m; i += 2 * LANES) {
        const Pair pair = pair_of(t, s->channel + i, m - i);
        const int32_t *a = s->sum + i;
        uint8_t *y = s->y + i;
        for (size_t p = 0; p < n; p += 2, a += 2 * stride, y += 2 * all) {
            size_t next = p + 1 < n;
            const int32_t *b = a + next * stride;
            uint8_t *z = y + next * all;
            __mmask32 vague[2];
            __m512i code[] = {
                code32(approximate_value(a, &pair, 0), approximate_value(a, &pair, 1), &e,
                       pair.vague, &vague[0]),
                code32(approximate_value(b, &pair, 0), approximate_value(b, &pair, 1), &e,
                       pair.vague, &vague[1]),
            };
            __m512i both = bytes64(code[0], code[1], &e);
            _mm256_mask_storeu_epi8(y, pair.there, _mm512_castsi512_si256(both));
            _mm256_mask_storeu_epi8(z, pair.there, _mm512_extracti64x4_epi64(both, 1));
            if (__builtin_expect(((vague[0] | vague[1]) & pair.there) != 0, 0)) {
                put_exactly(t, s->channel + i, m - i, a, y);
                put_exactly(t, s->channel + i, m - i, b, z);
            }
        }
    }
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
        const Wide w = broadcast_coding(to);                                                       \
        for (size_t i = 0; i < n; i += LANES) {                                                    \
            __mmask16 k = lane_mask(n - i);                                                        \
            __m512 v = join(decoded16(k, a + i, da), decoded16(k, b + i, db));                     \
            _mm_mask_storeu_epi8(y + i, k, coded16(v, &w));                                        \
        }                                                                                          \
    }
static void byte_loops_add_exact(const uint8_t *a, const uint8_t *b, const Decoding *da,
                                 const Decoding *db, const Coding *to, uint8_t *y, size_t n);
WIDE_PAIR(byte_loops_add_exact, _mm512_add_ps)
WIDE_PAIR(byte_loops_sub_avx512, _mm512_sub_ps)
WIDE_PAIR(byte_loops_mul_avx512, _mm512_mul_ps)

WIDE __m512 unsigned16(const uint8_t *x, const Decoding *d)
{
    __m128i bytes = _mm_maskz_loadu_epi8(0xffff, x);
    return _mm512_cvtepi32_ps(
        _mm512_cvtepu8_epi32(_mm_xor_si128(bytes, _mm_set1_epi8((char)d->flip))));
}

AVX512 void byte_loops_add_avx512(const uint8_t *a, const uint8_t *b, const Decoding *da,
                                  const Decoding *db, const Coding *to, uint8_t *y, size_t n)
{
    const ByteAddTerms s = byte_loops_add_terms(da, db, to);
    const Ends e = ends_of(to);
    const __m512 by_a = _mm512_set1_ps(s.by_a), by_b = _mm512_set1_ps(s.by_b),
                 base = _mm512_set1_ps(s.base);
    const __m512i limit = _mm512_set1_epi16((short)s.vague);
    size_t i = 0;
    for (; i + AT_ONCE <= n; i += AT_ONCE) {
        __m512 v[AT_ONCE / LANES];
        __mmask32 vague[2];
        for (size_t k = 0; k < AT_ONCE / LANES; k++)
            v[k] = _mm512_fmadd_ps(unsigned16(a + i + k * LANES, da), by_a,
                                   _mm512_fmadd_ps(unsigned16(b + i + k * LANES, db), by_b, base));
        __m512i low = code32(v[0], v[1], &e, limit, &vague[0]);
        __m512i high = code32(v[2], v[3], &e, limit, &vague[1]);
        if (__builtin_expect((vague[0] | vague[1]) == 0, 1))
            _mm512_storeu_si512(y + i, bytes64(low, high, &e));
        else
            byte_loops_add_exact(a + i, b + i, da, db, to, y + i, AT_ONCE);
    }
    byte_loops_add_exact(a + i, b + i, da, db, to, y + i, n - i);
}

/* ---- tables ---- */

/* The table in four registers, 64 elements at a time. */
__attribute__((target("avx512f,avx512bw,avx512vbmi"))) size_t
byte_loops_look_up_vbmi(const uint8_t *x, const uint8_t *table, uint8_t *y, size_t n)
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
