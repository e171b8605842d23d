/* Preloaded: the n-th allocation after main has begun fails, in one process: of forked copies,
 * which go on counting, in the first that comes there.
 *   FAULT_AT=N      which one; 0 or unset: none
 *   FAULT_COUNT=F   F gets how many there were, when the process ends, and a hash of each one's
 * callers FAULT_TERM=N    SIGTERM comes just when the n-th temporary file or folder is there */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

static unsigned long count, fail_at, made, term_at;
static int counting;
static int *has_failed;   /* one for all copies */
static FILE *told;        /* opened before the sandbox closes the folder */
static uint32_t *callers; /* of each allocation, of all copies */

enum { DEPTH = 32, CALLERS_MAX = 1 << 22 };

/* Their addresses: the same in another process if those are not random. */
static uint32_t hash_of_callers(void)
{
    void *frame[DEPTH];
    uint32_t hash = 2166136261U;
    int n = backtrace(frame, DEPTH);
    for (int i = 0; i < n; i++)
        hash = (hash ^ (uint32_t)((uintptr_t)frame[i] ^ (uintptr_t)frame[i] >> 32)) * 16777619U;
    return hash;
}

static int fails(void)
{
    if (!counting)
        return 0;
    if (callers && count < CALLERS_MAX)
        callers[count] = hash_of_callers();
    if (++count != fail_at || __atomic_exchange_n(has_failed, 1, __ATOMIC_SEQ_CST))
        return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t n)
{
    return fails() ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
    return fails() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t n)
{
    return fails() ? NULL : __libc_realloc(p, n);
}

int posix_memalign(void **p, size_t align, size_t n)
{
    if (fails())
        return ENOMEM;
    *p = __libc_memalign(align, n);
    return *p ? 0 : ENOMEM;
}

void *aligned_alloc(size_t align, size_t n)
{
    return fails() ? NULL : __libc_memalign(align, n);
}

static void *c_library(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

static void is_made(void)
{
    if (++made == term_at)
        kill(getpid(), SIGTERM);
}

int mkstemp(char *path)
{
    int fd = ((int (*)(char *))c_library("mkstemp"))(path);
    is_made();
    return fd;
}

char *mkdtemp(char *path)
{
    char *folder = ((char *(*)(char *))c_library("mkdtemp"))(path);
    is_made();
    return folder;
}

/* A thread that ends the process beside another takes its time: what the other goes on doing is
 * seen. */
void _exit(int status)
{
    if (gettid() != getpid())
        usleep(20000);
    ((void (*)(int))c_library("_exit"))(status);
    __builtin_unreachable();
}

static int (*real_main)(int, char **, char **);

static unsigned long kernel_number_or(const char *name)
{
    const char *at = getenv(name);
    return at ? strtoul(at, NULL, 10) : 0;
}

static int counted_main(int argc, char **argv, char **envp)
{
    fail_at = kernel_number_or("FAULT_AT");
    term_at = kernel_number_or("FAULT_TERM");
    const char *path = getenv("FAULT_COUNT");
    told = path ? fopen(path, "w") : NULL;
    if (told) {
        hash_of_callers(); /* the first call allocates */
        callers = mmap(NULL, CALLERS_MAX * sizeof *callers, PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    }
    has_failed =
        mmap(NULL, sizeof *has_failed, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    unsetenv("LD_PRELOAD"); /* of this process only */
    counting = 1;
    return real_main(argc, argv, envp);
}

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
    int (*start)(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void),
                 void (*)(void), void *) = c_library("__libc_start_main");
    real_main = main;
    return start(counted_main, argc, argv, init, fini, rtld_fini, stack_end);
}

__attribute__((destructor)) static void tell(void)
{
    counting = 0;
    if (told) {
        fprintf(told, "%lu\n", count);
        fwrite(callers, sizeof *callers, count < CALLERS_MAX ? count : CALLERS_MAX, told);
        fclose(told);
    }
}
