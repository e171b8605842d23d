/* Starts the copies, records how each ended, and tries again the models whose copies were killed.
 */
#include "advisor/fleet/fleet.h"

#include "advisor/message/process.h"
#include "graph/base/file.h"
#include "graph/base/exit_cleanup.h"

#include <fcntl.h>
#include <sys/wait.h>

enum { INCONCLUSIVE = 3 }; /* the model was not analysed */

typedef struct {
    Arena *a;
    const FleetRun *run;
    Journal *journal;
    size_t *index; /* in the plan, of the models to run now */
    size_t count;
    size_t *again; /* to be tried once more, alone */
    size_t nagain;
    size_t done, all;
    bool alone; /* the second time */
    TempFolder folder;
} Desk;

static void begin_model(void *user, size_t i)
{
    const Desk *d = user;
    journal_begin(d->journal, d->index[i]);
}

/* Where a copy says why it leaves at once (exit_cleanup.h). */
static const char *last_line_path(Arena *a, const char *path)
{
    return arena_printf(a, "%s.line", path);
}

/* In a copy.  A file that is renamed is whole. */
static void advise_in_worker(void *user, size_t i, const char *path)
{
    const Desk *d = user;
    const Result *result = NULL;
    const char *error = NULL;
    int line = open(last_line_path(d->a, path), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (line >= 0)
        exit_cleanup_report_to(line);
    close(fileno(d->journal->file)); /* a copy that outlives this process must not hold its lock */
    int status = d->run->advise(d->run->user, d->index[i], &result, &error);
    char *half = arena_printf(d->a, "%s.half", path);
    FILE *f = fopen(half, "w");
    if (!f)
        _exit(1);
    part_write_outcome(f, d->run->plan, d->index[i], status, error, result);
    if (fclose(f) || rename(half, path))
        _exit(1);
}

/* What the copy said last, or NULL.  Its file goes. */
static const char *last_line(Arena *a, const char *path)
{
    char text[DIAG_TEXT_SIZE];
    const char *name = last_line_path(a, path);
    size_t n = file_in_peek(name, text, sizeof text - 1);
    text[n] = '\0';
    unlink(name);
    return n ? arena_strdup(a, text) : NULL;
}

static const char *why_it_broke_off(Arena *a, int how)
{
    if (WIFSIGNALED(how))
        return arena_printf(a, "its process was ended by signal %d (%s)", WTERMSIG(how),
                            strsignal(WTERMSIG(how)));
    return arena_printf(a, "its process ended with status %d and left no outcome",
                        WEXITSTATUS(how));
}

static void report_progress(Desk *d)
{
    d->done++;
    assert(d->done <= d->all);
    if (d->run->progress)
        d->run->progress(d->run->user, d->done, d->all);
}

/* What copy i left, or that it left nothing. */
static void finish_model(void *user, size_t i, int how)
{
    Desk *d = user;
    const char *path = process_map_path(d->a, d->folder.path, i);
    assert(i < d->count);
    size_t at = d->index[i];
    bool left = journal_read(d->journal, at, path);
    const char *line = last_line(d->a, path);
    if (left)
        unlink(path);
    if (!left && d->run->plan->item && WIFSIGNALED(how) && !d->alone) {
        d->again[d->nagain++] = at;
        return;
    }
    if (!left && line && WIFEXITED(how)) /* as if it had been the only one */
        journal_write(d->journal, at, WEXITSTATUS(how), line);
    else if (!left)
        journal_write(d->journal, at, INCONCLUSIVE, why_it_broke_off(d->a, how));
    report_progress(d);
}

/* The models of the shard without an outcome: first those that broke off no run. */
static void choose_pending_models(Desk *d)
{
    const ShardPlan *p = d->run->plan;
    d->index = ARENA_ARRAY(d->a, size_t, p->nmodel + 1);
    d->again = ARENA_ARRAY(d->a, size_t, p->nmodel + 1);
    for (size_t i = 0; i < p->nmodel; i++) {
        if (!shards_has(p, i))
            continue;
        d->all++;
        if (d->journal->row[i].size)
            d->done++;
        else if (d->journal->row[i].tries)
            d->again[d->nagain++] = i;
        else
            d->index[d->count++] = i;
    }
}

static Status run_some(Desk *d, int jobs, Diag *diag)
{
    const ProcessMap map = {begin_model, advise_in_worker, finish_model, d};
    Status st = process_map(d->a, d->count, jobs, d->folder.path, &map, diag);
    return st ? st : journal_flush(d->journal, diag);
}

/* One after the other, and those that no run survived not at all. */
static Status run_again(Desk *d, Diag *diag)
{
    d->alone = true;
    d->count = 0;
    for (size_t k = 0; k < d->nagain; k++) {
        size_t i = d->again[k];
        if (d->journal->row[i].tries < FLEET_TRIES) {
            d->index[d->count++] = i;
            continue;
        }
        journal_write(d->journal, i, INCONCLUSIVE,
                      arena_printf(d->a, "each of the %d runs that began it was broken off",
                                   d->journal->row[i].tries));
        report_progress(d);
    }
    return run_some(d, 1, diag);
}

Status fleet_run(Arena *a, const FleetRun *run, Journal *journal, Diag *diag)
{
    Desk d = {.a = a, .run = run, .journal = journal};
    choose_pending_models(&d);
    Status st = process_temp_folder_make(a, &d.folder, diag);
    if (st)
        return st;
    st = run_some(&d, run->jobs, diag);
    st = st ? st : run_again(&d, diag);
    process_temp_folder_remove(&d.folder);
    return st;
}
