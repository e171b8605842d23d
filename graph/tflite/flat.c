/* Checks offsets, tables and vectors of a FlatBuffer before it reads them. */
#include "graph/tflite/flat.h"

/* Every real file stays below one visit for eight bytes. */
enum { VISITS_PER_BYTE = 4, MIN_VISITS = 4096 };

void flat_init(Flat *f, const char *path, const uint8_t *data, size_t size, Diag *diag)
{
    size = size < FLAT_MAX_BYTES ? size : FLAT_MAX_BYTES;
    *f = (Flat){.data = data, .size = size, .path = path, .diag = diag};
    f->budget = MIN_VISITS + VISITS_PER_BYTE * size;
}

Status flat_fail(Flat *f, size_t pos, const char *fact)
{
    char place[32];
    if (f->status)
        return f->status;
    snprintf(place, sizeof place, "byte %zu", pos);
    f->status = diag_set(f->diag, STATUS_INPUT, f->path, place,
                         "the TensorFlow Lite file is damaged or cut off: %s", fact);
    return f->status;
}

static bool has_bytes(const Flat *f, size_t pos, size_t bytes)
{
    return !f->status && pos <= f->size && bytes <= f->size - pos;
}

static bool charge_budget(Flat *f, size_t pos, size_t n)
{
    if (n > f->budget)
        flat_fail(f, pos, "its parts overlap: more to read than the file can hold");
    else
        f->budget -= n;
    return !f->status;
}

static uint64_t read_le(const Flat *f, size_t pos, size_t bytes)
{
    uint64_t v = 0;
    for (size_t i = bytes; i-- > 0;)
        v = v << 8 | f->data[pos + i];
    return v;
}

/* Where an offset leads to; 0 with a fault when it leads nowhere. */
static size_t follow_offset(Flat *f, size_t pos, size_t least)
{
    uint64_t offset = has_bytes(f, pos, 4) ? read_le(f, pos, 4) : 0;
    if (!offset || offset > INT32_MAX || !has_bytes(f, pos + offset, least)) {
        flat_fail(f, pos, "an offset leads out of the file");
        return 0;
    }
    return pos + offset;
}

static FlatTable table_at(Flat *f, size_t pos)
{
    FlatTable t = {.pos = pos};
    if (!pos || !charge_budget(f, pos, 1))
        return (FlatTable){0};
    int64_t vtable = (int64_t)pos - (int32_t)read_le(f, pos, 4);
    if (vtable < 0 || !has_bytes(f, (size_t)vtable, 4)) {
        flat_fail(f, pos, "the table's list of fields lies outside of the file");
        return (FlatTable){0};
    }
    t.vtable = (size_t)vtable;
    t.vtable_bytes = (uint16_t)read_le(f, t.vtable, 2);
    t.inline_bytes = (uint16_t)read_le(f, t.vtable + 2, 2);
    if (t.vtable_bytes < 4 || t.vtable_bytes % 2 || !has_bytes(f, t.vtable, t.vtable_bytes) ||
        t.inline_bytes < 4 || !has_bytes(f, pos, t.inline_bytes)) {
        flat_fail(f, pos, "the table's list of fields is damaged");
        return (FlatTable){0};
    }
    return t;
}

FlatTable flat_root(Flat *f)
{
    return table_at(f, follow_offset(f, 0, 4));
}

size_t flat_place(Flat *f, const FlatTable *t, unsigned field, size_t bytes)
{
    size_t entry = 4 + 2 * (size_t)field;
    if (f->status || !t->pos || entry + 2 > t->vtable_bytes)
        return 0;
    size_t offset = read_le(f, t->vtable + entry, 2);
    if (!offset)
        return 0;
    if (offset < 4 || offset + bytes > t->inline_bytes) {
        flat_fail(f, t->pos, "a field lies outside of its table");
        return 0;
    }
    return t->pos + offset;
}

uint8_t flat_u8(Flat *f, const FlatTable *t, unsigned field, uint8_t fallback)
{
    size_t pos = flat_place(f, t, field, 1);
    return pos ? f->data[pos] : fallback;
}

int32_t flat_i32(Flat *f, const FlatTable *t, unsigned field, int32_t fallback)
{
    size_t pos = flat_place(f, t, field, 4);
    return pos ? (int32_t)read_le(f, pos, 4) : fallback;
}

uint64_t flat_u64(Flat *f, const FlatTable *t, unsigned field, uint64_t fallback)
{
    size_t pos = flat_place(f, t, field, 8);
    return pos ? read_le(f, pos, 8) : fallback;
}

float flat_f32(Flat *f, const FlatTable *t, unsigned field, float fallback)
{
    size_t pos = flat_place(f, t, field, 4);
    if (pos)
        memcpy(&fallback, f->data + pos, sizeof fallback);
    return fallback;
}

FlatTable flat_table(Flat *f, const FlatTable *t, unsigned field)
{
    size_t pos = flat_place(f, t, field, 4);
    return pos ? table_at(f, follow_offset(f, pos, 4)) : (FlatTable){0};
}

FlatVector flat_vector(Flat *f, const FlatTable *t, unsigned field, size_t element_bytes)
{
    size_t pos = flat_place(f, t, field, 4);
    size_t at = pos ? follow_offset(f, pos, 4) : 0;
    if (!at)
        return (FlatVector){0};
    FlatVector v = {at + 4, element_bytes, (uint32_t)read_le(f, at, 4)};
    if (v.count > (f->size - v.pos) / element_bytes) {
        flat_fail(f, at, "a list is longer than the file");
        return (FlatVector){0};
    }
    return v;
}

const char *flat_string(Flat *f, const FlatTable *t, unsigned field, Arena *a)
{
    FlatVector v = flat_vector(f, t, field, 1);
    if (!v.pos || !charge_budget(f, v.pos, v.count / 8 + 1))
        return NULL;
    char *text = arena_strndup(a, (const char *)f->data + v.pos, v.count);
    for (uint32_t i = 0; i < v.count; i++)
        if (!text[i])
            text[i] = '?';
    return text;
}

FlatTable flat_element(Flat *f, const FlatVector *v, uint32_t index)
{
    return table_at(f, follow_offset(f, v->pos + 4 * (size_t)index, 4));
}

const void *flat_copy(Flat *f, const FlatVector *v, size_t width, Arena *a)
{
    if (!v->count || !charge_budget(f, v->pos, v->count))
        return NULL;
    uint8_t *out = (uint8_t *)ARENA_ARRAY(a, uint64_t, v->count * width / 8 + 1);
    for (size_t i = 0; i < v->count; i++)
        memcpy(out + i * width, f->data + v->pos + i * v->element_bytes, v->element_bytes);
    return out;
}
