/* Writes JSON text into a buffered stream, fast enough for traces of gigabytes. */
#pragma once

#include "graph/base/libc.h"

enum { EMIT_BUFFER_BYTES = 64 << 10 };

typedef struct {
    FILE *stream;
    size_t used;
    uint64_t flushed; /* bytes handed to the stream so far */
    char buffer[EMIT_BUFFER_BYTES];
} Emit;

void emit_bytes(Emit *e, const char *text, size_t len);
void emit_text(Emit *e, const char *text);
#define EMIT(e, literal) emit_bytes((e), (literal), sizeof(literal) - 1)

void emit_int(Emit *e, int64_t value);
void emit_hex(Emit *e, uint64_t value, int digits); /* zero-padded */

/* Nanoseconds as microseconds with three decimals: 14932 -> 14.932 */
void emit_microseconds(Emit *e, int64_t ns);

/* A length >= 0 with a fourth decimal, `tenths` (1..4) of a nanosecond short: 14.932 -> 14.9319,
 * which still rounds to the nanosecond; 0 -> 0.0001. */
void emit_microseconds_short(Emit *e, int64_t ns, int tenths);

/* A JSON string with its quotes.  Invalid UTF-8 becomes U+FFFD. */
void emit_string(Emit *e, const char *text);

/* Hands the buffer to the stream; the stream's error flag tells of trouble. */
void emit_flush(Emit *e);
