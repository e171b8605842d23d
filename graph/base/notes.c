/* Appends notes to an array and finds repeated causes in a map. */
#include "graph/base/notes.h"

void notes_init(Notes *n, Arena *a)
{
    *n = (Notes){.arena = a};
}

void notes_put(Notes *n, const char *cause, const Message *said)
{
    assert(cause && said);
    if (!n->by_cause.cap)
        strmap_init(&n->by_cause, n->arena, 16);
    if (strmap_get(&n->by_cause, cause) != STRMAP_NONE)
        return;
    const char *key = arena_strdup(n->arena, cause);
    strmap_put(&n->by_cause, key, (uint32_t)n->nnote);
    *VEC_PUSH(n->arena, n->note, n->nnote, n->cap) = (Note){.cause = key, .said = said};
}
