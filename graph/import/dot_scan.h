/* Splits a DOT file into tokens, which are names, texts, HTML texts, arrows and marks. */
#pragma once

#include "graph/base/arena.h"

typedef enum { TOKEN_END, TOKEN_ID, TOKEN_ARROW, TOKEN_MARK, TOKEN_BAD } DotTokenKind;

typedef struct {
    DotTokenKind kind;
    char mark; /* of TOKEN_MARK: one of { } [ ] ; , = : */
    const char *
        text; /* of TOKEN_ID, in the arena: a name, "text" with its escapes, or what <html> holds */
} DotToken;

typedef struct {
    Arena *arena;
    const char *p, *end;
    size_t line;
    DotToken now;
} DotScan;

/* At the first token. */
void dot_scan_begin(DotScan *s, Arena *a, const char *text, size_t size);
/* To the next one: TOKEN_BAD where it is none of DOT, TOKEN_END at the end. */
void dot_scan_next(DotScan *s);
bool dot_scan_at_mark(const DotScan *s, char mark);
