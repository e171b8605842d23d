/* Fills the tables from the result trees inside one transaction, and renames the file when it is
 * whole. */
#include "advisor/fleet/fleet_file.h"

#include "advisor/report/finding.h"

#include "graph/base/file.h"

#include <sqlite3.h>

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

/* Columns that nothing is bound to are NULL, and so is a text that is. */
static void put_text(sqlite3_stmt *st, int column, const char *text)
{
    sqlite3_bind_text(st, column, text, -1, SQLITE_TRANSIENT);
}

static void put_if_known(sqlite3_stmt *st, int column, bool known, double value)
{
    if (known)
        sqlite3_bind_double(st, column, value);
}

static void put_int(sqlite3_stmt *st, int column, ResultInt v)
{
    put_if_known(st, column, v.known, (double)v.value);
}

static void step_statement(FleetFile *f, sqlite3_stmt *st)
{
    keep_error(f, sqlite3_step(st));
    sqlite3_reset(st);
    sqlite3_clear_bindings(st);
}

/* What was asked, and what was found. */
static void put_result(sqlite3_stmt *st, int column, const Result *r)
{
    const ResultMeasured *m = r->measured;
    const ResultPrediction *p = r->prediction;
    put_text(st, column, r->model.sha256);
    put_text(st, column + 1, r->target);
    put_text(st, column + 2, r->sdk);
    put_text(st, column + 3, result_objective_words[r->objective]);
    put_int(st, column + 4, r->options.batch);
    put_int(st, column + 5, r->options.workers);
    put_text(st, column + 6, result_grade_words[r->evidence.grade]);
    put_if_known(st, column + 7, m, m ? (double)m->inferences : 0);
    put_if_known(st, column + 8, p, p ? (double)p->latency_ns.mid : 0);
    put_if_known(st, column + 9, m, m ? (double)m->latency_ns.median : 0);
    put_if_known(st, column + 10, m, m ? (double)m->latency_ns.p90 : 0);
}

static void insert_model(FleetFile *f, int id, const ResultEntry *e, const Result *r)
{
    sqlite3_bind_int(f->model, 1, id);
    put_text(f->model, 2, e->model);
    put_text(f->model, 3, e->file ? e->file : e->model);
    put_text(f->model, 4, e->settings ? e->settings : "");
    sqlite3_bind_int(f->model, 5, e->status);
    put_text(f->model, 6, e->error);
    if (r)
        put_result(f->model, 7, r);
    step_statement(f, f->model);
}

static void add_step(FleetFile *f, int id, const ResultStep *s)
{
    const ResultMeasuredNs *m = s->measured_ns;
    sqlite3_bind_int(f->step, 1, id);
    sqlite3_bind_double(f->step, 2, (double)s->id);
    put_text(f->step, 3, result_step_kind_words[s->kind]);
    put_text(f->step, 4, s->op);
    put_if_known(f->step, 5, s->predicted_ns, s->predicted_ns ? (double)s->predicted_ns->mid : 0);
    put_if_known(f->step, 6, m, m ? (double)m->median : 0);
    put_if_known(f->step, 7, m, m ? (double)m->lo : 0);
    put_if_known(f->step, 8, m, m ? (double)m->hi : 0);
    step_statement(f, f->step);
}

static void add_finding(FleetFile *f, int id, const Result *r, const ReportedFinding *x)
{
    FindingSaving saving;
    bool known = finding_saving(r, x, &saving);
    char needs[80] = "";
    for (size_t i = 0; x->needs && i < x->needs->count; i++)
        snprintf(needs + strlen(needs), sizeof needs - strlen(needs), "%s%s", i ? "," : "",
                 x->needs->item[i]);
    sqlite3_bind_int(f->finding, 1, id);
    sqlite3_bind_double(f->finding, 2, (double)x->id);
    put_text(f->finding, 3, x->rule_id);
    put_text(f->finding, 4, x->fingerprint);
    put_text(f->finding, 5, x->title);
    put_text(f->finding, 6, needs);
    put_text(f->finding, 7, saving.unit);
    put_if_known(f->finding, 8, known, saving.value.lo);
    put_if_known(f->finding, 9, known, saving.value.mid);
    put_if_known(f->finding, 10, known, saving.value.hi);
    put_text(f->finding, 11, x->alone ? result_basis_words[x->alone->basis] : NULL);
    put_text(f->finding, 12, known ? result_source_words[saving.source] : NULL);
    put_text(f->finding, 13, saving.plan ? saving.plan->id : NULL);
    step_statement(f, f->finding);
}

static void add_result(FleetFile *f, int id, const Result *r)
{
    for (size_t i = 0; i < r->steps.count; i++)
        add_step(f, id, &r->steps.item[i]);
    for (size_t i = 0; i < r->changes.count + r->by_hand.count; i++) {
        ReportedFinding x = finding_at(r, i);
        add_finding(f, id, r, &x);
    }
}

static void add_all(FleetFile *f, const ResultSet *set)
{
    for (size_t i = 0; i < set->count && !f->failed; i++) {
        Arena *a = arena_new(0);
        const Result *r = result_set_read(a, set, i);
        insert_model(f, (int)i, &set->entry[i], r);
        if (r)
            add_result(f, (int)i, r);
        arena_free(a);
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
