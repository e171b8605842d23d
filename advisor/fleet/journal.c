/* Syncs each line to the disk, takes over a journal that another process left, and turns it into a
 * part. */
#include "advisor/fleet/journal.h"

#include "advisor/message/json.h"
#include "advisor/message/process.h"
#include "graph/base/file.h"
#include "graph/base/exit_cleanup.h"
#include "graph/base/limits.h"

#include <fcntl.h>
#include <sys/file.h>

static Journal make_journal(Arena *a, const ShardPlan *p, const char *path)
{
    return (Journal){.arena = a,
                     .plan = p,
                     .path = path,
                     .row = ARENA_ARRAY(a, JournalRow, p->nmodel + 1),
                     .kept = EXIT_CLEANUP_NONE};
}

Status journal_open_temporary(Arena *a, const ShardPlan *p, Journal *ret, Diag *diag)
{
    *ret = make_journal(a, p, NULL);
    ret->file = process_temp_file();
    return ret->file
               ? STATUS_OK
               : diag_set(diag, STATUS_INPUT, NULL, NULL, "no temporary file: %s", strerror(errno));
}

void journal_close(Journal *r)
{
    exit_cleanup_cancel(r->kept);
    if (r->file)
        fclose(r->file);
    r->file = NULL;
}

/* ---- writing ---- */

static void record_error(Journal *r)
{
    if (!r->failed)
        r->failed = errno ? errno : EIO;
}

static int64_t end_of(Journal *r)
{
    if (fseeko(r->file, 0, SEEK_END) != 0)
        record_error(r);
    return ftello(r->file);
}

/* A line is on the disk before the next is begun: the machine itself may be lost.  Half a line is
 * the last: a run that goes on from here drops it. */
static void sync_journal(Journal *r)
{
    if (fflush(r->file) != 0 ||
        (r->path && fdatasync(fileno(r->file)) != 0 && errno != EINVAL && errno != ENOTSUP))
        record_error(r);
}

static void record_outcome(Journal *r, size_t i, int64_t from)
{
    assert(i < r->plan->nmodel);
    r->row[i].offset = from;
    r->row[i].size = (size_t)(end_of(r) - from);
    assert(r->failed || r->row[i].size);
    sync_journal(r);
}

void journal_begin(Journal *r, size_t i)
{
    if (!r->path || r->failed)
        return;
    end_of(r);
    fprintf(r->file, "{\"kind\":\"begun\",\"index\":%zu}\n", i);
    sync_journal(r);
}

static bool copy_all(FILE *from, FILE *to)
{
    char buffer[65536];
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, from)) > 0;)
        if (fwrite(buffer, 1, n, to) != n)
            return false;
    return !ferror(from);
}

bool journal_read(Journal *r, size_t i, const char *from)
{
    FILE *f = fopen(from, "r");
    if (!f && errno == ENOENT)
        return false;
    int64_t at = end_of(r);
    if (!f || !copy_all(f, r->file))
        record_error(r);
    if (f)
        fclose(f);
    if (!r->failed)
        record_outcome(r, i, at);
    return true;
}

void journal_write(Journal *r, size_t i, int status, const char *error)
{
    if (r->failed)
        return;
    int64_t at = end_of(r);
    part_write_outcome(r->file, r->plan, i, status, error, NULL);
    record_outcome(r, i, at);
}

Status journal_flush(Journal *r, Diag *diag)
{
    if (!r->failed && (fflush(r->file) != 0 || ferror(r->file)))
        record_error(r);
    return r->failed ? diag_set(diag, STATUS_INPUT, r->path, NULL, "cannot keep the results: %s",
                                strerror(r->failed))
                     : STATUS_OK;
}

/* ---- a journal that is there ---- */

typedef struct {
    Journal *journal;
    bool *begun; /* in the run that is being read */
    int64_t at, good;
    size_t line;
    Diag *diag;
} Reading;

static const char *unfinished_path(Arena *a, const char *path)
{
    return arena_printf(a, "%s.unfinished", path);
}

static Status reject_line(const Reading *g, const char *fact)
{
    Arena *a = g->journal->arena;
    return diag_set(g->diag, STATUS_USAGE, unfinished_path(a, g->journal->path),
                    arena_printf(a, "line %zu", g->line),
                    "%s; remove the file to begin that shard anew", fact);
}

/* What was begun and not ended when the process ended: to blame unless it was asked to stop. */
static void close_run(Reading *g, bool blame)
{
    for (size_t i = 0; i < g->journal->plan->nmodel; i++) {
        g->journal->row[i].tries += g->begun[i] && blame;
        g->begun[i] = false;
    }
}

static Status take_begun(Reading *g, const char *line, size_t size)
{
    double index = -1;
    cJSON *o = cJSON_ParseWithLength(line, size);
    bool good =
        json_number(o, "index", &index) && index >= 0 && index < (double)g->journal->plan->nmodel;
    cJSON_Delete(o);
    if (!good)
        return reject_line(g, "begins a model that is not in the run");
    g->begun[(size_t)index] = true;
    return STATUS_OK;
}

static Status take_outcome(Reading *g, const char *line, size_t size)
{
    size_t i;
    ResultEntry e;
    Diag ignored = {0};
    Journal *r = g->journal;
    if (part_read_outcome(r->arena, (PartLine){line, size, r->file, g->at}, &i, &e, &ignored) ||
        i >= r->plan->nmodel || strcmp(e.model, r->plan->model[i]) || !shards_has(r->plan, i))
        return reject_line(g, "is not an outcome of this shard");
    if (r->row[i].size)
        return reject_line(g, "is a second outcome of the same model");
    g->begun[i] = false;
    r->row[i].offset = g->at;
    r->row[i].size = size;
    return STATUS_OK;
}

static bool is_line(const char *line, const char *kind)
{
    size_t n = strlen(kind);
    return !strncmp(line, "{\"kind\":\"", 9) && !strncmp(line + 9, kind, n) && line[9 + n] == '"';
}

static Status take_line(Reading *g, const char *line, size_t size)
{
    if (is_line(line, "outcome"))
        return take_outcome(g, line, size);
    if (is_line(line, "begun"))
        return take_begun(g, line, size);
    if (is_line(line, "run") || is_line(line, "stopped"))
        close_run(g, is_line(line, "run"));
    else
        return reject_line(g, "is not a line of a journal");
    return STATUS_OK;
}

/* The first line of the part that this plan and shard make. */
static char *first_line(const ShardPlan *p)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        limits_out_of_memory();
    part_write_shards(f, p);
    if (fclose(f) || !text)
        limits_out_of_memory();
    return text;
}

static Status read_lines(Reading *g, FILE *f)
{
    char *line = NULL, *first = first_line(g->journal->plan);
    size_t cap = 0;
    Status st = STATUS_OK;
    for (ssize_t n; !st && (n = getline(&line, &cap, f)) > 0; g->at += n) {
        if (line[n - 1] != '\n') /* cut off: never written to its end */
            break;
        g->line++;
        if (g->line > 1)
            st = take_line(g, line, (size_t)n);
        else if (strcmp(line, first))
            st = reject_line(g, "is of another run");
        g->good = g->at + n;
    }
    free(line);
    free(first);
    if (!st && ferror(f)) /* what was not read must not be cut off */
        st = diag_set(g->diag, STATUS_INPUT, unfinished_path(g->journal->arena, g->journal->path),
                      NULL, "cannot be read: %s", strerror(errno));
    return st;
}

static Status take_over(Journal *r, Diag *diag)
{
    Reading g = {
        .journal = r, .begun = ARENA_ARRAY(r->arena, bool, r->plan->nmodel + 1), .diag = diag};
    rewind(r->file);
    Status st = read_lines(&g, r->file);
    if (st)
        return st;
    close_run(&g, true);
    if (ftruncate(fileno(r->file), g.good) != 0)
        return diag_set(diag, STATUS_INPUT, r->path, NULL, "cannot be continued: %s",
                        strerror(errno));
    clearerr(r->file);
    if (g.good == 0)
        part_write_shards(r->file, r->plan);
    end_of(r);
    fputs("{\"kind\":\"run\"}\n", r->file);
    sync_journal(r);
    return journal_flush(r, diag);
}

/* Whether the part is there, whole since it came by rename. */
static bool is_done(const ShardPlan *p, const char *path)
{
    FILE *f = fopen(path, "r");
    char *line = NULL, *first = first_line(p);
    size_t cap = 0;
    bool same = f && getline(&line, &cap, f) > 0 && !strcmp(line, first);
    free(line);
    free(first);
    if (f)
        fclose(f);
    return same;
}

Status journal_open(Arena *a, const ShardPlan *p, const char *path, Journal *ret, bool *ret_done,
                    Diag *diag)
{
    static const char stopped[] = "{\"kind\":\"stopped\"}\n";
    const char *journal = unfinished_path(a, path);
    *ret = make_journal(a, p, path);
    *ret_done = is_done(p, path);
    if (*ret_done) {
        unlink(journal);
        return STATUS_OK;
    }
    int fd = open(journal, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    ret->file = fd < 0 ? NULL : fdopen(fd, "r+");
    if (!ret->file)
        return diag_set(diag, STATUS_USAGE, journal, NULL, "cannot be written: %s",
                        strerror(errno));
    Status st = flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
                    ? diag_set(diag, STATUS_USAGE, journal, NULL,
                               "another process is at work on this shard")
                    : take_over(ret, diag);
    if (!st)
        ret->kept = exit_cleanup_add_line(fd, stopped);
    if (st)
        journal_close(ret);
    return st;
}

/* ---- reading ---- */

static char *line_of(const Journal *r, size_t i)
{
    assert(r->row[i].size); /* fleet_run has left no model out */
    return result_set_read_line(r->file, r->row[i].offset, r->row[i].size, r->plan->model[i]);
}

Status journal_set(Journal *r, ResultSet *ret, Diag *diag)
{
    const ShardPlan *p = r->plan;
    size_t index;
    Status st = STATUS_OK;
    *ret = (ResultSet){.many = true, .entry = ARENA_ARRAY(r->arena, ResultEntry, p->nmodel + 1)};
    for (size_t i = 0; i < p->nmodel && !st; i++) {
        if (!shards_has(p, i))
            continue;
        char *line = line_of(r, i);
        st =
            part_read_outcome(r->arena, (PartLine){line, r->row[i].size, r->file, r->row[i].offset},
                              &index, &ret->entry[ret->count++], diag);
        free(line);
    }
    return st;
}

static void copy_outcomes(const Journal *r, FILE *to)
{
    part_write_shards(to, r->plan);
    for (size_t i = 0; i < r->plan->nmodel; i++) {
        if (!shards_has(r->plan, i))
            continue;
        char *line = line_of(r, i);
        fwrite(line, 1, r->row[i].size, to);
        free(line);
    }
}

Status journal_write_part(Journal *r, const char *path, Diag *diag)
{
    OutFile f;
    Status st = file_out_open(&f, path, diag);
    if (st)
        return st;
    copy_outcomes(r, f.stream);
    st = file_out_commit(&f, diag);
    if (!st && r->path)
        unlink(unfinished_path(r->arena, r->path));
    return st;
}
