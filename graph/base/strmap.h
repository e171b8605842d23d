/* Maps strings to 32-bit ids in a hash table. Keys are not copied. */
#pragma once

#include "graph/base/arena.h"

#define STRMAP_NONE UINT32_MAX

typedef struct {
    Arena *arena;
    const char **key;
    uint32_t *value;
    size_t count, cap; /* cap is a power of two */
} StrMap;

void strmap_init(StrMap *m, Arena *a, size_t expected);

/* STRMAP_NONE when absent. */
uint32_t strmap_get(const StrMap *m, const char *key);

/* Inserts or replaces. */
void strmap_put(StrMap *m, const char *key, uint32_t value);

/* Inserts a key that is absent; false where it is there. */
bool strmap_add(StrMap *m, const char *key, uint32_t value);

/* The value of a key; one that is absent gets `next`. */
uint32_t strmap_number(StrMap *m, const char *key, size_t next);

/* 64-bit FNV-1a; stable across platforms and versions, fingerprints rely on it. */
uint64_t strmap_hash_bytes(uint64_t seed, const void *data, size_t len);
uint64_t strmap_hash_string(uint64_t seed, const char *s);
#define HASH_SEED UINT64_C(0xcbf29ce484222325)
