/* Fills the tables from the result trees inside one transaction, and renames the file when it is
 * whole. */
#include "advisor/fleet/fleet_file.h"

#include "advisor/message/json.h"
#include "graph/base/file.h"

#include <assert.h>
#include <sqlite3.h>
#include <string.h>

static const char schema[] =
#include "docs/schema/fleet.sql.inc"
    ;

typedef struct {
    sqlite3 *db;
    sqlite3_stmt *model, *step, *finding;
    int failed; /* first SQLite error, 0 none */
} FleetFile;

static void keep_error(FleetFile *f, int code)
{
    if (!f->failed && code != SQLITE_OK && code != SQLITE_DONE && code != SQLITE_ROW)
        f->failed = code;
}

static void execute_sql(FleetFile *f, const char *sql)
{
    if (!f->failed)
        keep_error(f, sqlite3_exec(f->db, sql, NULL, NULL, NULL));
}

static sqlite3_stmt *prepare_insert(FleetFile *f, const char *sql)
{
    sqlite3_stmt *st = NULL;
    if (!f->failed)
        keep_error(f, sqlite3_prepare_v2(f->db, sql, -1, &st, NULL));
    return st;
}

/* A column is filled from a path in a tree, as what it is there; from NULL with nothing. */
static void bind_json(sqlite3_stmt *st, int column, const cJSON *tree, const char *path)
{
    const cJSON *x = json_at(tree, path);
    if (cJSON_IsString(x))
        sqlite3_bind_text(st, column, x->valuestring, -1, SQLITE_TRANSIENT);
    else if (cJSON_IsNumber(x))
        sqlite3_bind_double(st, column, x->valuedouble);
    else
        sqlite3_bind_null(st, column);
}

static void put_all(sqlite3_stmt *st, int from, const cJSON *tree, const char *const *path,
                    size_t n)
{
    for (size_t i = 0; i < n; i++)
        bind_json(st, from + (int)i, tree, path[i]);
}

static void put_text(sqlite3_stmt *st, int column, const char *text)
{
    if (text)
        sqlite3_bind_text(st, column, text, -1, SQLITE_TRANSIENT);
    else
        sqlite3_bind_null(st, column);
}

static void step_statement(FleetFile *f, sqlite3_stmt *st)
{
    keep_error(f, sqlite3_step(st));
    sqlite3_reset(st);
}

#define COUNT(list) (sizeof(list) / sizeof *(list))

static void insert_model(FleetFile *f, int id, const ResultEntry *e, const cJSON *result)
{
    static const char *const path[] = {
        /* what was asked */
        "model.sha256", "target", "sdk", "objective", "options.batch", "options.workers",
        /* what was found */
        "evidence.grade", "measured.inferences", "prediction.latency_ns.mid",
        "measured.latency_ns.median", "measured.latency_ns.p90"};
    sqlite3_bind_int(f->model, 1, id);
    put_text(f->model, 2, e->model);
    put_text(f->model, 3, e->file ? e->file : e->model);
    put_text(f->model, 4, e->settings ? e->settings : "");
    sqlite3_bind_int(f->model, 5, e->status);
    put_text(f->model, 6, e->error);
    put_all(f->model, 7, result, path, COUNT(path));
    step_statement(f, f->model);
}

/* A row of model `id` for each item of a list. */
static void add_rows(FleetFile *f, sqlite3_stmt *st, int id, const cJSON *list,
                     const char *const *path, size_t n)
{
    for (const cJSON *x = json_first(list, ""); x; x = x->next) {
        sqlite3_bind_int(st, 1, id);
        put_all(st, 2, x, path, n);
        step_statement(f, st);
    }
}

static void add_steps(FleetFile *f, int id, const cJSON *result)
{
    static const char *const path[] = {/* the step */
                                       "id", "kind", "op",
                                       /* its times */
                                       "predicted_ns.mid", "measured_ns.median", "measured_ns.lo",
                                       "measured_ns.hi"};
    add_rows(f, f->step, id, json_at(result, "steps"), path, COUNT(path));
}

static void add_findings(FleetFile *f, int id, const cJSON *result)
{
    static const char *const path[] = {/* the finding */
                                       "rank", "rule_id", "fingerprint", "title", "applicability",
                                       /* its gain */
                                       "gain.unit", "gain.predicted.lo", "gain.predicted.mid",
                                       "gain.predicted.hi", "gain.basis", "gain.verified.now.mid",
                                       "verdict"};
    add_rows(f, f->finding, id, json_at(result, "recommendations"), path, COUNT(path));
}

static void add_all(FleetFile *f, const ResultSet *set)
{
    for (size_t i = 0; i < set->count && !f->failed; i++) {
        cJSON *owned;
        const cJSON *result = result_set_open(set, i, &owned);
        insert_model(f, (int)i, &set->entry[i], result);
        add_steps(f, (int)i, result);
        add_findings(f, (int)i, result);
        cJSON_Delete(owned);
    }
}

static void fill_database(FleetFile *f, const ResultSet *set)
{
    /* What is lost on the way is written again: it comes by rename. */
    execute_sql(f, "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN");
    execute_sql(f, schema);
    char version[40];
    snprintf(version, sizeof version, "PRAGMA user_version=%d", FLEET_FILE_VERSION);
    execute_sql(f, version);
    f->model = prepare_insert(f, "INSERT INTO models VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
    f->step = prepare_insert(f, "INSERT INTO steps VALUES(?,?,?,?,?,?,?,?)");
    f->finding = prepare_insert(f, "INSERT INTO findings VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)");
    assert(f->failed || (f->model && f->step && f->finding));
    if (!f->failed)
        add_all(f, set);
    execute_sql(f, "COMMIT");
    sqlite3_finalize(f->model);
    sqlite3_finalize(f->step);
    sqlite3_finalize(f->finding);
}

Status fleet_file_write(const ResultSet *set, const char *path, Diag *diag)
{
    OutFile out;
    FleetFile f = {0};
    Status st = file_out_reserve(&out, path, diag);
    if (st)
        return st;
    keep_error(&f, sqlite3_open_v2(out.tmp_path, &f.db, SQLITE_OPEN_READWRITE, NULL));
    if (!f.failed)
        fill_database(&f, set);
    sqlite3_close(f.db);
    if (f.failed) {
        file_out_abort(&out);
        return diag_set(diag, STATUS_INPUT, path, NULL, "cannot be written: %s",
                        sqlite3_errstr(f.failed));
    }
    return file_out_commit(&out, diag);
}

bool fleet_file_recognise(const char *path)
{
    static const char magic[16] = "SQLite format 3";
    char head[sizeof magic];
    return file_in_peek(path, head, sizeof head) == sizeof head &&
           !memcmp(head, magic, sizeof magic);
}
