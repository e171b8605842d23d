/* Declares loops over bytes in several sets of instructions, with equal results.  All give the
 * same bits.
 *
 * Half of the time of a quantization is its division.  In sets of instructions of their own a code
 * is a product and a sum instead, whose error has a bound; only where that lies nearer to a half
 * than the bound it is divided. */
#ifndef NPU_EXEC_VALUES_BYTE_LOOPS_H
#define NPU_EXEC_VALUES_BYTE_LOOPS_H

#include "npu_exec/values/loops.h"

#include <float.h>

/* What loop_quantize_terms() makes but for the choice of instructions. */
void byte_loops_code_terms(QuantizeTerms *t, size_t m);

/* Codes of a sum as a * by_a + b * by_b + base, likewise. */
typedef struct {
    float by_a, by_b, base;
    uint16_t vague;
} ByteAddTerms;
ByteAddTerms byte_loops_add_terms(const Decoding *a, const Decoding *b, const Coding *to);

/* By any instructions. */
QuantizeSumsLoop byte_loops_sums_plain;

typedef void BytePairLoop(const uint8_t *a, const uint8_t *b, const Decoding *da,
                          const Decoding *db, const Coding *to, uint8_t *y, size_t n);
BytePairLoop byte_loops_add_plain, byte_loops_sub_plain, byte_loops_mul_plain;

#if defined(__x86_64__)
/* With AVX-512 (f, bw, dq, vl); look_up with vbmi. */
QuantizeSumsLoop byte_loops_sums_avx512;
BytePairLoop byte_loops_add_avx512, byte_loops_sub_avx512, byte_loops_mul_avx512;
/* Of the first whole stretches; returns how many elements they have. */
size_t byte_loops_look_up_vbmi(const uint8_t *x, const uint8_t *table, uint8_t *y, size_t n);

/* With AVX2 and FMA. */
QuantizeSumsLoop byte_loops_sums_avx2;
BytePairLoop byte_loops_add_avx2;
size_t byte_loops_look_up_avx2(const uint8_t *x, const uint8_t *table, uint8_t *y, size_t n);
#endif

#endif
