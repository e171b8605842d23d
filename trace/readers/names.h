/* Interns every distinct span name and category. */
#pragma once

#include "graph/base/arena.h"
#include "trace/readers/utf8.h"
#include "trace/readers/scan.h"
#include "trace/readers/span.h"

typedef struct Name {
    const char *text;    /* as in the file: unescaped, valid UTF-8 */
    const char *group;   /* without what tells instances apart; set by the reader, else = text */
    const char *kind_of; /* category that `kind` was decided for, or NULL */
    const char *op;      /* ONNX Runtime: type of the latest node of that name */
    SpanKind kind;
    uint64_t hash;
    uint32_t raw_len;
    const char *raw; /* bytes as they stood in the file, the key of the table */
} Name;

typedef struct {
    Arena *arena;
    Name **slot;
    size_t count, cap;   /* cap is a power of two */
    uint64_t nmended;    /* names that were no valid UTF-8 */
    EncodingVotes votes; /* what they look like */
} Names;

void names_init(Names *n, Arena *a);

/* The entry of that text, made when new (*ret_new). */
Name *names_intern(Names *n, const Text *text, bool *ret_new);

/* `name` equals one of a NULL-terminated list. */
bool name_in(const char *const *list, const char *name);
