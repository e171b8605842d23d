/* Joins both databases with SQL, tests every step against chance, and builds the tree of the
 * differences. */
#include "advisor/fleet/fleet_diff.h"

#include "advisor/act/diff/diff.h"
#include "advisor/fleet/chance.h"
#include "advisor/fleet/fleet_file.h"
#include "graph/base/file.h"

#include <sqlite3.h>

/* The level is that of all comparisons together. */
static const double level = 0.05, predicted_share = 0.01;

#define QUERY(id, text) static const char id##_query[] = text;
#include "advisor/fleet/fleet_queries.def"

/* Fewer samples have no interval of their median at 90 %; fewer models say nothing of a fleet. */
enum { SAMPLES_MIN = 5, MODELS_MIN = 5 };

typedef enum {
    SAME,
    SLOWER,
    FASTER,
    MIXED,
    UNDECIDED,
    BROKEN,
    REPAIRED,
    ADDED,
    GONE,
    VERDICTS
} Verdict;
static const char *const verdict_name[] = {"same",   "slower",   "faster", "mixed", "undecided",
                                           "broken", "repaired", "added",  "gone"};
static_assert(sizeof verdict_name / sizeof *verdict_name == VERDICTS, "a name for each verdict");

typedef struct {
    size_t model;
    int step;
    const char *kind, *op;
    double old_ns, new_ns, chance;
    Spread spread; /* of the difference of their logarithms */
    bool changed;
} Step;

/* What has become of an operator over all models: the mean of their differences. */
typedef struct {
    const char *kind, *op;
    size_t models, steps, slower, faster; /* of the steps: those that have changed by themselves */
    double mean, chance;
    Spread spread;
    bool changed;
} Operator;

typedef struct {
    int64_t id; /* in the new fleet */
    const char *name, *error;
    int status[2];                         /* old, new; -1: it is not there */
    double latency_ns[2], predicted_ns[2]; /* NAN: unknown */
    size_t compared, slower, faster;       /* steps */
} Model;

typedef struct {
    Arena *a;
    sqlite3 *db;
    const char *path; /* that is blamed for an error */
    Diag *diag;
    Model *model;
    size_t nmodel, model_cap;
    Step *step;
    size_t nstep, step_cap;
    Operator *kind; /* of steps */
    size_t nkind;
    size_t at;    /* the model whose steps are read */
    cJSON *rules; /* that rows of findings are added to */
} Fleets;

static Status read_error(const Fleets *f)
{
    return diag_set(f->diag, STATUS_INPUT, f->path, NULL, "cannot be read as a fleet's file: %s",
                    sqlite3_errmsg(f->db));
}

/* ---- deciding ---- */

/* Equal ones pass or fail together: the later is held against more. */
ORDER_BY_POINTED(by_chance, Step, COMPARE(a->chance, b->chance))

static double log_time_ratio(const Step *s)
{
    return log(s->new_ns / s->old_ns);
}

/* Holm: the k-th smallest of n chances is held against level / (n - k), until one does not pass. */
static void decide_changed_steps(Fleets *f)
{
    Step **order = ARENA_ARRAY(f->a, Step *, f->nstep + 1);
    for (size_t i = 0; i < f->nstep; i++)
        order[i] = &f->step[i];
    ORDER_LIST(order, f->nstep, by_chance);
    for (size_t k = 0; k < f->nstep && order[k]->chance <= level / (double)(f->nstep - k); k++) {
        Model *m = &f->model[order[k]->model];
        order[k]->changed = true;
        m->slower += order[k]->new_ns > order[k]->old_ns;
        m->faster += order[k]->new_ns < order[k]->old_ns;
    }
}

/* ---- operators ---- */

ORDER_BY_POINTED(by_operator, Step, strcmp(a->kind, b->kind), strcmp(a->op, b->op),
                 COMPARE(a, b) /* by models */)

/* Steps of one operator scatter alike: what each of them says of itself is little. */
static void moderate_spreads(Arena *a, Step **step, size_t n)
{
    Spread *own = ARENA_ARRAY(a, Spread, n + 1);
    for (size_t i = 0; i < n; i++)
        own[i] = step[i]->spread;
    Spread kind = spread_of_kind(own, n);
    for (size_t i = 0; i < n; i++) {
        step[i]->spread = spread_moderated(own[i], kind);
        step[i]->chance = chance_of(log_time_ratio(step[i]), step[i]->spread);
    }
}

/* One value of each model, for its steps are not independent. */
static void sum_up(Arena *a, Step **step, size_t n, Operator *ret)
{
    double *mean = ARENA_ARRAY(a, double, n + 1);
    *ret = (Operator){.kind = step[0]->kind, .op = step[0]->op, .steps = n};
    for (size_t i = 0, k = 0; i < n; i++) {
        if (i == 0 || step[i]->model != step[i - 1]->model) {
            k = 0;
            ret->models++;
        }
        double *m = &mean[ret->models - 1];
        *m += (log_time_ratio(step[i]) - *m) / (double)++k;
    }
    assert(ret->models > 0 && ret->models <= n);
    ret->spread = spread_of_mean(mean, ret->models, &ret->mean);
    ret->chance = ret->models < MODELS_MIN ? 1 : chance_of(ret->mean, ret->spread);
}

static void count_changed(Step **step, Operator *o)
{
    for (size_t i = 0; i < o->steps; i++) {
        o->slower += step[i]->changed && log_time_ratio(step[i]) > 0;
        o->faster += step[i]->changed && log_time_ratio(step[i]) < 0;
    }
}

ORDER_BY(by_chance_of_operator, Operator, COMPARE(a->chance, b->chance), strcmp(a->kind, b->kind),
         strcmp(a->op, b->op))

/* Holm among operators. */
static void decide_operators(Fleets *f)
{
    ORDER_LIST(f->kind, f->nkind, by_chance_of_operator);
    for (size_t k = 0; k < f->nkind; k++) {
        if (f->kind[k].chance > level / (double)(f->nkind - k))
            return;
        f->kind[k].changed = true;
    }
}

/* Moderates steps, decides about each, and about operators. */
static void decide_all(Fleets *f)
{
    Step **step = ARENA_ARRAY(f->a, Step *, f->nstep + 1);
    for (size_t i = 0; i < f->nstep; i++)
        step[i] = &f->step[i];
    ORDER_LIST(step, f->nstep, by_operator);
    f->kind = ARENA_ARRAY(f->a, Operator, f->nstep + 1);
    for (size_t from = 0, to = 0; from < f->nstep; from = to) {
        while (to < f->nstep && !strcmp(step[to]->kind, step[from]->kind) &&
               !strcmp(step[to]->op, step[from]->op))
            to++;
        moderate_spreads(f->a, step + from, to - from);
        sum_up(f->a, step + from, to - from, &f->kind[f->nkind++]);
    }
    decide_changed_steps(f);
    for (size_t i = 0, from = 0; i < f->nkind; from += f->kind[i++].steps)
        count_changed(step + from, &f->kind[i]);
    decide_operators(f);
}

/* Steps of which a change of 5 % would have been told four times of five. */
static size_t count_seen(const Fleets *f)
{
    static const double seen = 0.05, four_of_five = 0.8416212335729143;
    size_t n = 0;
    for (size_t i = 0; i < f->nstep; i++) {
        Spread s = f->step[i].spread;
        double shift = log1p(seen) - four_of_five * sqrt(s.variance);
        n += shift > 0 && chance_of(shift, s) <= level / (double)f->nstep;
    }
    return n;
}

/* ---- reading ---- */

static sqlite3_stmt *prepare_query(const Fleets *f, const char *sql)
{
    sqlite3_stmt *st = NULL;
    return sqlite3_prepare_v2(f->db, sql, -1, &st, NULL) == SQLITE_OK ? st : NULL;
}

static const char *column_text(const Fleets *f, sqlite3_stmt *st, int column)
{
    return arena_strdup(f->a, (const char *)sqlite3_column_text(st, column));
}

static double column_number(sqlite3_stmt *st, int column)
{
    return sqlite3_column_type(st, column) == SQLITE_NULL ? NAN : sqlite3_column_double(st, column);
}

/* A stranger's file may hold anything under these names: tables alone are read. */
static Status check_file(Fleets *f, const char *path, const char *name)
{
    char *sql = arena_printf(f->a,
                             "SELECT count(*) FROM %s.sqlite_master WHERE type = 'table' AND name "
                             "IN ('models', 'steps', 'findings')",
                             name);
    f->path = path;
    sqlite3_stmt *st = prepare_query(f, sql);
    int tables = st && sqlite3_step(st) == SQLITE_ROW ? sqlite3_column_int(st, 0) : -1;
    sqlite3_finalize(st);
    st = tables < 0 ? NULL : prepare_query(f, arena_printf(f->a, "PRAGMA %s.user_version", name));
    int version = st && sqlite3_step(st) == SQLITE_ROW ? sqlite3_column_int(st, 0) : -1;
    sqlite3_finalize(st);
    if (tables < 0)
        return read_error(f);
    if (tables != 3 || version < 1 || version > FLEET_FILE_VERSION)
        return diag_set(f->diag, STATUS_INPUT, path, NULL,
                        "is not a fleet's file of version %d; --sqlite of a run over many models "
                        "writes one",
                        FLEET_FILE_VERSION);
    return STATUS_OK;
}

/* As a URI that lets SQLite read the file and nothing else: no lock, no journal beside it. */
static const char *read_only(Arena *a, const char *path)
{
    char *uri = arena_calloc(a, strlen(path) + 20, 3), *p = uri + sprintf(uri, "file:");
    for (; *path; path++)
        p += isalnum((unsigned char)*path) || strchr("/._-", *path)
                 ? sprintf(p, "%c", *path)
                 : sprintf(p, "%%%02X", (unsigned char)*path);
    strcpy(p, "?mode=ro&immutable=1");
    return uri;
}

static Status open_both(Fleets *f, const char *old_path, const char *new_path)
{
    const char *path[2] = {old_path, new_path};
    static const char *const name[2] = {"old", "new"};
    Status st = STATUS_OK;
    if (sqlite3_open_v2(":memory:", &f->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_URI, NULL) !=
        SQLITE_OK)
        return read_error(f);
    /* Sort in memory: the sandbox has no folder for temporary files. */
    sqlite3_exec(f->db, "PRAGMA temp_store=MEMORY", NULL, NULL, NULL);
    sqlite3_db_config(f->db, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)NULL);
    sqlite3_db_config(f->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)NULL);
    for (size_t i = 0; i < 2 && !st; i++) {
        if (access(path[i], R_OK) != 0)
            return diag_set(f->diag, STATUS_INPUT, path[i], NULL, "cannot be read: %s",
                            strerror(errno));
        sqlite3_stmt *attach = prepare_query(f, arena_printf(f->a, "ATTACH ? AS %s", name[i]));
        sqlite3_bind_text(attach, 1, read_only(f->a, path[i]), -1, SQLITE_STATIC);
        int code = sqlite3_step(attach);
        f->path = path[i];
        sqlite3_finalize(attach);
        st = code == SQLITE_DONE ? check_file(f, path[i], name[i]) : read_error(f);
    }
    return st;
}

static Status each_row(Fleets *f, const char *sql, void (*take)(Fleets *, sqlite3_stmt *))
{
    sqlite3_stmt *st = prepare_query(f, sql);
    int code = SQLITE_ERROR;
    while (st && (code = sqlite3_step(st)) == SQLITE_ROW)
        take(f, st);
    sqlite3_finalize(st);
    return code == SQLITE_DONE ? STATUS_OK : read_error(f);
}

static int status_at(sqlite3_stmt *st, int column)
{
    return sqlite3_column_type(st, column) == SQLITE_NULL ? -1 : sqlite3_column_int(st, column);
}

static void take_model(Fleets *f, sqlite3_stmt *st)
{
    Model *m = VEC_PUSH(f->a, f->model, f->nmodel, f->model_cap);
    *m = (Model){.name = column_text(f, st, 0),
                 .status = {status_at(st, 1), status_at(st, 2)},
                 .error = column_text(f, st, 3),
                 .latency_ns = {column_number(st, 4), column_number(st, 5)},
                 .predicted_ns = {column_number(st, 6), column_number(st, 7)},
                 .id = sqlite3_column_int64(st, 8)};
    if (!m->name)
        m->name = "?";
}

static void take_step(Fleets *f, sqlite3_stmt *st)
{
    int64_t id = sqlite3_column_int64(st, 0); /* rows come in the order of the models */
    while (f->at < f->nmodel && f->model[f->at].id != id)
        f->at++;
    double old = column_number(st, 4), new = column_number(st, 7), nold = column_number(st, 10),
           nnew = column_number(st, 11);
    if (f->at == f->nmodel || !(old > 0) || !(new > 0) || !(nold >= SAMPLES_MIN) ||
        !(nnew >= SAMPLES_MIN))
        return;
    const char *kind = column_text(f, st, 2), *op = column_text(f, st, 3);
    f->model[f->at].compared++;
    *VEC_PUSH(f->a, f->step, f->nstep, f->step_cap) =
        (Step){.model = f->at,
               .step = sqlite3_column_int(st, 1),
               .kind = kind ? kind : "?",
               .op = op ? op : "?",
               .old_ns = old,
               .new_ns = new,
               .spread = spread_between(
                   spread_of_median(old, column_number(st, 5), column_number(st, 6), nold),
                   spread_of_median(new, column_number(st, 8), column_number(st, 9), nnew))};
}

static Status read_models(Fleets *f)
{
    Status st = each_row(f, models_query, take_model);
    return st ? st : each_row(f, gone_query, take_model);
}

/* ---- telling ---- */

static bool has_result(int status)
{
    return status == 0 || status == 1;
}

static Verdict by_prediction(const Model *m)
{
    double share = m->predicted_ns[1] / m->predicted_ns[0] - 1;
    if (!isfinite(share))
        return UNDECIDED;
    return share > predicted_share ? SLOWER : share < -predicted_share ? FASTER : SAME;
}

static bool is_measured(const Model *m)
{
    return m->compared > 0;
}

static Verdict verdict_of(const Model *m)
{
    if (m->status[0] < 0 || m->status[1] < 0)
        return m->status[0] < 0 ? ADDED : GONE;
    if (has_result(m->status[0]) != has_result(m->status[1]))
        return has_result(m->status[0]) ? BROKEN : REPAIRED;
    if (!is_measured(m))
        return isnan(m->latency_ns[0]) && isnan(m->latency_ns[1]) ? by_prediction(m) : UNDECIDED;
    if (m->slower && m->faster)
        return MIXED;
    return m->slower ? SLOWER : m->faster ? FASTER : SAME;
}

static void add_step(cJSON *list, const Step *s)
{
    cJSON *o = json_add_row(list);
    cJSON_AddNumberToObject(o, "step", s->step);
    cJSON_AddStringToObject(o, "kind", s->kind);
    cJSON_AddStringToObject(o, "op", s->op);
    json_add_number(o, "old_ns", s->old_ns);
    json_add_number(o, "new_ns", s->new_ns);
    json_add_number(o, "change", s->new_ns / s->old_ns - 1);
    json_add_number(o, "chance", s->chance);
}

/* Steps come in the order of their models: *at is where the model's begin. */
static void add_model_diff(const Fleets *f, size_t i, Verdict v, size_t *at, cJSON *list)
{
    const Model *m = &f->model[i];
    bool predicted = !is_measured(m) && isnan(m->latency_ns[0]) && isnan(m->latency_ns[1]);
    const double *ns = predicted ? m->predicted_ns : m->latency_ns;
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "model", m->name);
    cJSON_AddStringToObject(o, "verdict", verdict_name[v]);
    cJSON_AddBoolToObject(o, "measured", !predicted);
    json_add_number(o, "old_ns", ns[0]);
    json_add_number(o, "new_ns", ns[1]);
    json_add_text(o, "error", m->error);
    cJSON *steps = cJSON_AddArrayToObject(o, "steps");
    for (; *at < f->nstep && f->step[*at].model == i; ++*at)
        if (f->step[*at].changed)
            add_step(steps, &f->step[*at]);
    if (v == SAME)
        cJSON_Delete(o);
    else
        cJSON_AddItemToArray(list, o);
}

static void add_operators(const Fleets *f, cJSON *list)
{
    for (size_t i = 0; i < f->nkind; i++) {
        const Operator *x = &f->kind[i];
        if (!x->changed)
            continue;
        double reach = reach_of_90(x->spread);
        cJSON *o = json_add_row(list), *change;
        cJSON_AddStringToObject(o, "kind", x->kind);
        cJSON_AddStringToObject(o, "op", x->op);
        cJSON_AddNumberToObject(o, "models", (double)x->models);
        cJSON_AddNumberToObject(o, "steps", (double)x->steps);
        cJSON_AddNumberToObject(o, "slower", (double)x->slower);
        cJSON_AddNumberToObject(o, "faster", (double)x->faster);
        change = cJSON_AddObjectToObject(o, "change");
        json_add_number(change, "lo", expm1(x->mean - reach));
        json_add_number(change, "mid", expm1(x->mean));
        json_add_number(change, "hi", expm1(x->mean + reach));
        json_add_number(o, "chance", x->chance);
    }
}

static void add_models(const Fleets *f, cJSON *tree)
{
    size_t count[VERDICTS] = {0}, at = 0;
    cJSON *counts = cJSON_AddObjectToObject(tree, "counts"),
          *list = cJSON_AddArrayToObject(tree, "models");
    for (size_t i = 0; i < f->nmodel; i++) {
        Verdict v = verdict_of(&f->model[i]);
        assert(v < VERDICTS);
        count[v]++;
        add_model_diff(f, i, v, &at, list);
    }
    assert(at == f->nstep); /* each step belongs to a model */
    for (size_t v = 0; v < VERDICTS; v++)
        cJSON_AddNumberToObject(counts, verdict_name[v], (double)count[v]);
}

static void add_rule(Fleets *f, sqlite3_stmt *st)
{
    static const char *const side[2] = {"old", "new"};
    cJSON *o = json_add_row(f->rules);
    json_add_text(o, "rule_id", column_text(f, st, 0));
    json_add_text(o, "unit", column_text(f, st, 1));
    for (int i = 0; i < 2; i++) {
        cJSON *sum = cJSON_AddObjectToObject(o, side[i]);
        cJSON_AddNumberToObject(sum, "models", sqlite3_column_int(st, 2 + 2 * i));
        json_add_number(sum, "gain", column_number(st, 3 + 2 * i));
    }
}

Status fleet_diff(Arena *a, const char *old_path, const char *new_path, cJSON **ret, Diag *diag)
{
    Fleets f = {.a = a, .diag = diag, .path = old_path};
    Status st = open_both(&f, old_path, new_path);
    st = st ? st : read_models(&f);
    st = st ? st : each_row(&f, steps_query, take_step);
    if (!st) {
        decide_all(&f);
        *ret = diff_head("fleet", file_base_name(old_path), file_base_name(new_path));
        cJSON_AddNumberToObject(*ret, "level", level);
        cJSON_AddNumberToObject(*ret, "tests", (double)f.nstep);
        cJSON_AddNumberToObject(*ret, "sensitive", (double)count_seen(&f));
        add_operators(&f, cJSON_AddArrayToObject(*ret, "operators"));
        add_models(&f, *ret);
        f.rules = cJSON_AddArrayToObject(*ret, "rules");
        st = each_row(&f, findings_query, add_rule);
    }
    sqlite3_close(f.db);
    if (st && *ret) {
        cJSON_Delete(*ret);
        *ret = NULL;
    }
    return st;
}
