/* Reads the ZIP format as far as NumPy writes it: stored or deflated, below 4 GiB. */
#include "npu_exec/data/npz.h"

#include <zlib.h>

enum {
    END_SIZE = 22, /* the record at the end; a comment of at most 64 KiB may follow */
    END_SEARCH = END_SIZE + 65535,
    ENTRY_SIZE = 46,
    LOCAL_SIZE = 30,
    STORED = 0,
    DEFLATED = 8,
    INFLATE_MAX = 1032, /* bytes that one byte of deflate expands to at most */
};

typedef struct {
    const char *path;
    const uint8_t *at;
    size_t size;
    Diag *diag;
} Zip;

typedef struct {
    const char *name;
    uint32_t method, packed, full;
    size_t local; /* of its local header */
} Entry;

static uint32_t read_le(const uint8_t *p, int bytes)
{
    uint32_t v = 0;
    for (int i = bytes; i-- > 0;)
        v = v << 8 | p[i];
    return v;
}

static Status damaged_error(const Zip *z, const char *what)
{
    return diag_set(z->diag, STATUS_INPUT, z->path, NULL, "is not a NumPy archive, or damaged: %s",
                    what);
}

bool npz_is_named(const char *path)
{
    size_t n = strlen(path);
    return n > 4 && strcmp(path + n - 4, ".npz") == 0;
}

/* The record that says where the list of entries is. */
static const uint8_t *find_end(const Zip *z)
{
    size_t least = z->size > END_SEARCH ? z->size - END_SEARCH : 0;
    for (size_t i = z->size >= END_SIZE ? z->size - END_SIZE + 1 : 0; i-- > least;)
        if (memcmp(z->at + i, "PK\5\6", 4) == 0)
            return z->at + i;
    return NULL;
}

/* The entry of that name; the only one where there is one. */
static Status find_entry(Arena *a, const Zip *z, const char *name, Entry *ret)
{
    const uint8_t *end = find_end(z);
    if (!end)
        return damaged_error(z, "no list of its arrays");
    uint32_t count = read_le(end + 10, 2);
    size_t at = read_le(end + 16, 4);
    bool found = false;
    if (count > NPZ_MAX_ARRAYS)
        return damaged_error(z, "more than 4096 arrays");
    for (uint32_t i = 0; i < count && !found; i++) {
        const uint8_t *e = z->at + at;
        if (at > z->size || z->size - at < ENTRY_SIZE || memcmp(e, "PK\1\2", 4) != 0)
            return damaged_error(z, "its list breaks off");
        size_t length = read_le(e + 28, 2);
        size_t all = ENTRY_SIZE + length + read_le(e + 30, 2) + read_le(e + 32, 2);
        if (z->size - at < all)
            return damaged_error(z, "its list breaks off");
        if (length > 4 && memcmp(e + ENTRY_SIZE + length - 4, ".npy", 4) == 0)
            length -= 4;
        *ret = (Entry){arena_strndup(a, (const char *)e + ENTRY_SIZE, length), read_le(e + 10, 2),
                       read_le(e + 20, 4), read_le(e + 24, 4), read_le(e + 42, 4)};
        if (read_le(e + 8, 2) & 1)
            return damaged_error(z, "it is encrypted");
        found = strcmp(ret->name, name) == 0;
        at += all;
    }
    return found || count == 1 ? STATUS_OK
                               : diag_set(z->diag, STATUS_INPUT, z->path, NULL,
                                          "has no array '%s' among its %u", name, count);
}

static Status inflate_entry(Arena *a, const Zip *z, const Entry *e, const uint8_t *from,
                            const uint8_t **ret)
{
    if (e->full > (uint32_t)NPZ_MAX_ARRAY_MIB << 20 ||
        e->full > (uint64_t)e->packed * INFLATE_MAX + INFLATE_MAX)
        return damaged_error(z, "an array is larger than its bytes can hold");
    uint8_t *to = arena_alloc(a, e->full);
    z_stream s = {.avail_in = e->packed, .next_out = to, .avail_out = e->full};
    memcpy(&s.next_in, &from, sizeof from);
    bool ok = inflateInit2(&s, -MAX_WBITS) == Z_OK;
    if (ok) {
        ok = inflate(&s, Z_FINISH) == Z_STREAM_END && s.total_out == e->full;
        inflateEnd(&s);
    }
    *ret = to;
    return ok ? STATUS_OK : damaged_error(z, "an array cannot be unpacked");
}

static Status read_entry(Arena *a, const Zip *z, const Entry *e, const uint8_t **ret)
{
    const uint8_t *local = z->at + e->local;
    if (e->local > z->size || z->size - e->local < LOCAL_SIZE || memcmp(local, "PK\3\4", 4) != 0)
        return damaged_error(z, "an array is not where its list says");
    size_t start = LOCAL_SIZE + read_le(local + 26, 2) + read_le(local + 28, 2);
    if (z->size - e->local < start || z->size - e->local - start < e->packed)
        return damaged_error(z, "an array breaks off");
    *ret = local + start;
    if (e->method == STORED)
        return e->packed == e->full ? STATUS_OK : damaged_error(z, "an array has two sizes");
    return e->method == DEFLATED ? inflate_entry(a, z, e, *ret, ret)
                                 : damaged_error(z, "packed in a way that NumPy does not use");
}

Status npz_read(Arena *a, const char *path, const uint8_t *bytes, size_t size, const char *name,
                ValueFile *ret, Diag *diag)
{
    const Zip z = {path, bytes, size, diag};
    const uint8_t *array = NULL;
    Entry e = {0};
    Status st = find_entry(a, &z, name, &e);
    st = st ? st : read_entry(a, &z, &e, &array);
    return st ? st : value_file_read(a, path, array, e.full, ret, diag);
}

Status npz_open(Arena *a, const char *path, const char *name, ValueFile *ret, Diag *diag)
{
    InFile f;
    Status st = file_in_open(&f, path, UINT32_MAX, diag); /* as far as offsets reach */
    if (st)
        return st;
    st = npz_read(a, path, f.data, f.size, name, ret, diag);
    if (st)
        file_in_close(&f);
    else
        ret->file = f; /* a stored array is a view of it */
    return st;
}
