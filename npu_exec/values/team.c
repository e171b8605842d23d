/* Threads that are started once and wait for work. */
#include "npu_exec/values/team.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

typedef int Ask(void);
typedef void Tell(int threads);

typedef struct {
    TeamTask *task;
    void *user;
    int64_t n;
    atomic_llong next;
} Work;

/* One in a process, as the library is. */
static struct {
    Tell *tell;
    int size, started; /* `started`: threads beside the caller */
    pthread_mutex_t lock;
    pthread_cond_t wake, done;
    Work *work;         /* that may be joined; NULL: none */
    atomic_long serial; /* of the work: nobody joins the same one twice */
    atomic_int busy;    /* who joined, and is not done */
} team = {.size = 1,
          .lock = PTHREAD_MUTEX_INITIALIZER,
          .wake = PTHREAD_COND_INITIALIZER,
          .done = PTHREAD_COND_INITIALIZER};

static void find(void *library, const char *name, void *ret_function)
{
    void *at = dlsym(library, name);
    memcpy(ret_function, &at, sizeof at);
}

void team_use(void *library)
{
    Ask *most = NULL;
    find(library, "omp_set_num_threads", &team.tell);
    find(library, "omp_get_max_threads", &most);
    int n = team.tell && most ? most() : 1;
    team.size = n < 1 ? 1 : n > TEAM_MOST ? TEAM_MOST : n;
}

int team_size(void)
{
    return team.size;
}

void team_alone(int alone)
{
    if (team.tell)
        team.tell(alone ? 1 : team.size);
}

static void take_turns(Work *w, int thread)
{
    for (int64_t i; (i = atomic_fetch_add(&w->next, 1)) < w->n;)
        w->task(w->user, i, thread);
}

static int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static void relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* A thread that sleeps takes some 50 us until it runs again, on a virtual machine more, which is as
 * long as a convolution: what comes soon is waited for awake. */
enum { AWAKE_NS = 200000, LOOKS = 64 };

static void await_work(long seen)
{
    for (int64_t end = now_ns() + AWAKE_NS; now_ns() < end;)
        for (int i = 0; i < LOOKS; i++) {
            if (atomic_load_explicit(&team.serial, memory_order_relaxed) != seen)
                return;
            relax();
        }
}

static void await_others(void)
{
    for (int64_t end = now_ns() + AWAKE_NS; now_ns() < end;)
        for (int i = 0; i < LOOKS; i++) {
            if (atomic_load_explicit(&team.busy, memory_order_relaxed) == 0)
                return;
            relax();
        }
}

static void *serve(void *number)
{
    int thread = (int)(intptr_t)number;
    long seen = 0;
    team_alone(1);
    pthread_mutex_lock(&team.lock);
    for (;;) {
        if (team.serial == seen) {
            pthread_mutex_unlock(&team.lock);
            await_work(seen);
            pthread_mutex_lock(&team.lock);
        }
        while (!team.work || team.serial == seen)
            pthread_cond_wait(&team.wake, &team.lock);
        Work *w = team.work;
        seen = team.serial;
        team.busy++;
        pthread_mutex_unlock(&team.lock);
        take_turns(w, thread);
        pthread_mutex_lock(&team.lock);
        if (--team.busy == 0)
            pthread_cond_signal(&team.done);
    }
    return NULL;
}

/* As many as can be had; signals are the caller's. */
static void start_threads(void)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (team.started < team.size - 1) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, serve, (void *)(intptr_t)(team.started + 1)) != 0) {
            team.size = team.started + 1;
            break;
        }
        pthread_detach(thread);
        team.started++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void run_together(Work *w)
{
    start_threads();
    team_alone(1);
    pthread_mutex_lock(&team.lock);
    team.work = w;
    team.serial++;
    pthread_cond_broadcast(&team.wake);
    pthread_mutex_unlock(&team.lock);
    take_turns(w, 0);
    pthread_mutex_lock(&team.lock);
    team.work = NULL;
    if (team.busy) {
        pthread_mutex_unlock(&team.lock);
        await_others();
        pthread_mutex_lock(&team.lock);
    }
    while (team.busy)
        pthread_cond_wait(&team.done, &team.lock);
    pthread_mutex_unlock(&team.lock);
    team_alone(0);
}

void team_run(int64_t n, TeamTask *task, void *user)
{
    Work w = {.task = task, .user = user, .n = n};
    if (team.size > 1 && n > 1) {
        run_together(&w);
        return;
    }
    team_alone(1);
    for (int64_t i = 0; i < n; i++)
        task(user, i, 0);
    team_alone(0);
}

/* ---- parts ---- */

static const int64_t LEAST = 1 << 16; /* bytes that are not worth waking a thread */

typedef struct {
    TeamPart *part;
    void *user;
    int64_t n, parts;
} Cut;

static void run_part(void *user, int64_t i, int thread)
{
    const Cut *c = user;
    (void)thread;
    c->part(c->user, c->n * i / c->parts, c->n * (i + 1) / c->parts);
}

void team_parts(int64_t n, int64_t bytes, TeamPart *part, void *user)
{
    Cut c = {.part = part, .user = user, .n = n, .parts = n * bytes < LEAST ? 1 : team.size};
    team_run(c.parts, run_part, &c);
}
