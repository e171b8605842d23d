/* Unpacks messages of the skeleton with protobuf-c, in memory that is reused. */
#include "graph/onnx/onnx_read.h"

#include <stdarg.h>

enum {
    MESSAGE_LIMIT_BYTES = 64 << 20, /* one node or value without its tensors and bodies */
    SCRATCH_FIRST_BYTES = 64 << 10,
};

static void *scratch_alloc(void *user, size_t size)
{
    Scratch *s = user;
    size = (size + 15) & ~(size_t)15;
    if (size > s->cap - s->used) {
        s->cap = size > SIZE_MAX / 4 || size > s->cap * 2 ? size : s->cap * 2;
        if (s->cap < SCRATCH_FIRST_BYTES)
            s->cap = SCRATCH_FIRST_BYTES;
        s->block = arena_alloc(s->arena, s->cap);
        s->used = 0;
    }
    void *p = s->block + s->used;
    s->used += size;
    return p;
}

static void scratch_free(void *user, void *p)
{
    (void)user;
    (void)p;
}

void *onnx_unpack(Loader *l, const ProtobufCMessageDescriptor *type, Bytes bytes, const char *what)
{
    ProtobufCAllocator allocator = {scratch_alloc, scratch_free, &l->scratch};
    l->scratch.used = 0;
    if (bytes.size > MESSAGE_LIMIT_BYTES) {
        onnx_error(l, what, NULL, "larger than the limit of %d MiB", MESSAGE_LIMIT_BYTES >> 20);
        return NULL;
    }
    void *m = protobuf_c_message_unpack(type, &allocator, bytes.size, bytes.data);
    if (!m)
        onnx_error(l, what, NULL, "damaged at byte %zu", (size_t)(bytes.data - l->file.data));
    return m;
}

Status onnx_error(Loader *l, const char *place, const char *name, const char *fmt, ...)
{
    char text[DIAG_TEXT_SIZE], where[256];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (name)
        snprintf(where, sizeof where, "%s '%.200s'", place, name);
    return diag_set(l->diag, STATUS_INPUT, l->path, name ? where : place, "%s", text);
}

const char *onnx_string(Arena *a, Bytes message, uint32_t number)
{
    WireField f;
    if (!onnx_wire_find(message, number, WIRE_BYTES, &f))
        return "";
    return arena_strndup(a, (const char *)f.bytes.data, f.bytes.size);
}
