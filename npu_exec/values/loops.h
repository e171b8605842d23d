/* Loops over whole rows of numbers, vectorised. */
#ifndef NPU_EXEC_VALUES_LOOPS_H
#define NPU_EXEC_VALUES_LOOPS_H

#include <stddef.h>
#include <stdint.h>

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
/* Of the greatest so far and every `step`-th x, the greater; what is no number stays. */
void loop_max(const float *x, size_t step, float *y, size_t n);
/* y += every `step`-th x. */
void loop_sum(const float *x, size_t step, float *y, size_t n);
/* x -= less. */
void loop_less(int32_t *x, int32_t less, size_t n);

#endif
