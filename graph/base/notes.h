/* Collects facts that the user must know, at most one per cause. */
#pragma once

#include "graph/base/message.h"

typedef struct {
    const char *cause; /* stable key, e.g. "assumed-ptq" */
    const Message *said;
} Note;

typedef struct {
    Arena *arena;
    Note *note;
    size_t nnote, cap;
    StrMap by_cause; /* hostile models bring as many causes as nodes */
} Notes;

void notes_init(Notes *n, Arena *a);

/* Unless its cause is there: notes_add(n, "no-opset", MESSAGE_ID(NO_OPSET)). */
#define notes_add(n, cause, ...) notes_put((n), (cause), MESSAGE((n)->arena, __VA_ARGS__))
void notes_put(Notes *n, const char *cause, const Message *said);
