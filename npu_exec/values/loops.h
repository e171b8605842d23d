/* Declares vectorised loops over rows of numbers. */
#pragma once

#include "graph/base/libc.h"

/* y = x * scale + bias. */
void loop_scale_ints(const int32_t *x, float scale, float bias, float *y, size_t n);
/* y = x + bias. */
void loop_shift(const float *x, float bias, float *y, size_t n);
/* y = x, or 0 where x < 0; in place as well. */
void loop_relu(const float *x, float *y, size_t n);
/* y = x, lo where x < lo, hi where x > hi; in place as well. */
void loop_clip(const float *x, float lo, float hi, float *y, size_t n);
void loop_add(const float *a, const float *b, float *y, size_t n);
void loop_sub(const float *a, const float *b, float *y, size_t n);
void loop_mul(const float *a, const float *b, float *y, size_t n);
/* Of the greatest so far and every `step`-th x, the greater; NaN stays. */
void loop_max(const float *x, size_t step, float *y, size_t n);
/* y += every `step`-th x. */
void loop_sum(const float *x, size_t step, float *y, size_t n);

/* Bytes, signed ones with `flip` 0x80 (the bit in which they differ from unsigned ones of the same
 * order), else 0. */

/* From numbers to codes: of scale, zero point as an unsigned byte, and `relu` first. */
typedef struct {
    bool relu;
    float step;
    int32_t zero;
    uint8_t flip;
} Coding;

/* How sums become codes, of each of m channels: less `less`, scaled, a bias added. */
typedef struct {
    Coding to;
    const int32_t *less;
    const float *scale, *bias;
    size_t m;
} QuantizeTerms;

/* Of n pixels, sum[pixel * m + channel]. */
void loop_quantize_sums(const QuantizeTerms *t, const int32_t *sum, uint8_t *y, size_t n);

/* How codes are numbers: (x - zero) * scale. */
typedef struct {
    float scale;
    int32_t zero;
    uint8_t flip;
} Decoding;

/* Of two numbers that are codes. */
void loop_add_bytes(const uint8_t *a, const uint8_t *b, const Decoding *da, const Decoding *db,
                    const Coding *to, uint8_t *y, size_t n);
void loop_sub_bytes(const uint8_t *a, const uint8_t *b, const Decoding *da, const Decoding *db,
                    const Coding *to, uint8_t *y, size_t n);
void loop_mul_bytes(const uint8_t *a, const uint8_t *b, const Decoding *da, const Decoding *db,
                    const Coding *to, uint8_t *y, size_t n);

/* y = table[x]. */
void loop_look_up(const uint8_t *x, const uint8_t table[256], uint8_t *y, size_t n);
/* y = the greater. */
void loop_max_bytes(const uint8_t *x, uint8_t flip, uint8_t *y, size_t n);
