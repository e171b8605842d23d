/* Writes the trace again with predictions and recommendations in an extra process.  That process
 * holds the predicted steps and operators of one inference, laid end to end from the start of the
 * median measured one, and a row for each recommendation at the step that it is about.
 *
 * The file is written by our own writer, so it nests strictly, whatever the original did; what we
 * add has the category TRACE_OWN_CATEGORY, and is no measurement when the file is read again.
 * Instants, counters and flows of the original are not carried over. */
#pragma once

#include "trace/stats/stats.h"

#include "advisor/report/result.h"

typedef struct {
    const char *const *path; /* traces, which are read again */
    size_t npath;
    const TraceReadOptions *read;
    const TraceStats *stats; /* of them */
    const Result *result;
    const char *output;
} TraceMerge;

Status trace_merge(Arena *a, const TraceMerge *m, Diag *diag);
