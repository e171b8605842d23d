/* Allocates by bumping a pointer in chained blocks, whose size doubles up to a limit. */
#include "graph/base/arena.h"
#include "graph/base/limits.h"
#include "graph/base/wording.h"

#include <sys/mman.h>

typedef struct Block {
    struct Block *next;
    size_t used, size;
    _Alignas(16) unsigned char bytes[];
} Block;
static_assert(offsetof(Block, bytes) % 16 == 0, "blocks hand out aligned memory");

struct Arena {
    Block *block;
    size_t used, limit;
    size_t next_size; /* blocks double, so that small trials stay small */
    ArenaExhausted handler;
    void *user;
};

enum { FIRST_BLOCK_BYTES = 16 << 10, LARGEST_BLOCK_BYTES = 64 << 10, HUGE_BLOCK_BYTES = 4 << 20 };

static void exit_on_exhausted(size_t used, size_t limit, void *user)
{
    (void)used, (void)limit, (void)user;
    limits_out_of_memory();
}

Arena *arena_new(size_t limit_bytes)
{
    Arena *a = limits_calloc(1, sizeof *a);
    a->limit = limit_bytes ? limit_bytes : (size_t)ARENA_DEFAULT_LIMIT_MIB << 20;
    a->next_size = FIRST_BLOCK_BYTES;
    a->handler = exit_on_exhausted;
    return a;
}

void arena_free(Arena *a)
{
    if (!a)
        return;
    for (Block *b = a->block; b;) {
        Block *next = b->next;
        free(b);
        b = next;
    }
    free(a);
}

void arena_on_exhausted(Arena *a, ArenaExhausted handler, void *user)
{
    a->handler = handler;
    a->user = user;
}

static size_t block_size_for(Arena *a, size_t nbyte)
{
#ifdef ARENA_DEBUG
    (void)a;
    return nbyte;
#else
    size_t size = a->used < HUGE_BLOCK_BYTES ? a->next_size : HUGE_BLOCK_BYTES;
    if (a->next_size < LARGEST_BLOCK_BYTES)
        a->next_size *= 2;
    return nbyte > size / 2 ? nbyte : size;
#endif
}

/* A fault for each page of 4 KiB was a third of the time that a large model takes to compile. */
static void ask_huge_pages(uintptr_t from, uintptr_t to)
{
    uintptr_t page = 4096, first = (from + page - 1) / page * page;
    madvise((void *)first, to - first, MADV_HUGEPAGE);
}

static Block *block_add(Arena *a, size_t nbyte)
{
    size_t size = block_size_for(a, nbyte);
    Block *b = calloc(1, sizeof *b + size);
    if (!b) {
        a->handler(a->used, a->limit, a->user);
        abort(); /* the handler must not return */
    }
    if (size >= HUGE_BLOCK_BYTES)
        ask_huge_pages((uintptr_t)b->bytes, (uintptr_t)b->bytes + size);
    b->size = size;
    /* A block made for one large object goes after the current one, whose room stays usable. */
    if (a->block && size == nbyte && a->block->size > a->block->used) {
        b->next = a->block->next;
        a->block->next = b;
    } else {
        b->next = a->block;
        a->block = b;
    }
    return b;
}

void *arena_alloc(Arena *a, size_t nbyte)
{
    if (nbyte > SIZE_MAX - 15)
        nbyte = SIZE_MAX - 15;
#ifndef ARENA_DEBUG
    nbyte = (nbyte + 15) & ~(size_t)15;
#endif
    assert(a->used <= a->limit);
    if (nbyte > a->limit - a->used) {
        a->handler(a->used, a->limit, a->user);
        abort();
    }
    Block *b = a->block;
    if (!b || nbyte > b->size - b->used)
        b = block_add(a, nbyte);
    assert(nbyte <= b->size - b->used);
    void *p = b->bytes + b->used;
    b->used += nbyte;
    a->used += nbyte;
    return p;
}

void *arena_calloc(Arena *a, size_t count, size_t size)
{
    assert(size > 0);
    if (count > SIZE_MAX / size)
        return arena_alloc(a, SIZE_MAX);
    return arena_alloc(a, count * size);
}

char *arena_strndup(Arena *a, const char *s, size_t len)
{
    if (!s)
        return NULL;
    char *copy = arena_alloc(a, len + 1);
    memcpy(copy, s, len);
    return copy;
}

char *arena_strdup(Arena *a, const char *s)
{
    return s ? arena_strndup(a, s, strlen(s)) : NULL;
}

char *arena_vprintf(Arena *a, const char *fmt, va_list ap)
{
    va_list again;
    va_copy(again, ap);
    int len = wording_vprint(NULL, 0, fmt, ap);
    if (len < 0) /* the C library found no memory, or no end */
        limits_out_of_memory();
    char *s = arena_alloc(a, (size_t)len + 1);
    wording_vprint(s, (size_t)len + 1, fmt, again);
    va_end(again);
    return s;
}

char *arena_printf(Arena *a, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *s = arena_vprintf(a, fmt, ap);
    va_end(ap);
    return s;
}

void *arena_grow(Arena *a, const void *old, size_t count, size_t *cap, size_t size)
{
    assert(count <= *cap);
    size_t bigger = *cap ? *cap * 2 : 8;
    void *p = arena_calloc(a, bigger, size);
    if (count)
        memcpy(p, old, count * size);
    *cap = bigger;
    return p;
}
