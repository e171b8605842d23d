/* Adds products of 16-bit words.
 *
 * What bytes less their zero points are multiplied in where no instruction adds products of bytes
 * exactly: those of AVX2 saturate sums of two in 16 bits.  A word holds any difference of two
 * bytes, and 32 bits any sum of products of two of them. */
#ifndef NPU_EXEC_CONV_WORD_SUMS_H
#define NPU_EXEC_CONV_WORD_SUMS_H

#include "npu_exec/conv/conv_shape.h"

#include <stddef.h>

enum { WORD_CHANNELS = 16, WORD_PIXELS = 6 }; /* at once, at most */
enum { WORD_OVERREAD = 32 }; /* words behind the last one that may be read, whatever they are */

/* What a pixel of the output sees: runs of words that lie one behind the other, an even number of
 * them, the last of an odd number with a weight of 0 for the word behind it. */
typedef struct {
    const int64_t *run;  /* where each begins, from a pixel's first word on */
    int64_t nrun, pairs; /* of words in each */
    bool wide;           /* weights are words, too, not signed bytes */
    bool quick;          /* by AVX2, which word_sums_use_avx2() has said yes to */
} WordWindow;

bool word_sums_use_avx2(void);

/* Sums of words x[pixel] and weights that lie [run][pair][WORD_CHANNELS][2]. */
void word_sums(const WordWindow *k, const void *const x[WORD_PIXELS], int64_t npixel, const void *w,
               const SumBlock *to);

/* The sum of x[i] * w[i] of a pixel and a channel; `quick` as above. */
int32_t word_row(const int16_t *x, const int8_t *w, int64_t n, bool quick);

/* Of each channel by itself: the runs are taps of a word for each channel, taken in pairs, an odd
 * one with a weight of 0 behind it; x[pixel * step + channel], weights [pair of
 * taps][WORD_CHANNELS][2] in words. */
void word_sums_depthwise(const WordWindow *k, const int16_t *x, int64_t step, int64_t npixel,
                         const int16_t *w, const SumBlock *to);

/* n bytes, signed ones with `is_signed`, less their zero point. */
void word_widen(const uint8_t *x, bool is_signed, int32_t zero, int16_t *ret, size_t n);

#endif
