/* Reads results again from their lines, and ends the process when one has changed. */
#include "advisor/report/result_set.h"

#include "advisor/report/result_json.h"
#include "graph/base/exit_cleanup.h"
#include "graph/base/limits.h"

enum { STATUS_BAD_INPUT = 2 };

ResultSet result_set_of(const Result *result, ResultEntry *entry)
{
    *entry = (ResultEntry){.model = result->model.file, .has_result = true};
    return (ResultSet){.count = 1, .entry = entry, .one = result};
}

static _Noreturn void exit_unreadable(const char *model, const char *why)
{
    char line[1024];
    snprintf(line, sizeof line, "%s: its result cannot be read again: %s", model, why);
    exit_cleanup_fail(STATUS_BAD_INPUT, line);
}

char *result_set_read_line(FILE *store, int64_t offset, size_t size, const char *model)
{
    char *line = limits_alloc(size + 1);
    errno = 0;
    if (fseeko(store, offset, SEEK_SET) != 0 || fread(line, 1, size, store) != size)
        exit_unreadable(model,
                        errno ? strerror(errno) : "the file became shorter; let its writer finish");
    line[size] = '\0';
    return line;
}

/* The tree of an entry's line; the caller frees it. */
static cJSON *read_tree(const ResultEntry *e)
{
    char *line = result_set_read_line(e->store, e->offset, e->size, e->model);
    cJSON *tree = cJSON_ParseWithLength(line, e->size);
    free(line);
    return tree;
}

const Result *result_set_read(Arena *a, const ResultSet *s, size_t i)
{
    assert(i < s->count);
    const ResultEntry *e = &s->entry[i];
    const Result *r = NULL;
    Diag diag;
    if (s->one || !e->has_result)
        return s->one;
    cJSON *tree = read_tree(e);
    if (result_from_json(a, json_at(tree, "result"), NULL, &r, &diag))
        exit_unreadable(e->model, "the file was changed; let its writer finish");
    cJSON_Delete(tree);
    return r;
}

ResultSet result_set_slice(const ResultSet *s, size_t from, size_t count)
{
    assert(from <= s->count);
    ResultSet part = *s;
    part.entry = s->entry + from;
    part.count = s->count - from < count ? s->count - from : count;
    return part;
}

static int status_severity(int status)
{
    static const int worse[] = {0, 2, 3, 1};
    return status >= 0 && status < 4 ? worse[status] : 4;
}

int result_set_status(const ResultSet *s)
{
    int worst = 0;
    for (size_t i = 0; i < s->count; i++)
        if (status_severity(s->entry[i].status) > status_severity(worst))
            worst = s->entry[i].status;
    return worst;
}

void result_set_print_line(FILE *out, const ResultSet *s, size_t i)
{
    const ResultEntry *e = &s->entry[i];
    cJSON *o = cJSON_CreateObject(), *tree = NULL;
    json_add_text(o, "model", e->model);
    if (e->settings) {
        json_add_text(o, "file", e->file);
        json_add_text(o, "settings", e->settings);
    }
    cJSON_AddNumberToObject(o, "status", e->status);
    json_add_text(o, "error", e->error);
    if (s->one)
        cJSON_AddItemToObject(o, "result", result_to_json(s->one));
    else if (e->has_result && (tree = read_tree(e)))
        cJSON_AddItemToObject(o, "result", cJSON_DetachItemFromObject(tree, "result"));
    else
        cJSON_AddNullToObject(o, "result");
    json_print_part(out, o);
    cJSON_Delete(o);
    cJSON_Delete(tree);
}
