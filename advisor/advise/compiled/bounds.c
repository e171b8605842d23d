/* Marks each layer as removed, changed or untouched, and adds up the marked times. */
#include "advisor/advise/compiled/bounds.h"

#include "advisor/message/phrase.h"

typedef enum { UNTOUCHED, CHANGED, REMOVED } Fate;

/* A union under construction: what happens to each layer. */
typedef struct {
    Arena *a;
    const LayerTimes *t;
    uint8_t *fate;
    double *saves; /* of changed layers */
    double other_ns;
} Union;

static Union begin_union(Arena *a, const LayerTimes *t)
{
    size_t n = t->graph->nop + 1;
    return (Union){a, t, ARENA_ARRAY(a, uint8_t, n), ARENA_ARRAY(a, double, n), 0};
}

static void mark_layers(Union *u, const uint32_t *list, size_t n, Fate f)
{
    for (size_t i = 0; i < n; i++)
        if (list[i] < u->t->graph->nop && u->fate[list[i]] < f)
            u->fate[list[i]] = (uint8_t)f;
}

static void add_place(Union *u, const OccurrenceBound *p)
{
    mark_layers(u, p->removes, p->nremoves, REMOVED);
    mark_layers(u, p->changes, p->nchanges, CHANGED);
    for (size_t i = 0; i < p->nchanges; i++)
        if (p->changes[i] < u->t->graph->nop)
            u->saves[p->changes[i]] =
                fmax(u->saves[p->changes[i]], p->saves ? p->saves[i] : INFINITY);
    u->other_ns = fmax(u->other_ns, p->ns);
}

static double cap_at_compute(const LayerTimes *t, double ns)
{
    const EngineStage *c = &t->times->stage[ENGINE_COMPUTE];
    return c->known && ns > c->mean ? c->mean : ns;
}

static void add_layer_bound(const Union *u, size_t i, Bound *b)
{
    bool removed = u->fate[i] == REMOVED;
    double ns = u->t->ns[i];
    ns = removed ? ns : fmin(ns, u->saves[i]);
    double less = layer_without_event(u->t, ns);
    if (removed)
        b->removes[b->nremoves++] = (uint32_t)i;
    else
        b->changes[b->nchanges++] = (uint32_t)i;
    if (ns < 0)
        return;
    b->known = true;
    b->at_most_ns += ns;
    b->at_most_without_events_ns += less;
    b->removable_ns += removed ? ns : 0;
    b->removable_without_events_ns += removed ? less : 0;
}

static Bound union_bound(const Union *u)
{
    size_t n = u->t->graph->nop;
    Bound b = {.removes = ARENA_ARRAY(u->a, uint32_t, n + 1),
               .changes = ARENA_ARRAY(u->a, uint32_t, n + 1),
               .other_ns = u->other_ns};
    for (size_t i = 0; i < n; i++)
        if (u->fate[i] != UNTOUCHED)
            add_layer_bound(u, i, &b);
    b.removable_ns = cap_at_compute(u->t, b.removable_ns);
    b.at_most_ns = cap_at_compute(u->t, b.at_most_ns) + u->other_ns;
    b.removable_without_events_ns = cap_at_compute(u->t, b.removable_without_events_ns);
    b.at_most_without_events_ns = cap_at_compute(u->t, b.at_most_without_events_ns) + u->other_ns;
    assert(b.nremoves + b.nchanges <= n);
    b.known |= u->other_ns > 0;
    return b;
}

Bound bound_of_occurrence(Arena *a, const LayerTimes *t, const Occurrence *p)
{
    Union u = begin_union(a, t);
    add_place(&u, &p->bound);
    return union_bound(&u);
}

Bound bound_of_match(Arena *a, const LayerTimes *t, const Match *m)
{
    Union u = begin_union(a, t);
    for (size_t i = 0; i < m->nplace; i++)
        add_place(&u, &m->place[i].bound);
    return union_bound(&u);
}

const Message *bound_is_small(Arena *a, const LayerTimes *t, const Bound *b, double min_share,
                              double min_ns)
{
    double share = t->sum_ns > 0 ? b->at_most_ns / t->sum_ns : 1;
    double least = fmax(min_ns, 2 * t->event_ns);
    if (share < min_share)
        return MESSAGE(a, phrase_arg(PHRASE_AT_MOST_SHARE), arg_fixed(share * 100, 2));
    if (b->at_most_ns < least)
        return MESSAGE(a, phrase_arg(PHRASE_AT_MOST), arg_time(b->at_most_ns));
    return NULL;
}
