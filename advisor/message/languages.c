/* Finds the languages as files of the data folder. */
#include "advisor/message/languages.h"

#include "graph/base/folder.h"
#include "graph/base/data.h"

static const char suffix[] = ".xml";

static const char **list_language_tags(Arena *a, size_t *ret_count)
{
    const char **name = NULL;
    Diag unused;
    *ret_count = 0;
    if (folder_list(a, data_path(a, "lang"), suffix, &name, ret_count, &unused))
        return NULL;
    for (size_t i = 0; i < *ret_count; i++)
        name[i] = arena_strndup(a, name[i], strlen(name[i]) - (sizeof suffix - 1));
    return name;
}

const char *language_choice(Arena *a)
{
    size_t n;
    const char **name = list_language_tags(a, &n), *text = "en";
    for (size_t i = 0; i < n; i++)
        if (strcmp(name[i], "en"))
            text = arena_printf(a, "%s|%s", text, name[i]);
    return text;
}

Status language_named(Arena *a, const char *tag, const Language **ret, Diag *diag)
{
    size_t n;
    const char **name = list_language_tags(a, &n);
    *ret = NULL;
    if (strcmp(tag, "en") == 0)
        return STATUS_OK;
    return LIST_VALUE(i, n, strcmp(tag, name[i]) == 0,
                      language_load(a, data_path(a, arena_printf(a, "lang/%s%s", tag, suffix)),
                                    data_path(a, "schema/lang.rng"), ret, diag),
                      diag_set(diag, STATUS_USAGE, NULL, NULL, "--lang '%s' is not one of %s", tag,
                               language_choice(a)));
}
