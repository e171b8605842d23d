/* Shows how far a long run is, on one line of the terminal that it overwrites. */
#pragma once

#include "advisor/options/args.h"
#include "advisor/options/command.h"

typedef struct {
    FILE *out;
    const char *what; /* "models" */
    bool shown;       /* where somebody looks on and did not ask for quiet */
} Progress;

Progress progress_of(const Context *c, const Args *args, const char *what);

/* `progress`: a Progress.  "12 of 36 models"; at the end the line is cleared. */
void progress_show(void *progress, size_t done, size_t all);
