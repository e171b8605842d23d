/* Shows how far a long run is, on one line of the terminal that it overwrites. */
#pragma once

#include "advisor/options/args.h"
#include "advisor/message/phrase.h"
#include "advisor/options/command.h"

typedef struct {
    FILE *out;
    PhraseId what; /* "{0} of {1} models" */
    bool shown;    /* on a terminal, without --quiet */
} Progress;

Progress progress_of(const Context *c, const Args *args, PhraseId what);

/* `progress`: a Progress.  "12 of 36 models"; at the end the line is cleared. */
void progress_show(void *progress, size_t done, size_t all);
