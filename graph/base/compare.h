/* Compares two numbers for qsort, and takes the minimum and the maximum. */
#pragma once

#include "graph/base/libc.h"

/* For qsort: below zero, zero or above. */
#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

/* Defines a function for qsort: the first of up to six keys that tells *a and *b, which are of the
 * type, apart, as in COMPARE(a->start, b->start), strcmp(a->name, b->name). */
#define ORDER_BY(name, Type, ...)                                                                  \
    static int name(const void *pa, const void *pb)                                                \
    {                                                                                              \
        const Type *a = pa;                                                                        \
        const Type *b = pb;                                                                        \
        return ORDER_BY_FIRST(__VA_ARGS__, 0, 0, 0, 0, 0, 0);                                      \
    }
/* The same for an array of pointers to the type. */
#define ORDER_BY_POINTED(name, Type, ...)                                                          \
    static int name(const void *pa, const void *pb)                                                \
    {                                                                                              \
        const Type *a = *(const Type *const *)pa;                                                  \
        const Type *b = *(const Type *const *)pb;                                                  \
        return ORDER_BY_FIRST(__VA_ARGS__, 0, 0, 0, 0, 0, 0);                                      \
    }
#define ORDER_BY_FIRST(p, q, r, s, t, u, ...) (p) ?: (q) ?: (r) ?: (s) ?: (t) ?: (u)

/* Sorts n elements by such a function; `list` may be NULL where n is 0. */
#define ORDER_LIST(list, n, order) order_list(list, n, sizeof *(list), order)
static inline void order_list(void *list, size_t n, size_t size,
                              int (*order)(const void *, const void *))
{
    if (n > 1)
        qsort(list, n, size, order);
}

/* Two texts that may be NULL. */
static inline bool texts_equal(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

static inline int64_t i64_min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t i64_max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static inline int64_t i64_clamp(int64_t x, int64_t lo, int64_t hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

/* ceil(a / b) for a >= 0, b > 0. */
static inline int64_t i64_ceil_div(int64_t a, int64_t b)
{
    return a / b + (a % b != 0);
}

static inline int64_t i64_round_up(int64_t n, int64_t multiple)
{
    return (n + multiple - 1) / multiple * multiple;
}

/* Length of what [a, a_end) and [b, b_end) share. */
static inline int64_t i64_overlap(int64_t a, int64_t a_end, int64_t b, int64_t b_end)
{
    int64_t from = i64_max(a, b), to = i64_min(a_end, b_end);
    return to > from ? to - from : 0;
}
