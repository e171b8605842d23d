/* Loops over bytes in AVX2, with 8 numbers in a register and 32 bytes packed at once. */
#include "npu_exec/values/byte_loops.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

#define AVX2 __attribute__((target("avx2,fma")))
#define WIDE static inline __attribute__((always_inline)) AVX2

enum { LANES = 8, AT_ONCE = 4 * LANES };

/* How numbers become bytes: a Relu is a least code. */
typedef struct {
    __m256i least, flip, order;
} Ends;

WIDE Ends ends_of(const Coding *to)
{
    return (Ends){
        .least = _mm256_set1_epi8((char)(to->relu ? to->zero : 0)),
        .flip = _mm256_set1_epi8((char)to->flip),
        /* what packing four registers leaves of each in either half */
        .order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7),
    };
}

/* Packing leaves of two registers quarters in turn. */
WIDE __m256i in_turn(__m256i words)
{
    enum { FIRST_THIRD_SECOND_FOURTH = 0xd8 };
    return _mm256_permute4x64_epi64(words, FIRST_THIRD_SECOND_FOURTH);
}

/* Codes of 16 numbers as words, in turn, as `vague` is; *sure is 0 where one is not. */
WIDE __m256i code16(__m256 low, __m256 high, __m256i vague, __m256i *sure)
{
    const __m256i part = _mm256_set1_epi32(UINT16_MAX);
    __m256i a = _mm256_cvtps_epi32(low), b = _mm256_cvtps_epi32(high);
    __m256i behind = _mm256_packus_epi32(_mm256_and_si256(a, part), _mm256_and_si256(b, part));
    *sure = _mm256_min_epu16(*sure, _mm256_subs_epu16(behind, vague));
    return _mm256_packs_epi32(_mm256_srai_epi32(a, 16), _mm256_srai_epi32(b, 16));
}

WIDE __m256i bytes32(__m256i low, __m256i high, const Ends *e)
{
    __m256i code = _mm256_permutevar8x32_epi32(_mm256_packus_epi16(low, high), e->order);
    return _mm256_xor_si256(_mm256_max_epu8(code, e->least), e->flip);
}

WIDE bool all_sure(__m256i sure)
{
    return _mm256_movemask_epi8(_mm256_cmpeq_epi16(sure, _mm256_setzero_si256())) == 0;
}

/* Up to 16 channels, in two registers: which are there, and what is nearly a code of them. */
typedef struct {
    size_t m;
    __m256i there[2];
    __m256 by[2], base[2];
    __m256i vague; /* in turn */
} Pair;

/* Where there is no channel nothing is vague. */
WIDE Pair pair_of(const QuantizeTerms *t, size_t channel, size_t left)
{
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    Pair ret = {.m = left < 2 * LANES ? left : 2 * LANES};
    uint16_t few[2 * LANES] = {0}, *vague = t->vague + channel;
    if (ret.m < 2 * LANES)
        vague = memcpy(few, vague, ret.m * sizeof *vague);
    ret.vague = in_turn(_mm256_loadu_si256((const __m256i *)vague));
    for (size_t k = 0; k < 2; k++) {
        size_t at = channel + k * LANES;
        __m256i there = _mm256_cmpgt_epi32(_mm256_set1_epi32((int)ret.m - (int)k * LANES), lane);
        __m256 base = _mm256_maskload_ps(t->base + at, there);
        ret.there[k] = there;
        ret.by[k] = _mm256_maskload_ps(t->by + at, there);
        ret.base[k] = _mm256_blendv_ps(_mm256_set1_ps(1), base, _mm256_castsi256_ps(there));
    }
    return ret;
}

WIDE __m256 approximate_value(const int32_t *sum, const Pair *p, size_t k)
{
    __m256i whole = _mm256_maskload_epi32(sum + k * LANES, p->there[k]);
    return _mm256_fmadd_ps(_mm256_cvtepi32_ps(whole), p->by[k], p->base[k]);
}

WIDE void store_lanes(__m128i code, const Pair *p, uint8_t *y)
{
    uint8_t all[2 * LANES];
    if (p->m == sizeof all) {
        _mm_storeu_si128((__m128i *)y, code);
    } else {
        _mm_storeu_si128((__m128i *)all, code);
        memcpy(y, all, p->m);
    }
}

/* Two pixels at a time; the last of an odd number is its own neighbour. */
AVX2 void byte_loops_sums_avx2(const QuantizeTerms *t, const QuantizeSums *s)
{
    const Ends e = ends_of(&t->to);
    for (size_t i = 0; i < s->m; i += 2 * LANES) {
        const Pair pair = pair_of(t, s->channel + i, s->m - i);
        for (size_t p = 0; p < s->n; p += 2) {
            size_t next = p + 1 < s->n ? 1 : 0;
            const int32_t *a = s->sum + p * s->stride + i, *b = a + next * s->stride;
            uint8_t *y = s->y + p * s->all + i;
            __m256i sure = _mm256_set1_epi16(1);
            __m256i low = code16(approximate_value(a, &pair, 0), approximate_value(a, &pair, 1),
                                 pair.vague, &sure);
            __m256i high = code16(approximate_value(b, &pair, 0), approximate_value(b, &pair, 1),
                                  pair.vague, &sure);
            __m256i code = bytes32(low, high, &e);
            store_lanes(_mm256_castsi256_si128(code), &pair, y);
            store_lanes(_mm256_extracti128_si256(code, 1), &pair, y + next * s->all);
            if (__builtin_expect(!all_sure(sure), 0))
                byte_loops_sums_plain(
                    t, &(QuantizeSums){a, y, s->stride, s->all, s->channel + i, 1 + next, pair.m});
        }
    }
}

WIDE __m256 load_unsigned8(const uint8_t *x, const Decoding *d)
{
    __m128i bytes = _mm_loadl_epi64((const __m128i *)x);
    return _mm256_cvtepi32_ps(
        _mm256_cvtepu8_epi32(_mm_xor_si128(bytes, _mm_set1_epi8((char)d->flip))));
}

AVX2 void byte_loops_add_avx2(const uint8_t *a, const uint8_t *b, const Decoding *da,
                              const Decoding *db, const Coding *to, uint8_t *y, size_t n)
{
    const ByteAddTerms s = byte_loops_add_terms(da, db, to);
    const Ends e = ends_of(to);
    const __m256 by_a = _mm256_set1_ps(s.by_a), by_b = _mm256_set1_ps(s.by_b),
                 base = _mm256_set1_ps(s.base);
    const __m256i vague = _mm256_set1_epi16((short)s.vague);
    size_t i = 0;
    for (; i + AT_ONCE <= n; i += AT_ONCE) {
        __m256i sure = _mm256_set1_epi16(1);
        __m256 v[AT_ONCE / LANES];
        for (size_t k = 0; k < AT_ONCE / LANES; k++)
            v[k] =
                _mm256_fmadd_ps(load_unsigned8(a + i + k * LANES, da), by_a,
                                _mm256_fmadd_ps(load_unsigned8(b + i + k * LANES, db), by_b, base));
        __m256i low = code16(v[0], v[1], vague, &sure), high = code16(v[2], v[3], vague, &sure);
        if (__builtin_expect(all_sure(sure), 1))
            _mm256_storeu_si256((__m256i *)(y + i), bytes32(low, high, &e));
        else
            byte_loops_add_plain(a + i, b + i, da, db, to, y + i, AT_ONCE);
    }
    byte_loops_add_plain(a + i, b + i, da, db, to, y + i, n - i);
}

/* ---- tables ---- */

/* Sixteen parts of the table, of which each byte is in one: elsewhere its index is made such that
 * nothing is looked up. */
AVX2 size_t byte_loops_look_up_avx2(const uint8_t *x, const uint8_t *table, uint8_t *y, size_t n)
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
