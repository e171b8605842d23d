/* JSON in the text of a test, where ' stands for ". */
#pragma once

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

/* In place. */
static inline char *json_quote(char *text)
{
    for (char *c = text; *c; c++)
        *c = *c == '\'' ? '"' : *c;
    return text;
}

/* The caller frees it; a text that is no JSON ends the test. */
static inline cJSON *json_from_quoted(const char *text)
{
    char *copy = json_quote(strdup(text));
    cJSON *o = cJSON_Parse(copy);
    free(copy);
    if (!o)
        abort();
    return o;
}
