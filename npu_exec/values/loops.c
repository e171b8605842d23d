/* Loops over single elements, with the same result in any vector width. */
#include "npu_exec/values/loops.h"

#include "npu_exec/sim/vectorise.h"

LOOP loop_scale_ints_loop(const int32_t *x, float scale, float bias, float *y, size_t n)
{
    for (size_t i = 0; i < n; i++)
        y[i] = (float)x[i] * scale + bias;
}
VECTORISED(loop_scale_ints, (const int32_t *x, float scale, float bias, float *y, size_t n),
           (x, scale, bias, y, n))

LOOP loop_shift_loop(const float *x, float bias, float *y, size_t n)
{
    for (size_t i = 0; i < n; i++)
        y[i] = x[i] + bias;
}
VECTORISED(loop_shift, (const float *x, float bias, float *y, size_t n), (x, bias, y, n))

LOOP loop_relu_loop(const float *x, float *y, size_t n)
{
    for (size_t i = 0; i < n; i++)
        y[i] = x[i] < 0 ? 0 : x[i];
}
VECTORISED(loop_relu, (const float *x, float *y, size_t n), (x, y, n))

LOOP loop_clip_loop(const float *x, float lo, float hi, float *y, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        float v = x[i] < lo ? lo : x[i];
        y[i] = v > hi ? hi : v;
    }
}
VECTORISED(loop_clip, (const float *x, float lo, float hi, float *y, size_t n), (x, lo, hi, y, n))

#define PAIR(name, op)                                                                             \
    LOOP name##_loop(const float *a, const float *b, float *y, size_t n)                           \
    {                                                                                              \
        for (size_t i = 0; i < n; i++)                                                             \
            y[i] = a[i] op b[i];                                                                   \
    }                                                                                              \
    VECTORISED(name, (const float *a, const float *b, float *y, size_t n), (a, b, y, n))
PAIR(loop_add, +)
PAIR(loop_sub, -)
PAIR(loop_mul, *)

LOOP loop_max_loop(const float *x, size_t step, float *y, size_t n)
{
    if (step == 1)
        for (size_t i = 0; i < n; i++)
            y[i] = x[i] > y[i] || x[i] != x[i] ? x[i] : y[i];
    else
        for (size_t i = 0; i < n; i++)
            y[i] = x[i * step] > y[i] || x[i * step] != x[i * step] ? x[i * step] : y[i];
}
VECTORISED(loop_max, (const float *x, size_t step, float *y, size_t n), (x, step, y, n))

LOOP loop_sum_loop(const float *x, size_t step, float *y, size_t n)
{
    for (size_t i = 0; i < n; i++)
        y[i] += x[i * step];
}
VECTORISED(loop_sum, (const float *x, size_t step, float *y, size_t n), (x, step, y, n))
