/* Joins the lists of one entry of gate.settings into a line. */
#include "advisor/report/tree_settings_line.h"

#include "advisor/message/phrase.h"

enum { SHOWN = 20 }; /* of one list; all are in the JSON */

static const char *add_list(Arena *a, const char *line, const char *word, const cJSON *list)
{
    const cJSON *x;
    size_t n = 0;
    cJSON_ArrayForEach(x, list)
    {
        if (!cJSON_IsString(x) || n > SHOWN)
            continue;
        line = n == SHOWN ? arena_printf(a, "%s, …", line)
                          : arena_printf(a, "%s%s %s", line, n ? "," : word, x->valuestring);
        n++;
    }
    return line;
}

const char *tree_settings_line(Arena *a, const cJSON *entry, const Language *lang)
{
    const char *role = phrase_by_key(lang, "SETTINGS_", json_text(entry, "role", "?"));
    const char *line = arena_printf(a, "%s %s", json_text(entry, "file", "?"), role);
    line = add_list(a, line, phrase_text(lang, PHRASE_TAKES_AWAY), json_at(entry, "took_away"));
    return add_list(a, line, phrase_text(lang, PHRASE_WITHOUT_EFFECT), json_at(entry, "ignored"));
}
