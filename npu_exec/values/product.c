/* Panels, four rows at a time. */
#include "npu_exec/values/product.h"

#include "npu_exec/vectorise.h"

#include <string.h>

enum { ROWS = 4 };

typedef float Floats __attribute__((vector_size(PANEL * sizeof(float))));
typedef int32_t Ints __attribute__((vector_size(PANEL * sizeof(int32_t))));
typedef int16_t Shorts __attribute__((vector_size(PANEL * sizeof(int16_t))));

LOOP float_rows(const float *a, size_t stride, size_t rows, const float (*b)[PANEL], size_t depth,
                float (*sum)[PANEL])
{
    Floats s[ROWS] = {{0}};
    for (size_t k = 0; k < depth; k++) {
        Floats column;
        memcpy(&column, b[k], sizeof column);
        for (size_t r = 0; r < rows; r++)
            s[r] += a[r * stride + k] * column;
    }
    for (size_t r = 0; r < rows; r++)
        memcpy(sum[r], &s[r], sizeof s[r]);
}

LOOP product_float_loop(const float *a, size_t stride, size_t rows, const float (*b)[PANEL],
                        size_t depth, float (*sum)[PANEL])
{
    size_t r = 0;
    for (; r + ROWS <= rows; r += ROWS)
        float_rows(a + r * stride, stride, ROWS, b, depth, sum + r);
    for (; r < rows; r++)
        float_rows(a + r * stride, stride, 1, b, depth, sum + r);
}
VECTORISED(product_float,
           (const float *a, size_t stride, size_t rows, const float (*b)[PANEL], size_t depth,
            float (*ret_sum)[PANEL]),
           (a, stride, rows, b, depth, ret_sum))

LOOP int_rows(const int16_t *a, size_t stride, size_t rows, const int16_t (*b)[PANEL], size_t depth,
              int32_t (*sum)[PANEL])
{
    Ints s[ROWS] = {{0}};
    for (size_t k = 0; k < depth; k++) {
        Shorts column;
        memcpy(&column, b[k], sizeof column);
        Ints wide = __builtin_convertvector(column, Ints);
        for (size_t r = 0; r < rows; r++)
            s[r] += (int32_t)a[r * stride + k] * wide;
    }
    for (size_t r = 0; r < rows; r++)
        memcpy(sum[r], &s[r], sizeof s[r]);
}

LOOP product_int_loop(const int16_t *a, size_t stride, size_t rows, const int16_t (*b)[PANEL],
                      size_t depth, int32_t (*sum)[PANEL])
{
    size_t r = 0;
    for (; r + ROWS <= rows; r += ROWS)
        int_rows(a + r * stride, stride, ROWS, b, depth, sum + r);
    for (; r < rows; r++)
        int_rows(a + r * stride, stride, 1, b, depth, sum + r);
}
VECTORISED(product_int,
           (const int16_t *a, size_t stride, size_t rows, const int16_t (*b)[PANEL], size_t depth,
            int32_t (*ret_sum)[PANEL]),
           (a, stride, rows, b, depth, ret_sum))
