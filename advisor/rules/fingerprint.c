/* Hashes the operators, attributes, shapes and neighbours of the matched nodes. */
#include "advisor/rules/fingerprint.h"

ORDER_BY(by_value, uint64_t, COMPARE(*a, *b))

/* The order in the file must not matter: a sorted list, hashed. */
static uint64_t hash_set(uint64_t *value, size_t n)
{
    ORDER_LIST(value, n, by_value);
    return strmap_hash_bytes(HASH_SEED, value, n * sizeof *value);
}

static uint64_t hash_borders(Arena *a, const Graph *g)
{
    size_t n = 0;
    uint64_t *value = ARENA_ARRAY(a, uint64_t, g->ninput + g->noutput);
    for (size_t i = 0; i < g->ninput; i++)
        value[n++] = tensor_fingerprint(g, g->input[i]);
    for (size_t i = 0; i < g->noutput; i++)
        value[n++] = tensor_fingerprint(g, g->output[i]);
    return hash_set(value, n);
}

static uint64_t hash_place(const Graph *g, const Occurrence *p)
{
    if (p->tensor < g->ntensor)
        return tensor_fingerprint(g, p->tensor);
    return p->node < g->nnode ? node_fingerprint(g, p->node) : 0;
}

/* The cause is hashed only where no occurrence is in the graph: otherwise it may be a name. */
static uint64_t hash_match(Arena *a, const Graph *g, const Match *m)
{
    assert(m->nplace > 0 && m->rule);
    uint64_t *value = ARENA_ARRAY(a, uint64_t, m->nplace + 1);
    size_t n = 0;
    for (size_t i = 0; i < m->nplace; i++) {
        uint64_t h = hash_place(g, &m->place[i]);
        if (h)
            value[n++] = h;
    }
    uint64_t h = n ? hash_set(value, n) : strmap_hash_string(hash_borders(a, g), m->cause);
    return strmap_hash_string(h, m->rule->id);
}

/* How many matches before match i have its rule and hash: those of one rule are adjacent. */
static uint64_t count_equal_before(const MatchList *list, const uint64_t *hash, size_t i)
{
    uint64_t n = 0;
    for (size_t k = i; k-- > 0 && list->match[k].rule == list->match[i].rule;)
        n += hash[k] == hash[i];
    return n;
}

const char **fingerprint_all(Arena *a, const Graph *g, const MatchList *list)
{
    const char **ret = ARENA_ARRAY(a, const char *, list->nmatch + 1);
    uint64_t *hash = ARENA_ARRAY(a, uint64_t, list->nmatch + 1);
    for (size_t i = 0; i < list->nmatch; i++) {
        const Match *m = &list->match[i];
        hash[i] = hash_match(a, g, m);
        uint64_t twin = count_equal_before(list, hash, i),
                 h = twin ? strmap_hash_bytes(hash[i], &twin, sizeof twin) : hash[i];
        ret[i] = arena_printf(a, "%s-%012" PRIx64, m->rule->id, h >> 16);
    }
    return ret;
}
