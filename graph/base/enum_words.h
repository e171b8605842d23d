/* Defines the function that gives the word of each value of an enum. */
#pragma once

#include "graph/base/libc.h"

/* `const char *function(Type x)`: the words of the values 0 to count - 1, in their order or as
 * [VALUE] = "word". */
#define ENUM_WORDS(function, Type, count, ...)                                                     \
    const char *function(Type x)                                                                   \
    {                                                                                              \
        static const char *const word[] = {__VA_ARGS__};                                           \
        static_assert(sizeof word / sizeof *word == (count), "a word for each value");             \
        assert((size_t)x < (count));                                                               \
        return word[x];                                                                            \
    }
