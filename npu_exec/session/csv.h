/* Writes spans as rows of the vendor profiler's DataFrame, in its column order. */
#pragma once

#include "graph/base/file.h"
#include "trace/readers/span.h"

Status csv_open(OutFile *f, const char *path, Diag *diag);

/* One row.  The task is called Execution there; categories as the trace has them (`cat`). */
void csv_span(FILE *out, const Span *s, const char *cat);
