/* By the entry that compilers call for a parallel region, which OpenMP libraries share. */
#include "npu_exec/values/team.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <string.h>

typedef void Region(void (*body)(void *), void *data, unsigned threads, unsigned flags);
typedef int Ask(void);
typedef void Tell(int threads);

/* One in a process, as the library is. */
static struct {
    Region *region;
    Ask *thread;
    Tell *tell;
    int size;
} team = {.size = 1};

static void find(void *library, const char *name, void *ret_function)
{
    void *at = dlsym(library, name);
    memcpy(ret_function, &at, sizeof at);
}

void team_use(void *library)
{
    Ask *most = NULL;
    find(library, "GOMP_parallel", &team.region);
    find(library, "omp_get_thread_num", &team.thread);
    find(library, "omp_set_num_threads", &team.tell);
    find(library, "omp_get_max_threads", &most);
    int n = team.region && team.thread && team.tell && most ? most() : 1;
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

typedef struct {
    TeamTask *task;
    void *user;
    int64_t n;
    atomic_llong next;
} Work;

static void body(void *data)
{
    Work *w = data;
    int thread = team.thread();
    for (int64_t i; (i = atomic_fetch_add(&w->next, 1)) < w->n;)
        w->task(w->user, i, thread);
}

void team_run(int64_t n, TeamTask *task, void *user)
{
    Work w = {.task = task, .user = user, .n = n};
    if (team.size > 1 && n > 1) {
        team.region(body, &w, (unsigned)(n < team.size ? n : team.size), 0);
        return;
    }
    for (int64_t i = 0; i < n; i++)
        task(user, i, 0);
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
