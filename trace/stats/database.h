/* Writes a trace as an SQLite database that is ready for SQL. Its tables are spans, inferences,
 * executions and operators. Spans are written as they are read; memory does not grow with the
 * trace. */
#pragma once

#include "trace/stats/stats.h"

typedef struct TraceDatabase TraceDatabase;

/* Writes to a temporary name beside `path`, which must not be "-". */
Status trace_database_open(Arena *a, const char *path, TraceDatabase **ret, Diag *diag);

/* A SpanSink; `user` is the database. */
void trace_database_span(void *user, const Span *s);

/* TraceReadOptions.file_end: the rows of a file that was there already go again. */
void trace_database_file(void *user, bool again);

/* Adds the tables of the statistics, indexes, and renames. */
Status trace_database_close(TraceDatabase *d, const TraceStats *s, Diag *diag);

/* Removes the temporary file.  Accepts NULL. */
void trace_database_abort(TraceDatabase *d);
