/* Finds the languages as files of the data folder, reads one into a map from message id to words,
 * and makes it the one that is spoken. */
#include "graph/base/language.h"

#include "graph/base/data.h"
#include "graph/base/folder.h"
#include "graph/base/xml.h"

struct Language {
    const char *tag;
    StrMap by_id;
    const char **words;
    size_t nword, cap;
};

/* To the letter: a space at an end stands between it and what it is put before. */
static const char *words_of(Arena *a, const xmlNode *n)
{
    xmlChar *text = xmlNodeGetContent(n);
    const char *copy = arena_strdup(a, text ? (const char *)text : "");
    xmlFree(text);
    return copy;
}

static void read_words(Arena *a, const xmlNode *root, Language *l)
{
    strmap_init(&l->by_id, a, 512);
    for (const xmlNode *n = xml_child(root, "says"); n; n = xml_next(n)) {
        strmap_put(&l->by_id, xml_attr_or(a, n, "id", xml_attr(a, n, "text")), (uint32_t)l->nword);
        *VEC_PUSH(a, l->words, l->nword, l->cap) = words_of(a, n);
    }
}

static Status load_language(Arena *a, const char *path, const char *rng, const Language **ret,
                            Diag *diag)
{
    xmlDoc *doc;
    Status st = xml_load(path, rng, &doc, diag);
    if (st)
        return st;
    const xmlNode *root = xmlDocGetRootElement(doc);
    Language *l = ARENA_NEW(a, Language);
    l->tag = xml_attr(a, root, "tag");
    read_words(a, root, l);
    xmlFreeDoc(doc);
    *ret = l;
    return STATUS_OK;
}

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
                      load_language(a, data_path(a, arena_printf(a, "lang/%s%s", tag, suffix)),
                                    data_path(a, "schema/lang.rng"), ret, diag),
                      diag_set(diag, STATUS_USAGE, NULL, NULL, "--lang '%s' is not one of %s", tag,
                               language_choice(a)));
}

const char *language_tag(const Language *l)
{
    return l ? l->tag : "en";
}

const char *language_words(const Language *l, const MessageId *s)
{
    uint32_t i = l ? strmap_get(&l->by_id, s->id) : STRMAP_NONE;
    return i == STRMAP_NONE ? s->english : l->words[i];
}

static const Language *spoken;

const Language *language_spoken(void)
{
    return spoken;
}

static const char *words_of_text(const char *english)
{
    return language_words(spoken, &(MessageId){english, english});
}

Status language_choose(Arena *a, int argc, char **argv, const char *flag, Diag *diag)
{
    const char *tag = "en";
    size_t n = strlen(flag);
    for (int i = 1; i < argc; i++)
        if (!strncmp(argv[i], flag, n) && (argv[i][n] == '=' || (!argv[i][n] && i + 1 < argc)))
            tag = argv[i][n] ? argv[i] + n + 1 : argv[i + 1];
    Status st = language_named(a, tag, &spoken, diag);
    wording_use(spoken ? words_of_text : NULL);
    return st;
}
