/* Checks UTF-8, and guesses what other text is: CP949 (Korean Windows), Shift-JIS or GBK. */
#pragma once

#include "graph/base/libc.h"

/* Length of the valid sequence at p (1..4, at most n), or 0: overlong forms, surrogates and what
 * lies above U+10FFFF are invalid. n > 0. */
size_t utf8_sequence(const char *p, size_t n);

typedef enum { ENCODING_CP949, ENCODING_SHIFT_JIS, ENCODING_GBK, ENCODING_COUNT } Encoding;

/* Double bytes seen, and how many of them are typical of each encoding. */
typedef struct {
    size_t pairs, of[ENCODING_COUNT];
} EncodingVotes;

/* Adds one text of n bytes. */
void encoding_see(EncodingVotes *v, const char *p, size_t n);

/* Name of the most likely encoding, as iconv spells it; NULL: none of them. */
const char *encoding_likely(const EncodingVotes *v);
