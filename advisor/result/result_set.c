/* Sets of results. */
#include "advisor/result/result_set.h"
#include "graph/base/limits.h"

#include <stdint.h>
#include <stdlib.h>

ResultSet result_set_of(const cJSON *result, ResultEntry *entry)
{
    *entry = (ResultEntry){.model = json_text(result, "model.file", "model"), .has_result = true};
    return (ResultSet){.count = 1, .entry = entry, .one = result};
}

const cJSON *result_set_open(const ResultSet *s, size_t i, cJSON **ret_owned)
{
    const ResultEntry *e = &s->entry[i];
    *ret_owned = NULL;
    if (s->one || !e->has_result)
        return s->one;
    char *line = memory_take(e->size + 1);
    if (fseeko(e->store, e->offset, SEEK_SET) != 0 ||
        fread(line, 1, e->size, e->store) != e->size) {
        free(line);
        return NULL;
    }
    line[e->size] = '\0';
    *ret_owned = cJSON_Parse(line);
    free(line);
    return json_at(*ret_owned, "result");
}

ResultSet result_set_slice(const ResultSet *s, size_t from, size_t count)
{
    ResultSet part = *s;
    part.entry = s->entry + from;
    part.count = s->count - from < count ? s->count - from : count;
    return part;
}

static int badness(int status)
{
    static const int worse[] = {0, 2, 3, 1};
    return status >= 0 && status < 4 ? worse[status] : 4;
}

int result_set_status(const ResultSet *s)
{
    int worst = 0;
    for (size_t i = 0; i < s->count; i++)
        if (badness(s->entry[i].status) > badness(worst))
            worst = s->entry[i].status;
    return worst;
}

void json_print_outcome(FILE *out, const ResultEntry *e, const cJSON *result)
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
