/* Starts threads once, which then wait for work. */
#include "npu_exec/conv/thread_pool.h"

#include "graph/base/exit_cleanup.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

typedef int Ask(void);
typedef void Tell(int threads);

typedef struct {
    PoolTask *task;
    void *user;
    int64_t n;
    atomic_llong next[THREAD_POOL_MAX]; /* of each thread's own stretch of [0, n) */
} Work;

/* What is to be done, in one word: its number, so that nobody joins the same one twice, whether it
 * may be joined, and how many have joined and are not done. */
enum { JOINED = 0xff, OPEN = 0x100, NUMBER = 0x200 };

/* One in a process, as the library is. */
static struct {
    Tell *tell;
    int size, started, ready; /* the last two are of threads beside the caller */
    Work work;                /* written while nobody has joined */
    atomic_llong state;
    pthread_mutex_t lock;      /* of who sleeps */
    pthread_cond_t wake, done; /* `done` also of a start */
    atomic_int asleep;         /* threads that wait for `wake` */
    atomic_bool awaiting;      /* the caller waits for `done` */
} team = {.size = 1,
          .lock = PTHREAD_MUTEX_INITIALIZER,
          .wake = PTHREAD_COND_INITIALIZER,
          .done = PTHREAD_COND_INITIALIZER};

static void find_symbol(void *library, const char *name, void *ret_function)
{
    void *at = dlsym(library, name);
    memcpy(ret_function, &at, sizeof at);
}

void thread_pool_use_library(void *library)
{
    Ask *most = NULL;
    find_symbol(library, "omp_set_num_threads", &team.tell);
    find_symbol(library, "omp_get_max_threads", &most);
    int n = team.tell && most ? most() : 1;
    team.size = n < 1 ? 1 : n > THREAD_POOL_MAX ? THREAD_POOL_MAX : n;
}

int thread_pool_size(void)
{
    return team.size;
}

void thread_pool_limit_library(int alone)
{
    if (team.tell)
        team.tell(alone ? 1 : team.size);
}

static int64_t stretch_of(int64_t n, int thread)
{
    return n * thread / team.size;
}

/* First its own stretch, as what it made of the image before is near; then what others have left.
 */
static void take_turns(Work *w, int thread)
{
    for (int k = 0; k < team.size; k++) {
        int of = (thread + k) % team.size;
        int64_t end = stretch_of(w->n, of + 1);
        for (int64_t i; (i = atomic_fetch_add(&w->next[of], 1)) < end;)
            w->task(w->user, i, thread);
    }
}

static int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static void cpu_relax(void)
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

/* Whether the state differs from `was` before it is time to sleep. */
static bool wait_for_change(long long was)
{
    for (int64_t end = now_ns() + AWAKE_NS; now_ns() < end;)
        for (int i = 0; i < LOOKS; i++) {
            if (atomic_load_explicit(&team.state, memory_order_relaxed) != was)
                return true;
            cpu_relax();
        }
    return false;
}

static bool may_join(long long state, long long seen)
{
    return (state & OPEN) && state / NUMBER != seen;
}

/* Who goes to sleep says so before it looks once more, and who has work for it looks after that:
 * one of them sees the other. */
static void sleep_until_work(long long seen)
{
    pthread_mutex_lock(&team.lock);
    atomic_fetch_add(&team.asleep, 1);
    while (!may_join(atomic_load(&team.state), seen))
        pthread_cond_wait(&team.wake, &team.lock);
    atomic_fetch_sub(&team.asleep, 1);
    pthread_mutex_unlock(&team.lock);
}

static void retire_worker(void)
{
    long long before = atomic_fetch_sub(&team.state, 1);
    if ((before & (JOINED | OPEN)) != 1 || !atomic_load(&team.awaiting))
        return;
    pthread_mutex_lock(&team.lock);
    pthread_cond_signal(&team.done);
    pthread_mutex_unlock(&team.lock);
}

static void tell_ready(void)
{
    pthread_mutex_lock(&team.lock);
    team.ready++;
    pthread_cond_signal(&team.done);
    pthread_mutex_unlock(&team.lock);
}

/* A thread that finds no memory for what OpenMP has of each ends the process: not beside the
 * caller, who may be opening a file. */
static void await_ready(void)
{
    pthread_mutex_lock(&team.lock);
    while (team.ready < team.started)
        pthread_cond_wait(&team.done, &team.lock);
    pthread_mutex_unlock(&team.lock);
}

static void *run_worker(void *number)
{
    int thread = (int)(intptr_t)number;
    thread_pool_limit_library(1);
    tell_ready();
    for (long long seen = 0, state;;) {
        state = atomic_load(&team.state);
        if (!may_join(state, seen)) {
            if (!wait_for_change(state))
                sleep_until_work(seen);
        } else if (atomic_compare_exchange_weak(&team.state, &state, state + 1)) {
            seen = state / NUMBER;
            take_turns(&team.work, thread);
            retire_worker();
        }
    }
    return NULL;
}

/* As many as can be had; signals are the caller's. */
static void start_threads(void)
{
    if (team.started >= team.size - 1)
        return;
    sigset_t before = exit_cleanup_block_signals();
    while (team.started < team.size - 1) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, run_worker, (void *)(intptr_t)(team.started + 1)) != 0) {
            team.size = team.started + 1;
            break;
        }
        pthread_detach(thread);
        team.started++;
    }
    exit_cleanup_unblock_signals(before);
    await_ready();
}

static void wake_sleepers(void)
{
    if (!atomic_load(&team.asleep))
        return;
    pthread_mutex_lock(&team.lock);
    pthread_cond_broadcast(&team.wake);
    pthread_mutex_unlock(&team.lock);
}

static void await_joined(void)
{
    for (long long s; (s = atomic_load(&team.state)) & JOINED;)
        if (!wait_for_change(s)) {
            pthread_mutex_lock(&team.lock);
            atomic_store(&team.awaiting, true);
            while (atomic_load(&team.state) & JOINED)
                pthread_cond_wait(&team.done, &team.lock);
            atomic_store(&team.awaiting, false);
            pthread_mutex_unlock(&team.lock);
        }
}

static void run_together(int64_t n, PoolTask *task, void *user)
{
    start_threads();
    team.work.task = task;
    team.work.user = user;
    team.work.n = n;
    for (int i = 0; i < team.size; i++)
        atomic_store(&team.work.next[i], stretch_of(n, i));
    atomic_fetch_add(&team.state, NUMBER | OPEN);
    wake_sleepers();
    take_turns(&team.work, 0);
    atomic_fetch_and(&team.state, ~(long long)OPEN);
    await_joined();
}

void thread_pool_run(int64_t n, PoolTask *task, void *user)
{
    thread_pool_limit_library(1);
    if (team.size > 1 && n > 1)
        run_together(n, task, user);
    else
        for (int64_t i = 0; i < n; i++)
            task(user, i, 0);
    thread_pool_limit_library(0);
}

/* ---- parts ---- */

static const int64_t SPIN_MIN = 1 << 16; /* bytes that are not worth waking a thread */

typedef struct {
    PoolPart *part;
    void *user;
    int64_t n, parts;
} Cut;

static void run_part(void *user, int64_t i, int thread)
{
    const Cut *c = user;
    (void)thread;
    c->part(c->user, c->n * i / c->parts, c->n * (i + 1) / c->parts);
}

void thread_pool_run_parts(int64_t n, int64_t bytes, PoolPart *part, void *user)
{
    Cut c = {.part = part, .user = user, .n = n, .parts = n * bytes < SPIN_MIN ? 1 : team.size};
    thread_pool_run(c.parts, run_part, &c);
}
