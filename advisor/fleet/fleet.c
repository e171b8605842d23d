/* Running over many models. */
#include "advisor/fleet/fleet.h"

#include "advisor/say/process.h"
#include "graph/base/limits.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
    Arena *a;
    const FleetRun *run;
    const size_t *index; /* of the models of the shard, in the plan */
    size_t count, done;
    int *how; /* each copy ended, as waitpid has it */
    TempFolder folder;
} Desk;

/* In a copy.  A file that is renamed is whole. */
static void work(void *user, size_t i, const char *path)
{
    const Desk *d = user;
    size_t at = d->index[i];
    cJSON *result = NULL;
    const char *error = NULL;
    int status = d->run->advise(d->run->user, &d->run->file[at], &result, &error);
    char *half = arena_printf(d->a, "%s.half", path);
    FILE *f = fopen(half, "w");
    if (!f)
        _exit(1);
    part_write_outcome(f, at, d->run->plan.model[at], status, error, result);
    if (fclose(f) || rename(half, path))
        _exit(1);
}

static void ended(void *user, size_t i, int how)
{
    Desk *d = user;
    d->how[i] = how;
    d->done++;
    if (d->run->progress)
        d->run->progress(d->run->user, d->done, d->count);
}

static const char *why_it_broke_off(Arena *a, int how)
{
    if (WIFSIGNALED(how))
        return arena_printf(a, "its process was ended by signal %d (%s)", WTERMSIG(how),
                            strsignal(WTERMSIG(how)));
    return arena_printf(a, "its process ended with status %d and left no outcome",
                        WEXITSTATUS(how));
}

static bool copy_line(FILE *from, FILE *to)
{
    char buffer[65536];
    size_t n;
    while ((n = fread(buffer, 1, sizeof buffer, from)) > 0)
        if (fwrite(buffer, 1, n, to) != n)
            return false;
    return !ferror(from);
}

/* What copy i left, or that it left nothing: inconclusive, since nobody looked at the model. */
static bool gather(const Desk *d, size_t i, FILE *store)
{
    enum { INCONCLUSIVE = 3 };
    size_t at = d->index[i];
    FILE *f = fopen(process_map_path(d->a, d->folder.path, i), "r");
    if (f) {
        bool good = copy_line(f, store);
        fclose(f);
        return good;
    }
    part_write_outcome(store, at, d->run->plan.model[at], INCONCLUSIVE,
                       why_it_broke_off(d->a, d->how[i]), NULL);
    return !ferror(store);
}

static Status read_back(const Desk *d, FILE *store, int64_t from, ResultSet *ret, Diag *diag)
{
    char *line = NULL;
    size_t cap = 0, at;
    Status st = STATUS_OK;
    fseeko(store, from, SEEK_SET);
    for (ssize_t n; !st && (n = getline(&line, &cap, store)) > 0; from += n) {
        ResultEntry e;
        st = part_read_outcome(d->a, line, (size_t)n, store, from, &at, &e, diag);
        if (!st)
            ret->entry[ret->count++] = e;
    }
    free(line);
    if (!st && !feof(store)) /* the line had no room */
        memory_exhausted();
    return st;
}

static Status gather_all(const Desk *d, FILE *store, ResultSet *ret, Diag *diag)
{
    part_write_plan(store, &d->run->plan);
    int64_t from = ftello(store);
    bool good = true;
    for (size_t i = 0; i < d->count && good; i++)
        good = gather(d, i, store);
    if (!good || fflush(store))
        return diag_set(diag, STATUS_INPUT, NULL, NULL, "cannot keep the results: %s",
                        strerror(errno));
    if (!ret)
        return STATUS_OK;
    *ret = (ResultSet){.many = true, .entry = ARENA_ARRAY(d->a, ResultEntry, d->count + 1)};
    return read_back(d, store, from, ret, diag);
}

static void choose(Desk *d, const Plan *p)
{
    size_t *index = ARENA_ARRAY(d->a, size_t, p->nmodel + 1);
    for (size_t i = 0; i < p->nmodel; i++)
        if (plan_has(p, i))
            index[d->count++] = i;
    d->index = index;
    d->how = ARENA_ARRAY(d->a, int, d->count + 1);
}

Status fleet_run(Arena *a, const FleetRun *run, FILE *store, ResultSet *ret, Diag *diag)
{
    Desk d = {.a = a, .run = run};
    choose(&d, &run->plan);
    Status st = temp_folder_make(a, &d.folder, diag);
    if (st)
        return st;
    st = process_map(a, d.count, run->jobs, d.folder.path, work, ended, &d, diag);
    if (!st)
        st = gather_all(&d, store, ret, diag);
    temp_folder_remove(&d.folder);
    return st;
}
