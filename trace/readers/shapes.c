/* Joins nested lists of sizes to "1x3x640x640". */
#include "trace/readers/shapes.h"

static const char *one_shape(Arena *a, const cJSON *shape)
{
    const cJSON *dim;
    const char *text = NULL;
    int n = 0;
    cJSON_ArrayForEach(dim, shape)
    {
        if (!cJSON_IsNumber(dim) || ++n > SHAPES_MAX)
            return "?";
        text = arena_printf(a, "%s%s%.0f", text ? text : "", text ? "x" : "", dim->valuedouble);
    }
    return text ? text : "scalar";
}

static uint64_t add_to_key(uint64_t key, const cJSON *shape)
{
    const cJSON *dim;
    cJSON_ArrayForEach(dim, shape) key =
        scan_hash((const char *)&dim->valuedouble, sizeof dim->valuedouble, key);
    return scan_hash("", 0, key);
}

const char *shapes_of_fact(Arena *a, const Text *fact, uint64_t *key)
{
    cJSON *list = fact->n ? cJSON_ParseWithLength(fact->p, fact->n) : NULL;
    const char *text = shapes_text(a, list, key);
    cJSON_Delete(list);
    return text;
}

const char *shapes_text(Arena *a, const cJSON *list, uint64_t *key)
{
    const cJSON *item;
    const char *text = NULL;
    int n = 0;
    if (!cJSON_IsArray(list))
        return NULL;
    cJSON_ArrayForEach(item, list)
    {
        const cJSON *shape = cJSON_IsObject(item) ? item->child : item;
        if (++n > SHAPES_MAX)
            *key = add_to_key(*key, shape);
        else
            text =
                arena_printf(a, "%s%s%s", text ? text : "", text ? " " : "", one_shape(a, shape));
    }
    return n > SHAPES_MAX ? arena_printf(a, "%s …", text) : text;
}
