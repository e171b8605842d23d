/* Measures the terminal, counts columns of UTF-8 and breaks lines at blanks. */
#include "graph/base/wrap.h"

#include "graph/base/limits.h"
#include "graph/base/wording.h"

#include <sys/ioctl.h>

enum { WIDTH_MIN = 40, WIDTH_MAX = 100, WIDTH_DEFAULT = 80 };

/* Characters beyond ASCII in the help, and their ASCII replacements. */
static const struct {
    const char *text, *plain;
} ascii_for[] = {{"…", "..."}, {"→", "->"}, {"×", "x"}, {"µ", "u"}, {"·", "-"}, {"–", "-"}};

static bool locale_is_c(void)
{
    static const char *const variable[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof variable / sizeof *variable; i++) {
        const char *value = getenv(variable[i]);
        if (value && *value)
            return !strcmp(value, "C") || !strcmp(value, "POSIX");
    }
    return false;
}

int wrap_columns(FILE *terminal, int least, int most)
{
    struct winsize size;
    int width = ioctl(fileno(terminal), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col
                                                                                   : WIDTH_DEFAULT;
    return width < least ? least : width > most ? most : width;
}

Wrap wrap_for(FILE *terminal)
{
    return (Wrap){wrap_columns(terminal, WIDTH_MIN, WIDTH_MAX), locale_is_c()};
}

/* One character of `text` as it is to be printed; *ret_size: its bytes in the text. */
static const char *printable_char(const Wrap *w, const char *text, size_t *ret_size,
                                  char buf[static 8])
{
    size_t n = 1;
    while (((unsigned char)text[n] & 0xc0) == 0x80 && n < 4)
        n++;
    *ret_size = n;
    for (size_t i = 0; w->ascii && i < sizeof ascii_for / sizeof *ascii_for; i++)
        if (strlen(ascii_for[i].text) == n && !memcmp(ascii_for[i].text, text, n))
            return ascii_for[i].plain;
    memcpy(buf, text, n);
    buf[n] = '\0';
    return w->ascii && n > 1 ? "?" : buf;
}

static int write_columns(const Wrap *w, const char *text, size_t size, FILE *out)
{
    int all = 0;
    char buf[8];
    for (size_t at = 0, n; at < size; at += n) {
        const char *shown = printable_char(w, text + at, &n, buf);
        bool wide = (unsigned char)*shown >= 0xe3 && (unsigned char)*shown <= 0xed; /* Hangul … */
        all += *shown >= 0 ? (int)strlen(shown) : 1 + wide;
        if (out)
            fputs(shown, out);
    }
    return all;
}

int wrap_put(const Wrap *w, FILE *out, const char *text)
{
    text = wording_of(text);
    return write_columns(w, text, strlen(text), out);
}

static int new_line(FILE *out, int left)
{
    fprintf(out, "\n%*s", left, "");
    return left;
}

/* Words from where the line stands, continued at `left`; ends the line. */
static void put_words(const Wrap *w, FILE *out, int left, int at, const char *text)
{
    for (bool first = true; *text; first = false) {
        size_t size = strcspn(text, " ");
        if (!first && at + 1 + write_columns(w, text, size, NULL) > w->width)
            at = new_line(out, left);
        else if (!first)
            at += fprintf(out, " ");
        at += write_columns(w, text, size, out);
        text += size + (text[size] == ' ');
    }
    putc('\n', out);
}

void wrap_words(const Wrap *w, FILE *out, int left, int at, const char *text)
{
    at = at >= left && left > 0 ? new_line(out, left) : at + fprintf(out, "%*s", left - at, "");
    put_words(w, out, left, at, wording_of(text));
}

static void put_line(const Wrap *w, FILE *out, const char *line, size_t size)
{
    enum { HANGING = 2, INDENT_MAX = 16 };
    size_t indent = strspn(line, " ");
    char *text = strndup(line, size);
    if (!text)
        limits_out_of_memory();
    if (write_columns(w, line, size, NULL) <= w->width || indent > INDENT_MAX)
        fprintf(out, "%s\n", text);
    else
        put_words(w, out, (int)indent + HANGING, fprintf(out, "%*s", (int)indent, ""),
                  text + indent);
    free(text);
}

void wrap_lines(const Wrap *w, FILE *out, const char *text)
{
    while (*text) {
        size_t size = strcspn(text, "\n");
        put_line(w, out, text, size);
        text += size + (text[size] == '\n');
    }
}
