/* Builds the baseline's JSON tree from a result, and matches findings of both by fingerprint. */
#include "advisor/act/gate/baseline.h"

#include "advisor/act/gate/gate_parts.h"
#include "advisor/report/tree_finding.h"
#include "advisor/advise/result.h"
#include "advisor/report/result_json.h"

#include <assert.h>
#include <stdlib.h>
#include <math.h>
#include <string.h>

/* Settings of which a baseline is: figures of others cannot be compared with it. */
static const struct {
    const char *key, *path;
} subject[] = {
    {"objective", "objective"}, {"target", "target"},           {"sdk", "sdk"},
    {"batch", "options.batch"}, {"workers", "options.workers"},
};
enum { SUBJECTS = sizeof subject / sizeof *subject };

static bool same_value(const cJSON *a, const cJSON *b)
{
    if (!a && !b) /* a compiled graph has no batch or workers of its own */
        return true;
    if (cJSON_IsString(a) && cJSON_IsString(b))
        return !strcmp(a->valuestring, b->valuestring);
    return cJSON_IsNumber(a) && cJSON_IsNumber(b) && cJSON_Compare(a, b, true);
}

static Status check_subject(const cJSON *tree, const cJSON *result, const char *path, Diag *diag)
{
    if (json_number_or(tree, "baseline_version", 0) != BASELINE_VERSION ||
        !cJSON_IsArray(json_at(tree, "findings")) || !cJSON_IsObject(json_at(tree, "structure")) ||
        !cJSON_IsObject(json_at(tree, "host_ops")) || !cJSON_IsObject(json_at(tree, "predicted")))
        return diag_set(diag, STATUS_INPUT, path, NULL,
                        "is not a baseline of npu-advise; write one with --write-baseline");
    for (size_t i = 0; i < SUBJECTS; i++)
        if (!same_value(json_at(tree, subject[i].key), json_at(result, subject[i].path)))
            return diag_set(diag, STATUS_INPUT, path, NULL,
                            "was written for another %s than this run's; give the same options, or "
                            "write it again with --write-baseline",
                            subject[i].key);
    return STATUS_OK;
}

/* *tree becomes that of the model; NULL when a baseline of many does not have it. */
static Status choose_model_tree(cJSON **tree, const char *of_set, const char *path, Diag *diag)
{
    cJSON *models = cJSON_GetObjectItemCaseSensitive(*tree, "models");
    if (!models) /* that of the model alone: its own settings name it */
        return STATUS_OK;
    if (!of_set)
        return diag_set(diag, STATUS_INPUT, path, NULL,
                        "is of a run over many models; give those, or write one of this model "
                        "with --write-baseline");
    cJSON *own = cJSON_DetachItemFromObjectCaseSensitive(models, of_set);
    cJSON_Delete(*tree);
    *tree = own;
    return STATUS_OK;
}

Status baseline_load(const char *path, const char *of_set, const cJSON *result, Baseline *ret,
                     Diag *diag)
{
    cJSON *tree = NULL;
    Status st = json_load_strict(path, BASELINE_LIMIT_MIB, &tree, diag);
    if (!st)
        st = choose_model_tree(&tree, of_set, path, diag);
    if (!st && tree)
        st = check_subject(tree, result, path, diag);
    if (st)
        cJSON_Delete(tree);
    else
        ret->tree = tree;
    return st;
}

void baseline_free(Baseline *b)
{
    cJSON_Delete(b->tree);
    b->tree = NULL;
}

static int by_fingerprint(const void *pa, const void *pb)
{
    const cJSON *a = *(cJSON *const *)pa, *b = *(cJSON *const *)pb;
    return strcmp(json_text(a, "fingerprint", ""), json_text(b, "fingerprint", ""));
}

/* Findings of the model that somebody can act on. */
static bool is_kept(const cJSON *x)
{
    return !gate_is_of_run(x) && tree_finding_has_action(x);
}

static cJSON *finding_entry(const cJSON *rec)
{
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "fingerprint", json_text(rec, "fingerprint", ""));
    cJSON_AddStringToObject(o, "rule_id", json_text(rec, "rule_id", ""));
    cJSON_AddStringToObject(o, "level", json_text(rec, "level", "info"));
    json_add_number(o, "gain", json_number_or(rec, "gain.predicted.mid", NAN));
    return o;
}

static void add_findings(Arena *a, cJSON *root, const cJSON *result)
{
    size_t all = json_count(result, "recommendations") + json_count(result, "observations"), n = 0;
    const cJSON **list = ARENA_ARRAY(a, const cJSON *, all + 1);
    for (const cJSON *x = NULL; (x = tree_finding_next(result, x));)
        if (is_kept(x))
            list[n++] = x;
    assert(n <= all);
    if (n)
        qsort(list, n, sizeof *list, by_fingerprint);
    cJSON *out = cJSON_AddArrayToObject(root, "findings");
    for (size_t i = 0; i < n; i++)
        cJSON_AddItemToArray(out, finding_entry(list[i]));
}

static void add_structure(Arena *a, cJSON *root, const cJSON *result)
{
    cJSON *o = cJSON_AddObjectToObject(root, "structure");
    for (const Metric *m = gate_metric_table; m->name; m++) {
        MetricFigure f = {0};
        if (m->structure)
            f = gate_metric_figure(a, result, m->name, AGGREGATE_MEDIAN, TIMES_PREDICTED);
        /* What no file of an engine tells will never be told: nothing to hold it against. */
        if (m->structure && (f.known || !json_at(result, "compiled")))
            cJSON_AddNumberToObject(o, m->name, result_real(f.v.mid));
    }
    o = cJSON_AddObjectToObject(root, "host_ops");
    for (const cJSON *s = json_first(result, "steps"); s; s = s->next) {
        const char *op = json_text(s, "op", "");
        if (strcmp(json_text(s, "kind", ""), "host") || cJSON_GetObjectItemCaseSensitive(o, op))
            continue;
        const char *name = arena_printf(a, "host:%s", op);
        cJSON_AddNumberToObject(
            o, op, gate_metric_figure(a, result, name, AGGREGATE_MEDIAN, TIMES_PREDICTED).v.mid);
    }
}

static void add_times(Arena *a, cJSON *root, const cJSON *result, TimeSource source)
{
    bool measured = source == TIMES_MEASURED;
    const char *key = measured ? "measured" : "predicted";
    if (measured && !cJSON_IsObject(json_at(result, "measured")) &&
        !cJSON_IsObject(json_at(result, "compiled"))) {
        cJSON_AddNullToObject(root, key);
        return;
    }
    cJSON *o = cJSON_AddObjectToObject(root, key);
    for (const Metric *m = gate_metric_table; m->name; m++) {
        if (m->structure || (measured && !m->is_time))
            continue;
        MetricFigure f = gate_metric_figure(a, result, m->name, AGGREGATE_MEDIAN, source);
        if (!f.known)
            continue;
        Objective unit = m->is_time ? OBJECTIVE_LATENCY : OBJECTIVE_THROUGHPUT;
        ResultInterval v = result_objective(unit, f.v);
        cJSON_AddItemToObject(o, m->name, result_interval_to_json(&v));
    }
}

static cJSON *baseline_of(Arena *a, const cJSON *result)
{
    cJSON *root = cJSON_CreateObject();
    cJSON_AddNumberToObject(root, "baseline_version", BASELINE_VERSION);
    for (size_t i = 0; i < SUBJECTS; i++)
        cJSON_AddItemToObject(root, subject[i].key,
                              cJSON_Duplicate(json_at(result, subject[i].path), true));
    add_findings(a, root, result);
    add_structure(a, root, result);
    add_times(a, root, result, TIMES_PREDICTED);
    add_times(a, root, result, TIMES_MEASURED);
    return root;
}

Status baseline_save(Arena *a, const cJSON *result, const char *path, FILE *out, Diag *diag)
{
    cJSON *root = baseline_of(a, result);
    Status st = json_save(root, path, out, diag);
    cJSON_Delete(root);
    return st;
}

/* ---- of many models ---- */

Status baseline_save_set(Arena *a, const ResultSet *set, const char *path, FILE *out, Diag *diag)
{
    cJSON *root = cJSON_CreateObject();
    cJSON_AddNumberToObject(root, "baseline_version", BASELINE_VERSION);
    cJSON *models = cJSON_AddObjectToObject(root, "models");
    for (size_t i = 0; i < set->count; i++) {
        cJSON *owned;
        const cJSON *result = result_set_open(set, i, &owned);
        if (result)
            cJSON_AddItemToObject(models, set->entry[i].model, baseline_of(a, result));
        cJSON_Delete(owned);
    }
    Status st = json_save(root, path, out, diag);
    cJSON_Delete(root);
    return st;
}

static const char *names_but(Arena *a, const cJSON *models, const StrMap *known, size_t *ret_n)
{
    enum { NAMED = 3 };
    const char *list = NULL;
    *ret_n = 0;
    for (const cJSON *m = json_first(models, ""); m; m = m->next) {
        if (strmap_get(known, m->string) != STRMAP_NONE || ++*ret_n > NAMED)
            continue;
        list = list ? arena_printf(a, "%s, %s", list, m->string) : arena_strdup(a, m->string);
    }
    return *ret_n > NAMED ? arena_printf(a, "%s …", list) : list;
}

Status baseline_check_set(Arena *a, const char *path, const char *const *name, size_t n,
                          const char **ret_gone, size_t *ret_ngone, Diag *diag)
{
    cJSON *tree = NULL;
    StrMap known;
    Status st = json_load_strict(path, BASELINE_LIMIT_MIB, &tree, diag);
    const cJSON *models = json_at(tree, "models");
    if (!st && (json_number_or(tree, "baseline_version", 0) != BASELINE_VERSION ||
                !cJSON_IsObject(models)))
        st = diag_set(diag, STATUS_INPUT, path, NULL,
                      "is not a baseline of a run over many models; write one of this run with "
                      "--write-baseline");
    strmap_init(&known, a, n);
    for (size_t i = 0; i < n; i++)
        strmap_put(&known, name[i], 1);
    if (!st)
        *ret_gone = names_but(a, models, &known, ret_ngone);
    cJSON_Delete(tree);
    return st;
}

const char *baseline_state_name(BaselineState s)
{
    static const char *const name[] = {"new", "unchanged", "improved", "gone"};
    static_assert(sizeof name / sizeof *name == STATE_COUNT, "a name for each state");
    assert(s < STATE_COUNT);
    return name[s];
}

static const cJSON *find_fingerprint(const cJSON *list, const char *fingerprint)
{
    return json_find(list, "fingerprint", fingerprint);
}

static BaselineState state_now(const cJSON *then, const cJSON *rec, double percent, double floor_ns)
{
    double before, now;
    if (!then)
        return STATE_NEW;
    if (!json_number(then, "gain", &before) || !json_number(rec, "gain.predicted.mid", &now))
        return STATE_UNCHANGED;
    double less = before - now;
    double least = strcmp(json_text(rec, "gain.unit", "ns"), "ns") ? 0 : floor_ns;
    return less > least && less > before * percent / 100 ? STATE_IMPROVED : STATE_UNCHANGED;
}

static bool is_found(const cJSON *result, const char *fingerprint)
{
    return find_fingerprint(json_at(result, "recommendations"), fingerprint) ||
           find_fingerprint(json_at(result, "observations"), fingerprint);
}

static void add_to(cJSON *out, BaselineState state, const cJSON *finding)
{
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "fingerprint", json_text(finding, "fingerprint", ""));
    cJSON_AddStringToObject(o, "rule_id", json_text(finding, "rule_id", ""));
    cJSON_AddItemToArray(cJSON_GetObjectItemCaseSensitive(out, baseline_state_name(state)), o);
}

cJSON *baseline_compare(const Baseline *b, const cJSON *result, double percent, double floor_ns)
{
    const cJSON *then = json_at(b->tree, "findings"), *held = json_at(result, "suppressed");
    cJSON *out = cJSON_CreateObject();
    for (int i = 0; i < STATE_COUNT; i++)
        cJSON_AddArrayToObject(out, baseline_state_name((BaselineState)i));
    for (const cJSON *f = NULL; (f = tree_finding_next(result, f));)
        if (is_kept(f))
            add_to(out,
                   state_now(find_fingerprint(then, json_text(f, "fingerprint", "")), f, percent,
                             floor_ns),
                   f);
    for (const cJSON *f = json_first(then, ""); f; f = f->next) {
        const char *fingerprint = json_text(f, "fingerprint", NULL);
        if (!fingerprint || !json_text(f, "rule_id", NULL) || is_found(result, fingerprint))
            continue;
        add_to(out, find_fingerprint(held, fingerprint) ? STATE_IMPROVED : STATE_GONE, f);
    }
    return out;
}

bool baseline_state_of(const cJSON *result, const char *fingerprint, BaselineState *ret)
{
    const cJSON *all = json_at(result, "gate.baseline");
    for (int i = 0; i < STATE_COUNT && cJSON_IsObject(all); i++)
        if (find_fingerprint(json_at(all, baseline_state_name((BaselineState)i)), fingerprint)) {
            *ret = (BaselineState)i;
            return true;
        }
    return false;
}
