/* Builds the baseline's JSON tree from a result, and matches findings of both by fingerprint. */
#include "advisor/act/gate/baseline.h"

#include "advisor/act/gate/gate_parts.h"
#include "advisor/message/json.h"
#include "advisor/advise/result.h"
#include "advisor/report/result_json.h"

/* Settings of which a baseline is: figures of others cannot be compared with it. */
static const char *const subject_key[] = {"objective", "target", "sdk", "batch", "workers"};
enum { SUBJECTS = sizeof subject_key / sizeof *subject_key };

static void add_if_known(cJSON *o, const char *key, ResultInt v)
{
    if (v.known)
        cJSON_AddNumberToObject(o, key, (double)v.value);
}

/* A compiled graph has neither a batch nor workers. */
static void add_subject(cJSON *o, const Result *r)
{
    cJSON_AddStringToObject(o, "objective", result_objective_words[r->objective]);
    cJSON_AddStringToObject(o, "target", r->target);
    cJSON_AddStringToObject(o, "sdk", r->sdk);
    add_if_known(o, "batch", r->options.batch);
    add_if_known(o, "workers", r->options.workers);
}

static const char *setting_text(Arena *a, const cJSON *v)
{
    return cJSON_IsNumber(v)   ? arena_printf(a, "%.17g", v->valuedouble)
           : cJSON_IsString(v) ? arena_strdup(a, v->valuestring)
                               : "none";
}

/* "workers 1; this run has 4": the first setting that differs; NULL: none. */
static const char *difference(Arena *a, const cJSON *tree, const Result *r)
{
    cJSON *now = cJSON_CreateObject();
    const char *text = NULL;
    add_subject(now, r);
    for (size_t i = 0; i < SUBJECTS && !text; i++) {
        const char *was = setting_text(a, json_at(tree, subject_key[i])),
                   *is = setting_text(a, json_at(now, subject_key[i]));
        if (strcmp(was, is))
            text = arena_printf(a, "%s %s; this run has %s", subject_key[i], was, is);
    }
    cJSON_Delete(now);
    return text;
}

static Status check_subject(const cJSON *tree, const Result *r, const char *path, Diag *diag)
{
    if (json_number_or(tree, "baseline_version", 0) != BASELINE_VERSION ||
        !cJSON_IsArray(json_at(tree, "findings")) || !cJSON_IsObject(json_at(tree, "structure")) ||
        !cJSON_IsObject(json_at(tree, "host_ops")) || !cJSON_IsObject(json_at(tree, "predicted")))
        return diag_set(diag, STATUS_INPUT, path, NULL,
                        "is not a baseline of npu-advise; write one with --write-baseline");
    Arena *a = arena_new(0);
    const char *text = difference(a, tree, r);
    Status st = text ? diag_set(diag, STATUS_INPUT, path, NULL,
                                "was written for %s: compare equal set-ups, or write it again "
                                "with --write-baseline",
                                text)
                     : STATUS_OK;
    arena_free(a);
    return st;
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

Status baseline_load(const char *path, const char *of_set, const Result *r, Baseline *ret,
                     Diag *diag)
{
    cJSON *tree = NULL;
    Status st = json_load_strict(path, BASELINE_LIMIT_MIB, &tree, diag);
    st = st ? st : choose_model_tree(&tree, of_set, path, diag);
    if (!st && tree)
        st = check_subject(tree, r, path, diag);
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

ORDER_BY(by_fingerprint, ReportedFinding, strcmp(a->fingerprint, b->fingerprint))

/* Findings of the model that users can act on. */
static bool is_kept(const ReportedFinding *f)
{
    return !gate_is_of_run(f) && finding_has_action(f->fix);
}

/* What it saves alone; NAN: nothing is known. */
static double gain_of(const ReportedFinding *f)
{
    return f->alone && f->alone->predicted ? f->alone->predicted->mid : (double)NAN;
}

static cJSON *finding_entry(const ReportedFinding *f)
{
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "fingerprint", f->fingerprint);
    cJSON_AddStringToObject(o, "rule_id", f->rule_id);
    cJSON_AddStringToObject(o, "level", result_level_words[f->level]);
    json_add_number(o, "gain", gain_of(f));
    return o;
}

/* A change that a plan may hold another time, so that it is not new then. */
static bool is_outside_plans(const ResultSuppressed *x)
{
    return x->reason == RESULT_REASON_COVERED || x->reason == RESULT_REASON_ACCURACY ||
           x->reason == RESULT_REASON_NEEDS;
}

static void add_findings(Arena *a, cJSON *root, const Result *r)
{
    ReportedFinding *list =
        ARENA_ARRAY(a, ReportedFinding, finding_count(r) + r->suppressed.count + 1);
    size_t n = 0;
    for (size_t i = 0; i < finding_count(r); i++) {
        list[n] = finding_at(r, i);
        n += is_kept(&list[n]);
    }
    for (size_t i = 0; i < r->suppressed.count; i++) {
        const ResultSuppressed *x = &r->suppressed.item[i];
        if (is_outside_plans(x))
            list[n++] = (ReportedFinding){.rule_id = x->rule_id,
                                          .fingerprint = x->fingerprint,
                                          .alone = &x->alone,
                                          .level = x->level};
    }
    ORDER_LIST(list, n, by_fingerprint);
    cJSON *out = cJSON_AddArrayToObject(root, "findings");
    for (size_t i = 0; i < n; i++)
        cJSON_AddItemToArray(out, finding_entry(&list[i]));
}

static double structure_of(Arena *a, const Result *r, const char *name, bool *known)
{
    MetricFigure f = gate_metric_figure(a, r, name, AGGREGATE_MEDIAN, TIMES_PREDICTED);
    *known = f.known;
    return f.v.mid;
}

static void add_structure(Arena *a, cJSON *root, const Result *r)
{
    bool known;
    cJSON *o = cJSON_AddObjectToObject(root, "structure");
    for (const Metric *m = gate_metric_table; m->name; m++) {
        double value = m->structure ? structure_of(a, r, m->name, &known) : 0;
        /* What no file of an engine tells will never be told: nothing to hold it against. */
        if (m->structure && (known || !r->compiled))
            cJSON_AddNumberToObject(o, m->name, result_real(value));
    }
    o = cJSON_AddObjectToObject(root, "host_ops");
    for (size_t i = 0; i < r->steps.count; i++) {
        const char *op = r->steps.item[i].op;
        if (r->steps.item[i].kind == RESULT_STEP_KIND_HOST &&
            !cJSON_GetObjectItemCaseSensitive(o, op))
            cJSON_AddNumberToObject(o, op,
                                    structure_of(a, r, arena_printf(a, "host:%s", op), &known));
    }
}

static void add_times(Arena *a, cJSON *root, const Result *r, TimeSource source)
{
    bool measured = source == TIMES_MEASURED;
    const char *key = measured ? "measured" : "predicted";
    if (measured && !r->measured && !r->compiled) {
        cJSON_AddNullToObject(root, key);
        return;
    }
    cJSON *o = cJSON_AddObjectToObject(root, key);
    for (const Metric *m = gate_metric_table; m->name; m++) {
        if (m->structure || (measured && !m->is_time))
            continue;
        MetricFigure f = gate_metric_figure(a, r, m->name, AGGREGATE_MEDIAN, source);
        if (!f.known)
            continue;
        Objective unit = m->is_time ? OBJECTIVE_LATENCY : OBJECTIVE_THROUGHPUT;
        ResultInterval v = result_objective(unit, f.v);
        cJSON_AddItemToObject(o, m->name, result_interval_to_json(&v));
    }
}

static cJSON *baseline_of(Arena *a, const Result *r)
{
    cJSON *root = cJSON_CreateObject();
    cJSON_AddNumberToObject(root, "baseline_version", BASELINE_VERSION);
    add_subject(root, r);
    add_findings(a, root, r);
    add_structure(a, root, r);
    add_times(a, root, r, TIMES_PREDICTED);
    add_times(a, root, r, TIMES_MEASURED);
    return root;
}

Status baseline_save(Arena *a, const Result *r, const char *path, FILE *out, Diag *diag)
{
    cJSON *root = baseline_of(a, r);
    Status st = json_save(root, path, out, diag);
    cJSON_Delete(root);
    return st;
}

Status baseline_save_set(const ResultSet *set, const char *path, FILE *out, Diag *diag)
{
    cJSON *root = cJSON_CreateObject();
    cJSON_AddNumberToObject(root, "baseline_version", BASELINE_VERSION);
    cJSON *models = cJSON_AddObjectToObject(root, "models");
    for (size_t i = 0; i < set->count; i++) {
        Arena *a = arena_new(0);
        const Result *r = result_set_read(a, set, i);
        if (r)
            cJSON_AddItemToObject(models, set->entry[i].model, baseline_of(a, r));
        arena_free(a);
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

ENUM_WORDS(baseline_state_name, BaselineState, STATE_COUNT, "new", "unchanged", "improved", "gone")

static BaselineState state_now(const cJSON *then, const ReportedFinding *f, double percent,
                               double floor_ns)
{
    double before, now = gain_of(f);
    if (!then)
        return STATE_NEW;
    if (!json_number(then, "gain", &before) || isnan(now))
        return STATE_UNCHANGED;
    double less = before - now;
    double least = f->alone->unit == RESULT_UNIT_NS ? floor_ns : 0;
    return less > least && less > before * percent / 100 ? STATE_IMPROVED : STATE_UNCHANGED;
}

/* What became of a finding that the baseline has; STATE_UNCHANGED: it is still there. */
static BaselineState state_of_old(const Result *r, const char *fingerprint)
{
    if (LIST_ANY(i, finding_count(r), !strcmp(finding_at(r, i).fingerprint, fingerprint)))
        return STATE_UNCHANGED;
    for (size_t i = 0; i < r->suppressed.count; i++)
        if (!strcmp(r->suppressed.item[i].fingerprint, fingerprint))
            return is_outside_plans(&r->suppressed.item[i]) ? STATE_UNCHANGED : STATE_IMPROVED;
    return STATE_GONE;
}

typedef struct {
    ResultFinding *item;
    size_t count, cap;
} FindingVec;

static void add_to(Arena *a, FindingVec *v, const char *fingerprint, const char *rule_id)
{
    *VEC_PUSH(a, v->item, v->count, v->cap) =
        (ResultFinding){arena_strdup(a, fingerprint), arena_strdup(a, rule_id)};
}

static ResultFindingList list_of(const FindingVec *v)
{
    return (ResultFindingList){v->item, v->count};
}

static bool is_in_one(const FindingVec *v, const char *fingerprint)
{
    return LIST_ANY(s, STATE_COUNT,
                    LIST_ANY(i, v[s].count, !strcmp(v[s].item[i].fingerprint, fingerprint)));
}

const ResultBaseline *baseline_compare(Arena *a, const Baseline *b, const Result *r, double percent,
                                       double floor_ns)
{
    const cJSON *then = json_at(b->tree, "findings");
    FindingVec v[STATE_COUNT] = {0};
    ResultBaseline *ret = ARENA_NEW(a, ResultBaseline);
    for (size_t i = 0; i < finding_count(r); i++) {
        ReportedFinding f = finding_at(r, i);
        const cJSON *old = json_find(then, "fingerprint", f.fingerprint);
        if (is_kept(&f))
            add_to(a, &v[state_now(old, &f, percent, floor_ns)], f.fingerprint, f.rule_id);
    }
    for (const cJSON *f = json_first(then, ""); f; f = f->next) {
        const char *fingerprint = json_text(f, "fingerprint", NULL);
        const char *rule_id = json_text(f, "rule_id", NULL);
        if (fingerprint && rule_id && !is_in_one(v, fingerprint))
            add_to(a, &v[state_of_old(r, fingerprint)], fingerprint, rule_id);
    }
    *ret = (ResultBaseline){list_of(&v[STATE_NEW]), list_of(&v[STATE_UNCHANGED]),
                            list_of(&v[STATE_IMPROVED]), list_of(&v[STATE_GONE])};
    return ret;
}

const ResultFindingList *baseline_list(const ResultBaseline *b, BaselineState s)
{
    const ResultFindingList *const list[] = {&b->new, &b->unchanged, &b->improved, &b->gone};
    assert(s < STATE_COUNT);
    return list[s];
}

bool baseline_state(const ResultBaseline *b, const char *fingerprint, BaselineState *ret)
{
    for (int s = 0; b && s < STATE_COUNT; s++) {
        const ResultFindingList *list = baseline_list(b, (BaselineState)s);
        *ret = (BaselineState)s;
        if (LIST_ANY(i, list->count, !strcmp(list->item[i].fingerprint, fingerprint)))
            return true;
    }
    return false;
}
