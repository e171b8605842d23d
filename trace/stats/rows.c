/* Links chunks of CHUNK_ROWS rows. */
#include "trace/stats/rows.h"

#include "graph/base/limits.h"

enum { CHUNK_ROWS = 8192 };

struct RowChunk {
    RowChunk *next;
    size_t count, taken;
    _Alignas(16) char bytes[];
};
static_assert(offsetof(RowChunk, bytes) % 16 == 0, "rows are aligned");

static RowChunk *chunk_new(Rows *r)
{
    RowChunk *c = limits_alloc(sizeof *c + CHUNK_ROWS * r->size);
    c->next = NULL;
    c->count = c->taken = 0;
    if (r->last)
        r->last->next = c;
    else
        r->first = c;
    return r->last = c;
}

void *rows_push(Rows *r)
{
    assert(r->size > 0);
    RowChunk *c = r->last;
    if (!c || c->count == CHUNK_ROWS)
        c = chunk_new(r);
    r->count++;
    return c->bytes + c->count++ * r->size;
}

RowCursor rows_begin(const Rows *r)
{
    return (RowCursor){.chunk = r->first};
}

void *rows_next(const Rows *r, RowCursor *c)
{
    if (c->chunk && c->next == c->chunk->count) {
        c->chunk = c->chunk->next;
        c->next = 0;
    }
    return c->chunk ? c->chunk->bytes + c->next++ * r->size : NULL;
}

RowCursor rows_from(const Rows *r, size_t skip)
{
    RowCursor c = rows_begin(r);
    for (; c.chunk && skip >= CHUNK_ROWS; skip -= CHUNK_ROWS)
        c.chunk = c.chunk->next;
    c.next = skip;
    return c;
}

static void free_chain(RowChunk *c)
{
    while (c) {
        RowChunk *next = c->next;
        free(c);
        c = next;
    }
}

void rows_cut(Rows *r, size_t count)
{
    RowChunk **link = &r->first;
    assert(count <= r->count);
    size_t left = count;
    r->last = NULL;
    for (; *link && left > 0; link = &(*link)->next) {
        r->last = *link;
        r->last->count = left < r->last->count ? left : r->last->count;
        left -= r->last->count;
    }
    free_chain(*link);
    *link = NULL;
    r->count = count;
}

void *rows_take(Rows *r)
{
    RowChunk *c = r->first;
    if (c && c->taken == c->count) {
        r->first = c->next;
        if (!r->first)
            r->last = NULL;
        free(c);
        c = r->first;
    }
    if (!c)
        return NULL;
    assert(r->count > 0);
    r->count--;
    return c->bytes + c->taken++ * r->size;
}

void rows_filter(Rows *r, bool (*keep)(void *user, void *row), void *user)
{
    Rows kept = {.size = r->size};
    for (void *row; (row = rows_take(r));)
        if (keep(user, row))
            memcpy(rows_push(&kept), row, r->size);
    *r = kept;
}

void rows_free(Rows *r)
{
    while (r->first) {
        RowChunk *next = r->first->next;
        free(r->first);
        r->first = next;
    }
    r->last = NULL;
    r->count = 0;
}

void rows_sort(void *first, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    const char *row = first;
    size_t i = 1;
    while (i < count && compare(row + (i - 1) * size, row + i * size) <= 0)
        i++;
    if (i < count)
        qsort(first, count, size, compare);
}
