/* Finds repeated runs of elements first, then cuts the rest where only one value passes. */
#include "advisor/render/html/blocks.h"

enum {
    REPEAT_MIN = 3,    /* elements of what repeats */
    PERIOD_MAX = 1500, /* … and most */
    BLOCK_MAX = 60,    /* of what does not, before it is cut at a border */
    NAME_BYTES_MAX = 48,
};

typedef struct {
    Arena *arena;
    const Elements *e;
    Blocks b;
    size_t block_cap, group_cap;
} Maker;

/* How many elements from `at` on equal those `period` before them. */
static size_t equal_run(const Elements *e, size_t at, size_t period)
{
    size_t n = 0;
    while (at + n + period < e->n && e->element[at + n].form == e->element[at + n + period].form &&
           e->element[at + n].place == e->element[at + n + period].place)
        n++;
    return n;
}

/* The period that the longest stretch from `at` on repeats with; 0: none. */
static size_t period_at(const Elements *e, size_t at, size_t *ret_repeats)
{
    size_t best = 0, most = 0, limit = (e->n - at) / 2;
    for (size_t p = REPEAT_MIN; p <= limit && p <= PERIOD_MAX; p++) {
        size_t repeats = equal_run(e, at, p) / p + 1;
        if (repeats > 1 && repeats * p > most) {
            most = repeats * p;
            best = p;
            *ret_repeats = repeats;
        }
    }
    return best;
}

/* Up to the last '/' or '.' within what two names share. */
static size_t shared_name_length(const char *a, const char *b, size_t most)
{
    size_t n = 0, at = 0;
    while (n < most && a[n] && a[n] == b[n]) {
        n++;
        if (a[n - 1] == '/' || a[n - 1] == '.')
            at = n - 1;
    }
    if (n == most || (!a[n] && !b[n]) || (strchr("/.", a[n]) && strchr("/.", b[n])))
        return n;
    return at;
}

static const char *longest_operator(const Elements *e, uint32_t from, uint32_t to)
{
    const PageElement *best = &e->element[from];
    for (uint32_t i = from; i < to; i++)
        if (element_ns(&e->element[i]) > element_ns(best))
            best = &e->element[i];
    return best->op ? best->op->kind : best->step->op;
}

static const char *block_name(const Maker *m, uint32_t from, uint32_t to)
{
    const char *first = NULL;
    size_t len = 0;
    for (uint32_t i = from; i < to; i++) {
        const char *node = element_node(&m->e->element[i]);
        if (!node)
            continue;
        len = first ? shared_name_length(first, node, len) : strlen(node);
        first = first ? first : node;
    }
    const char *text = first && len > 1 ? first : longest_operator(m->e, from, to);
    len = first && len > 1 ? len : strlen(text);
    while (len > NAME_BYTES_MAX || (len && *text == '/')) {
        const char *slash = memchr(text + 1, '/', len ? len - 1 : 0);
        size_t off = *text == '/' ? 1 : slash ? (size_t)(slash - text) : len - NAME_BYTES_MAX;
        text += off;
        len -= off;
    }
    return arena_strndup(m->arena, text, len);
}

static void add_block(Maker *m, size_t from, size_t to)
{
    *VEC_PUSH(m->arena, m->b.block, m->b.n, m->block_cap) =
        (GraphBlock){(uint32_t)from, (uint32_t)to, block_name(m, (uint32_t)from, (uint32_t)to)};
}

static void add_group(Maker *m, size_t first, size_t period, size_t repeats)
{
    *VEC_PUSH(m->arena, m->b.group, m->b.ngroup, m->group_cap) =
        (Group){(uint32_t)first, (uint32_t)period, (uint32_t)repeats};
}

/* A border: where the data leave the NPU for the host or come back. */
static bool is_border(const Elements *e, size_t at)
{
    ElementPlace before = e->element[at - 1].place, here = e->element[at].place;
    return (before == ON_HOST && here != ON_HOST) || (before != ON_HOST && here == ON_HOST);
}

/* Where to cut [from, to): at the last border that leaves no more than a block, else after that
 * many. */
static size_t cut_of(const Elements *e, size_t from, size_t to)
{
    size_t most = from + BLOCK_MAX < to ? from + BLOCK_MAX : to;
    for (size_t i = most; i > from + BLOCK_MAX / 4 && i < to; i--)
        if (is_border(e, i))
            return i;
    return most;
}

static void add_single(Maker *m, size_t from, size_t to)
{
    while (from < to) {
        size_t end = cut_of(m->e, from, to);
        add_block(m, from, end);
        add_group(m, m->b.n - 1, 1, 1);
        from = end;
    }
}

static void add_repeated(Maker *m, size_t from, size_t period, size_t repeats)
{
    size_t first = m->b.n;
    for (size_t i = 0; i < repeats; i++)
        add_block(m, from + i * period, from + (i + 1) * period);
    add_group(m, first, 1, repeats);
}

Blocks blocks_of(Arena *a, const Elements *e)
{
    Maker m = {.arena = a, .e = e};
    size_t open = 0, at = 0;
    while (at < e->n) {
        size_t repeats = 1, period = period_at(e, at, &repeats);
        if (!period) {
            at++;
            continue;
        }
        add_single(&m, open, at);
        add_repeated(&m, at, period, repeats);
        at += period * repeats;
        open = at;
    }
    add_single(&m, open, e->n);
    return m.b;
}
