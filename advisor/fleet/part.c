/* Parses each line strictly, and merges parts only if they are of one plan and complete. */
#include "advisor/fleet/part.h"
#include "advisor/message/json.h"
#include "advisor/report/result_json.h"
#include "graph/base/limits.h"

#include <sys/resource.h>

enum { LINE_LIMIT_MIB = 256 };

void part_write_shards(FILE *out, const ShardPlan *p)
{
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "kind", "plan");
    cJSON_AddNumberToObject(o, "schema_version", 1);
    cJSON_AddStringToObject(o, "version", NPU_ADVISE_VERSION);
    cJSON_AddStringToObject(o, "settings", p->settings);
    cJSON_AddNumberToObject(o, "shard", p->shard);
    cJSON_AddNumberToObject(o, "of", p->of);
    if (p->digest) {
        cJSON_AddStringToObject(o, "plan", p->digest);
    } else {
        json_add_texts(o, "dims", p->dim, p->ndim);
        json_add_texts(o, "models", p->model, p->nmodel);
    }
    json_print_line(out, o);
    cJSON_Delete(o);
}

/* Results that tell of the dimension; *ret_all: that there are. */
static size_t count_with(const ResultSet *set, const char *dim, size_t *ret_all)
{
    size_t n = 0;
    *ret_all = 0;
    for (size_t i = 0; i < set->count; i++) {
        Arena *a = arena_new(0);
        const Result *r = result_set_read(a, set, i);
        *ret_all += r && r->options.dim.item;
        n += r && LIST_ANY(k, r->options.dim.count, !strcmp(r->options.dim.item[k].key, dim));
        arena_free(a);
    }
    return n;
}

Status part_check_dims(const ShardPlan *p, const ResultSet *set, Diag *diag)
{
    for (size_t i = 0; i < p->ndim; i++) {
        size_t all;
        if (count_with(set, p->dim[i], &all) == 0 && all)
            return diag_set(diag, STATUS_USAGE, NULL, NULL,
                            "--dim %s: no dimension of any of the models has that name; "
                            "`npu-advise inspect` lists those of each",
                            p->dim[i]);
    }
    return STATUS_OK;
}

void part_write_outcome(FILE *out, const ShardPlan *p, size_t index, int status, const char *error,
                        const Result *r)
{
    assert(index < p->nmodel && (r || error));
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "kind", "outcome");
    cJSON_AddNumberToObject(o, "index", (double)index);
    cJSON_AddStringToObject(o, "model", p->model[index]);
    if (shards_settings(p, index)) {
        cJSON_AddStringToObject(o, "file", shards_model_name(p, index));
        cJSON_AddStringToObject(o, "settings", shards_settings(p, index));
    }
    cJSON_AddNumberToObject(o, "status", status);
    json_add_text(o, "error", error);
    cJSON_AddItemToObject(o, "result", r ? result_to_json(r) : cJSON_CreateNull());
    json_print_line(out, o);
    cJSON_Delete(o);
}

static bool is_result(const cJSON *tree)
{
    Arena *a = arena_new(0);
    Diag ignored = {0};
    const Result *r;
    bool good = !result_from_json(a, tree, "", &r, &ignored);
    arena_free(a);
    return good;
}

/* An entry's keys; false when one is missing or of another kind. */
static bool read_entry(Arena *a, const cJSON *o, size_t *ret_index, ResultEntry *ret)
{
    double index, status;
    const char *model = json_text(o, "model", NULL);
    if (strcmp(json_text(o, "kind", ""), "outcome") || !model || !json_number(o, "index", &index) ||
        !json_number(o, "status", &status) || !(index >= 0 && index < MODELS_MAX) ||
        !(status >= 0 && status <= 3))
        return false;
    *ret_index = (size_t)index;
    *ret = (ResultEntry){.model = arena_strdup(a, model),
                         .file = arena_strdup(a, json_text(o, "file", NULL)),
                         .settings = arena_strdup(a, json_text(o, "settings", NULL)),
                         .status = (int)status,
                         .error = arena_strdup(a, json_text(o, "error", NULL)),
                         .has_result = is_result(json_at(o, "result"))};
    return (ret->has_result || ret->error) && !ret->file == !ret->settings;
}

Status part_read_outcome(Arena *a, PartLine line, size_t *ret_index, ResultEntry *ret, Diag *diag)
{
    cJSON *o = cJSON_ParseWithLength(line.text, line.size);
    bool good = o && read_entry(a, o, ret_index, ret);
    cJSON_Delete(o);
    if (!good)
        return diag_set(diag, STATUS_INPUT, NULL, NULL, "is not an outcome of a model");
    ret->store = line.store;
    ret->offset = line.offset;
    ret->size = line.size;
    return STATUS_OK;
}

/* ---- merging ---- */

typedef struct {
    Arena *a;
    Diag *diag;
    const char *path; /* of the part that is being read */
    size_t line;
    ShardPlan *plan;   /* of its file, else of the first part: without models before that */
    bool begun;        /* a part's first line was read */
    const char **from; /* the part that gave outcome i */
    ResultEntry *entry;
} Merge;

static Status part_error(Merge *m, const char *fact)
{
    return diag_set(m->diag, STATUS_INPUT, m->path, arena_printf(m->a, "line %zu", m->line), "%s",
                    fact);
}

static void make_room(Merge *m)
{
    m->entry = ARENA_ARRAY(m->a, ResultEntry, m->plan->nmodel + 1);
    m->from = ARENA_ARRAY(m->a, const char *, m->plan->nmodel + 1);
}

static Status take_models(Merge *m, const cJSON *models)
{
    size_t n = json_count(models, ""), i = 0;
    const char **list = ARENA_ARRAY(m->a, const char *, n + 1);
    for (const cJSON *x = json_first(models, ""); x; x = x->next) {
        if (!cJSON_IsString(x) || i == MODELS_MAX)
            return part_error(m, "lists models that are not names");
        list[i++] = arena_strdup(m->a, x->valuestring);
    }
    m->plan->model = list;
    m->plan->nmodel = n;
    make_room(m);
    return STATUS_OK;
}

static bool same_models(const Merge *m, const cJSON *models)
{
    size_t i = 0;
    for (const cJSON *x = json_first(models, ""); x; x = x->next) {
        if (i == m->plan->nmodel || !cJSON_IsString(x) || strcmp(x->valuestring, m->plan->model[i]))
            return false;
        i++;
    }
    return i == m->plan->nmodel;
}

static void take_dims(Merge *m, const cJSON *dims)
{
    const char **list = ARENA_ARRAY(m->a, const char *, json_count(dims, "") + 1);
    for (const cJSON *x = json_first(dims, ""); x; x = x->next)
        if (cJSON_IsString(x))
            list[m->plan->ndim++] = arena_strdup(m->a, x->valuestring);
    m->plan->dim = list;
}

/* The first part says how many there are; and of which models, unless the plan's file did. */
static Status take_first(Merge *m, const cJSON *o)
{
    int of = (int)json_number_or(o, "of", 0);
    if (of < 1 || of > SHARDS_MAX)
        return part_error(m, "names no number of shards");
    m->begun = true;
    m->plan->settings = arena_strdup(m->a, json_text(o, "settings", ""));
    m->plan->of = of;
    shards_balance(m->a, m->plan);
    if (m->plan->digest)
        return STATUS_OK;
    take_dims(m, json_at(o, "dims"));
    return take_models(m, json_at(o, "models"));
}

static Status check_plan_hash(Merge *m, const char *digest)
{
    if (digest && !m->plan->digest)
        return part_error(m, "is of a run with --shards: name the list of work with --shards");
    if (!digest && m->plan->digest)
        return part_error(m, "is of a run without --shards");
    if (digest && strcmp(digest, m->plan->digest))
        return part_error(m, "is of a run with another list of work");
    return STATUS_OK;
}

static Status take_plan(Merge *m, const cJSON *o)
{
    const char *settings = json_text(o, "settings", ""), *digest = json_text(o, "plan", NULL);
    if (strcmp(json_text(o, "version", ""), NPU_ADVISE_VERSION))
        return part_error(m, "was written by another version of npu-advise");
    Status st = check_plan_hash(m, digest);
    if (st || !m->begun)
        return st ? st : take_first(m, o);
    if (strcmp(settings, m->plan->settings))
        return part_error(m, arena_printf(m->a, "is of a run with other options: '%s', not '%s'",
                                          settings, m->plan->settings));
    if ((int)json_number_or(o, "of", 0) != m->plan->of ||
        (!digest && !same_models(m, json_at(o, "models"))))
        return part_error(m, "is of a run over other models or another number of shards");
    return STATUS_OK;
}

static Status take_outcome(Merge *m, PartLine line)
{
    size_t i;
    ResultEntry e;
    Diag ignored = {0};
    if (part_read_outcome(m->a, line, &i, &e, &ignored))
        return part_error(m, "is not an outcome of a model; was its shard interrupted?");
    if (!m->begun || i >= m->plan->nmodel || strcmp(e.model, m->plan->model[i]))
        return part_error(m, "is the outcome of a model that is not in the run");
    if (m->from[i])
        return part_error(
            m, arena_printf(m->a, "has '%s' a second time, after %s", e.model, m->from[i]));
    m->from[i] = m->path;
    m->entry[i] = e;
    return STATUS_OK;
}

static Status take_line(Merge *m, PartLine line)
{
    static const char plan[] = "{\"kind\":\"plan\"";
    if (strncmp(line.text, plan, sizeof plan - 1))
        return take_outcome(m, line);
    cJSON *o = cJSON_ParseWithLength(line.text, line.size);
    Status st = o ? take_plan(m, o) : part_error(m, "is not JSON");
    cJSON_Delete(o);
    return st;
}

static Status read_part(Merge *m, const char *path)
{
    char *line = NULL;
    size_t cap = 0;
    int64_t offset = 0;
    FILE *f = fopen(path, "r");
    if (!f)
        return diag_set(m->diag, STATUS_INPUT, path, NULL, "cannot be read: %s", strerror(errno));
    m->path = path;
    m->line = 0;
    Status st = STATUS_OK;
    for (ssize_t n; !st && (n = getline(&line, &cap, f)) > 0; offset += n) {
        m->line++;
        if (n > (ssize_t)LINE_LIMIT_MIB << 20)
            st = part_error(m, "is longer than 256 MiB");
        else
            st = take_line(m, (PartLine){line, (size_t)n, f, offset});
    }
    free(line);
    if (!st && ferror(f))
        return diag_set(m->diag, STATUS_INPUT, path, NULL, "cannot be read: %s", strerror(errno));
    if (!st && !feof(f)) /* the line had no room */
        limits_out_of_memory();
    return st;
}

/* "1/4, 3/4": the shards that have to be run again. */
static const char *shards_missing(const Merge *m, size_t *ret_models)
{
    enum { SHOWN = 20 };
    const char *list = "";
    int shown = 0;
    bool *missing = ARENA_ARRAY(m->a, bool, (size_t)m->plan->of + 1);
    *ret_models = 0;
    for (size_t i = 0; i < m->plan->nmodel; i++) {
        assert(shards_shard_of(m->plan, i) <= m->plan->of);
        *ret_models += !m->from[i];
        missing[shards_shard_of(m->plan, i)] |= !m->from[i];
    }
    for (int k = 1; k <= m->plan->of && shown <= SHOWN; k++) {
        if (missing[k] && shown++ == SHOWN)
            return arena_printf(m->a, "%s …", list);
        if (missing[k])
            list = arena_printf(m->a, "%s%s%d/%d", list, *list ? ", " : "", k, m->plan->of);
    }
    return list;
}

static Status check_complete(const Merge *m)
{
    size_t first = 0, missing;
    while (first < m->plan->nmodel && m->from[first])
        first++;
    if (first == m->plan->nmodel)
        return STATUS_OK;
    const char *shards = shards_missing(m, &missing);
    assert(missing > 0);
    if (missing == 1)
        return diag_set(m->diag, STATUS_INPUT, m->plan->model[first], NULL,
                        "has no outcome in these parts; run shard %s again", shards);
    return diag_set(m->diag, STATUS_INPUT, m->plan->model[first], NULL,
                    "and %zu more have no outcome in these parts; run shard %s again", missing - 1,
                    shards);
}

/* Parts stay open: as many as the machine lets us have. */
static void allow_open_files(void)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0)
        return;
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
}

Status part_merge(Arena *a, const char *const *path, size_t n, ShardPlan *plan, ResultSet *ret,
                  Diag *diag)
{
    Merge m = {.a = a, .diag = diag, .plan = plan};
    Status st = STATUS_OK;
    allow_open_files();
    if (plan->digest)
        make_room(&m);
    for (size_t i = 0; i < n && !st; i++)
        st = read_part(&m, path[i]);
    if (!st && !m.begun)
        st = diag_set(diag, STATUS_INPUT, path[0], NULL,
                      "holds no part of a run; --ndjson of a run with --shard writes one");
    st = st ? st : check_complete(&m);
    *ret = (ResultSet){.many = true, .count = plan->nmodel, .entry = m.entry};
    return st;
}
