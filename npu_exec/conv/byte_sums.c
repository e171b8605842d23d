/* Adds products of bytes in loops that keep all sums in registers. */
#include "npu_exec/conv/byte_sums.h"

#include "npu_exec/conv/instructions.h"

#include <assert.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>

#define VNNI __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni")))

static inline __attribute__((always_inline)) VNNI __m512i four_at(const uint8_t *x)
{
    int32_t four;
    memcpy(&four, x, sizeof four);
    return _mm512_set1_epi32(four);
}

/* Of n pixels and one block of channels or two; unrolled, so that all sums stay in registers. */
static inline __attribute__((always_inline)) VNNI void
sum_byte_tile(const ByteWindow *k, const void *const *x, const int8_t *w, const SumBlock *to,
              const int n, const bool two)
{
    const int64_t step = BYTE_CHANNELS * 4;
    const int8_t *v = w + k->nrun * k->fours * step;
    __m512i first[BYTE_PIXELS], second[BYTE_PIXELS];
#pragma GCC unroll 6
    for (int p = 0; p < n; p++)
        first[p] = second[p] = _mm512_setzero_si512();
    for (int64_t r = 0; r < k->nrun; r++) {
        const uint8_t *at[BYTE_PIXELS];
#pragma GCC unroll 6
        for (int p = 0; p < n; p++)
            at[p] = (const uint8_t *)x[p] + k->run[r];
        for (int64_t i = 0; i < 4 * k->fours; i += 4, w += step, v += step) {
            __m512i a = _mm512_loadu_si512(w), b = two ? _mm512_loadu_si512(v) : a;
#pragma GCC unroll 6
            for (int p = 0; p < n; p++) {
                __m512i four = four_at(at[p] + i);
                first[p] = _mm512_dpbusd_epi32(first[p], four, a);
                if (two)
                    second[p] = _mm512_dpbusd_epi32(second[p], four, b);
            }
        }
    }
    __mmask16 last = (__mmask16)((1U << (to->nchannel - (two ? BYTE_CHANNELS : 0))) - 1);
#pragma GCC unroll 6
    for (int p = 0; p < n; p++) {
        int32_t *sum = to->sum + p * to->stride;
        _mm512_mask_storeu_epi32(sum, two ? (__mmask16)-1 : last, first[p]);
        if (two)
            _mm512_mask_storeu_epi32(sum + BYTE_CHANNELS, last, second[p]);
    }
}

typedef void Tile(const ByteWindow *k, const void *const *x, const int8_t *w, const SumBlock *to);

#define TILE(name, n, two)                                                                         \
    VNNI static void name(const ByteWindow *k, const void *const *x, const int8_t *w,              \
                          const SumBlock *to)                                                      \
    {                                                                                              \
        sum_byte_tile(k, x, w, to, n, two);                                                        \
    }
#define TILES(X) X(1) X(2) X(3) X(4) X(5) X(6)
#define BOTH(n)  TILE(one_##n, n, false) TILE(two_##n, n, true)
TILES(BOTH)

#define NAMES(n) {one_##n, two_##n},
static Tile *const tiles[BYTE_PIXELS][2] = {TILES(NAMES)};

bool byte_sums_supported(void)
{
    return has_vnni();
}

void byte_sums(const ByteWindow *k, const void *const x[BYTE_PIXELS], int64_t npixel,
               const int8_t *w, const SumBlock *to)
{
    assert(npixel >= 1 && npixel <= BYTE_PIXELS);
    assert(to->nchannel >= 1 && to->nchannel <= 2 * BYTE_CHANNELS);
    tiles[npixel - 1][to->nchannel > BYTE_CHANNELS](k, x, w, to);
}

VNNI int32_t byte_row(const uint8_t *x, const int8_t *w, int64_t n)
{
    const int64_t most = 64;
    __m512i sum = _mm512_setzero_si512();
    for (; n >= most; n -= most, x += most, w += most)
        sum = _mm512_dpbusd_epi32(sum, _mm512_loadu_si512(x), _mm512_loadu_si512(w));
    __mmask64 rest = (UINT64_C(1) << n) - 1;
    sum = _mm512_dpbusd_epi32(sum, _mm512_maskz_loadu_epi8(rest, x),
                              _mm512_maskz_loadu_epi8(rest, w));
    return _mm512_reduce_add_epi32(sum);
}
/* ---- each channel by itself ---- */

enum {
    QUARTER = BYTE_DEPTHWISE_CHANNELS / 4,
    STEP = BYTE_DEPTHWISE_CHANNELS * 4
};                                  /* of a register; of a pixel */
enum { BYTE_DEPTHWISE_PIXELS = 4 }; /* at once */

static inline __attribute__((always_inline)) VNNI __m512i line_at(const ByteLine *l, int64_t pixel,
                                                                  __mmask64 k, __m512i flip)
{
    /* such that laying bytes side by side in each quarter of a register gives them in order */
    const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    __m512i x = _mm512_maskz_loadu_epi8(k, l->at + pixel * l->step);
    return _mm512_permutexvar_epi32(order, _mm512_xor_si512(x, flip));
}

VNNI void byte_interleave_lines(const ByteLine line[4], int64_t npixel, int64_t n, uint8_t flip,
                                uint8_t *ret)
{
    const __m512i turn = _mm512_set1_epi8((char)flip);
    const __mmask64 k = n < BYTE_DEPTHWISE_CHANNELS ? (UINT64_C(1) << n) - 1 : ~UINT64_C(0);
    for (int64_t p = 0; p < npixel; p++, ret += STEP) {
        __m512i a = line_at(&line[0], p, k, turn), b = line_at(&line[1], p, k, turn);
        __m512i c = line_at(&line[2], p, k, turn), d = line_at(&line[3], p, k, turn);
        __m512i ab = _mm512_unpacklo_epi8(a, b), cd = _mm512_unpacklo_epi8(c, d);
        __m512i AB = _mm512_unpackhi_epi8(a, b), CD = _mm512_unpackhi_epi8(c, d);
        _mm512_storeu_si512(ret, _mm512_unpacklo_epi16(ab, cd));
        _mm512_storeu_si512(ret + STEP / 4, _mm512_unpackhi_epi16(ab, cd));
        _mm512_storeu_si512(ret + STEP / 2, _mm512_unpacklo_epi16(AB, CD));
        _mm512_storeu_si512(ret + STEP / 4 * 3, _mm512_unpackhi_epi16(AB, CD));
    }
}

/* Of four pixels and some quarters of the channels; a pixel that is none is the first one. */
static inline __attribute__((always_inline)) VNNI void
tile_depthwise(const ByteWindow *k, const uint8_t *const x[BYTE_DEPTHWISE_PIXELS], const int8_t *w,
               int32_t *ret_sum, const int quarters)
{
    __m512i sum[BYTE_DEPTHWISE_PIXELS][4];
#pragma GCC unroll 4
    for (int p = 0; p < BYTE_DEPTHWISE_PIXELS; p++)
#pragma GCC unroll 4
        for (int q = 0; q < quarters; q++)
            sum[p][q] = _mm512_setzero_si512();
    for (int64_t r = 0; r < k->nrun; r++, w += STEP)
#pragma GCC unroll 4
        for (int q = 0; q < quarters; q++) {
            __m512i weight = _mm512_loadu_si512(w + q * STEP / 4);
#pragma GCC unroll 4
            for (int p = 0; p < BYTE_DEPTHWISE_PIXELS; p++)
                sum[p][q] = _mm512_dpbusd_epi32(
                    sum[p][q], _mm512_loadu_si512(x[p] + k->run[r] + q * STEP / 4), weight);
        }
#pragma GCC unroll 4
    for (int p = 0; p < BYTE_DEPTHWISE_PIXELS; p++)
#pragma GCC unroll 4
        for (int q = 0; q < quarters; q++)
            _mm512_storeu_si512(ret_sum + p * BYTE_DEPTHWISE_CHANNELS + q * QUARTER, sum[p][q]);
}

#define DEPTHWISE(n)                                                                               \
    VNNI static void depthwise_##n(const ByteWindow *k,                                            \
                                   const uint8_t *const x[BYTE_DEPTHWISE_PIXELS], const int8_t *w, \
                                   int32_t *ret_sum)                                               \
    {                                                                                              \
        tile_depthwise(k, x, w, ret_sum, n);                                                       \
    }
#define QUARTERS(X) X(1) X(2) X(3) X(4)
QUARTERS(DEPTHWISE)

#define DEPTHWISE_KERNELS(n) depthwise_##n,

void byte_sums_depthwise(const ByteWindow *k, const uint8_t *x, int64_t step, int64_t npixel,
                         const int8_t *w, int64_t n, int32_t *ret_sum)
{
    static void (*const of[])(const ByteWindow *, const uint8_t *const *, const int8_t *,
                              int32_t *) = {QUARTERS(DEPTHWISE_KERNELS)};
    for (int64_t p = 0; p < npixel;
         p += BYTE_DEPTHWISE_PIXELS, ret_sum += BYTE_DEPTHWISE_PIXELS * BYTE_DEPTHWISE_CHANNELS) {
        const uint8_t *pixel[BYTE_DEPTHWISE_PIXELS];
        for (int64_t i = 0; i < BYTE_DEPTHWISE_PIXELS; i++)
            pixel[i] = x + (p + i < npixel ? p + i : p) * step;
        of[(n - 1) / QUARTER](k, pixel, w, ret_sum);
    }
}
#else
bool byte_sums_supported(void)
{
    return false;
}

void byte_sums(const ByteWindow *k, const void *const x[BYTE_PIXELS], int64_t npixel,
               const int8_t *w, const SumBlock *to)
{
    (void)k, (void)x, (void)npixel, (void)w, (void)to;
}

int32_t byte_row(const uint8_t *x, const int8_t *w, int64_t n)
{
    (void)x, (void)w, (void)n;
    return 0;
}

void byte_interleave_lines(const ByteLine line[4], int64_t npixel, int64_t n, uint8_t flip,
                           uint8_t *ret)
{
    (void)line, (void)npixel, (void)n, (void)flip, (void)ret;
}

void byte_sums_depthwise(const ByteWindow *k, const uint8_t *x, int64_t step, int64_t npixel,
                         const int8_t *w, int64_t n, int32_t *ret_sum)
{
    (void)k, (void)x, (void)step, (void)npixel, (void)w, (void)n, (void)ret_sum;
}
#endif
