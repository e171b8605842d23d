/* Fills the numbered holes of a phrase and chooses between its singular and its plural. */
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

/* Bytes of `s` that fit into `room` without cutting a character. */
static size_t fitting_bytes(const char *s, size_t len, size_t room)
{
    if (len <= room)
        return len;
    while (room && ((unsigned char)s[room] & 0xc0) == 0x80)
        room--;
    return room;
}

static size_t phrase_append(Phrase *buf, size_t used, const char *s, size_t len)
{
    assert(used < sizeof buf->text);
    len = fitting_bytes(s, len, sizeof buf->text - 1 - used);
    memcpy(buf->text + used, s, len);
    buf->text[used + len] = '\0';
    return used + len;
}

enum { COUNT_MAX = 6 };

/* Appends the word of "one|many}" that fits the number; returns the text after the brace. */
static const char *fill_plural(Phrase *buf, size_t *used, const char *words, const char *number)
{
    size_t len = strcspn(words, "|}");
    if (strcmp(number, "1") && words[len] == '|') {
        words += len + 1;
        len = strcspn(words, "}");
    }
    *used = phrase_append(buf, *used, words, len);
    words += strcspn(words, "}");
    return words + (*words == '}');
}

static void fill_phrase(Phrase *buf, const char *words, const char *const arg[COUNT_MAX])
{
    size_t used = 0;
    buf->text[0] = '\0';
    for (const char *p = words; *p;) {
        bool hole = p[0] == '{' && p[1] >= '0' && p[1] < '0' + COUNT_MAX;
        const char *text = hole && arg[p[1] - '0'] ? arg[p[1] - '0'] : "";
        if (hole && p[2] == '}') {
            used = phrase_append(buf, used, text, strlen(text));
            p += 3;
        } else if (hole && p[2] == '|') {
            p = fill_plural(buf, &used, p + 3, text);
        } else {
            size_t len = 1 + strcspn(p + 1, "{");
            used = phrase_append(buf, used, p, len);
            p += len;
        }
    }
}

const char *phrase_format(Phrase *buf, const Language *lang, PhraseId id, ...)
{
    const char *arg[COUNT_MAX] = {0};
    va_list ap;
    va_start(ap, id);
    for (int i = 0; i < COUNT_MAX && (arg[i] = va_arg(ap, const char *)); i++)
        ;
    va_end(ap);
    fill_phrase(buf, phrase_text(lang, id), arg);
    return buf->text;
}

const char *phrase_measure_it(Phrase *buf, const Language *lang, const char *record)
{
    return phrase_format(buf, lang, record ? PHRASE_MEASURE_IT_BY : PHRASE_MEASURE_IT, record,
                         NULL);
}

static int matches_key(const char *id, const char *prefix, const char *key)
{
    size_t n = strlen(prefix);
    if (strncmp(id, prefix, n))
        return 0;
    for (id += n; *id && *key; id++, key++)
        if (*id != (*key == '-' ? '_' : toupper((unsigned char)*key)))
            return 0;
    return !*id && !*key;
}

const char *phrase_by_key(const Language *lang, const char *prefix, const char *key)
{
    return LIST_VALUE(i, PHRASE_COUNT, matches_key(phrases[i].id, prefix, key),
                      phrase_text(lang, (PhraseId)i), key);
}
