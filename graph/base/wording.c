/* Formats texts by the words that the language in use has for their English. */
#include "graph/base/wording.h"

#include <stdarg.h>

static WordingOf *words_in_use;

void wording_use(WordingOf *words_of)
{
    words_in_use = words_of;
}

const char *wording_of(const char *english)
{
    return words_in_use ? words_in_use(english) : english;
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

/* Appends the placeholder at `p`, or the text up to the next one; returns the text after it. */
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

size_t wording_fill(char *text, size_t size, const char *words, const char *const *arg, size_t narg)
{
    char none[1];
    Sentence s = {.text = size ? text : none, .size = size};
    while (*words)
        words = append_next(&s, words, arg, narg);
    s.text[s.len] = '\0';
    return s.wanted;
}

enum { ARGS_MAX = 10, FORM_BYTES = 256, GIVEN_BYTES = 4096 };

/* The conversions of a format, each with a separator after it. */
static void list_conversions(char form[FORM_BYTES], const char *fmt)
{
    size_t used = 0, len = 0;
    form[0] = '\0';
    for (const char *p = strchr(fmt, '%'); p && used < FORM_BYTES; p = strchr(p + len, '%')) {
        len = 2 + strcspn(p + 1, "%cdfgisuxX");
        if (p[1] != '%')
            used += (size_t)snprintf(form + used, FORM_BYTES - used, "%.*s\x1f", (int)len, p);
    }
}

int wording_vprint(char *text, size_t size, const char *fmt, va_list ap)
{
    const char *words = wording_of(fmt), *arg[ARGS_MAX];
    char form[FORM_BYTES], given[GIVEN_BYTES], *rest = given;
    size_t n = 0;
    if (words == fmt)
        return vsnprintf(text, size, fmt, ap);
    list_conversions(form, fmt);
    va_list again;
    va_copy(again, ap);
    bool fits = vsnprintf(given, sizeof given, form, again) < GIVEN_BYTES;
    va_end(again);
    if (!fits)
        return vsnprintf(text, size, fmt, ap);
    for (char *one = NULL; n < ARGS_MAX && (one = strsep(&rest, "\x1f")) && rest;)
        arg[n++] = wording_of(one);
    return (int)wording_fill(text, size, words, arg, n);
}
