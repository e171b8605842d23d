/* Divides now by kind of work, and each kind by the change that removes or shortens it. */
#pragma once

#include "advisor/report/summary.h"
#include "graph/base/arena.h"

typedef struct {
    const char *kind; /* as the breakdown spells it; of a compiled graph the kind of layer */
    int64_t change;   /* number of a change, or of work by hand; 0: none is about it */
    double ns;
} NowPart;

/* Parts in the order of the changes, those without one last; they sum to `total`. */
typedef struct {
    NowPart *part;
    size_t n;
    double total; /* 0: now is not known */
} NowParts;

/* By the rows of the recommended plan, else by the work by hand: the first that names a step has
 * it.  In `a`. */
NowParts now_parts(Arena *a, const Result *r, const Summary *d);
