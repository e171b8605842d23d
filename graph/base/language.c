/* Reads a language file into a map from message id to words, and puts arguments into words. */
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
        strmap_put(&l->by_id, xml_attr(a, n, "id"), (uint32_t)l->nword);
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

typedef struct {
    char *text;
    size_t size, len, wanted;
} Sentence;

/* What fits, without cutting a character. */
static void append_bytes(Sentence *s, const char *text, size_t len)
{
    size_t fits = s->size ? s->size - 1 - s->len : 0;
    s->wanted += len;
    if (len > fits)
        while (fits && ((unsigned char)text[fits] & 0xc0) == 0x80)
            fits--;
    else
        fits = len;
    memcpy(s->text + s->len, text, fits);
    s->len += fits;
}

/* The word of "one|many}" that fits the number; returns the text after the brace. */
static const char *append_plural(Sentence *s, const char *words, const char *number)
{
    size_t len = strcspn(words, "|}");
    if (strcmp(number, "1") && words[len] == '|') {
        words += len + 1;
        len = strcspn(words, "}");
    }
    append_bytes(s, words, len);
    words += strcspn(words, "}");
    return words + (*words == '}');
}

/* The hole that starts at `p`, or the text up to the next one; what follows it. */
static const char *append_next(Sentence *s, const char *p, const char *const *arg, size_t narg)
{
    size_t k = p[0] == '{' && p[1] >= '0' && p[1] <= '9' ? (size_t)(p[1] - '0') : narg;
    if (k >= narg || (p[2] != '}' && p[2] != '|')) {
        size_t len = 1 + strcspn(p + 1, "{");
        append_bytes(s, p, len);
        return p + len;
    }
    if (p[2] == '|')
        return append_plural(s, p + 3, arg[k]);
    append_bytes(s, arg[k], strlen(arg[k]));
    return p + 3;
}

size_t language_fill(char *text, size_t size, const char *words, const char *const *arg,
                     size_t narg)
{
    char none[1];
    Sentence s = {.text = size ? text : none, .size = size};
    while (*words)
        words = append_next(&s, words, arg, narg);
    s.text[s.len] = '\0';
    return s.wanted;
}
