/* Reads the traces of one model into one set of statistics.
 *
 * Traces of one set-up add up; traces of several are refused, because their combined figures would
 * describe none of them. */
#ifndef ADVISOR_ADVISE_TRACES_H
#define ADVISOR_ADVISE_TRACES_H

#include "cost_model/setup/setup.h"
#include "graph/base/notes.h"

/* Reads them; notes repeated ones. */
Status traces_read(Arena *a, const char *const *path, size_t npath, const TraceReadOptions *o,
                   Notes *notes, TraceStats **ret, Diag *diag);

/* The model and the options, to find the set-up of every run from its trace. */
typedef struct {
    const Model *model;
    const Machine *machine;
    const Costs *costs;
    const CompileOptions *compile;
    const RunOptions *run;
} TracesOf;

/* STATUS_INPUT when two of them have different set-ups. `of` NULL: compared without a model. */
Status traces_match(Arena *a, const TraceStats *s, const TraceReadOptions *o, const TracesOf *of,
                    Diag *diag);

#endif
