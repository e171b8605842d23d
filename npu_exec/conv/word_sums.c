/* Adds products of words in AVX2 and in plain C, with equal results. */
#include "npu_exec/conv/word_sums.h"

#include "npu_exec/sim/vectorise.h"
#include "npu_exec/conv/instructions.h"

#include <assert.h>
#include <string.h>

/* ---- any processor ---- */

static int16_t weight_of(const WordWindow *k, const void *w, int64_t at)
{
    return k->wide ? ((const int16_t *)w)[at] : ((const int8_t *)w)[at];
}

static void sums_any(const WordWindow *k, const void *const *x, int64_t npixel, const void *w,
                     const SumBlock *to)
{
    for (int64_t p = 0; p < npixel; p++)
        for (int64_t c = 0; c < to->nchannel; c++) {
            int32_t all = 0;
            for (int64_t i = 0; i < k->nrun * k->pairs; i++) {
                const int16_t *at = (const int16_t *)x[p] + k->run[i / k->pairs] + i % k->pairs * 2;
                int64_t pair = (i * WORD_CHANNELS + c) * 2;
                all += at[0] * weight_of(k, w, pair) + at[1] * weight_of(k, w, pair + 1);
            }
            to->sum[p * to->stride + c] = all;
        }
}

static void depthwise_any(const WordWindow *k, const int16_t *x, int64_t step, int64_t npixel,
                          const int16_t *w, const SumBlock *to)
{
    for (int64_t p = 0; p < npixel; p++)
        for (int64_t c = 0; c < to->nchannel; c++) {
            int32_t all = 0;
            for (int64_t i = 0; i < k->nrun; i++)
                all += x[p * step + k->run[i] + c] * w[(i / 2 * WORD_CHANNELS + c) * 2 + i % 2];
            to->sum[p * to->stride + c] = all;
        }
}

static int32_t row_any(const int16_t *x, const int8_t *w, int64_t n)
{
    int32_t sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += x[i] * w[i];
    return sum;
}

LOOP word_widen_loop(const uint8_t *restrict x, bool is_signed, int32_t zero, int16_t *restrict ret,
                     size_t n)
{
    const int16_t less = (int16_t)zero;
    if (is_signed)
        for (size_t i = 0; i < n; i++)
            ret[i] = (int16_t)((int8_t)x[i] - less);
    else
        for (size_t i = 0; i < n; i++)
            ret[i] = (int16_t)(x[i] - less);
}
VECTORISED(word_widen, (const uint8_t *x, bool is_signed, int32_t zero, int16_t *ret, size_t n),
           (x, is_signed, zero, ret, n))

#if defined(__x86_64__)
#include <immintrin.h>

#define AVX2    __attribute__((target("avx2")))
#define INLINE2 static inline __attribute__((always_inline)) AVX2

enum { HALF = WORD_CHANNELS / 2 }; /* sums in a register */

INLINE2 void store_sums(__m256i low, __m256i high, int32_t *sum, int64_t nchannel)
{
    if (nchannel == WORD_CHANNELS) {
        _mm256_storeu_si256((__m256i *)sum, low);
        _mm256_storeu_si256((__m256i *)(sum + HALF), high);
    } else {
        int32_t all[WORD_CHANNELS];
        _mm256_storeu_si256((__m256i *)all, low);
        _mm256_storeu_si256((__m256i *)(all + HALF), high);
        memcpy(sum, all, (size_t)nchannel * sizeof *sum);
    }
}

/* The weights of half the channels for a pair of words. */
INLINE2 __m256i weights_at(const uint8_t *w, bool wide)
{
    return wide ? _mm256_loadu_si256((const __m256i *)w)
                : _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)w));
}

INLINE2 __m256i pair_at(const int16_t *x)
{
    int32_t both;
    memcpy(&both, x, sizeof both);
    return _mm256_set1_epi32(both);
}

/* Of n pixels; unrolled, so that all sums stay in registers. */
INLINE2 void sum_word_tile(const WordWindow *k, const void *const *x, const void *weights,
                           const SumBlock *to, const int n, const bool wide)
{
    const int64_t half = HALF * 2 * (wide ? sizeof(int16_t) : 1);
    const uint8_t *w = weights;
    __m256i low[WORD_PIXELS], high[WORD_PIXELS];
#pragma GCC unroll 6
    for (int p = 0; p < n; p++)
        low[p] = high[p] = _mm256_setzero_si256();
    for (int64_t r = 0; r < k->nrun; r++) {
        const int16_t *at[WORD_PIXELS];
#pragma GCC unroll 6
        for (int p = 0; p < n; p++)
            at[p] = (const int16_t *)x[p] + k->run[r];
        for (int64_t i = 0; i < 2 * k->pairs; i += 2, w += 2 * half) {
            __m256i a = weights_at(w, wide), b = weights_at(w + half, wide);
#pragma GCC unroll 6
            for (int p = 0; p < n; p++) {
                __m256i both = pair_at(at[p] + i);
                low[p] = _mm256_add_epi32(low[p], _mm256_madd_epi16(both, a));
                high[p] = _mm256_add_epi32(high[p], _mm256_madd_epi16(both, b));
            }
        }
    }
#pragma GCC unroll 6
    for (int p = 0; p < n; p++)
        store_sums(low[p], high[p], to->sum + p * to->stride, to->nchannel);
}

typedef void Tile(const WordWindow *k, const void *const *x, const void *w, const SumBlock *to);

#define TILE(name, n, wide)                                                                        \
    AVX2 static void name(const WordWindow *k, const void *const *x, const void *w,                \
                          const SumBlock *to)                                                      \
    {                                                                                              \
        sum_word_tile(k, x, w, to, n, wide);                                                       \
    }
#define TILES(X) X(1) X(2) X(3) X(4) X(5) X(6)
#define BOTH(n)  TILE(bytes_##n, n, false) TILE(words_##n, n, true)
TILES(BOTH)

#define NAMES(n) {bytes_##n, words_##n},
static Tile *const tiles[WORD_PIXELS][2] = {TILES(NAMES)};

/* Of n pixels: words of two taps are laid side by side, channel by channel. */
INLINE2 void tile_depthwise(const WordWindow *k, const int16_t *x, int64_t step, const int16_t *w,
                            const SumBlock *to, int64_t pixel, const int n)
{
    enum { LOW = 0x20, HIGH = 0x31 }; /* halves of two registers */
    __m256i near[4], far[4];          /* channels 0-3 and 8-11, the others */
#pragma GCC unroll 4
    for (int p = 0; p < n; p++)
        near[p] = far[p] = _mm256_setzero_si256();
    for (int64_t i = 0; i < k->nrun; i += 2, w += 2 * WORD_CHANNELS) {
        const int16_t *one = x + k->run[i], *two = x + k->run[i + 1 < k->nrun ? i + 1 : i];
        __m256i a = weights_at((const uint8_t *)w, true),
                b = weights_at((const uint8_t *)(w + WORD_CHANNELS), true);
        __m256i first = _mm256_permute2x128_si256(a, b, LOW),
                second = _mm256_permute2x128_si256(a, b, HIGH);
#pragma GCC unroll 4
        for (int p = 0; p < n; p++) {
            __m256i u = _mm256_loadu_si256((const __m256i *)(one + p * step)),
                    v = _mm256_loadu_si256((const __m256i *)(two + p * step));
            near[p] =
                _mm256_add_epi32(near[p], _mm256_madd_epi16(_mm256_unpacklo_epi16(u, v), first));
            far[p] =
                _mm256_add_epi32(far[p], _mm256_madd_epi16(_mm256_unpackhi_epi16(u, v), second));
        }
    }
#pragma GCC unroll 4
    for (int p = 0; p < n; p++)
        store_sums(_mm256_permute2x128_si256(near[p], far[p], LOW),
                   _mm256_permute2x128_si256(near[p], far[p], HIGH),
                   to->sum + (pixel + p) * to->stride, to->nchannel);
}

AVX2 static void depthwise_avx2(const WordWindow *k, const int16_t *x, int64_t step, int64_t npixel,
                                const int16_t *w, const SumBlock *to)
{
    int64_t p = 0;
    for (; p + 4 <= npixel; p += 4)
        tile_depthwise(k, x + p * step, step, w, to, p, 4);
    for (; p < npixel; p++)
        tile_depthwise(k, x + p * step, step, w, to, p, 1);
}

AVX2 static int32_t row_avx2(const int16_t *x, const int8_t *w, int64_t n)
{
    __m256i sum = _mm256_setzero_si256();
    int64_t i = 0;
    for (; i + 2 * HALF <= n; i += 2 * HALF) {
        __m256i a = _mm256_loadu_si256((const __m256i *)(x + i));
        sum = _mm256_add_epi32(sum,
                               _mm256_madd_epi16(a, weights_at((const uint8_t *)(w + i), false)));
    }
    int32_t part[HALF], all = row_any(x + i, w + i, n - i);
    _mm256_storeu_si256((__m256i *)part, sum);
    for (int k = 0; k < HALF; k++)
        all += part[k];
    return all;
}

static void sums_avx2(const WordWindow *k, const void *const *x, int64_t npixel, const void *w,
                      const SumBlock *to)
{
    assert(npixel >= 1 && npixel <= WORD_PIXELS && to->nchannel <= WORD_CHANNELS);
    tiles[npixel - 1][k->wide](k, x, w, to);
}
#else
/* Not called: word_sums_use_avx2() is false. */
#define has_avx2()     false
#define sums_avx2      sums_any
#define depthwise_avx2 depthwise_any
#define row_avx2       row_any
#endif

bool word_sums_use_avx2(void)
{
    return has_avx2();
}

int32_t word_row(const int16_t *x, const int8_t *w, int64_t n, bool quick)
{
    return (quick ? row_avx2 : row_any)(x, w, n);
}

void word_sums(const WordWindow *k, const void *const x[WORD_PIXELS], int64_t npixel, const void *w,
               const SumBlock *to)
{
    (k->quick ? sums_avx2 : sums_any)(k, x, npixel, w, to);
}

void word_sums_depthwise(const WordWindow *k, const int16_t *x, int64_t step, int64_t npixel,
                         const int16_t *w, const SumBlock *to)
{
    (k->quick ? depthwise_avx2 : depthwise_any)(k, x, step, npixel, w, to);
}
