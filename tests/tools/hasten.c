/* Preloaded: the process's clock goes HASTEN times as fast, and files are FATTEN times as large as
 * they are. */
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

static long factor(const char *name)
{
    const char *text = getenv(name);
    return text ? atol(text) : 1;
}

int clock_gettime(clockid_t clock, struct timespec *t)
{
    static int (*real)(clockid_t, struct timespec *);
    static struct timespec begin;
    *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
    int bad = real(clock, t);
    if (bad || clock != CLOCK_MONOTONIC)
        return bad;
    if (!begin.tv_sec)
        begin = *t;
    double passed = (double)(t->tv_sec - begin.tv_sec) + (double)(t->tv_nsec - begin.tv_nsec) / 1e9;
    t->tv_sec = begin.tv_sec + (time_t)(passed * (double)factor("HASTEN"));
    return 0;
}

int fstatat(int folder, const char *path, struct stat *st, int flags)
{
    int (*real)(int, const char *, struct stat *, int);
    *(void **)&real = dlsym(RTLD_NEXT, "fstatat");
    int bad = real(folder, path, st, flags);
    st->st_blocks *= bad ? 1 : factor("FATTEN");
    return bad;
}
