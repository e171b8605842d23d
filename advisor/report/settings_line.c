/* Joins the lists of one entry of gate.settings into a line. */
#include "advisor/report/settings_line.h"

#include "advisor/message/phrase.h"

enum { SHOWN = 20 }; /* of one list; all are in the JSON */

static const char *add_list(Arena *a, const char *line, const char *word, const ResultTexts *list)
{
    for (size_t i = 0; i < list->count && i <= SHOWN; i++)
        line = i == SHOWN ? arena_printf(a, "%s, …", line)
                          : arena_printf(a, "%s%s %s", line, i ? "," : word, list->item[i]);
    return line;
}

const char *settings_line(Arena *a, const ResultSetting *entry, const Language *lang)
{
    const char *role = phrase_by_key(lang, "SETTINGS_", result_role_words[entry->role]);
    const char *line = arena_printf(a, "%s %s", entry->file, role);
    line = add_list(a, line, phrase_text(lang, PHRASE_TAKES_AWAY), &entry->took_away);
    return add_list(a, line, phrase_text(lang, PHRASE_WITHOUT_EFFECT), &entry->ignored);
}
