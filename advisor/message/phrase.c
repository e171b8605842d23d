/* Holds the table of phrases, and fills one with its arguments. */
#include "advisor/message/phrase.h"

#include <stdarg.h>

static const MessageId phrases[] = {
#define PHRASE(id, english) {#id, english},
#include "advisor/message/messages.h"
};
static_assert(sizeof phrases / sizeof *phrases == PHRASE_COUNT, "a text for each phrase");

const char *phrase_text(const Language *lang, PhraseId id)
{
    assert((unsigned)id < PHRASE_COUNT);
    return language_words(lang, &phrases[id]);
}

MessageArg phrase_arg(PhraseId id)
{
    assert((unsigned)id < PHRASE_COUNT);
    return arg_message_id(&phrases[id]);
}

const char *phrase_format(Phrase *buf, const Language *lang, PhraseId id, ...)
{
    enum { COUNT_MAX = 6 };
    const char *arg[COUNT_MAX] = {"", "", "", "", "", ""}, *next;
    va_list ap;
    va_start(ap, id);
    for (int i = 0; i < COUNT_MAX && (next = va_arg(ap, const char *)); i++)
        arg[i] = lang ? wording_of(next) : next;
    va_end(ap);
    wording_fill(buf->text, sizeof buf->text, phrase_text(lang, id), arg, COUNT_MAX);
    return buf->text;
}

void phrase_put(const PhraseOut *o, const MessageArg *arg, size_t n)
{
    fputs(message_format(o->arena, o->lang, message_new(o->arena, arg, n)), o->out);
}

const char *phrase_measure_it(Phrase *buf, const Language *lang, const char *record)
{
    return phrase_format(buf, lang, record ? PHRASE_MEASURE_IT_BY : PHRASE_MEASURE_IT, record,
                         NULL);
}

const char *phrase_count(char text[32], int64_t n)
{
    snprintf(text, 32, "%" PRId64, n);
    return text;
}

static int matches_key(const char *id, const char *prefix, const char *key)
{
    size_t n = strlen(prefix);
    if (strncmp(id, prefix, n))
        return 0;
    for (id += n; *id && *key; id++, key++)
        if (*id != (strchr("-. /", *key) ? '_' : toupper((unsigned char)*key)))
            return 0;
    return !*id && !*key;
}

char *phrase_heads(Arena *a, const Language *lang, const char *prefix)
{
    char *list = arena_strdup(a, "");
    size_t n = strlen(prefix);
    for (int i = 0; i < PHRASE_COUNT; i++) {
        const char *text = phrase_text(lang, (PhraseId)i);
        size_t end = strcspn(text, ":(");
        end -= end && text[end - 1] == ' ';
        if (!strncmp(phrases[i].id, prefix, n) && phrases[i].id[n + 1]) /* no letter of a grade */
            list = arena_printf(a, "%s%s%.*s", list, *list ? ", " : "", (int)end, text);
    }
    return list;
}

const char *phrase_by_key(const Language *lang, const char *prefix, const char *key)
{
    return LIST_VALUE(i, PHRASE_COUNT, matches_key(phrases[i].id, prefix, key),
                      phrase_text(lang, (PhraseId)i), key);
}
