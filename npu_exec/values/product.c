/* Multiplies a panel with four rows at a time. */
#include "npu_exec/values/product.h"
#include "npu_exec/sim/vectorise.h"

enum { ROWS = 4 };

typedef float Floats __attribute__((vector_size(PANEL * sizeof(float))));
typedef int32_t Ints __attribute__((vector_size(PANEL * sizeof(int32_t))));
typedef int16_t Shorts __attribute__((vector_size(PANEL * sizeof(int16_t))));

/* name_rows() and name(): columns of `From` are widened to `To` and added up. */
#define PRODUCT(name, From, Columns, To, Sums)                                                     \
    LOOP name##_rows(const From *a, size_t stride, size_t rows, const From(*b)[PANEL],             \
                     size_t depth, To(*sum)[PANEL])                                                \
    {                                                                                              \
        Sums s[ROWS] = {{0}};                                                                      \
        for (size_t k = 0; k < depth; k++) {                                                       \
            Columns column;                                                                        \
            memcpy(&column, b[k], sizeof column);                                                  \
            Sums wide = __builtin_convertvector(column, Sums);                                     \
            for (size_t r = 0; r < rows; r++)                                                      \
                s[r] += (To)a[r * stride + k] * wide;                                              \
        }                                                                                          \
        for (size_t r = 0; r < rows; r++)                                                          \
            memcpy(sum[r], &s[r], sizeof s[r]);                                                    \
    }                                                                                              \
    LOOP name##_loop(const From *a, size_t stride, size_t rows, const From(*b)[PANEL],             \
                     size_t depth, To(*sum)[PANEL])                                                \
    {                                                                                              \
        size_t r = 0;                                                                              \
        for (; r + ROWS <= rows; r += ROWS)                                                        \
            name##_rows(a + r * stride, stride, ROWS, b, depth, sum + r);                          \
        for (; r < rows; r++)                                                                      \
            name##_rows(a + r * stride, stride, 1, b, depth, sum + r);                             \
    }                                                                                              \
    VECTORISED(name,                                                                               \
               (const From *a, size_t stride, size_t rows, const From(*b)[PANEL], size_t depth,    \
                To(*ret_sum)[PANEL]),                                                              \
               (a, stride, rows, b, depth, ret_sum))

PRODUCT(product_float, float, Floats, float, Floats)
PRODUCT(product_int, int16_t, Shorts, int32_t, Ints)
