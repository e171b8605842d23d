/* Rope: a protobuf message being written, as a list of pieces.  Large pieces (weights, nodes of the
 * original file) are views and never copied; nested messages are spliced in once their size is
 * known. */
#ifndef GRAPH_ONNX_ROPE_H
#define GRAPH_ONNX_ROPE_H

#include "graph/base/file.h"
#include "graph/onnx/onnx_wire.h"

typedef struct Piece {
    struct Piece *next;
    Bytes bytes;
    size_t room; /* bytes that may still be appended to it; 0 for a view */
} Piece;

typedef struct {
    Arena *arena;
    Piece *first, *last;
    uint64_t size;
} Rope;

void rope_init(Rope *r, Arena *a);

/* Bytes as they are: a view, which must live as long as the rope, or a copy. */
void rope_view(Rope *r, Bytes b);
void rope_copy(Rope *r, const void *data, size_t size);

/* Fields.  Strings and bytes are copied when short, else viewed. */
void rope_varint_field(Rope *r, uint32_t number, uint64_t value);
void rope_float_field(Rope *r, uint32_t number, float value);
void rope_bytes_field(Rope *r, uint32_t number, Bytes b);
void rope_string_field(Rope *r, uint32_t number, const char *s);

/* A nested message; `message` is emptied. */
void rope_message_field(Rope *r, uint32_t number, Rope *message);

/* Writes all pieces to the stream. */
void rope_write(const Rope *r, FILE *out);

#endif
