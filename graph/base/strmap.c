/* Probes linearly in a table that is at most half full. */
#include "graph/base/strmap.h"

uint64_t strmap_hash_bytes(uint64_t seed, const void *data, size_t len)
{
    const unsigned char *p = data;
    for (size_t i = 0; i < len; i++)
        seed = (seed ^ p[i]) * UINT64_C(0x100000001b3);
    return seed;
}

uint64_t strmap_hash_string(uint64_t seed, const char *s)
{
    return strmap_hash_bytes(seed, s,
                             strlen(s) + 1); /* the terminator keeps "ab","c" and "a","bc" apart */
}

void strmap_init(StrMap *m, Arena *a, size_t expected)
{
    size_t cap = 16;
    while (cap < expected * 2)
        cap *= 2;
    *m = (StrMap){.arena = a,
                  .key = ARENA_ARRAY(a, const char *, cap),
                  .value = ARENA_ARRAY(a, uint32_t, cap),
                  .cap = cap};
}

static size_t probe_slot(const StrMap *m, const char *key)
{
    assert(m->cap > 0 && (m->cap & (m->cap - 1)) == 0);
    /* Seeded by where the map lies: names made to collide would make it a list. */
    uint64_t h = strmap_hash_string(HASH_SEED ^ (uintptr_t)m->key, key);
    size_t i = (size_t)(h ^ (h >> 32)) & (m->cap - 1);
    while (m->key[i] && strcmp(m->key[i], key) != 0)
        i = (i + 1) & (m->cap - 1);
    return i;
}

uint32_t strmap_get(const StrMap *m, const char *key)
{
    if (!m->cap)
        return STRMAP_NONE;
    size_t i = probe_slot(m, key);
    return m->key[i] ? m->value[i] : STRMAP_NONE;
}

static void grow_map(StrMap *m)
{
    StrMap bigger;
    strmap_init(&bigger, m->arena, m->cap);
    for (size_t i = 0; i < m->cap; i++)
        if (m->key[i])
            strmap_put(&bigger, m->key[i], m->value[i]);
    *m = bigger;
}

void strmap_put(StrMap *m, const char *key, uint32_t value)
{
    if ((m->count + 1) * 2 > m->cap)
        grow_map(m);
    size_t i = probe_slot(m, key);
    if (!m->key[i]) {
        m->key[i] = key;
        m->count++;
    }
    m->value[i] = value;
    assert(m->count * 2 <= m->cap);
}

bool strmap_add(StrMap *m, const char *key, uint32_t value)
{
    if (strmap_get(m, key) != STRMAP_NONE)
        return false;
    strmap_put(m, key, value);
    return true;
}

uint32_t strmap_number(StrMap *m, const char *key, size_t next)
{
    return strmap_add(m, key, (uint32_t)next) ? (uint32_t)next : strmap_get(m, key);
}
