/* What all fuzz targets share: a limit on memory, bytes as a file, and replaying kept inputs.
 * Built with -DFUZZER a target is libFuzzer's; without, a program that replays the files given:
 *   TARGET FILE…             crashes, or ends with 0
 *   TARGET --said F FILE…    … and with 1 where what becomes of an input is not what F says
 *   TARGET --write F FILE…   F again
 *   TARGET --tell FILE…      what becomes of each, as text
 * F has a line for 16 inputs: the first one's name, and a hash of what each said. */
#ifndef TESTS_FUZZ_HARNESS_H
#define TESTS_FUZZ_HARNESS_H

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

__attribute__((format(printf, 1, 2))) static inline void phrase_text(const char *format, ...)
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

/* Each input in memory of its very size, so that reading behind it is noticed.  Returns the hash of
 * what was said. */
static uint32_t replay(const char *path, bool tell)
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
    uint64_t hash = strmap_hash_bytes(HASH_SEED, text, size);
    free(text);
    free(bytes);
    return (uint32_t)(hash ^ hash >> 32);
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The next hash that was written down, at the head of a line behind a name. */
static bool next_hash(FILE *f, bool is_first, uint32_t *ret)
{
    return f && (!is_first || fscanf(f, "%*s") == 0) && fscanf(f, "%" SCNx32, ret) == 1;
}

enum { HASHES_IN_A_LINE = 16 };

int main(int argc, char **argv)
{
    setenv("LC_ALL", "C", 1); /* which widths of texts depend on */
    const char *how = argc > 1 && strncmp(argv[1], "--", 2) == 0 ? argv[1] : "";
    bool tell = strcmp(how, "--tell") == 0, writes = strcmp(how, "--write") == 0;
    bool compares = strcmp(how, "--said") == 0;
    int from = writes || compares ? 3 : tell ? 2 : 1, changed = 0;
    FILE *f = (writes || compares) && argc > 2 ? fopen(argv[2], writes ? "w" : "r") : NULL;
    for (int i = from; i < argc; i++) {
        bool is_first = (i - from) % HASHES_IN_A_LINE == 0;
        uint32_t now = replay(argv[i], tell), before = now;
        if (writes && f)
            fprintf(f, is_first ? "%s%s %08" PRIx32 : "%.0s%.0s %08" PRIx32, i > from ? "\n" : "",
                    name_of(argv[i]), now);
        if (compares && (!next_hash(f, is_first, &before) || before != now)) {
            fprintf(stderr, "%s: says something else than before; %s --tell shows what\n", argv[i],
                    argv[0]);
            changed++;
        }
    }
    if (writes && f)
        fputs("\n", f);
    if (f)
        fclose(f);
    printf("%s: %d inputs replayed%s\n", argv[0], argc - from,
           compares && !changed ? ", what they say is as before" : "");
    return (writes || compares) && (!f || changed);
}
#endif

#endif
