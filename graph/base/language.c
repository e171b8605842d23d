/* Reads a language file into a map from message id to words, and makes it the one that is spoken.
 */
#include "graph/base/language.h"

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
        const char *id = xml_attr(a, n, "id");
        strmap_put(&l->by_id, id ? id : xml_attr(a, n, "text"), (uint32_t)l->nword);
        *VEC_PUSH(a, l->words, l->nword, l->cap) = words_of(a, n);
    }
}

Status language_load(Arena *a, const char *path, const char *rng, const Language **ret, Diag *diag)
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

void language_speak(const Language *l)
{
    spoken = l;
    wording_use(l ? words_of_text : NULL);
}
