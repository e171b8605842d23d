/* Guesses the encoding of texts that are not UTF-8: CP949 (Korean Windows), Shift-JIS or GBK. */
#ifndef TRACE_READERS_ENCODING_H
#define TRACE_READERS_ENCODING_H

#include <assert.h>
#include <stddef.h>

typedef enum { ENCODING_CP949, ENCODING_SHIFT_JIS, ENCODING_GBK, ENCODING_COUNT } Encoding;

/* Double bytes seen, and how many of them are typical of each encoding. */
typedef struct {
    size_t pairs, of[ENCODING_COUNT];
} EncodingVotes;

/* Adds one text of n bytes. */
void encoding_see(EncodingVotes *v, const char *p, size_t n);

/* Name of the most likely encoding, as iconv spells it; NULL: none of them. */
const char *encoding_likely(const EncodingVotes *v);

#endif
