/* A file that holds the bytes at hand, for readers that take a path: in memory, reused. */
#ifndef TESTS_FUZZ_BYTES_FILE_H
#define TESTS_FUZZ_BYTES_FILE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Path of a file with these bytes; valid until the next call. */
static const char *bytes_file(const uint8_t *data, size_t size)
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
/* Replays the files named on the command line. */
static int replay_files(int argc, char **argv, int (*target)(const uint8_t *, size_t))
{
    for (int i = 1; i < argc; i++) {
        FILE *f = fopen(argv[i], "rb");
        static uint8_t buf[1 << 22];
        if (!f) {
            fprintf(stderr, "%s: cannot open\n", argv[i]);
            return 1;
        }
        size_t n = fread(buf, 1, sizeof buf, f);
        fclose(f);
        target(buf, n);
    }
    printf("%s: %d inputs replayed\n", argv[0], argc - 1);
    return 0;
}
#endif

#endif
