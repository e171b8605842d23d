/* Compares two numbers for qsort, and takes the minimum and the maximum. */
#ifndef GRAPH_BASE_COMPARE_H
#define GRAPH_BASE_COMPARE_H

#include <stdint.h>

/* For qsort: below zero, zero or above. */
#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

static inline int64_t i64_min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t i64_max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

#endif
