/* Asks the elements of an array one question, and adds up what they answer.
 *
 * `i` names the index that the condition uses.  It counts from 0, in the type of `n`, and stops at
 * the first element that decides:
 *     return LIST_ANY(i, g->noutput, g->output[i] == tensor); */
#pragma once

#include "graph/base/libc.h"

/* The value at the first element for which the condition holds; `otherwise` if there is none. */
#define LIST_VALUE(i, n, condition, value, otherwise)                                              \
    (__extension__({                                                                               \
        __typeof__((n) + 0) i = 0;                                                                 \
        while (i < (n) && !(condition))                                                            \
            i++;                                                                                   \
        i < (n) ? (value) : (otherwise);                                                           \
    }))

#define LIST_ANY(i, n, condition) LIST_VALUE(i, n, condition, true, false)

/* Of no element: true. */
#define LIST_ALL(i, n, condition) LIST_VALUE(i, n, !(condition), false, true)

/* The address of the first element for which the condition holds; NULL if there is none. */
#define LIST_FIND(i, list, n, condition) LIST_VALUE(i, n, condition, &(list)[i], NULL)

/* The index of the first element for which the condition holds; `n` if there is none. */
#define LIST_INDEX(i, n, condition) LIST_VALUE(i, n, condition, i, n)

/* The sum of `term` over all elements, or how many of them a condition holds for. */
#define LIST_SUM(Type, i, n, term)                                                                 \
    (__extension__({                                                                               \
        Type sum_of_##i = 0;                                                                       \
        for (__typeof__((n) + 0) i = 0; i < (n); i++)                                              \
            sum_of_##i += (term);                                                                  \
        sum_of_##i;                                                                                \
    }))

/* The index of the first element for which the condition does not hold; `n` if there is none.  The
 * list is sorted: the condition holds for no element after that.  Found by halving. */
#define LIST_BOUND(i, n, condition)                                                                \
    (__extension__({                                                                               \
        size_t i, low_of_##i = 0, high_of_##i = (n);                                               \
        while (low_of_##i < high_of_##i) {                                                         \
            i = low_of_##i + (high_of_##i - low_of_##i) / 2;                                       \
            if (condition)                                                                         \
                low_of_##i = i + 1;                                                                \
            else                                                                                   \
                high_of_##i = i;                                                                   \
        }                                                                                          \
        low_of_##i;                                                                                \
    }))
