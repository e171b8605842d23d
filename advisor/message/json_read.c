/* Looks up values in a JSON tree and reads a tree from a file. */
#include "advisor/message/json.h"

#include "graph/base/file.h"

static const cJSON *find_child(const cJSON *o, const char *name, size_t len)
{
    if (!cJSON_IsObject(o))
        return NULL;
    for (const cJSON *c = o->child; c; c = c->next)
        if (c->string && strlen(c->string) == len && !memcmp(c->string, name, len))
            return c;
    return NULL;
}

const cJSON *json_at(const cJSON *root, const char *path)
{
    while (root && *path) {
        size_t len = strcspn(path, ".");
        root = find_child(root, path, len);
        path += len + (path[len] == '.');
    }
    return root;
}

const char *json_text(const cJSON *root, const char *path, const char *fallback)
{
    const cJSON *v = json_at(root, path);
    return cJSON_IsString(v) ? v->valuestring : fallback;
}

bool json_number(const cJSON *root, const char *path, double *ret)
{
    const cJSON *v = json_at(root, path);
    if (!cJSON_IsNumber(v) || !isfinite(v->valuedouble))
        return false;
    *ret = v->valuedouble;
    return true;
}

double json_number_or(const cJSON *root, const char *path, double fallback)
{
    double value;
    return json_number(root, path, &value) ? value : fallback;
}

size_t json_count(const cJSON *root, const char *path)
{
    const cJSON *v = json_at(root, path);
    size_t n = 0;
    for (const cJSON *c = v ? v->child : NULL; c; c = c->next)
        n++;
    return n;
}

const cJSON *json_first(const cJSON *root, const char *path)
{
    const cJSON *v = json_at(root, path);
    return v ? v->child : NULL;
}

const cJSON *json_find(const cJSON *list, const char *key, const char *text)
{
    for (const cJSON *x = json_first(list, ""); x; x = x->next)
        if (!strcmp(json_text(x, key, ""), text))
            return x;
    return NULL;
}

/* cJSON stops at the end of the first value; only blanks may follow it. */
static bool only_blanks(const char *p, const char *end)
{
    while (p < end && strchr(" \t\r\n", *p) && *p)
        p++;
    return p == end;
}

static size_t line_of(const char *text, const char *at)
{
    assert(at >= text);
    size_t line = 1;
    for (; text < at; text++)
        line += *text == '\n';
    return line;
}

static Status parse_json(const InFile *f, int limit_mib, cJSON **ret, Diag *diag)
{
    const char *text = (const char *)f->data, *end = text;
    if (f->size == 0)
        return diag_set(diag, STATUS_INPUT, f->path, NULL, "is empty; a JSON result is needed");
    if (f->size > (size_t)limit_mib << 20)
        return diag_set(diag, STATUS_INPUT, f->path, NULL, "is larger than the limit of %d MiB",
                        limit_mib);
    cJSON *tree = cJSON_ParseWithLengthOpts(text, f->size, &end, false);
    if (tree && only_blanks(end, text + f->size)) {
        *ret = tree;
        return STATUS_OK;
    }
    cJSON_Delete(tree);
    return diag_set(diag, STATUS_INPUT, f->path, NULL, "is not JSON: line %zu cannot be read",
                    line_of(text, end ? end : text));
}

static Status load_json(const char *path, int limit_mib, cJSON **ret, Diag *diag)
{
    InFile f;
    Status st = file_in_open(&f, path, (size_t)limit_mib << 20, diag);
    if (st)
        return st;
    st = parse_json(&f, limit_mib, ret, diag);
    file_in_close(&f);
    return st;
}

Status json_load(const char *path, cJSON **ret, Diag *diag)
{
    return load_json(path, JSON_FILE_LIMIT_MIB, ret, diag);
}

/* The second of two equal keys of one object, or NULL; cJSON bounds how deep it can be. */
static const char *doubled_key(Arena *a, const cJSON *v)
{
    StrMap seen;
    const char *found = NULL;
    if (cJSON_IsObject(v))
        strmap_init(&seen, a, 8);
    for (const cJSON *c = v->child; c && !found; c = c->next) {
        if (cJSON_IsObject(v) && !strmap_add(&seen, c->string, 0))
            return c->string;
        found = doubled_key(a, c);
    }
    return found;
}

Status json_load_strict(const char *path, int limit_mib, cJSON **ret, Diag *diag)
{
    cJSON *tree;
    Status st = load_json(path, limit_mib, &tree, diag);
    if (st)
        return st;
    Arena *a = arena_new(0);
    const char *key = doubled_key(a, tree);
    if (key)
        st = diag_set(diag, STATUS_INPUT, path, NULL,
                      "has the key '%s' twice in one object; take one of them out", key);
    arena_free(a);
    if (st)
        cJSON_Delete(tree);
    else
        *ret = tree;
    return st;
}

bool json_recognise_result(const char *path)
{
    static const char key[] = "\"schema_version\"";
    char beginning[128];
    size_t n = file_in_peek(path, beginning, sizeof beginning);
    return n && beginning[0] == '{' && memmem(beginning, n, key, sizeof key - 1);
}

Status json_parse(const char *path, const void *bytes, size_t size, cJSON **ret, Diag *diag)
{
    const InFile f = {.path = path, .data = bytes, .size = size};
    return parse_json(&f, JSON_FILE_LIMIT_MIB, ret, diag);
}
