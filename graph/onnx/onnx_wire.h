/* Reads the protobuf wire format in place, without copies. A message is a range of bytes, a
 * field a view of it. Used for what must not be copied (weights) or trusted (everything, before
 * it is unpacked). */
#pragma once

#include "graph/base/diag.h"

typedef struct {
    const uint8_t *data;
    size_t size;
} Bytes;

enum { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2, WIRE_FIXED32 = 5 };

typedef struct {
    uint32_t number;
    int type;       /* one of the four above */
    uint64_t value; /* of WIRE_VARINT, WIRE_FIXED32 and WIRE_FIXED64; 0 for WIRE_BYTES */
    Bytes bytes;    /* of WIRE_BYTES; empty otherwise */
    Bytes whole;    /* tag included, to be copied as it is */
} WireField;

typedef enum { WIRE_END, WIRE_FIELD, WIRE_DAMAGED } WireResult;

/* Takes the next field off the front of `rest`.  WIRE_DAMAGED leaves `rest` where it was: at a tag
 * that is no tag, a group, or a length that runs past the end. */
WireResult onnx_wire_next(Bytes *rest, WireField *ret);

/* Takes one varint off the front; false at the end or after ten bytes without an end. */
bool onnx_wire_varint(Bytes *rest, uint64_t *ret);

/* The last field of that number and type as protobuf has it (the last one wins); false if none. */
bool onnx_wire_find(Bytes message, uint32_t number, int type, WireField *ret);

/* Fields of that number. */
size_t onnx_wire_count(Bytes message, uint32_t number);

/* How much an ONNX file holds, counted by the guard. */
typedef struct {
    size_t nodes, tensors, depth;
} WireCounts;

/* Walks every message of an ONNX ModelProto down to, not into, payloads, with an explicit stack,
 * and refuses what would hurt later: nesting beyond ONNX_MAX_DEPTH, lengths past the end of the
 * enclosing message, groups, names with NUL bytes or beyond ONNX_MAX_NAME_BYTES, more nodes or
 * tensors than the limits of graph/onnx/onnx.h.  After STATUS_OK onnx_wire_next never meets damage
 * in a message that the guard descends into.  `path` is for the error only. */
Status onnx_guard(Bytes file, const char *path, WireCounts *ret, Diag *diag);
