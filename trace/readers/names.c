/* Hashes the raw bytes into an open-addressed table that is at most half full. */
#include "trace/readers/names.h"

void names_init(Names *n, Arena *a)
{
    *n = (Names){.arena = a, .cap = 256};
    n->slot = ARENA_ARRAY(a, Name *, n->cap);
}

static void insert_name(Name **slot, size_t cap, Name *name)
{
    size_t i = name->hash & (cap - 1);
    while (slot[i])
        i = (i + 1) & (cap - 1);
    slot[i] = name;
}

static void grow_names(Names *n)
{
    size_t cap = n->cap * 2;
    Name **slot = ARENA_ARRAY(n->arena, Name *, cap);
    for (size_t i = 0; i < n->cap; i++)
        if (n->slot[i])
            insert_name(slot, cap, n->slot[i]);
    n->slot = slot;
    n->cap = cap;
}

/* Each invalid byte becomes \xC0, so that names which differ in them stay apart; NUL a space. */
static const char *valid_utf8(Arena *a, const char *p, size_t n, bool *ret_mended)
{
    static const char digit[] = "0123456789ABCDEF";
    char *to = arena_alloc(a, 4 * n + 1), *out = to;
    for (size_t i = 0; i < n;) {
        size_t len = p[i] ? utf8_sequence(p + i, n - i) : 0;
        if (len) {
            memcpy(out, p + i, len);
        } else {
            unsigned byte = (unsigned char)p[i];
            *ret_mended = true;
            memcpy(out, byte ? (char[]){'\\', 'x', digit[byte >> 4], digit[byte & 15]} : " ",
                   byte ? 4 : 1);
        }
        out += len ? len : p[i] ? 4 : 1;
        i += len ? len : 1;
    }
    *out = '\0';
    return to;
}

static const char *clean_text(Names *n, const Text *text)
{
    bool mended = false, invalid = false;
    const char *p = text->p;
    size_t len = text->n;
    if (text->escaped) {
        char *plain = arena_alloc(n->arena, len + 1);
        len = scan_unescape(p, len, plain, &mended);
        p = plain;
    }
    p = valid_utf8(n->arena, p, len, &invalid);
    n->nmended += mended || invalid;
    if (invalid)
        encoding_see(&n->votes, text->p, text->n);
    return p;
}

Name *names_intern(Names *n, const Text *text, bool *ret_new)
{
    uint64_t hash = scan_hash(text->p, text->n, 0);
    for (size_t i = hash & (n->cap - 1); n->slot[i]; i = (i + 1) & (n->cap - 1)) {
        Name *name = n->slot[i];
        if (name->hash == hash && name->raw_len == text->n &&
            scan_equal(name->raw, text->p, text->n)) {
            *ret_new = false;
            return name;
        }
    }
    if (2 * n->count >= n->cap)
        grow_names(n);
    Name *name = ARENA_NEW(n->arena, Name);
    name->hash = hash;
    name->raw_len = text->n;
    name->raw = arena_strndup(n->arena, text->p, text->n);
    bool plain = !text->escaped && !text->wide && !memchr(text->p, 0, text->n);
    name->text = name->group = plain ? name->raw : clean_text(n, text);
    insert_name(n->slot, n->cap, name);
    n->count++;
    assert(2 * n->count <= n->cap);
    *ret_new = true;
    return name;
}

bool name_in(const char *const *list, const char *name)
{
    for (size_t i = 0; list[i]; i++)
        if (strcmp(list[i], name) == 0)
            return true;
    return false;
}
