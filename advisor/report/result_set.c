/* Reads results again from their lines, and ends the process when one has changed. */
#include "advisor/report/result_set.h"

#include "advisor/report/result_json.h"
#include "graph/base/exit_cleanup.h"
#include "graph/base/limits.h"

#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { STATUS_BAD_INPUT = 2 };

ResultSet result_set_of(const cJSON *result, ResultEntry *entry)
{
    *entry = (ResultEntry){.model = json_text(result, "model.file", "model"), .has_result = true};
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

const cJSON *result_set_open(const ResultSet *s, size_t i, cJSON **ret_owned)
{
    assert(i < s->count);
    const ResultEntry *e = &s->entry[i];
    *ret_owned = NULL;
    if (s->one || !e->has_result)
        return s->one;
    char *line = result_set_read_line(e->store, e->offset, e->size, e->model);
    *ret_owned = cJSON_ParseWithLength(line, e->size);
    free(line);
    const cJSON *result = json_at(*ret_owned, "result");
    if (!json_is_whole_result(result))
        exit_unreadable(e->model, "the file was changed; let its writer finish");
    return result;
}

const Result *result_set_read(Arena *a, const ResultSet *s, size_t i)
{
    cJSON *owned;
    Diag diag;
    const Result *r = s->result;
    if (r)
        return r;
    const cJSON *tree = result_set_open(s, i, &owned);
    if (tree && result_from_json(a, tree, NULL, &r, &diag))
        exit_unreadable(s->entry[i].model, diag.text);
    cJSON_Delete(owned);
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

void result_set_print_line(FILE *out, const ResultEntry *e, const cJSON *result)
{
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "model", e->model);
    if (e->settings) {
        cJSON_AddStringToObject(o, "file", e->file);
        cJSON_AddStringToObject(o, "settings", e->settings);
    }
    cJSON_AddNumberToObject(o, "status", e->status);
    cJSON_AddItemToObject(o, "error", e->error ? cJSON_CreateString(e->error) : cJSON_CreateNull());
    if (!cJSON_AddItemReferenceToObject(o, "result", (cJSON *)(uintptr_t)result))
        cJSON_AddNullToObject(o, "result");
    json_print_part(out, o);
    cJSON_Delete(o);
}
