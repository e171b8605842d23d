/* Reads names, quoted texts and HTML texts of DOT, each with its line. */
#include "graph/import/dot_scan.h"

static bool at_text(const DotScan *s, const char *word)
{
    size_t n = strlen(word);
    return (size_t)(s->end - s->p) >= n && memcmp(s->p, word, n) == 0;
}

static void skip_to(DotScan *s, const char *word)
{
    while (s->p < s->end && !at_text(s, word))
        s->line += *s->p++ == '\n';
    if (s->p < s->end)
        s->p += strlen(word);
}

static void skip_blank(DotScan *s)
{
    while (s->p < s->end) {
        if (isspace((unsigned char)*s->p)) {
            s->line += *s->p++ == '\n';
        } else if (*s->p == '#' || at_text(s, "//")) {
            while (s->p < s->end && *s->p != '\n')
                s->p++;
        } else if (at_text(s, "/*")) {
            skip_to(s, "*/");
        } else {
            return;
        }
    }
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || (unsigned char)c >= 128;
}

/* "text" with its escapes as they are, or <html> with balanced brackets. */
static bool read_quoted(DotScan *s, char close)
{
    const char *from = ++s->p;
    int open = 1;
    bool escaped = false;
    for (; s->p < s->end; s->p++) {
        s->line += *s->p == '\n';
        if (escaped)
            escaped = false;
        else if (close == '"' && *s->p == '\\')
            escaped = true;
        else if (close == '>' && *s->p == '<')
            open++;
        else if (*s->p == close && --open == 0)
            break;
    }
    if (s->p >= s->end)
        return false;
    s->now = (DotToken){TOKEN_ID, 0, arena_strndup(s->arena, from, (size_t)(s->p - from))};
    s->p++;
    return true;
}

void dot_scan_next(DotScan *s)
{
    skip_blank(s);
    s->now = (DotToken){TOKEN_END, 0, NULL};
    if (s->p >= s->end)
        return;
    if (at_text(s, "->") || at_text(s, "--")) {
        s->p += 2;
        s->now.kind = TOKEN_ARROW;
    } else if (*s->p == '"' || *s->p == '<') {
        if (!read_quoted(s, *s->p == '"' ? '"' : '>'))
            s->now.kind = TOKEN_BAD;
    } else if (strchr("{}[];,=:+", *s->p)) {
        s->now = (DotToken){TOKEN_MARK, *s->p++, NULL};
    } else if (is_word(*s->p) || *s->p == '-') {
        const char *from = s->p++;
        while (s->p < s->end && is_word(*s->p))
            s->p++;
        s->now = (DotToken){TOKEN_ID, 0, arena_strndup(s->arena, from, (size_t)(s->p - from))};
    } else {
        s->now.kind = TOKEN_BAD;
    }
}

bool dot_scan_at_mark(const DotScan *s, char mark)
{
    return s->now.kind == TOKEN_MARK && s->now.mark == mark;
}

void dot_scan_begin(DotScan *s, Arena *a, const char *text, size_t size)
{
    *s = (DotScan){.arena = a, .p = text, .end = text + size, .line = 1};
    dot_scan_next(s);
}
