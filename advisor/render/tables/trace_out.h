/* Prints trace statistics as text, JSON, NDJSON or CSV.  It streams row by row: a trace of a
 * million inferences needs no tree. */
#pragma once

#include "advisor/render/tables/trace_tables.h"

typedef struct {
    const TraceTable *only; /* NULL: all tables */
    size_t top;             /* rows per table in text; 0: all */
    bool screen;            /* text: the tables of the first screen only */
    const Language *lang;   /* text; NULL: English */
} TraceOutOptions;

typedef struct {
    const char *name;
    void (*print)(FILE *out, const TraceView *v, const TraceOutOptions *o);
} TraceOut;

extern const TraceOut trace_out[]; /* ends with {NULL, NULL} */

/* "2 doubled, 1 unterminated" over all files, in `a`; NULL when nothing was mended. */
const char *trace_out_repairs(Arena *a, const Language *lang, const TraceStats *s);
