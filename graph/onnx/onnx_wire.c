/* Decodes varints, keys and lengths, and never reads past the end of a message. */
#include "graph/onnx/onnx_wire.h"

/* The walk works on a pair of pointers: it is the innermost loop of loading. */
typedef struct {
    const uint8_t *at, *end;
} Cursor;

static bool long_varint(Cursor *c, uint64_t *ret)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < 10 && c->at + i < c->end; i++) {
        v |= (uint64_t)(c->at[i] & 0x7f) << (7 * i);
        if (!(c->at[i] & 0x80)) {
            c->at += i + 1;
            *ret = v;
            return true;
        }
    }
    return false;
}

static inline bool take_varint(Cursor *c, uint64_t *ret)
{
    if (c->at == c->end || *c->at & 0x80)
        return long_varint(c, ret);
    *ret = *c->at++;
    return true;
}

bool onnx_wire_varint(Bytes *rest, uint64_t *ret)
{
    if (!rest->size)
        return false;
    Cursor c = {rest->data, rest->data + rest->size};
    bool taken = take_varint(&c, ret);
    *rest = (Bytes){c.at, (size_t)(c.end - c.at)};
    return taken;
}

static bool take_fixed(Cursor *c, unsigned nbyte, uint64_t *ret)
{
    uint64_t v = 0;
    assert(nbyte <= sizeof v);
    if ((size_t)(c->end - c->at) < nbyte)
        return false;
    for (unsigned i = 0; i < nbyte; i++)
        v |= (uint64_t)c->at[i] << (8 * i);
    c->at += nbyte;
    *ret = v;
    return true;
}

static bool take_bytes(Cursor *c, Bytes *ret)
{
    uint64_t size;
    if (!take_varint(c, &size) || size > (uint64_t)(c->end - c->at))
        return false;
    *ret = (Bytes){c->at, (size_t)size};
    c->at += size;
    return true;
}

static bool take_value(Cursor *c, WireField *f)
{
    switch (f->type) {
    case WIRE_BYTES:
        f->value = 0;
        return take_bytes(c, &f->bytes);
    case WIRE_VARINT:
        return take_varint(c, &f->value);
    case WIRE_FIXED32:
        return take_fixed(c, 4, &f->value);
    case WIRE_FIXED64:
        return take_fixed(c, 8, &f->value);
    default:
        return false;
    }
}

WireResult onnx_wire_next(Bytes *rest, WireField *ret)
{
    if (!rest->size)
        return WIRE_END;
    Cursor c = {rest->data, rest->data + rest->size};
    uint64_t tag;
    if (!take_varint(&c, &tag) || tag > UINT32_MAX || tag >> 3 == 0)
        return WIRE_DAMAGED;
    ret->number = (uint32_t)(tag >> 3);
    ret->type = (int)(tag & 7);
    ret->bytes = (Bytes){0};
    if (!take_value(&c, ret))
        return WIRE_DAMAGED;
    ret->whole = (Bytes){rest->data, (size_t)(c.at - rest->data)};
    assert(ret->whole.size > 0 && ret->whole.size <= rest->size);
    *rest = (Bytes){c.at, (size_t)(c.end - c.at)};
    return WIRE_FIELD;
}

bool onnx_wire_find(Bytes message, uint32_t number, int type, WireField *ret)
{
    bool found = false;
    WireField f;
    while (onnx_wire_next(&message, &f) == WIRE_FIELD) {
        if (f.number == number && f.type == type) {
            *ret = f;
            found = true;
        }
    }
    return found;
}

size_t onnx_wire_count(Bytes message, uint32_t number)
{
    size_t n = 0;
    WireField f;
    while (onnx_wire_next(&message, &f) == WIRE_FIELD)
        n += f.number == number;
    return n;
}
