/* Orders host ops and segments, each after what it reads. */
#include "graph/compile/compile_emit.h"

static void units_collect(const Compile *c, Units *u)
{
    u->unit_of = ARENA_ARRAY(c->scratch, uint32_t, c->nir + 1);
    u->nunit = c->nsegment;
    size_t n = 0;
    for (size_t i = 0; i < c->nir; i++) {
        if (c->ir[i].merged)
            continue;
        assert(!c->ir[i].on_npu || c->ir[i].segment < c->nsegment);
        u->unit_of[i] = c->ir[i].on_npu ? c->ir[i].segment : u->nunit++;
        n++;
    }
    u->first = ARENA_ARRAY(c->scratch, uint32_t, (size_t)u->nunit + 2);
    u->op = ARENA_ARRAY(c->scratch, IrId, n + 1);
    for (size_t i = 0; i < c->nir; i++)
        if (!c->ir[i].merged)
            u->first[u->unit_of[i] + 2]++;
    for (uint32_t k = 0; k < u->nunit; k++)
        u->first[k + 2] += u->first[k + 1];
    for (size_t i = 0; i < c->nir; i++)
        if (!c->ir[i].merged)
            u->op[u->first[u->unit_of[i] + 1]++] = (IrId)i;
}

/* A heap of units, the one whose first op is earliest on top. */
typedef struct {
    const Units *u;
    uint32_t *item;
    size_t n;
} Heap;

static bool is_unit_before(const Heap *h, uint32_t a, uint32_t b)
{
    return h->u->op[h->u->first[a]] < h->u->op[h->u->first[b]];
}

static void push_unit(Heap *h, uint32_t unit)
{
    size_t i = h->n++;
    for (; i > 0 && is_unit_before(h, unit, h->item[(i - 1) / 2]); i = (i - 1) / 2)
        h->item[i] = h->item[(i - 1) / 2];
    h->item[i] = unit;
}

static uint32_t pop_unit(Heap *h)
{
    uint32_t top = h->item[0], last = h->item[--h->n];
    size_t i = 0;
    for (;;) {
        size_t k = 2 * i + 1;
        if (k >= h->n)
            break;
        k += k + 1 < h->n && is_unit_before(h, h->item[k + 1], h->item[k]);
        if (!is_unit_before(h, h->item[k], last))
            break;
        h->item[i] = h->item[k];
        i = k;
    }
    h->item[i] = last;
    return top;
}

/* Calls for every edge between two units. */
static void for_edges(const Compile *c, const Units *u, uint32_t unit,
                      void (*each)(void *user, uint32_t to), void *user)
{
    for (uint32_t k = u->first[unit]; k < u->first[unit + 1]; k++) {
        const Ir *op = &c->ir[u->op[k]];
        for (uint32_t o = 0; o < op->nout; o++) {
            const CompileValue *v = op->out[o] == VALUE_NONE ? NULL : &c->value[op->out[o]];
            for (uint32_t i = 0; v && i < v->nuser; i++)
                if (u->unit_of[v->user[i]] != unit)
                    each(user, u->unit_of[v->user[i]]);
        }
    }
}

typedef struct {
    uint32_t *waiting;
    Heap heap;
} Ready;

static void count_edge(void *user, uint32_t to)
{
    ((Ready *)user)->waiting[to]++;
}

static void release_edge(void *user, uint32_t to)
{
    Ready *r = user;
    if (--r->waiting[to] == 0)
        push_unit(&r->heap, to);
}

Units compile_order_units(const Compile *c)
{
    Units of_program = {.nunit = 0}, *u = &of_program;
    units_collect(c, u);
    Ready r = {.waiting = ARENA_ARRAY(c->scratch, uint32_t, (size_t)u->nunit + 1)};
    r.heap = (Heap){u, ARENA_ARRAY(c->scratch, uint32_t, (size_t)u->nunit + 1), 0};
    u->order = ARENA_ARRAY(c->scratch, uint32_t, (size_t)u->nunit + 1);
    uint32_t n = 0;
    for (uint32_t k = 0; k < u->nunit; k++)
        for_edges(c, u, k, count_edge, &r);
    for (uint32_t k = 0; k < u->nunit; k++)
        if (r.waiting[k] == 0)
            push_unit(&r.heap, k);
    while (r.heap.n) {
        uint32_t unit = pop_unit(&r.heap);
        u->order[n++] = unit;
        for_edges(c, u, unit, release_edge, &r);
    }
    assert(n == u->nunit); /* partitioning leaves no cycle */
    u->nordered = n;
    return of_program;
}
