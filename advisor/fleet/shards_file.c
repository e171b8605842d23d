/* Checks every line of a plan when it reads it, and names the line in its errors. */
#include "advisor/fleet/shards_file.h"

#include "advisor/message/json.h"
#include "graph/base/file.h"
#include "graph/options/option.h"

enum { PLAN_LIMIT_MIB = 512 };

/* ---- writing ---- */

static void add_settings(cJSON *o, const char *key, const ShardSetting *setting, size_t n)
{
    cJSON *list = cJSON_AddArrayToObject(o, key);
    for (size_t i = 0; i < n; i++) {
        const char *pair[2] = {setting[i].name, setting[i].value};
        cJSON_AddItemToArray(list, cJSON_CreateStringArray(pair, 2));
    }
}

void shards_file_write_head(FILE *out, const ShardHead *head)
{
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "kind", "work");
    cJSON_AddNumberToObject(o, "schema_version", 1);
    cJSON_AddStringToObject(o, "version", NPU_ADVISE_VERSION);
    json_add_texts(o, "told", head->told, head->ntold);
    add_settings(o, "options", head->option, head->noption);
    cJSON_AddNumberToObject(o, "items", (double)head->items);
    json_print_line(out, o);
    cJSON_Delete(o);
}

void shards_file_write_item(FILE *out, const ShardItem *item)
{
    assert(item->cost_us >= 1);
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "model", item->model.name);
    cJSON_AddStringToObject(o, "file", item->model.path);
    add_settings(o, "settings", item->setting, item->nsetting);
    json_add_text(o, "sha256", item->sha256);
    json_add_text(o, "trace_sha256", item->trace_sha256);
    cJSON_AddNumberToObject(o, "cost_us", (double)item->cost_us);
    json_print_line(out, o);
    cJSON_Delete(o);
}

/* ---- reading ---- */

typedef struct {
    Arena *a;
    Diag *diag;
    InFile file;
    size_t at, line; /* of what comes next; lines read so far */
} Reader;

static Status plan_error(const Reader *r, const char *fact)
{
    return diag_set(r->diag, STATUS_INPUT, r->file.path, arena_printf(r->a, "line %zu", r->line),
                    "%s", fact);
}

/* The next line as JSON; NULL if it is not JSON. */
static cJSON *next_line(Reader *r)
{
    const char *from = (const char *)r->file.data + r->at;
    size_t left = r->file.size - r->at;
    const char *end = left ? memchr(from, '\n', left) : NULL;
    size_t n = end ? (size_t)(end - from) : left;
    r->line++;
    r->at += n + (end != NULL);
    assert(r->at <= r->file.size);
    return n ? cJSON_ParseWithLength(from, n) : NULL;
}

static bool read_settings(Arena *a, const cJSON *list, const ShardSetting **ret, size_t *ret_n)
{
    ShardSetting *s = ARENA_ARRAY(a, ShardSetting, json_count(list, ""));
    *ret = s;
    *ret_n = 0;
    for (const cJSON *x = json_first(list, ""); x; x = x->next) {
        const cJSON *name = cJSON_GetArrayItem(x, 0), *value = cJSON_GetArrayItem(x, 1);
        if (!cJSON_IsString(name) || !cJSON_IsString(value))
            return false;
        s[(*ret_n)++] =
            (ShardSetting){arena_strdup(a, name->valuestring), arena_strdup(a, value->valuestring)};
    }
    return cJSON_IsArray(list);
}

static bool read_told(Arena *a, const cJSON *list, ShardHead *ret)
{
    const char **told = ARENA_ARRAY(a, const char *, json_count(list, ""));
    for (const cJSON *x = json_first(list, ""); x; x = x->next) {
        if (!cJSON_IsString(x))
            return false;
        told[ret->ntold++] = arena_strdup(a, x->valuestring);
    }
    ret->told = told;
    return ret->ntold > 0;
}

static Status read_head(Reader *r, ShardHead *ret)
{
    double items = 0;
    *ret = (ShardHead){0};
    cJSON *o = next_line(r);
    bool is_plan = o && !strcmp(json_text(o, "kind", ""), "work"),
         same = is_plan && !strcmp(json_text(o, "version", ""), NPU_ADVISE_VERSION),
         good = same && read_told(r->a, json_at(o, "told"), ret) &&
                read_settings(r->a, json_at(o, "options"), &ret->option, &ret->noption) &&
                json_number(o, "items", &items) && items >= 1 && items <= MODELS_MAX;
    cJSON_Delete(o);
    ret->items = (size_t)items;
    if (is_plan && !same)
        return diag_set(r->diag, STATUS_USAGE, r->file.path, NULL,
                        "was written by another version of npu-advise; write the list again");
    return good
               ? STATUS_OK
               : plan_error(r, "is not the head of a list of work; `npu-advise shards` writes one");
}

static const char *in_words(Arena *a, const ShardItem *item)
{
    const char *words = "";
    for (size_t i = 0; i < item->nsetting; i++)
        words = arena_printf(a, "%s%s%s=%s", words, i ? " " : "", item->setting[i].name,
                             item->setting[i].value);
    return words;
}

static bool read_item(Arena *a, const cJSON *o, ShardItem *ret)
{
    double cost;
    const char *name = json_text(o, "model", NULL), *file = json_text(o, "file", NULL);
    if (!name || !file || !*file || !json_number(o, "cost_us", &cost) ||
        !(cost >= 1 && cost <= 1e15) ||
        !read_settings(a, json_at(o, "settings"), &ret->setting, &ret->nsetting))
        return false;
    ret->model = (ModelFile){arena_strdup(a, file), arena_strdup(a, name)};
    ret->sha256 = arena_strdup(a, json_text(o, "sha256", NULL));
    ret->trace_sha256 = arena_strdup(a, json_text(o, "trace_sha256", NULL));
    ret->cost_us = (int64_t)cost;
    ret->settings = in_words(a, ret);
    return true;
}

static Status read_items(Reader *r, size_t n, ShardPlan *ret)
{
    ShardItem *item = ARENA_ARRAY(r->a, ShardItem, n);
    const char **name = ARENA_ARRAY(r->a, const char *, n);
    StrMap seen;
    strmap_init(&seen, r->a, n);
    for (size_t i = 0; i < n; i++) {
        if (r->at == r->file.size)
            return plan_error(
                r, arena_printf(r->a, "is the last of %zu items: the list was cut off", n));
        cJSON *o = next_line(r);
        bool good = o && read_item(r->a, o, &item[i]);
        cJSON_Delete(o);
        if (!good)
            return plan_error(r, "is not an item of a list of work");
        name[i] = *item[i].settings
                      ? arena_printf(r->a, "%s %s", item[i].model.name, item[i].settings)
                      : item[i].model.name;
        if (!strmap_add(&seen, name[i], (uint32_t)i))
            return plan_error(r, arena_printf(r->a, "names '%s' a second time", name[i]));
    }
    ret->item = item;
    ret->model = name;
    ret->nmodel = n;
    return r->at == r->file.size ? STATUS_OK
                                 : plan_error(r, "is followed by more items than the head says");
}

static void take_dims(Arena *a, const ShardHead *head, ShardPlan *ret)
{
    const char **dim = ARENA_ARRAY(a, const char *, head->noption);
    for (size_t i = 0; i < head->noption; i++) {
        const ShardSetting *s = &head->option[i];
        if (!strcmp(s->name, option_name(OPTION_DIM)))
            dim[ret->ndim++] = arena_strndup(a, s->value, strcspn(s->value, "="));
    }
    ret->dim = dim;
}

static Status open_reader(Arena *a, const char *path, Reader *ret, Diag *diag)
{
    *ret = (Reader){.a = a, .diag = diag};
    return file_in_open(&ret->file, path, (size_t)PLAN_LIMIT_MIB << 20, diag);
}

Status shards_file_head(Arena *a, const char *path, ShardHead *ret, Diag *diag)
{
    Reader r;
    Status st = open_reader(a, path, &r, diag);
    if (st)
        return st;
    st = read_head(&r, ret);
    file_in_close(&r.file);
    return st;
}

Status shards_file_read(Arena *a, const char *path, ShardPlan *ret, Diag *diag)
{
    Reader r;
    ShardHead head;
    char hex[65];
    Status st = open_reader(a, path, &r, diag);
    if (st)
        return st;
    ret->ndim = 0;
    st = read_head(&r, &head);
    st = st ? st : read_items(&r, head.items, ret);
    if (!st)
        take_dims(a, &head, ret);
    sha256_hex(r.file.data, r.file.size, hex);
    ret->digest = arena_strdup(a, hex);
    file_in_close(&r.file);
    return st;
}
