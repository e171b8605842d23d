/* Describes how a run was set up, from the result, in words that all renderers share. */
#pragma once

#include "advisor/message/phrase.h"
#include "advisor/report/result.h"
#include "cost_model/setup/setup.h"

/* One item, with every value as its option spells it. */
typedef struct {
    const char *option; /* "--input-dtype" */
    const char *value;  /* NULL: the trace leaves it open */
    ResultTexts candidates;
    ResultSetupSource source;
    const char *seen; /* what the trace shows against what was said; NULL: nothing */
} SetupLine;

/* Item `i`, in `a`. */
SetupLine setup_line(Arena *a, const ResultSetup *setup, SetupItemId i);

/* Every item of a source as options, "--batch 8 --workers 4" or ""; of the trace with those that it
 * leaves open.  "" without a set-up (compiled graphs). */
const char *setup_sentence(Phrase *buf, const ResultSetup *setup, ResultSetupSource source,
                           const Language *lang);

/* "warboy-2pe, SDK 0.10, batch 1, 1 worker; 36 inferences" */
const char *setup_of_run(Phrase *buf, const Result *r, const Language *lang);

/* "RKNN table, toolkit 2.3.2", of a compiled graph */
const char *setup_of_compiled(Phrase *buf, const Result *r, const Language *lang);

/* The options that the trace leaves open, with their candidates; "": none. */
const char *setup_open(Phrase *buf, const ResultSetup *setup, const Language *lang);
