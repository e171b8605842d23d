/* Appends small fields to a buffer and large ones as views. */
#include "graph/onnx/pb_writer.h"

enum { PIECE_BYTES = 1024, COPY_BELOW_BYTES = 128 };

void pb_writer_init(PbWriter *r, Arena *a)
{
    *r = (PbWriter){.arena = a};
}

static void append_piece(PbWriter *r, PbPiece *p)
{
    if (r->last)
        r->last->next = p;
    else
        r->first = p;
    r->last = p;
}

void pb_writer_view(PbWriter *r, Bytes b)
{
    if (!b.size)
        return;
    PbPiece *p = ARENA_NEW(r->arena, PbPiece);
    p->bytes = b;
    append_piece(r, p);
    r->size += b.size;
}

void pb_writer_copy(PbWriter *r, const void *data, size_t size)
{
    if (!size)
        return;
    if (!r->last || r->last->room < size) {
        PbPiece *p = ARENA_NEW(r->arena, PbPiece);
        p->room = size > PIECE_BYTES ? size : r->last ? PIECE_BYTES : COPY_BELOW_BYTES;
        if (p->room < size)
            p->room = size;
        p->bytes.data = arena_alloc(r->arena, p->room);
        append_piece(r, p);
    }
    PbPiece *p = r->last;
    assert(p->room >= size);
    memcpy((uint8_t *)(uintptr_t)p->bytes.data + p->bytes.size, data, size);
    p->bytes.size += size;
    p->room -= size;
    r->size += size;
}

static void write_varint(PbWriter *r, uint64_t v)
{
    uint8_t b[10];
    size_t n = 0;
    for (; v >= 0x80; v >>= 7)
        b[n++] = (uint8_t)(v | 0x80);
    b[n++] = (uint8_t)v;
    pb_writer_copy(r, b, n);
}

static void write_tag(PbWriter *r, uint32_t number, int type)
{
    write_varint(r, (uint64_t)number << 3 | (uint64_t)type);
}

void pb_writer_varint_field(PbWriter *r, uint32_t number, uint64_t value)
{
    write_tag(r, number, WIRE_VARINT);
    write_varint(r, value);
}

void pb_writer_float_field(PbWriter *r, uint32_t number, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint8_t b[4] = {(uint8_t)bits, (uint8_t)(bits >> 8), (uint8_t)(bits >> 16),
                          (uint8_t)(bits >> 24)};
    write_tag(r, number, WIRE_FIXED32);
    pb_writer_copy(r, b, sizeof b);
}

void pb_writer_bytes_field(PbWriter *r, uint32_t number, Bytes b)
{
    write_tag(r, number, WIRE_BYTES);
    write_varint(r, b.size);
    if (b.size < COPY_BELOW_BYTES)
        pb_writer_copy(r, b.data, b.size);
    else
        pb_writer_view(r, b);
}

void pb_writer_string_field(PbWriter *r, uint32_t number, const char *s)
{
    pb_writer_bytes_field(r, number, (Bytes){(const uint8_t *)s, strlen(s)});
}

void pb_writer_message_field(PbWriter *r, uint32_t number, PbWriter *message)
{
    assert(message != r && (message->size == 0 || message->first));
    write_tag(r, number, WIRE_BYTES);
    write_varint(r, message->size);
    if (message->size < COPY_BELOW_BYTES) {
        for (const PbPiece *p = message->first; p; p = p->next)
            pb_writer_copy(r, p->bytes.data, p->bytes.size);
    } else {
        append_piece(r, message->first);
        r->last = message->last;
        r->size += message->size;
    }
    pb_writer_init(message, message->arena);
}

void pb_writer_flush(const PbWriter *r, FILE *out)
{
    for (const PbPiece *p = r->first; p; p = p->next)
        fwrite(p->bytes.data, 1, p->bytes.size, out);
}
