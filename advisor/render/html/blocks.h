/* Cuts a program into blocks that a person can name, and finds which of them repeat.
 *
 * They are found by structure: what repeats is a run of elements of equal form (kind, shape) right
 * after an equal one; the rest is cut where only one value is handed on.  Names of nodes only
 * label them. */
#pragma once

#include "advisor/render/html/elements.h"

typedef struct {
    uint32_t from, to; /* elements [from, to) */
    const char *name;  /* what its nodes' names have in common, else its longest operator */
} GraphBlock;

/* `repeats` copies of `period` blocks each, one after the other. */
typedef struct {
    uint32_t first, period, repeats;
} Group;

typedef struct {
    GraphBlock *block;
    size_t n;
    Group *group; /* every block is in one, in order */
    size_t ngroup;
} Blocks;

Blocks blocks_of(Arena *a, const Elements *e);
