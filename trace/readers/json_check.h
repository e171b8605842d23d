/* Checks whether a text is JSON to the letter (RFC 8259). It works byte by byte, without
 * recursion, in constant memory; the reader's scanner is tolerant, this one is not. */
#pragma once

#include "graph/base/libc.h"

enum { CHECK_MAX_DEPTH = 1024 };

typedef struct {
    uint8_t state, number;                  /* private to json_check.c */
    bool is_key;                            /* the string at hand is a key */
    uint8_t hex_left;                       /* hex digits due after \u */
    uint8_t utf8_left, utf8_low, utf8_high; /* continuation bytes due, range of the next */
    const char *word;                       /* rest of true, false or null */
    uint32_t depth;
    uint64_t is_object[CHECK_MAX_DEPTH / 64]; /* one bit per level */
    uint64_t offset;     /* of the next byte; once failed, of the offending one */
    const char *failure; /* NULL so far; else what is wrong there */
} JsonCheck;

/* Begins with zeros; goes on from where the last call ended; does nothing once it has failed. */
void json_check_feed(JsonCheck *c, const char *bytes, size_t size);

/* At the end of the text: sets `failure` when the value is not complete. */
void json_check_end(JsonCheck *c);
