/* Checks whether one UTF-8 sequence is valid. */
#ifndef TRACE_READERS_UTF8_H
#define TRACE_READERS_UTF8_H

#include <stddef.h>

/* Length of the valid sequence at p (1..4, at most n), or 0: overlong forms, surrogates and what
 * lies above U+10FFFF are invalid. n > 0. */
size_t utf8_sequence(const char *p, size_t n);

#endif
