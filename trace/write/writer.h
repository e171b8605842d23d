/* Writes Chrome traces that nest strictly, like those of the Furiosa runtime. */
#pragma once

#include "graph/base/file.h"
#include "trace/readers/span.h"

typedef struct TraceWriter TraceWriter;

/* style 10: object form, cat Runtime, X events; style 9: array form, cat Nux, host spans and tasks
 * as B/E.  What runs on the NPU has cat NPU in both; a span's own cat, where not NULL, wins.
 * Streams; times become microseconds with three decimals, args strings, as the vendor's do.  The
 * duration of an X event is some tenths of a nanosecond short, which rounding undoes.  All
 * times move by WRITER_EPOCH_NS, because some viewers take no event at 0. */
enum { WRITER_EPOCH_NS = 1000 };
Status trace_writer_open(Arena *a, const char *path, int style, TraceWriter **ret, Diag *diag);

/* Process and thread names; any time before close. */
void trace_writer_process(TraceWriter *w, int64_t pid, const char *name);
/* What else a viewer shows beside the process's name. */
void trace_writer_labels(TraceWriter *w, int64_t pid, const char *labels);
void trace_writer_thread(TraceWriter *w, int64_t pid, int64_t tid, const char *name);

/* The span is copied, its strings must live until close.
 * Spans may come in nearly any order: per (pid, tid), a span must come at most
 * WRITER_REORDER_SPANS spans later than one that starts after it.  They must nest; one that
 * overlaps another of its thread all the same is written as an async pair.
 * Memory: WRITER_REORDER_SPANS spans per thread, whatever the length of the trace. */
enum { WRITER_REORDER_SPANS = 2048 };
void trace_writer_span(TraceWriter *w, const Span *s);

/* A span that overlaps others of its thread: written as an async pair with its own id. */
void trace_writer_async(TraceWriter *w, const Span *s, uint64_t id);

/* An arrow between two spans, which are on their threads at these times. */
void trace_writer_flow(TraceWriter *w, const char *name, uint64_t id, const Span *from,
                       const Span *to);

/* A counter sample. */
void trace_writer_counter(TraceWriter *w, int64_t pid, int64_t ts_ns, const char *name,
                          const char *series, int64_t value);

/* Bytes written so far, and about those that wait to be put in order. */
uint64_t trace_writer_bytes(const TraceWriter *w);

Status trace_writer_close(TraceWriter *w, Diag *diag);
void trace_writer_abort(TraceWriter *w);
