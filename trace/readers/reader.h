/* Reads traces as a stream of complete spans (X, matched B/E and async pairs).
 *
 * Plain or gzip, file or "-".  Memory grows with open spans and distinct names, not with the file.
 * Broken files are mended where the meaning is plain; every mending is counted. */
#pragma once

#include "graph/base/diag.h"
#include "trace/readers/reader_words.def"
#include "trace/readers/span.h"

typedef struct {
#define X(name) uint64_t name;
    TRACE_REPAIRS(X)
#undef X
} TraceRepairs;

enum {
    TRACE_MAX_DEPTH = 200,           /* nesting of JSON */
    TRACE_MAX_TOKEN_BYTES = 8 << 20, /* one event */
    PROGRESS_BYTES = 16 << 20,
};

/* The name of a process, or of one of its threads. */
typedef struct {
    int64_t pid, tid; /* tid: of threads only */
    bool is_thread;
    const char *name;
} TraceRow;

typedef struct {
    const char *bytes; /* what the file holds, for fuzzing: `path` is then its name; or NULL */
    size_t nbyte;
    TraceFormat format; /* TRACE_UNKNOWN: recognise by content */
    bool strict;  /* refuse what would be mended (but not `doubled`, which is the vendor's way) */
    bool no_hash; /* leave sha256 "": hashing takes longer than reading */
    void (*also)(void *user, const Span *span); /* every span goes here too, or NULL */
    void *also_user;
    /* trace_stats only: after each file; `again`: it repeats an earlier one and does not count. */
    void (*file_end)(void *also_user, bool again);
    void (*named)(void *user, const TraceRow *row); /* called by trace_read for each; or NULL */
    void *named_user;
    /* trace_stats only: leave out inferences that begin before `from_ns` or from `to_ns` on, with
     * all that belongs to them, and other spans that begin there.  Times count from the first span
     * of all files; to_ns 0: no end. */
    int64_t from_ns, to_ns;
    /* Called every PROGRESS_BYTES of text read, with how many there were; or NULL. */
    void (*progress)(void *user, const char *path, uint64_t bytes);
    void *progress_user;
} TraceReadOptions;

typedef struct {
    const char *path;
    TraceFormat format;
    uint64_t events; /* objects seen */
    uint64_t spans;  /* handed out */
    TraceRepairs repairs;
    int sdk;         /* 10 when host spans carry cat Runtime, 9 for Nux, 0 unknown */
    char sha256[65]; /* of the file as stored; "" for stdin */
    const struct EngineTimes *engine; /* what trtexec sums up without spans (engine.h), or NULL */
    const char *clues;                /* what tells the format; NULL: nothing */
    size_t events_alike, events_read; /* at the beginning: of that format, of all */
    const char
        *encoding; /* that names probably have, as they are not UTF-8; NULL: none is likely */
} TraceInfo;

/* Called once per span in order of completion in the file.  The Span is only valid during the call,
 * its strings for the life of the arena. */
typedef void (*SpanSink)(void *user, const Span *span);

/* STATUS_INPUT for a file that is no trace.  A valid file without spans: STATUS_OK, 0 spans. */
Status trace_read(Arena *a, const char *path, const TraceReadOptions *o, SpanSink sink, void *user,
                  TraceInfo *ret_info, Diag *diag);
