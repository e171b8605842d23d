/* Adds values to a JSON tree; a missing value becomes null. */
#include "advisor/message/json.h"

void json_add_text(cJSON *o, const char *key, const char *text)
{
    cJSON_AddItemToObject(o, key, text ? cJSON_CreateString(text) : cJSON_CreateNull());
}

void json_add_number(cJSON *o, const char *key, double v)
{
    cJSON_AddItemToObject(o, key, isfinite(v) ? cJSON_CreateNumber(v) : cJSON_CreateNull());
}

void json_add_texts(cJSON *o, const char *key, const char *const *text, size_t n)
{
    assert(text || n == 0);
    cJSON *list = cJSON_AddArrayToObject(o, key);
    for (size_t i = 0; i < n; i++)
        cJSON_AddItemToArray(list, cJSON_CreateString(text[i]));
}

cJSON *json_ids(const uint32_t *id, size_t n)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < n; i++)
        cJSON_AddItemToArray(list, cJSON_CreateNumber(id[i]));
    return list;
}

cJSON *json_add_row(cJSON *list)
{
    cJSON *row = cJSON_CreateObject();
    cJSON_AddItemToArray(list, row);
    return row;
}
