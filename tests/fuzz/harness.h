/* What all fuzz targets share: a limit on memory, bytes as a file, and replaying kept inputs.
 * Built with -DFUZZER a target is libFuzzer's; without, a program that replays the files given:
 *   TARGET FILE…             crashes, or ends with 0
 *   TARGET --tell FILE…      prints what becomes of each, as text */
#pragma once

#include "graph/base/arena.h"

#include "graph/base/strmap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Where a target tells what became of an input: what was read, or why not.  Nothing that another
 * run, a sanitizer or another place would tell otherwise. */
static FILE *harness_said;

__attribute__((format(printf, 1, 2))) static inline void harness_print(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vfprintf(harness_said, format, args);
    va_end(args);
}

/* A name that may be missing. */
static inline const char *or_none(const char *text)
{
    return text ? text : "(none)";
}

/* The target: uses the bytes, and is left when it needs more memory than the arena has. */
static void fuzz(Arena *a, const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MEMORY_LIMIT_MIB = 512 };

static jmp_buf harness_exhausted;

static void harness_leave(size_t used, size_t limit, void *user)
{
    (void)used, (void)limit, (void)user;
    longjmp(harness_exhausted, 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Arena *a = arena_new((size_t)MEMORY_LIMIT_MIB << 20);
    arena_on_exhausted(a, harness_leave, NULL);
    if (!harness_said)
        harness_said = fopen("/dev/null", "w");
    if (!harness_said)
        abort();
    if (setjmp(harness_exhausted) == 0)
        fuzz(a, data, size);
    arena_free(a);
    return 0;
}

/* Path of a file with these bytes, for readers that take a path; valid until the next call. */
static inline const char *harness_file(const uint8_t *data, size_t size)
{
    static int fd = -1;
    static char path[64];
    if (fd < 0)
        fd = memfd_create("input.xml", 0);
    if (fd < 0 || ftruncate(fd, 0) != 0 || pwrite(fd, data, size, 0) != (ssize_t)size)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return path;
}

#ifndef FUZZER
enum { LONGEST_INPUT = 1 << 22 };

/* Copies each input to memory of exactly its size, so that a read past its end is noticed. */
static void replay(const char *path, bool tell)
{
    static uint8_t buffer[LONGEST_INPUT];
    FILE *f = fopen(path, "rb");
    if (!f) {
        fprintf(stderr, "%s: cannot open\n", path);
        exit(1);
    }
    size_t n = fread(buffer, 1, sizeof buffer, f), size = 0;
    fclose(f);
    uint8_t *bytes = malloc(n ? n : 1);
    char *text = NULL;
    harness_said = open_memstream(&text, &size);
    if (!bytes || !harness_said)
        abort();
    memcpy(bytes, buffer, n);
    LLVMFuzzerTestOneInput(bytes, n);
    fclose(harness_said);
    if (tell)
        printf("== %s\n%s\n", path, text);
    free(text);
    free(bytes);
}

int main(int argc, char **argv)
{
    setenv("LC_ALL", "C", 1); /* which widths of texts depend on */
    bool tell = argc > 1 && strcmp(argv[1], "--tell") == 0;
    int from = tell ? 2 : 1;
    for (int i = from; i < argc; i++)
        replay(argv[i], tell);
    printf("%s: %d inputs replayed\n", argv[0], argc - from);
    return 0;
}
#endif
