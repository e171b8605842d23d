/* Holds a long list in chunks, which are freed one by one while it is read again. Moving a list
 * into its final place then needs its memory once and not twice. */
#pragma once

#include "graph/base/libc.h"

typedef struct RowChunk RowChunk;

typedef struct {
    size_t size; /* of one row */
    size_t count;
    RowChunk *first, *last;
} Rows;

/* Address of a new row, not zeroed; never NULL. */
void *rows_push(Rows *r);

/* Walks from the beginning: NULL at the end. */
typedef struct {
    RowChunk *chunk;
    size_t next;
} RowCursor;
RowCursor rows_begin(const Rows *r);
void *rows_next(const Rows *r, RowCursor *c);

/* Starts after the first `skip` rows; none have been taken out. */
RowCursor rows_from(const Rows *r, size_t skip);

/* Keeps the first `count` rows; none have been taken out. */
void rows_cut(Rows *r, size_t count);

/* Takes the first row out; NULL when none is left.  Valid until the next call. */
void *rows_take(Rows *r);

/* Keeps the rows for which `keep` says yes, in their order; it may change them. */
void rows_filter(Rows *r, bool (*keep)(void *user, void *row), void *user);

void rows_free(Rows *r);

/* qsort, but one pass over rows that are in order already, as in most traces.  An empty list may
 * be NULL. */
void rows_sort(void *first, size_t count, size_t size, int (*compare)(const void *, const void *));
