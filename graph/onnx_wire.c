/* Reading the protobuf wire format in place. */
#include "graph/onnx_wire.h"

static uint64_t little_endian(const uint8_t *p, unsigned nbyte)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < nbyte; i++)
        v |= (uint64_t)p[i] << (8 * i);
    return v;
}

static void advance(Bytes *b, size_t n)
{
    b->data += n;
    b->size -= n;
}

bool wire_varint(Bytes *rest, uint64_t *ret)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < 10 && i < rest->size; i++) {
        v |= (uint64_t)(rest->data[i] & 0x7f) << (7 * i);
        if (!(rest->data[i] & 0x80)) {
            advance(rest, i + 1);
            *ret = v;
            return true;
        }
    }
    return false;
}

/* Takes the value of a field whose tag is read. */
static bool take_value(Bytes *b, WireField *f)
{
    uint64_t size;
    switch (f->type) {
    case WIRE_VARINT:
        return wire_varint(b, &f->value);
    case WIRE_FIXED64:
    case WIRE_FIXED32:
        size = f->type == WIRE_FIXED64 ? 8 : 4;
        if (b->size < size)
            return false;
        f->value = little_endian(b->data, (unsigned)size);
        break;
    case WIRE_BYTES:
        if (!wire_varint(b, &size) || size > b->size)
            return false;
        f->bytes = (Bytes){b->data, (size_t)size};
        break;
    default:
        return false;
    }
    advance(b, (size_t)size);
    return true;
}

WireResult wire_next(Bytes *rest, WireField *ret)
{
    if (!rest->size)
        return WIRE_END;
    Bytes b = *rest;
    uint64_t tag;
    if (!wire_varint(&b, &tag) || tag > UINT32_MAX || tag >> 3 == 0)
        return WIRE_DAMAGED;
    WireField f = {.number = (uint32_t)(tag >> 3), .type = (int)(tag & 7)};
    if (!take_value(&b, &f))
        return WIRE_DAMAGED;
    f.whole = (Bytes){rest->data, rest->size - b.size};
    *rest = b;
    *ret = f;
    return WIRE_FIELD;
}

bool wire_find(Bytes message, uint32_t number, int type, WireField *ret)
{
    bool found = false;
    WireField f;
    while (wire_next(&message, &f) == WIRE_FIELD) {
        if (f.number == number && f.type == type) {
            *ret = f;
            found = true;
        }
    }
    return found;
}

size_t wire_count(Bytes message, uint32_t number)
{
    size_t n = 0;
    WireField f;
    while (wire_next(&message, &f) == WIRE_FIELD)
        n += f.number == number;
    return n;
}
