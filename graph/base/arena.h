/* Hands out memory that is freed all at once.
 *
 * A run owns one arena, a trial (one compiled variant) a scratch arena.  Objects are not freed one
 * by one.  All memory is zeroed and aligned to 16 bytes.  `make DEBUG=1` allocates every object
 * separately, so that the address sanitizer sees an overrun of a single object. */
#pragma once

#include "graph/base/compare.h"
#include "graph/base/enum_words.h"
#include "graph/base/list.h"

#include <stdarg.h>

typedef struct Arena Arena;

enum { ARENA_DEFAULT_LIMIT_MIB = 1024 };

/* limit_bytes 0: ARENA_DEFAULT_LIMIT_MIB; the process has its limit too.  Never returns NULL. */
Arena *arena_new(size_t limit_bytes);

/* Accepts NULL. */
void arena_free(Arena *a);

/* Never returns NULL.  Where the limit (or the machine) has no more memory, the handler is
 * called, which must not return; the default is limits_out_of_memory. */
void *arena_alloc(Arena *a, size_t nbyte);
void *arena_calloc(Arena *a, size_t count, size_t size); /* checks the product for overflow */
char *arena_strdup(Arena *a, const char *s);             /* NULL gives NULL */
char *arena_strndup(Arena *a, const char *s, size_t len);
char *arena_printf(Arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(Arena *a, const char *fmt, va_list ap);

/* What to do when memory ends; fuzz targets set one that longjmps out. */
typedef void (*ArenaExhausted)(size_t used, size_t limit, void *user);
void arena_on_exhausted(Arena *a, ArenaExhausted handler, void *user);

#define ARENA_NEW(a, T)      ((T *)arena_alloc((a), sizeof(T)))
#define ARENA_ARRAY(a, T, n) ((T *)arena_calloc((a), (n), sizeof(T)))

/* Growable array in an arena: `VEC_PUSH(a, items, n, cap)` yields a zeroed slot's address.
 * The old copy is left to the arena, so total memory is at most twice the final size. */
void *arena_grow(Arena *a, const void *old, size_t count, size_t *cap, size_t size);
#define VEC_PUSH(a, items, n, cap)                                                                 \
    ((n) == (cap) ? (void)((items) = arena_grow((a), (items), (n), &(cap), sizeof *(items)))       \
                  : (void)0,                                                                       \
     &(items)[(n)++])
