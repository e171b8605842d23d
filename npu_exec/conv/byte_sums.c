/* Loops that keep all sums in registers. */
#include "npu_exec/conv/byte_sums.h"

#include "npu_exec/conv/instructions.h"

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
tile(const ByteWindow *k, const void *const *x, const int8_t *w, int32_t *sum, int64_t stride,
     int64_t nchannel, const int n, const bool two)
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
    __mmask16 last = (__mmask16)((1U << (nchannel - (two ? BYTE_CHANNELS : 0))) - 1);
#pragma GCC unroll 6
    for (int p = 0; p < n; p++) {
        int32_t *to = sum + p * stride;
        _mm512_mask_storeu_epi32(to, two ? (__mmask16)-1 : last, first[p]);
        if (two)
            _mm512_mask_storeu_epi32(to + BYTE_CHANNELS, last, second[p]);
    }
}

typedef void Tile(const ByteWindow *k, const void *const *x, const int8_t *w, int32_t *sum,
                  int64_t stride, int64_t nchannel);

#define TILE(name, n, two)                                                                         \
    VNNI static void name(const ByteWindow *k, const void *const *x, const int8_t *w,              \
                          int32_t *sum, int64_t stride, int64_t nchannel)                          \
    {                                                                                              \
        tile(k, x, w, sum, stride, nchannel, n, two);                                              \
    }
#define TILES(X) X(1) X(2) X(3) X(4) X(5) X(6)
#define BOTH(n)  TILE(one_##n, n, false) TILE(two_##n, n, true)
TILES(BOTH)

#define NAMES(n) {one_##n, two_##n},
static Tile *const tiles[BYTE_PIXELS][2] = {TILES(NAMES)};

bool byte_sums_are_there(void)
{
    return has_vnni();
}

void byte_sums(const ByteWindow *k, const void *const x[BYTE_PIXELS], int64_t npixel,
               const int8_t *w, int32_t *ret_sum, int64_t stride, int64_t nchannel)
{
    tiles[npixel - 1][nchannel > BYTE_CHANNELS](k, x, w, ret_sum, stride, nchannel);
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
#else
bool byte_sums_are_there(void)
{
    return false;
}

void byte_sums(const ByteWindow *k, const void *const x[BYTE_PIXELS], int64_t npixel,
               const int8_t *w, int32_t *ret_sum, int64_t stride, int64_t nchannel)
{
    (void)k, (void)x, (void)npixel, (void)w, (void)ret_sum, (void)stride, (void)nchannel;
}

int32_t byte_row(const uint8_t *x, const int8_t *w, int64_t n)
{
    (void)x, (void)w, (void)n;
    return 0;
}
#endif
