/* Reads FlatBuffers in place and checks every access. It is checked against the file and, for a
 * field, against the inline part of its table. The first fault is recorded with its byte and
 * sticks; from then on accessors give zeros, so that a reader may ask once at the end of each
 * part.
 *
 * Source of the format: google/flatbuffers docs/source/internals.md. Numbers are little endian and
 * read byte by byte, since real files do not keep the alignment that the schema asks for. */
#pragma once

#include "graph/base/diag.h"

typedef struct {
    const uint8_t *data;
    size_t size;   /* of the part that offsets may reach: at most FLAT_MAX_BYTES */
    size_t budget; /* tables and elements that may still be visited: overlapping parts of a small
                      file could be visited for ever */
    const char *path;
    Status status;
    Diag *diag;
} Flat;

/* A table that was checked: its vtable and its inline part lie in the file. pos 0: absent. */
typedef struct {
    size_t pos, vtable;
    uint16_t vtable_bytes, inline_bytes;
} FlatTable;

typedef struct {
    size_t pos; /* of its first element */
    size_t element_bytes;
    uint32_t count;
} FlatVector;

#define FLAT_MAX_BYTES ((size_t)1 << 31)

void flat_init(Flat *f, const char *path, const uint8_t *data, size_t size, Diag *diag);

/* STATUS_INPUT with "path: byte N: fact", once; returns it. */
Status flat_fail(Flat *f, size_t pos, const char *fact);

FlatTable flat_root(Flat *f);

/* Fields of a table, by index of the schema; an absent one is `fallback`, or absent. */
uint8_t flat_u8(Flat *f, const FlatTable *t, unsigned field, uint8_t fallback);
int32_t flat_i32(Flat *f, const FlatTable *t, unsigned field, int32_t fallback);
uint64_t flat_u64(Flat *f, const FlatTable *t, unsigned field, uint64_t fallback);
float flat_f32(Flat *f, const FlatTable *t, unsigned field, float fallback);
FlatTable flat_table(Flat *f, const FlatTable *t, unsigned field);
FlatVector flat_vector(Flat *f, const FlatTable *t, unsigned field, size_t element_bytes);
/* A copy without the bytes that are no text; NULL when absent. */
const char *flat_string(Flat *f, const FlatTable *t, unsigned field, Arena *a);

/* Where a field of that many bytes lies; 0 when it is absent. */
size_t flat_place(Flat *f, const FlatTable *t, unsigned field, size_t bytes);

FlatTable flat_element(Flat *f, const FlatVector *v, uint32_t index);

/* A copy of numbers, aligned, of `width` bytes: narrower ones are widened with zeros.  NULL of
 * an empty list. */
const void *flat_copy(Flat *f, const FlatVector *v, size_t width, Arena *a);
