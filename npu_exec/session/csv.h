/* Writes spans as rows of the vendor profiler's DataFrame, in its column order. */
#pragma once

#include "graph/base/file.h"
#include "trace/readers/span.h"

typedef struct {
    OutFile file;
} Csv;

Status csv_open(Csv *c, const char *path, Diag *diag);

/* One row.  The task is called Execution there; categories as the trace has them (`cat`). */
void csv_span(Csv *c, const Span *s, const char *cat);

Status csv_close(Csv *c, Diag *diag);
void csv_abort(Csv *c);
