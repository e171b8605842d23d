/* What all fuzz targets share: a limit on memory, bytes as a file, and replaying kept inputs.
 * Built with -DFUZZER a target is libFuzzer's; without, a program that replays the files given. */
#ifndef TESTS_FUZZ_HARNESS_H
#define TESTS_FUZZ_HARNESS_H

#include "graph/base/arena.h"

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

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

/* Each input in memory of its very size, so that reading behind it is noticed. */
static void replay(FILE *f)
{
    static uint8_t buffer[LONGEST_INPUT];
    size_t n = fread(buffer, 1, sizeof buffer, f);
    uint8_t *bytes = malloc(n ? n : 1);
    if (!bytes)
        abort();
    memcpy(bytes, buffer, n);
    LLVMFuzzerTestOneInput(bytes, n);
    free(bytes);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        FILE *f = fopen(argv[i], "rb");
        if (!f) {
            fprintf(stderr, "%s: cannot open\n", argv[i]);
            return 1;
        }
        replay(f);
        fclose(f);
    }
    printf("%s: %d inputs replayed\n", argv[0], argc - 1);
    return 0;
}
#endif

#endif
