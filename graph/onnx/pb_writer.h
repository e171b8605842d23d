/* Writes a protobuf message as a list of pieces. Large pieces (weights, nodes of the original
 * file) are views and never copied; nested messages are spliced in once their size is known. */
#pragma once

#include "graph/base/file.h"
#include "graph/onnx/onnx_wire.h"

typedef struct PbPiece {
    struct PbPiece *next;
    Bytes bytes;
    size_t room; /* bytes that may still be appended to it; 0 for a view */
} PbPiece;

typedef struct {
    Arena *arena;
    PbPiece *first, *last;
    uint64_t size;
} PbWriter;

void pb_writer_init(PbWriter *r, Arena *a);

/* Bytes as they are: a view, which must live as long as the rope, or a copy. */
void pb_writer_view(PbWriter *r, Bytes b);
void pb_writer_copy(PbWriter *r, const void *data, size_t size);

/* Fields.  Strings and bytes are copied when short, else viewed. */
void pb_writer_varint_field(PbWriter *r, uint32_t number, uint64_t value);
void pb_writer_float_field(PbWriter *r, uint32_t number, float value);
void pb_writer_bytes_field(PbWriter *r, uint32_t number, Bytes b);
void pb_writer_string_field(PbWriter *r, uint32_t number, const char *s);

/* A nested message; `message` is emptied. */
void pb_writer_message_field(PbWriter *r, uint32_t number, PbWriter *message);

/* Writes all pieces to the stream. */
void pb_writer_flush(const PbWriter *r, FILE *out);
