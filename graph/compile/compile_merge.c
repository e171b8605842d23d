/* Merges pieces of NPU work that levels kept apart. A value that passes from one piece straight
 * to another needs one task, unless a host op is on some path between them. */
#include "graph/compile/compile_partition.h"

typedef struct {
    const Compile *c;
    uint32_t *up;   /* per op: union-find; an NPU op's root names its unit, a host op is its own */
    uint32_t *next; /* per op: the next op of its unit, IR_NONE at the end */
    uint32_t *tail; /* per unit: its last op in that list */
    IrId *last;     /* per unit: its largest op */
    uint32_t *mark; /* per unit: number of the search that saw it */
    uint32_t search;
    uint32_t *stack;
    int64_t budget; /* ops that all searches together may look at: keeps the pass linear */
} Merge;

enum { BUDGET_PER_OP = 64 };

static uint32_t unit_of(Merge *m, uint32_t op)
{
    while (m->up[op] != op) {
        m->up[op] = m->up[m->up[op]];
        op = m->up[op];
    }
    return op;
}

static void join_units(Merge *m, uint32_t a, uint32_t b)
{
    uint32_t root = a < b ? a : b, other = a < b ? b : a;
    m->up[other] = root;
    m->next[m->tail[root]] = other;
    m->tail[root] = m->tail[other];
    if (m->last[other] > m->last[root])
        m->last[root] = m->last[other];
}

/* Calls for the units that read what this unit makes; stops at the first that says so. */
static bool readers_until(Merge *m, uint32_t unit, bool (*stop)(Merge *m, uint32_t to, void *user),
                          void *user)
{
    for (uint32_t op = unit; op != IR_NONE; op = m->next[op]) {
        const Ir *ir = &m->c->ir[op];
        m->budget--;
        for (uint32_t k = 0; k < ir->nout; k++) {
            const CompileValue *v = ir->out[k] == VALUE_NONE ? NULL : &m->c->value[ir->out[k]];
            for (uint32_t u = 0; v && u < v->nuser; u++)
                if (stop(m, unit_of(m, v->user[u]), user))
                    return true;
        }
    }
    return false;
}

typedef struct {
    uint32_t from, to;
    bool first; /* looking at `from` itself, whose direct edge to `to` does not count */
    size_t depth;
} Way;

static bool step_on(Merge *m, uint32_t unit, void *user)
{
    Way *w = user;
    if (unit == w->to)
        return !w->first;
    /* Ops are in topological order: a unit that begins after all of `to` cannot lead there. */
    if (unit == w->from || m->mark[unit] == m->search || unit > m->last[w->to])
        return false;
    m->mark[unit] = m->search;
    m->stack[w->depth++] = unit;
    return false;
}

/* Whether some way leads through a third unit; true also when the budget does not tell. */
static bool has_detour(Merge *m, uint32_t from, uint32_t to)
{
    Way w = {from, to, true, 0};
    m->search++;
    readers_until(m, from, step_on, &w);
    w.first = false;
    while (w.depth) {
        if (m->budget < 0 || readers_until(m, m->stack[--w.depth], step_on, &w))
            return true;
    }
    return false;
}

static Merge merge_new(const Compile *c, const uint32_t *piece)
{
    size_t n = c->nir + 1;
    Merge m = {.c = c,
               .up = ARENA_ARRAY(c->scratch, uint32_t, n),
               .next = ARENA_ARRAY(c->scratch, uint32_t, n),
               .tail = ARENA_ARRAY(c->scratch, uint32_t, n),
               .last = ARENA_ARRAY(c->scratch, IrId, n),
               .mark = ARENA_ARRAY(c->scratch, uint32_t, n),
               .stack = ARENA_ARRAY(c->scratch, uint32_t, n),
               .budget = BUDGET_PER_OP * (int64_t)n};
    uint32_t *first = ARENA_ARRAY(c->scratch, uint32_t, n); /* per piece: its first op + 1 */
    for (uint32_t i = 0; i < c->nir; i++) {
        m.up[i] = m.tail[i] = m.last[i] = i;
        m.next[i] = IR_NONE;
        if (!c->ir[i].on_npu || c->ir[i].merged)
            continue;
        if (first[piece[i]])
            join_units(&m, first[piece[i]] - 1, i);
        else
            first[piece[i]] = i + 1;
    }
    return m;
}

uint32_t compile_merge(const Compile *c, uint32_t *piece)
{
    Merge m = merge_new(c, piece);
    for (uint32_t i = 0; i < c->nir; i++) {
        const Ir *op = &c->ir[i];
        for (uint32_t k = 0; op->on_npu && !op->merged && k < op->nin; k++) {
            IrId from = c->value[op->in[k]].producer;
            if (from == IR_NONE || !c->ir[from].on_npu)
                continue;
            uint32_t a = unit_of(&m, from), b = unit_of(&m, i);
            if (a != b && !has_detour(&m, a, b))
                join_units(&m, a, b);
        }
    }
    uint32_t count = 0; /* numbered anew, by first op */
    for (uint32_t i = 0; i < c->nir; i++) {
        if (!c->ir[i].on_npu || c->ir[i].merged)
            continue;
        uint32_t unit = unit_of(&m, i);
        piece[i] = unit == i ? count++ : piece[unit];
    }
    return count;
}
