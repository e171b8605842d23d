/* Wraps at blanks by displayed width, and leaves escape sequences out of the count. */
#include "advisor/message/text_out.h"

#include "advisor/message/plain.h"
#include "graph/base/log_command.h"
#include "graph/base/wrap.h"

#include <stdarg.h>

#define NO_BREAK "\xc2\xa0"

size_t text_room(TextOut *t)
{
    return t->room ? t->room : (t->room = (size_t)wrap_columns(t->out, 60, 160));
}

static void begin_style(const TextOut *t, TextStyle style)
{
    static const char *const code[] = {"", "1", "32", "31", "2", "36"};
    static_assert(sizeof code / sizeof *code == STYLE_FIX + 1, "a code for each style");
    assert(style <= STYLE_FIX);
    if (t->colour && style != STYLE_NONE)
        fprintf(t->out, "\033[%sm", code[style]);
}

static void end_style(const TextOut *t, TextStyle style)
{
    if (t->colour && style != STYLE_NONE)
        fputs("\033[0m", t->out);
}

static void put_blanks(TextOut *t, size_t n)
{
    fprintf(t->out, "%*s", (int)n, "");
    t->column += n;
}

void text_line(TextOut *t, size_t first, size_t indent)
{
    t->column = 0;
    t->gap = 0;
    t->fresh = true;
    t->indent = indent;
    put_blanks(t, first);
}

static void break_line(TextOut *t, TextStyle style)
{
    end_style(t, style);
    fputs(t->command ? " \\\n" : "\n", t->out);
    t->lines++;
    t->column = 0;
    t->fresh = true;
    put_blanks(t, t->indent);
    begin_style(t, style);
}

/* Shows one word: everything up to a blank.  One that is longer than a line is broken, unless it
 * is part of a command; of an absurdly long one only the beginning is shown, the whole is in the
 * JSON. */
static void put_word(TextOut *t, TextStyle style, const char *word, const char *end)
{
    enum { WORD_COLUMNS = 400 };
    if (t->fresh && log_command_begins(word)) {
        putc('\\', t->out);
        t->column++;
    }
    t->fresh = false;
    for (size_t shown = 0; word < end;) {
        char buf[PLAIN_CHAR_SIZE];
        int width = 1;
        if (shown >= WORD_COLUMNS) {
            fputs("…", t->out);
            t->column++;
            return;
        }
        if (!strncmp(word, NO_BREAK, 2)) {
            putc(' ', t->out);
            word += 2;
        } else {
            const char *text = plain_char(buf, &word, &width);
            if (!t->command && t->column + (size_t)width > text_room(t))
                break_line(t, style);
            fputs(text, t->out);
        }
        t->column += (size_t)width;
        shown += (size_t)width;
    }
}

static size_t word_width(const char *word, const char *end)
{
    size_t columns = 0;
    while (word < end) {
        char buf[PLAIN_CHAR_SIZE];
        int width = 1;
        plain_char(buf, &word, &width);
        columns += (size_t)width;
    }
    return columns;
}

/* Puts the blanks due before a word of that width, or a new line in their place where the word ends
 * beyond `room` columns. */
static void put_gap(TextOut *t, TextStyle style, size_t width, size_t room)
{
    if (t->gap && t->column + t->gap + width > room && t->column > t->indent) {
        break_line(t, style);
    } else {
        put_blanks(t, t->gap);
    }
    t->gap = 0;
}

/* A number and its unit are one word: "98.4 %", "1.2 ms,". */
static const char *word_end(const char *word)
{
    static const char *const unit[] = {"%", "ns", "µs", "ms", "s", "KiB", "MiB", "GiB"};
    const char *end = word + strcspn(word, " "), *next = end + 1;
    if (end == word || !*end || !strchr("0123456789", end[-1]))
        return end;
    size_t n = strcspn(next, " ,.;:)");
    bool joined =
        LIST_ANY(i, sizeof unit / sizeof *unit, strlen(unit[i]) == n && !strncmp(unit[i], next, n));
    return joined ? next + strcspn(next, " ") : end;
}

void text_put(TextOut *t, TextStyle style, const char *words)
{
    size_t gap = strspn(words, " ");
    t->gap += gap;
    words += gap;
    if (!*words)
        return;
    begin_style(t, style);
    while (*words) {
        const char *end = t->command ? words + strcspn(words, " ") : word_end(words);
        size_t backslash = t->command && *end ? 2 : 0;
        put_gap(t, style, word_width(words, end), text_room(t) - backslash);
        put_word(t, style, words, end);
        t->gap = strspn(end, " ");
        words = end + t->gap;
    }
    end_style(t, style);
}

void text_putf(TextOut *t, TextStyle style, const char *fmt, ...)
{
    char text[4096];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    text_put(t, style, text);
}

void text_to(TextOut *t, size_t column)
{
    t->gap = t->column < column || t->fresh ? 0 : 1;
    if (column >= text_room(t))
        break_line(t, STYLE_NONE);
    else if (t->column < column)
        put_blanks(t, column - t->column);
}

void text_cell(TextOut *t, size_t column, TextStyle style, const char *words)
{
    text_to(t, column);
    text_put(t, style, words);
}

void text_paragraph(TextOut *t, TextPlace place, TextStyle style, const char *words)
{
    if (!*words)
        return;
    text_line(t, place.first, place.indent);
    text_put(t, style, words);
    text_end(t);
}

void text_end(TextOut *t)
{
    putc('\n', t->out);
    t->lines++;
    t->column = t->gap = 0;
    t->fresh = true;
    t->command = false;
}

void text_heads(TextOut *t, const TextHead *head, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        text_to(t, head[i].column);
        text_put(t, STYLE_DIM, head[i].text);
    }
    text_end(t);
}
