/* Escapes text one character at a time and picks a code fence that the text cannot close. */
#include "advisor/message/markdown.h"

#include "advisor/message/plain.h"

static void put_plain(FILE *out, const char **s)
{
    char buf[PLAIN_CHAR_SIZE];
    int width;
    fputs(plain_char(buf, s, &width), out);
}

void markdown_text(FILE *out, const char *s)
{
    while (*s) {
        if (*s == '\n') {
            putc(' ', out);
            s++;
            continue;
        }
        if (strchr("\\`*_[]<>|#~&", *s))
            putc('\\', out);
        put_plain(out, &s);
    }
}

void markdown_code(FILE *out, const char *s)
{
    putc('`', out);
    while (*s) {
        if (*s == '`' || *s == '\n' || *s == '|')
            putc(*s == '`' ? '\'' : *s == '\n' ? ' ' : '/', out);
        else {
            put_plain(out, &s);
            continue;
        }
        s++;
    }
    putc('`', out);
}

/* One backtick more than the longest run of them in the text, at least three. */
static int fence_length(const char *s)
{
    int longest = 2, run = 0;
    for (; *s; s++) {
        run = *s == '`' ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest + 1;
}

static void put_fence(FILE *out, int n)
{
    while (n-- > 0)
        putc('`', out);
    putc('\n', out);
}

void markdown_block(FILE *out, const char *s)
{
    int fence = fence_length(s);
    assert(fence >= 3);
    put_fence(out, fence);
    while (*s) {
        if (*s == '\n')
            putc(*s++, out);
        else
            put_plain(out, &s);
    }
    putc('\n', out);
    put_fence(out, fence);
}
