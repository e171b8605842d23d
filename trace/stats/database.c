/* Creates the tables and inserts rows by prepared statements. */
#include "trace/stats/database.h"

#include "graph/base/file.h"
#include "graph/base/limits.h"
#include "trace/readers/span.h"

#include <malloc.h>
#include <sqlite3.h>

struct TraceDatabase {
    OutFile file;
    sqlite3 *db;
    sqlite3_stmt *span;
    sqlite3_int64 files_end; /* id of the last span of the files that are done */
    int failed;              /* first SQLite error, 0 none */
};

static const char schema[] =
    "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;" /* a lost file is written again */
    "PRAGMA temp_store=MEMORY;" /* the sandbox has no place for what an index is sorted by */
    "CREATE TABLE spans(id INTEGER PRIMARY KEY, name TEXT, type TEXT, cat TEXT, kind TEXT,"
    " start_ns INTEGER, dur_ns INTEGER, pid INTEGER, tid INTEGER, pe_index INTEGER,"
    " execution_index INTEGER, instruction_index INTEGER, operator_index INTEGER,"
    " trace_id TEXT, span_id TEXT, parent_span_id TEXT);"
    "CREATE TABLE inferences(id INTEGER PRIMARY KEY, start_ns INTEGER, dur_ns INTEGER, label TEXT,"
    " warm_up INTEGER, pid INTEGER, tid INTEGER, trace_id TEXT, span_id TEXT);"
    "CREATE TABLE executions(id INTEGER PRIMARY KEY, inference INTEGER REFERENCES inferences(id),"
    " pe_index INTEGER, execution_index INTEGER, start_ns INTEGER, total_ns INTEGER,"
    " run_ns INTEGER, io_wait_ns INTEGER, trace_id TEXT, span_id TEXT);"
    "CREATE TABLE operators(name TEXT, type TEXT, side TEXT, count INTEGER, total_ns INTEGER,"
    " self_ns INTEGER, average_ns REAL, median_ns INTEGER, min_ns INTEGER, max_ns INTEGER,"
    " computation REAL, memory_bytes REAL, in_shapes TEXT, out_shapes TEXT);"
    "BEGIN;";

static void keep_error(TraceDatabase *d, int code)
{
    if (!d->failed && code != SQLITE_OK && code != SQLITE_DONE && code != SQLITE_ROW)
        d->failed = code;
}

static void exec_sql(TraceDatabase *d, const char *sql)
{
    keep_error(d, sqlite3_exec(d->db, sql, NULL, NULL, NULL));
}

static sqlite3_stmt *prepare_statement(TraceDatabase *d, const char *sql)
{
    sqlite3_stmt *st = NULL;
    keep_error(d, sqlite3_prepare_v2(d->db, sql, -1, &st, NULL));
    return st;
}

/* Columns that nothing is bound to are NULL, and so is a text that is. */
static void put_text(sqlite3_stmt *st, int column, const char *text)
{
    sqlite3_bind_text(st, column, text, -1, SQLITE_STATIC);
}

static void put_index(sqlite3_stmt *st, int column, int32_t index)
{
    if (index != INDEX_NONE)
        sqlite3_bind_int(st, column, index);
}

/* Hex digits of an id; NULL when the file has none. */
static void put_id(sqlite3_stmt *st, int column, bool wide, uint64_t high, uint64_t low)
{
    char text[40];
    if (!high && !low)
        return;
    int n = wide ? snprintf(text, sizeof text, "%016" PRIx64 "%016" PRIx64, high, low)
                 : snprintf(text, sizeof text, "%016" PRIx64, low);
    sqlite3_bind_text(st, column, text, n, SQLITE_TRANSIENT);
}

static void step_statement(TraceDatabase *d, sqlite3_stmt *st)
{
    keep_error(d, sqlite3_step(st));
    sqlite3_reset(st);
    sqlite3_clear_bindings(st);
}

void trace_database_span(void *user, const Span *s)
{
    TraceDatabase *d = user;
    sqlite3_stmt *st = d->span;
    put_text(st, 1, s->name);
    put_text(st, 2, s->op);
    put_text(st, 3, s->cat);
    put_text(st, 4, span_kind_name(s->kind));
    sqlite3_bind_int64(st, 5, s->start_ns);
    sqlite3_bind_int64(st, 6, s->dur_ns);
    sqlite3_bind_int64(st, 7, s->pid);
    sqlite3_bind_int64(st, 8, s->tid);
    put_index(st, 9, s->pe_index);
    put_index(st, 10, s->execution_index);
    put_index(st, 11, s->instruction_index);
    put_index(st, 12, s->operator_index);
    put_id(st, 13, true, s->trace_id_high, s->trace_id);
    put_id(st, 14, false, 0, s->span_id);
    put_id(st, 15, false, 0, s->parent_id);
    step_statement(d, st);
}

void trace_database_file(void *user, bool again)
{
    TraceDatabase *d = user;
    if (again && !d->failed) {
        sqlite3_stmt *st = prepare_statement(d, "DELETE FROM spans WHERE id > ?");
        sqlite3_bind_int64(st, 1, d->files_end);
        step_statement(d, st);
        sqlite3_finalize(st);
    }
    if (!again)
        d->files_end = sqlite3_last_insert_rowid(d->db);
}

/* With less memory SQLite writes other bytes: it gets what it asks for, or nothing. */
static void *sqlite_alloc(int n)
{
    return limits_alloc((size_t)n);
}

static void *sqlite_realloc(void *p, int n)
{
    return limits_realloc(p, (size_t)n);
}

static int sqlite_block_size(void *p)
{
    return (int)malloc_usable_size(p);
}

static int round_up(int n)
{
    return (n + 15) & ~15;
}

static int sqlite_mem_init(void *user)
{
    (void)user;
    return SQLITE_OK;
}

static void sqlite_mem_shutdown(void *user)
{
    (void)user;
}

/* Refused, and without effect, once SQLite has started. */
static void use_memory(void)
{
    static const sqlite3_mem_methods methods = {sqlite_alloc,        free,     sqlite_realloc,
                                                sqlite_block_size,   round_up, sqlite_mem_init,
                                                sqlite_mem_shutdown, NULL};
    sqlite3_config(SQLITE_CONFIG_MALLOC, &methods);
}

Status trace_database_open(Arena *a, const char *path, TraceDatabase **ret, Diag *diag)
{
    TraceDatabase *d = ARENA_NEW(a, TraceDatabase);
    use_memory();
    Status reserved = file_out_reserve(&d->file, path, diag);
    if (reserved)
        return reserved;
    keep_error(d, sqlite3_open_v2(d->file.tmp_path, &d->db, SQLITE_OPEN_READWRITE, NULL));
    if (!d->failed)
        exec_sql(d, schema);
    d->span =
        d->failed
            ? NULL
            : prepare_statement(d, "INSERT INTO spans VALUES(NULL,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
    if (d->failed) {
        Status st = diag_set(diag, STATUS_USAGE, path, NULL, "cannot write here: %s",
                             sqlite3_errstr(d->failed));
        trace_database_abort(d);
        return st;
    }
    *ret = d;
    return STATUS_OK;
}

static void write_inferences(TraceDatabase *d, const TraceStats *s)
{
    sqlite3_stmt *st = prepare_statement(d, "INSERT INTO inferences VALUES(?,?,?,?,?,?,?,?,?)");
    for (size_t i = 0; i < s->ninference && !d->failed; i++) {
        const InferenceStat *f = &s->inference[i];
        sqlite3_bind_int64(st, 1, (sqlite3_int64)i);
        sqlite3_bind_int64(st, 2, f->start_ns);
        sqlite3_bind_int64(st, 3, f->dur_ns);
        put_text(st, 4, f->label);
        sqlite3_bind_int(st, 5, f->warm_up);
        sqlite3_bind_int64(st, 6, f->pid);
        sqlite3_bind_int64(st, 7, f->tid);
        put_id(st, 8, true, f->trace_id_high, f->trace_id);
        put_id(st, 9, false, 0, f->span_id);
        step_statement(d, st);
    }
    sqlite3_finalize(st);
}

static void write_executions(TraceDatabase *d, const TraceStats *s)
{
    sqlite3_stmt *st = prepare_statement(d, "INSERT INTO executions VALUES(?,?,?,?,?,?,?,?,?,?)");
    for (size_t i = 0; i < s->nexecution && !d->failed; i++) {
        const ExecutionStat *e = &s->execution[i];
        sqlite3_bind_int64(st, 1, (sqlite3_int64)i);
        if (e->inference != INFERENCE_NONE)
            sqlite3_bind_int64(st, 2, e->inference);
        put_index(st, 3, e->pe_index);
        put_index(st, 4, e->execution_index);
        sqlite3_bind_int64(st, 5, e->start_ns);
        sqlite3_bind_int64(st, 6, e->total_ns);
        if (e->has_run) {
            sqlite3_bind_int64(st, 7, e->run_ns);
            sqlite3_bind_int64(st, 8, e->io_wait_ns);
        }
        put_id(st, 9, true, e->trace_id_high, e->trace_id);
        put_id(st, 10, false, 0, e->span_id);
        step_statement(d, st);
    }
    sqlite3_finalize(st);
}

static void put_known(sqlite3_stmt *st, int column, double value)
{
    if (value > 0)
        sqlite3_bind_double(st, column, value);
}

/* Below 0: unknown. */
static void put_int(sqlite3_stmt *st, int column, int64_t value)
{
    if (value >= 0)
        sqlite3_bind_int64(st, column, value);
}

static void write_operators(TraceDatabase *d, Arena *a, const NameStat *name, size_t n)
{
    sqlite3_stmt *st =
        prepare_statement(d, "INSERT INTO operators VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
    for (size_t i = 0; i < n && !d->failed; i++) {
        const NameStat *o = &name[i];
        put_text(st, 1, o->name);
        put_text(st, 2, o->op);
        put_text(st, 3, span_kind_name(o->kind));
        put_int(st, 4, o->is_mean ? o->runs ? (int64_t)o->runs : -1 : (int64_t)o->count);
        put_int(st, 5, o->total_ns);
        sqlite3_bind_int64(st, 6, o->self_ns);
        sqlite3_bind_double(st, 7, o->average_ns);
        put_int(st, 8, o->median_ns);
        put_int(st, 9, o->min_ns);
        put_int(st, 10, o->max_ns);
        put_known(st, 11, o->flop / (double)o->count);
        put_known(st, 12, o->memory_bytes / (double)o->count);
        put_text(st, 13, name_stat_shapes(a, o, SHAPES_IN));
        put_text(st, 14, name_stat_shapes(a, o, SHAPES_OUT));
        step_statement(d, st);
    }
    sqlite3_finalize(st);
}

Status trace_database_close(TraceDatabase *d, const TraceStats *s, Diag *diag)
{
    write_inferences(d, s);
    write_executions(d, s);
    write_operators(d, s->arena, s->npu_name, s->nnpu_name);
    write_operators(d, s->arena, s->host_name, s->nhost_name);
    exec_sql(d, "COMMIT; CREATE INDEX spans_by_name ON spans(name); CREATE INDEX spans_by_time ON "
                "spans(start_ns);");
    sqlite3_finalize(d->span);
    d->span = NULL;
    keep_error(d, sqlite3_close(d->db));
    d->db = NULL;
    if (!d->failed)
        return file_out_commit(&d->file, diag);
    Status st = diag_set(diag, STATUS_USAGE, d->file.path, NULL, "cannot write: %s",
                         sqlite3_errstr(d->failed));
    file_out_abort(&d->file);
    return st;
}

void trace_database_abort(TraceDatabase *d)
{
    if (!d)
        return;
    sqlite3_finalize(d->span);
    sqlite3_close(d->db);
    d->span = NULL;
    d->db = NULL;
    file_out_abort(&d->file);
}
