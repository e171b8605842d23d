/* Reads the bytes of a trace, plain or gzip, as a sliding window. They come from a file, a pipe
 * or memory; the window is all the memory, whatever the size of the file. */
#pragma once

#include "graph/base/file.h"
#include "trace/readers/json_check.h"

enum {
    WINDOW_BYTES = 1 << 20,
    WINDOW_PAD_BYTES = 32, /* zeros after `end`, so that scanners may load whole vectors */
};

/* Whether the stored bytes are hashed while they are read. */
typedef enum { SOURCE_UNHASHED, SOURCE_HASHED } SourceHash;

typedef struct Inflater Inflater;

typedef struct {
    Arena *arena;
    const char *path; /* as messages name it */
    int fd;           /* -1: memory */
    const char *rest; /* of the memory */
    size_t nrest;
    Inflater *gzip;   /* NULL: plain */
    Sha256 *digest;   /* of the stored bytes; NULL: not asked for */
    JsonCheck *check; /* sees what source_more adds; NULL: not asked for */

    char *base; /* window: [p, end) is not yet consumed, bytes before p may be overwritten */
    size_t cap;
    const char *p, *end;
    uint64_t base_offset; /* of `base` in the text */
    bool eof;             /* nothing comes after `end` */
    bool damaged;         /* gzip data that ends early or is corrupt: read up to there */
    bool trailing;        /* bytes that are not gzip follow the compressed data */
} Source;

/* The window holds the first bytes then.  A folder, a device and a pipe without a writer are
 * refused.  `hash`: also compute the SHA-256 of the bytes as stored. */
Status source_open(Source *s, Arena *a, const char *path, SourceHash hash, Diag *diag);
Status source_open_bytes(Source *s, Arena *a, const char *path, const char *bytes, size_t size,
                         Diag *diag);

/* Slides the window so that p is at its beginning and reads on after `end`; grows it, up to
 * limit_bytes, when it is full.  Sets eof when nothing more comes.  STATUS_INPUT when the limit is
 * reached or the file cannot be read. */
Status source_more(Source *s, size_t limit_bytes, Diag *diag);

/* The whole text, up to a limit, for formats that are one document: a view into the window, which
 * ends with NUL.  Consumes it. */
Status source_all(Source *s, size_t limit_bytes, const char **ret, size_t *ret_len, Diag *diag);

/* Position of p in the text, in bytes. */
uint64_t source_offset(const Source *s);

/* `hex` (65 bytes, or NULL) becomes the hash of the bytes read, "" without one. */
void source_close(Source *s, char *hex);
