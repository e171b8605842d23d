/* Parts of a run. */
#include "advisor/fleet/part.h"
#include "advisor/say/json.h"
#include "graph/base/limits.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SHARDS_MAX = 100000, LINE_LIMIT_MIB = 256 };

Status shard_read(const char *text, int *ret_shard, int *ret_of, Diag *diag)
{
    char *end;
    long shard = strtol(text, &end, 10), of = 0;
    if (*end == '/' && end != text)
        of = strtol(end + 1, &end, 10);
    if (*end || shard < 1 || of < shard || of > SHARDS_MAX)
        return diag_set(diag, STATUS_USAGE, NULL, NULL,
                        "--shard '%s' is not I/N with 1 <= I <= N <= %d, such as 1/4", text,
                        SHARDS_MAX);
    *ret_shard = (int)shard;
    *ret_of = (int)of;
    return STATUS_OK;
}

bool plan_has(const Plan *p, size_t i)
{
    return i % (size_t)p->of == (size_t)p->shard - 1;
}

void part_write_plan(FILE *out, const Plan *p)
{
    cJSON *o = cJSON_CreateObject(), *models = cJSON_CreateArray();
    cJSON_AddStringToObject(o, "kind", "plan");
    cJSON_AddNumberToObject(o, "schema_version", 1);
    cJSON_AddStringToObject(o, "version", NPU_ADVISE_VERSION);
    cJSON_AddStringToObject(o, "settings", p->settings);
    cJSON_AddNumberToObject(o, "shard", p->shard);
    cJSON_AddNumberToObject(o, "of", p->of);
    cJSON *dims = cJSON_AddArrayToObject(o, "dims");
    for (size_t i = 0; i < p->ndim; i++)
        cJSON_AddItemToArray(dims, cJSON_CreateString(p->dim[i]));
    cJSON_AddItemToObject(o, "models", models);
    for (size_t i = 0; i < p->nmodel; i++)
        cJSON_AddItemToArray(models, cJSON_CreateString(p->model[i]));
    json_print_line(out, o);
    cJSON_Delete(o);
}

/* Results that tell of the dimension; *ret_all: that there are. */
static size_t count_with(const ResultSet *set, const char *dim, size_t *ret_all)
{
    size_t n = 0;
    *ret_all = 0;
    for (size_t i = 0; i < set->count; i++) {
        cJSON *owned;
        const cJSON *dims = json_at(result_set_open(set, i, &owned), "options.dim");
        *ret_all += dims != NULL;
        n += cJSON_GetObjectItemCaseSensitive(dims, dim) != NULL;
        cJSON_Delete(owned);
    }
    return n;
}

Status plan_check_dims(const Plan *p, const ResultSet *set, Diag *diag)
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

void part_write_outcome(FILE *out, size_t index, const char *model, int status, const char *error,
                        const cJSON *result)
{
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "kind", "outcome");
    cJSON_AddNumberToObject(o, "index", (double)index);
    cJSON_AddStringToObject(o, "model", model);
    cJSON_AddNumberToObject(o, "status", status);
    cJSON_AddItemToObject(o, "error", error ? cJSON_CreateString(error) : cJSON_CreateNull());
    if (!cJSON_AddItemReferenceToObject(o, "result", (cJSON *)(uintptr_t)result))
        cJSON_AddNullToObject(o, "result");
    json_print_line(out, o);
    cJSON_Delete(o);
}

/* An entry's keys; false when one is missing or of another kind. */
static bool read_entry(Arena *a, const cJSON *o, size_t *ret_index, ResultEntry *ret)
{
    double index, status;
    const char *model = json_text(o, "model", NULL), *error = json_text(o, "error", NULL);
    if (strcmp(json_text(o, "kind", ""), "outcome") || !model || !json_number(o, "index", &index) ||
        !json_number(o, "status", &status) || !(index >= 0 && index < MODELS_MAX) ||
        !(status >= 0 && status <= 3))
        return false;
    *ret_index = (size_t)index;
    *ret = (ResultEntry){.model = arena_strdup(a, model),
                         .status = (int)status,
                         .error = error ? arena_strdup(a, error) : NULL,
                         .has_result = result_is_whole(json_at(o, "result"))};
    return ret->has_result || ret->error;
}

Status part_read_outcome(Arena *a, const char *line, size_t size, FILE *store, int64_t offset,
                         size_t *ret_index, ResultEntry *ret, Diag *diag)
{
    cJSON *o = cJSON_ParseWithLength(line, size);
    bool good = o && read_entry(a, o, ret_index, ret);
    cJSON_Delete(o);
    if (!good)
        return diag_set(diag, STATUS_INPUT, NULL, NULL, "is not an outcome of a model");
    ret->store = store;
    ret->offset = offset;
    ret->size = size;
    return STATUS_OK;
}

/* ---- merging ---- */

typedef struct {
    Arena *a;
    Diag *diag;
    const char *path; /* of the part that is being read */
    size_t line;
    Plan plan;         /* of the first part; model NULL before that */
    const char **from; /* the part that gave outcome i */
    ResultEntry *entry;
} Merge;

static Status wrong(Merge *m, const char *fact)
{
    return diag_set(m->diag, STATUS_INPUT, m->path, arena_printf(m->a, "line %zu", m->line), "%s",
                    fact);
}

static bool has_plan(const Merge *m)
{
    return m->entry != NULL;
}

static Status take_models(Merge *m, const cJSON *models)
{
    const cJSON *x;
    size_t n = json_count(models, ""), i = 0;
    const char **list = ARENA_ARRAY(m->a, const char *, n + 1);
    cJSON_ArrayForEach(x, models)
    {
        if (!cJSON_IsString(x) || i == MODELS_MAX)
            return wrong(m, "lists models that are not names");
        list[i++] = arena_strdup(m->a, x->valuestring);
    }
    m->plan.model = list;
    m->plan.nmodel = n;
    m->entry = ARENA_ARRAY(m->a, ResultEntry, n + 1);
    m->from = ARENA_ARRAY(m->a, const char *, n + 1);
    return STATUS_OK;
}

static bool same_models(const Merge *m, const cJSON *models)
{
    const cJSON *x;
    size_t i = 0;
    cJSON_ArrayForEach(x, models)
    {
        if (i == m->plan.nmodel || !cJSON_IsString(x) || strcmp(x->valuestring, m->plan.model[i]))
            return false;
        i++;
    }
    return i == m->plan.nmodel;
}

static void take_dims(Merge *m, const cJSON *dims)
{
    const cJSON *x;
    const char **list = ARENA_ARRAY(m->a, const char *, json_count(dims, "") + 1);
    cJSON_ArrayForEach(x, dims)
    {
        if (cJSON_IsString(x))
            list[m->plan.ndim++] = arena_strdup(m->a, x->valuestring);
    }
    m->plan.dim = list;
}

static Status take_plan(Merge *m, const cJSON *o)
{
    const char *settings = json_text(o, "settings", "");
    int of = (int)json_number_or(o, "of", 0);
    if (strcmp(json_text(o, "version", ""), NPU_ADVISE_VERSION))
        return wrong(m, "was written by another version of npu-advise");
    if (!has_plan(m)) {
        take_dims(m, json_at(o, "dims"));
        m->plan.settings = arena_strdup(m->a, settings);
        m->plan.of = of;
        return of >= 1 && of <= SHARDS_MAX ? take_models(m, json_at(o, "models"))
                                           : wrong(m, "names no number of shards");
    }
    if (strcmp(settings, m->plan.settings))
        return wrong(m, arena_printf(m->a, "is of a run with other options: '%s', not '%s'",
                                     settings, m->plan.settings));
    if (of != m->plan.of || !same_models(m, json_at(o, "models")))
        return wrong(m, "is of a run over other models or another number of shards");
    return STATUS_OK;
}

static Status take_outcome(Merge *m, const char *line, size_t size, FILE *store, int64_t offset)
{
    size_t i;
    ResultEntry e;
    Diag ignored = {0};
    if (part_read_outcome(m->a, line, size, store, offset, &i, &e, &ignored))
        return wrong(m, "is not an outcome of a model; was its shard interrupted?");
    if (!has_plan(m) || i >= m->plan.nmodel || strcmp(e.model, m->plan.model[i]))
        return wrong(m, "is the outcome of a model that is not in the plan");
    if (m->from[i])
        return wrong(m,
                     arena_printf(m->a, "has '%s' a second time, after %s", e.model, m->from[i]));
    m->from[i] = m->path;
    m->entry[i] = e;
    return STATUS_OK;
}

static Status take_line(Merge *m, const char *line, size_t size, FILE *store, int64_t offset)
{
    static const char plan[] = "{\"kind\":\"plan\"";
    if (strncmp(line, plan, sizeof plan - 1))
        return take_outcome(m, line, size, store, offset);
    cJSON *o = cJSON_ParseWithLength(line, size);
    Status st = o ? take_plan(m, o) : wrong(m, "is not JSON");
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
            st = wrong(m, "is longer than 256 MiB");
        else
            st = take_line(m, line, (size_t)n, f, offset);
    }
    free(line);
    if (!st && !feof(f)) /* the line had no room */
        memory_exhausted();
    return st;
}

static Status check_complete(const Merge *m)
{
    for (size_t i = 0; i < m->plan.nmodel; i++)
        if (!m->from[i])
            return diag_set(m->diag, STATUS_INPUT, m->plan.model[i], NULL,
                            "has no outcome in these parts; run shard %zu/%d again",
                            i % (size_t)m->plan.of + 1, m->plan.of);
    return STATUS_OK;
}

Status parts_merge(Arena *a, const char *const *path, size_t n, Plan *ret_plan, ResultSet *ret,
                   Diag *diag)
{
    Merge m = {.a = a, .diag = diag};
    Status st = STATUS_OK;
    for (size_t i = 0; i < n && !st; i++)
        st = read_part(&m, path[i]);
    if (!st && !has_plan(&m))
        st = diag_set(diag, STATUS_INPUT, path[0], NULL,
                      "holds no plan; --ndjson of a run with --shard writes one");
    if (!st)
        st = check_complete(&m);
    *ret_plan = m.plan;
    *ret = (ResultSet){.many = true, .count = m.plan.nmodel, .entry = m.entry};
    return st;
}
