/* Sentences in Korean. */
#include "advisor/say/sentence.h"

#include <stdbool.h>
#include <string.h>

enum { HOLES = 6, DEEPEST = 3, LONGEST = 600 };

static const struct {
    const char *en, *ko;
} sentences[] = {
#define SENTENCE(en, ko) {en, ko},
#include "advisor/say/sentences.def"
#undef SENTENCE
};

/* What stands in {0} …; a name in quotes is nobody's to translate. */
typedef struct {
    const char *text;
    size_t len;
    bool is_name;
} Hole;

/* The first place of the `len` bytes of `part` in `text`; at its very end when nothing follows
 * them. */
static const char *find_part(const char *text, const char *part, size_t len)
{
    size_t size = strlen(text);
    if (!part[len])
        return size < len || memcmp(text + size - len, part, len) ? NULL : text + size - len;
    return memmem(text, size, part, len);
}

/* True when `text` is `pattern` filled in. */
static bool is_filled(const char *pattern, const char *text, Hole *hole)
{
    size_t len = strcspn(pattern, "{");
    if (strncmp(pattern, text, len))
        return false;
    text += len;
    while (pattern[len]) {
        Hole *h = &hole[pattern[len + 1] - '0'];
        h->is_name = len && pattern[len - 1] == '\'';
        pattern += len + strlen("{0}");
        len = strcspn(pattern, "{");
        const char *end = find_part(text, pattern, len);
        if (!end)
            return false;
        h->text = text;
        h->len = (size_t)(end - text);
        text = end + len;
    }
    return !*text;
}

static const char *translate(Phrase *buf, const char *text, int depth);

static const char *hole_in(Phrase *buf, const Hole *h, int depth)
{
    char text[LONGEST + 1];
    memcpy(text, h->text, h->len);
    text[h->len] = '\0';
    const char *said = h->is_name ? text : translate(buf, text, depth + 1);
    return said == text ? strcpy(buf->text, text) : said;
}

static void fill(Phrase *buf, const char *ko, const Hole *hole, int depth)
{
    size_t used = 0;
    for (const char *p = ko; *p;) {
        size_t len = strcspn(p, "{");
        used = phrase_append(buf, used, p, len);
        p += len;
        if (!*p)
            break;
        Phrase inner;
        const char *said = hole_in(&inner, &hole[p[1] - '0'], depth);
        used = phrase_append(buf, used, said, strlen(said));
        p += strlen("{0}");
    }
}

static const char *translate(Phrase *buf, const char *text, int depth)
{
    if (depth > DEEPEST || strlen(text) > LONGEST)
        return text;
    for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++) {
        Hole hole[HOLES] = {0};
        if (!is_filled(sentences[i].en, text, hole))
            continue;
        fill(buf, sentences[i].ko, hole, depth);
        return buf->text;
    }
    return text;
}

const char *sentence_in(Phrase *buf, const char *lang, const char *text)
{
    return strcmp(lang, "ko") ? text : translate(buf, text, 0);
}
