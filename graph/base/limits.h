/* Limits the memory and processor time of the process, and allocates.
 *
 * Memory: anonymous and writable pages (heap, arenas, memory of libraries; not mapped files),
 * limited by the kernel (RLIMIT_DATA), so that no allocator can bypass it.  An allocation that
 * fails, at the limit or because the machine has no more, ends the process in one line and status
 * 2: a half-built result is of no use.  Time: of the processor.  Forked copies have the same limits
 * each; exec restores those of the caller's shell. */
#pragma once

#include "graph/base/libc.h"

enum {
    MEMORY_DEFAULT_MIB = 1024, /* the largest public model tried takes 55 MiB */
    TIME_DEFAULT_S = 9,        /* and 1.3 s; 10 s with a file of 50 MiB */
    TIME_BYTES_PER_S =
        50 << 20 /* more for each of these that a regular file has to be read for; 200 MB/s are */
};

/* Before anything allocates: from here on no allocator of a library returns NULL. */
void limits_startup(void);

/* "512MiB", "2GiB", "800M"; "10s", "500ms", "2min"; false for any other text. */
bool limits_read_memory(const char *text, size_t *ret_bytes);
bool limits_read_time(const char *text, double *ret_s);

/* 0: without a limit.  A sanitizer maps more than any limit, so a build with one has none. */
void limits_set_memory(size_t bytes);
void limits_set_time(double seconds);

/* For a child that is to be another program. */
void limits_lift(void);

/* Seconds that the default gives for these files: TIME_DEFAULT_S and what their sizes need. */
double limits_default_time(const char *const *path, size_t n, const char *const *more,
                           size_t nmore);

/* One line, status 2. */
_Noreturn void limits_out_of_memory(void);

/* Never NULL; limits_calloc's is zeroed.  free() frees. */
void *limits_alloc(size_t nbyte) __attribute__((malloc));
void *limits_calloc(size_t count, size_t size) __attribute__((malloc));
void *limits_realloc(void *p, size_t nbyte);
char *limits_strdup(const char *s) __attribute__((malloc));
