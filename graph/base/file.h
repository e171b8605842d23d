/* Reads input files and writes output files that readers never see half finished.
 *
 * Input: regular files are mapped; "-" reads stdin.  A directory, a device, an endless stream or
 * a file above the limit is refused in one line, and a FIFO is read up to the limit.
 * Output: written to a temporary name beside the target, then renamed, so that no reader ever
 * sees half a file; "-" is stdout, and a device or pipe is written as it is. */
#pragma once

#include "graph/base/diag.h"

typedef struct {
    const char *path;
    const uint8_t *data; /* NULL when size is 0 */
    size_t size;
    bool mapped; /* else heap */
    int kept;    /* slot of exit_cleanup.h, when mapped */
} InFile;

/* Maps or reads `path`.  A file that shrinks while it is mapped ends the process in one line
 * (exit_cleanup.h). limit_bytes bounds what is read from a pipe (mapped files have no cost, hence
 * no limit). */
Status file_in_open(InFile *f, const char *path, size_t limit_bytes, Diag *diag);
void file_in_close(InFile *f);

/* The first bytes of a regular file, to recognise it: how many were put into `buf`.  0 for all
 * else: what can be read only once must not be read for that. */
size_t file_in_peek(const char *path, void *buf, size_t size);

/* The path's last part; the folder that it lies in. */
const char *file_base_name(const char *path);
const char *file_folder(Arena *a, const char *path);

/* Whether a folder of that name is there. */
bool file_is_folder(const char *path);

/* Lower-case hex SHA-256 of the bytes; `hex` holds 65 bytes. */
void sha256_hex(const void *data, size_t size, char hex[65]);

/* SHA-256 of bytes that arrive in pieces; sha256_end() frees. */
typedef struct Sha256 Sha256;

Sha256 *sha256_begin(void);
void sha256_add(Sha256 *s, const void *data, size_t size);
void sha256_end(Sha256 *s, char hex[65]);

typedef struct {
    FILE *stream; /* write here */
    const char *path;
    char *tmp_path; /* NULL for stdout */
    int kept;       /* slot of exit_cleanup.h: removed when the process ends */
} OutFile;

/* `path` "-" is stdout.  A device, a pipe and a standard stream that a link leads to (/dev/stdout)
 * are written as they are; everything else gets its name when it is committed. */
Status file_out_open(OutFile *f, const char *path, Diag *diag);

/* The same without a stream, for what opens tmp_path by itself. */
Status file_out_reserve(OutFile *f, const char *path, Diag *diag);

/* Whether file_out_open would succeed: for a check before long work.  Leaves no file. */
Status file_out_check(const char *path, Diag *diag);

/* Flushes, syncs, checks for write errors, renames.  On failure the temporary file is removed. */
Status file_out_commit(OutFile *f, Diag *diag);

/* Writes a file of one text and a newline, and frees the text.  NULL: there was no memory for it.
 */
Status file_out_write_text(const char *path, char *text, Diag *diag);

/* Removes the temporary file; safe after commit. */
void file_out_abort(OutFile *f);
