/* Sets the limits with setrlimit and a timer of processor time, and wraps malloc. */
#include "graph/base/limits.h"

#include "graph/base/exit_cleanup.h"

#include <libxml/xmlmemory.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#if defined(__SANITIZE_ADDRESS__)
enum { SANITIZED = 1 };
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif
#else
enum { SANITIZED = 0 };
#endif

enum { RESERVED_BYTES = 64 << 20 };

#ifdef ARENA_DEBUG /* a sanitizer build: no gate's status is that of its reports */
const char *__asan_default_options(void);
const char *__ubsan_default_options(void);

const char *__asan_default_options(void)
{
    return "exitcode=99";
}

const char *__ubsan_default_options(void)
{
    return "exitcode=99";
}
#endif

/* Said in a handler, which can put no text together: made when the limit is set. */
static char memory_line[160] = "out of memory";
static char time_line[160] = "out of time";
static struct rlimit before = {RLIM_INFINITY, RLIM_INFINITY};

_Noreturn void limits_out_of_memory(void)
{
    exit_cleanup_fail(2, memory_line);
}

void *limits_alloc(size_t nbyte)
{
    void *p = malloc(nbyte ? nbyte : 1);
    if (!p)
        limits_out_of_memory();
    return p;
}

void *limits_calloc(size_t count, size_t size)
{
    void *p = calloc(count ? count : 1, size ? size : 1);
    if (!p)
        limits_out_of_memory();
    return p;
}

void *limits_realloc(void *old, size_t nbyte)
{
    void *p = realloc(old, nbyte ? nbyte : 1);
    if (!p)
        limits_out_of_memory();
    return p;
}

char *limits_strdup(const char *s)
{
    size_t n = strlen(s) + 1;
    return memcpy(limits_alloc(n), s, n);
}

/* Variants come and go by the hundred: memory that one frees is kept for the next. */
static void keep_memory(void)
{
#ifdef __GLIBC__
    mallopt(M_TRIM_THRESHOLD, RESERVED_BYTES);
    mallopt(M_MMAP_THRESHOLD, RESERVED_BYTES / 2);
#endif
}

void limits_startup(void)
{
    keep_memory();
    xmlMemSetup(free, limits_alloc, limits_realloc, limits_strdup);
}

/* A number and one of the units; the first unit is what a bare number has. */
typedef struct {
    const char *name;
    double factor;
} Unit;

static bool read_amount(const char *text, const Unit *unit, size_t n, double *ret)
{
    char *end;
    double v = strtod(text, &end);
    for (size_t i = 0; i < n && end != text; i++)
        if (!strcmp(end, unit[i].name) && v > 0 && v * unit[i].factor < 9e15) {
            *ret = v * unit[i].factor;
            return true;
        }
    return false;
}

bool limits_read_memory(const char *text, size_t *ret_bytes)
{
    static const Unit unit[] = {{"MiB", 1 << 20}, {"GiB", 1 << 30}, {"M", 1 << 20}, {"G", 1 << 30}};
    double bytes;
    if (!read_amount(text, unit, sizeof unit / sizeof *unit, &bytes) || bytes < 16 << 20)
        return false;
    *ret_bytes = (size_t)bytes;
    return true;
}

bool limits_read_time(const char *text, double *ret_s)
{
    static const Unit unit[] = {{"s", 1}, {"ms", 1e-3}, {"min", 60}, {"h", 3600}};
    return read_amount(text, unit, sizeof unit / sizeof *unit, ret_s);
}

void limits_set_memory(size_t bytes)
{
    struct rlimit now;
    snprintf(
        memory_line, sizeof memory_line,
        "the memory limit of %zu MiB, or that of the machine, is reached; the input needs more: "
        "--memory",
        bytes >> 20);
    if (SANITIZED || getrlimit(RLIMIT_DATA, &before) != 0)
        return;
    now = before;
    now.rlim_cur = bytes && bytes < before.rlim_cur ? bytes : before.rlim_cur;
    setrlimit(RLIMIT_DATA, &now);
}

static void out_of_time(int signal_number)
{
    (void)signal_number;
    exit_cleanup_fail(2, time_line);
}

void limits_set_time(double seconds)
{
    if (SANITIZED || !(seconds > 0))
        return;
    snprintf(time_line, sizeof time_line,
             "the limit of %g s of processor time is reached; the input needs more: --time",
             seconds);
    struct sigaction a = {.sa_handler = out_of_time};
    struct sigevent e = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGXCPU};
    struct itimerspec when = {
        .it_value = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)}};
    timer_t timer;
    sigfillset(&a.sa_mask);
    sigaction(SIGXCPU, &a, NULL);
    if (timer_create(CLOCK_PROCESS_CPUTIME_ID, &e, &timer) == 0)
        timer_settime(timer, 0, &when, NULL);
}

void limits_lift(void)
{
    if (!SANITIZED)
        setrlimit(RLIMIT_DATA, &before);
}

static double total_file_bytes(const char *const *path, size_t n)
{
    double bytes = 0;
    struct stat st;
    for (size_t i = 0; i < n; i++)
        if (stat(path[i], &st) == 0 && S_ISREG(st.st_mode))
            bytes += (double)st.st_size;
    return bytes;
}

double limits_default_time(const char *const *path, size_t n, const char *const *more, size_t nmore)
{
    return TIME_DEFAULT_S +
           (total_file_bytes(path, n) + total_file_bytes(more, nmore)) / TIME_BYTES_PER_S;
}
