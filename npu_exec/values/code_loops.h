/* Loops over bytes in several sets of instructions: what they share.  All give the same bits.
 *
 * Half of the time of a quantization is its division.  In sets of instructions of their own a code
 * is a product and a sum instead, whose error has a bound; only where that lies nearer to a half
 * than the bound it is divided. */
#ifndef NPU_EXEC_VALUES_CODE_LOOPS_H
#define NPU_EXEC_VALUES_CODE_LOOPS_H

#include "npu_exec/values/loops.h"

#include <float.h>

/* Of each channel; `less` is taken off the sums. */
typedef struct {
    const int32_t *less;
    const float *scale, *bias;
} CodeTerms;

enum { CODE_CHANNELS = 576 }; /* of a block, at most */

/* Codes as sum * scale + bias, near enough to round but where they lie within `near` of a half;
 * nothing where there is no channel. */
typedef struct {
    float scale[CODE_CHANNELS], bias[CODE_CHANNELS], near;
} CodeShort;

/* A bias beyond the one, or a scale beyond the other: codes may leave 31 bits, or their errors are
 * large. */
static const double CODE_LARGEST = 4096, CODE_STEEPEST = 0.5;

/* Each of five roundings is off by 2^-24 of what it rounds, which is at most a code and twice the
 * largest bias. */
static inline float code_near(double largest_bias)
{
    return (float)(0x1p-24 * 6 * (256 + 2 * largest_bias));
}

/* Codes of a sum as a * by_a + b * by_b + base, likewise. */
typedef struct {
    float by_a, by_b, base, near;
} CodeShortAdd;
bool code_shorten_add(const Decoding *a, const Decoding *b, const Coding *to, CodeShortAdd *ret);

/* Channels [0, m) of n rows of `all`, m at most CODE_CHANNELS. */
typedef void CodeBlock(const int32_t *sum, const CodeTerms *t, const Coding *to, uint8_t *y,
                       size_t n, size_t m, size_t all);

/* loop_code_sums() by a block that is quick on `at_once` channels: rows of few are several at once.
 */
void code_in_blocks(CodeBlock *block, size_t at_once, const int32_t *sum, const CodeTerms *t,
                    const Coding *to, uint8_t *y, size_t n, size_t m);

/* By any instructions. */
void code_sums_plain(const int32_t *sum, const int32_t *less, const float *scale, const float *bias,
                     const Coding *to, uint8_t *y, size_t n, size_t m);
typedef void CodePair(const uint8_t *a, const uint8_t *b, const Decoding *da, const Decoding *db,
                      const Coding *to, uint8_t *y, size_t n);
CodePair code_add_plain, code_sub_plain, code_mul_plain;

#if defined(__x86_64__)
/* With AVX-512 (f, bw, dq, vl); look_up with vbmi. */
void code_sums_avx512(const int32_t *sum, const CodeTerms *t, const Coding *to, uint8_t *y,
                      size_t n, size_t m);
CodePair code_add_avx512, code_sub_avx512, code_mul_avx512;
/* Of the first whole stretches; returns how many elements they have. */
size_t code_look_up_vbmi(const uint8_t *x, const uint8_t *table, uint8_t *y, size_t n);

/* With AVX2 and FMA. */
void code_sums_avx2(const int32_t *sum, const CodeTerms *t, const Coding *to, uint8_t *y, size_t n,
                    size_t m);
CodePair code_add_avx2;
size_t code_look_up_avx2(const uint8_t *x, const uint8_t *table, uint8_t *y, size_t n);
#endif

#endif
