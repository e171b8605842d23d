/* Fingerprints. */
#include "advisor/fingerprint.h"

#include <inttypes.h>
#include <stdlib.h>

static int by_value(const void *pa, const void *pb)
{
    uint64_t a = *(const uint64_t *)pa, b = *(const uint64_t *)pb;
    return a < b ? -1 : a > b;
}

/* The order in the file must not matter: a sorted list, hashed. */
static uint64_t hash_set(uint64_t *value, size_t n)
{
    if (n)
        qsort(value, n, sizeof *value, by_value);
    return hash_bytes(HASH_SEED, value, n * sizeof *value);
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

static uint64_t hash_place(const Graph *g, const Place *p)
{
    if (p->tensor < g->ntensor)
        return tensor_fingerprint(g, p->tensor);
    return p->node < g->nnode ? node_fingerprint(g, p->node) : 0;
}

const char *fingerprint_of(Arena *a, const Graph *g, const Match *m)
{
    uint64_t *value = ARENA_ARRAY(a, uint64_t, m->nplace + 1);
    size_t n = 0;
    for (size_t i = 0; i < m->nplace; i++) {
        uint64_t h = hash_place(g, &m->place[i]);
        if (h)
            value[n++] = h;
    }
    uint64_t h = n ? hash_set(value, n) : hash_borders(a, g);
    h = hash_string(h, m->rule->id);
    return arena_printf(a, "%s-%012" PRIx64, m->rule->id, h >> 16);
}
