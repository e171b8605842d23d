/* Merges equal symbols by union-find over their names. The older symbol represents its class,
 * so that the choice depends on the order of the graph's inputs and never on spelling. */
#include "graph/infer/symbols.h"

void symbols_init(Symbols *s, Arena *a)
{
    *s = (Symbols){.arena = a};
    strmap_init(&s->by_name, a, 8);
}

static uint32_t intern_symbol(Symbols *s, const char *name)
{
    uint32_t id = strmap_number(&s->by_name, name, s->nitem);
    if (id == s->nitem)
        *VEC_PUSH(s->arena, s->item, s->nitem, s->cap) =
            (Symbol){.name = name, .parent = id, .value = DIM_UNKNOWN};
    return id;
}

static Symbol *class_of(Symbols *s, const char *name)
{
    uint32_t id = intern_symbol(s, name);
    while (s->item[id].parent != id) {
        assert(s->item[id].parent < id); /* the older symbol represents the class */
        s->item[id].parent = s->item[s->item[id].parent].parent;
        id = s->item[id].parent;
    }
    return &s->item[id];
}

bool symbols_bind(Symbols *s, const char *name, int64_t value)
{
    Symbol *c = class_of(s, name);
    if (c->value != DIM_UNKNOWN)
        return c->value == value;
    c->value = value;
    s->changed = true;
    return true;
}

Dim symbols_resolve(Symbols *s, Dim d)
{
    if (d.value != DIM_UNKNOWN || !d.symbol)
        return d;
    const Symbol *c = class_of(s, d.symbol);
    return c->value != DIM_UNKNOWN ? (Dim){.value = c->value} : (Dim){DIM_UNKNOWN, c->name, d.most};
}

static void union_symbols(Symbols *s, const char *a, const char *b)
{
    Symbol *first = class_of(s, a);
    uint32_t first_id = first->parent;
    Symbol *second = class_of(s, b); /* may move the array: look both up by id */
    uint32_t second_id = second->parent;
    if (first_id == second_id)
        return;
    uint32_t root = first_id < second_id ? first_id : second_id;
    assert(s->item[root].parent == root);
    s->item[first_id].parent = root;
    s->item[second_id].parent = root;
    s->changed = true;
}

bool symbols_equate(Symbols *s, Dim a, Dim b, Dim *ret)
{
    a = symbols_resolve(s, a);
    b = symbols_resolve(s, b);
    if (a.value != DIM_UNKNOWN && b.value != DIM_UNKNOWN) {
        *ret = a;
        return a.value == b.value;
    }
    if (a.value != DIM_UNKNOWN && b.symbol)
        symbols_bind(s, b.symbol, a.value);
    if (b.value != DIM_UNKNOWN && a.symbol)
        symbols_bind(s, a.symbol, b.value);
    if (a.symbol && b.symbol)
        union_symbols(s, a.symbol, b.symbol);
    bool first = a.value != DIM_UNKNOWN || (a.symbol && b.value == DIM_UNKNOWN);
    *ret = first ? a : b;
    if (ret->value == DIM_UNKNOWN) /* the smaller bound holds for both */
        ret->most = !a.most || (b.most && b.most < a.most) ? b.most : a.most;
    return true;
}
