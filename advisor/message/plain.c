/* Decodes UTF-8, measures characters and replaces those that could mislead a reader. */
#include "advisor/message/plain.h"

#include "graph/base/list.h"
#include "graph/base/log_command.h"

enum { REPLACEMENT = 0xfffd };

/* Length of the sequence that a lead byte announces, 0 if it announces none. */
static int sequence_length(unsigned char lead)
{
    if (lead < 0x80)
        return 1;
    if (lead >= 0xc2 && lead < 0xe0)
        return 2;
    if (lead >= 0xe0 && lead < 0xf0)
        return 3;
    return lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
}

static bool is_scalar(uint32_t c, int len)
{
    static const uint32_t first[] = {0, 0, 0x80, 0x800, 0x10000};
    return c >= first[len] && c <= 0x10ffff && !(c >= 0xd800 && c <= 0xdfff);
}

uint32_t plain_decode(const char **s)
{
    const unsigned char *p = (const unsigned char *)*s;
    assert(*p);
    int len = sequence_length(*p);
    uint32_t c = len == 1 ? *p : *p & (0x7fu >> len);
    for (int i = 1; i < len; i++) {
        if ((p[i] & 0xc0) != 0x80) { /* also the end of the string */
            len = 0;
            break;
        }
        c = c << 6 | (p[i] & 0x3fu);
    }
    bool valid = len && is_scalar(c, len);
    *s += valid ? len : 1;
    return valid ? c : REPLACEMENT;
}

char *plain_encode(char utf8[5], uint32_t c)
{
    char *p = utf8;
    assert(c <= 0x1fffff); /* four bytes hold no more */
    if (c < 0x80) {
        *p++ = (char)c;
    } else if (c < 0x800) {
        *p++ = (char)(0xc0 | c >> 6);
        *p++ = (char)(0x80 | (c & 0x3f));
    } else if (c < 0x10000) {
        *p++ = (char)(0xe0 | c >> 12);
        *p++ = (char)(0x80 | (c >> 6 & 0x3f));
        *p++ = (char)(0x80 | (c & 0x3f));
    } else {
        *p++ = (char)(0xf0 | c >> 18);
        *p++ = (char)(0x80 | (c >> 12 & 0x3f));
        *p++ = (char)(0x80 | (c >> 6 & 0x3f));
        *p++ = (char)(0x80 | (c & 0x3f));
    }
    *p = '\0';
    return utf8;
}

int plain_char_width(uint32_t c)
{
    static const struct {
        uint32_t first, last;
        int columns;
    } range[] = {
#include "advisor/message/char_widths.inc"
    };
    const size_t n = sizeof range / sizeof *range;
    size_t at = c < 0x300 ? n : LIST_BOUND(i, n, range[i].last < c);
    return at < n && c >= range[at].first ? range[at].columns : 1;
}

bool plain_is_invisible(uint32_t c)
{
    if (c >= ' ' && c < 0x7f)
        return false;
    static const uint32_t range[][2] = {
        {0x7f, 0x9f},     {0xad, 0xad},     {0x61c, 0x61c},   {0x180e, 0x180e}, {0x200b, 0x200f},
        {0x2028, 0x202e}, {0x2060, 0x206f}, {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe007f},
    };
    return LIST_ANY(i, sizeof range / sizeof *range, c >= range[i][0] && c <= range[i][1]) ||
           c < 0x20;
}

const char *plain_char(char buf[PLAIN_CHAR_SIZE], const char **s, int *ret_width)
{
    bool command = log_command_at(*s);
    uint32_t c = plain_decode(s);
    if ((c & 0xfffe) == 0xfffe || (c >= 0xfdd0 && c <= 0xfdef)) /* no characters */
        c = REPLACEMENT;
    if (!plain_is_invisible(c) && !command) {
        *ret_width = plain_char_width(c);
        return plain_encode(buf, c);
    }
    if (c == '\n' || c == '\t' || c == '\r')
        *ret_width = snprintf(buf, PLAIN_CHAR_SIZE, "\\%c",
                              c == '\n'   ? 'n'
                              : c == '\t' ? 't'
                                          : 'r');
    else
        *ret_width = snprintf(buf, PLAIN_CHAR_SIZE, c < 0x100 ? "\\x%02x" : "\\u%04x", (unsigned)c);
    return buf;
}

size_t plain_width(const char *s)
{
    char buf[PLAIN_CHAR_SIZE];
    size_t columns = 0;
    for (int w; *s; columns += (size_t)w)
        plain_char(buf, &s, &w);
    return columns;
}

size_t plain_fitting(const char *text, size_t columns)
{
    char buf[PLAIN_CHAR_SIZE];
    const char *s = text;
    size_t at = 0, fits = 0;
    for (int w; *s; at += (size_t)w) {
        if (*s == ' ' && (at <= columns || !fits))
            fits = (size_t)(s - text);
        plain_char(buf, &s, &w);
    }
    return at <= columns || !fits ? (size_t)(s - text) : fits;
}

/* A character with thousands of marks on it is a name too: bytes are bounded as well as columns. */
static size_t append_shown(Plain *out, size_t used, const char *shown)
{
    size_t len = strlen(shown);
    assert(used < sizeof out->text);
    if (used + len >= sizeof out->text - 4) /* the "…" and the NUL still fit */
        return used;
    memcpy(out->text + used, shown, len + 1);
    return used + len;
}

const char *plain(Plain *buf, const char *s, size_t columns)
{
    assert(columns > 0 && columns <= PLAIN_COLUMNS);
    size_t total = plain_width(s), used = 0, at = 0;
    bool command = log_command_begins(s);
    size_t head = total <= columns ? total : (columns - 1) - (columns - 1) / 2;
    size_t tail = total <= columns ? 0 : total - (columns - 1) / 2;
    bool cut = false;
    buf->text[0] = '\0';
    if (command)
        used = append_shown(buf, used, "\\"); /* "\\::error" */
    while (*s) {
        char shown[PLAIN_CHAR_SIZE];
        int w;
        const char *text = plain_char(shown, &s, &w);
        bool keep = at + (size_t)w <= head || at >= tail;
        if (total <= columns || keep)
            used = append_shown(buf, used, text);
        else if (!cut) {
            used = append_shown(buf, used, "…");
            cut = true;
        }
        at += (size_t)w;
    }
    return buf->text;
}

void plain_put(FILE *out, const char *s, size_t columns)
{
    Plain p;
    fputs(plain(&p, s, columns), out);
    for (size_t w = plain_width(p.text); w < columns; w++)
        putc(' ', out);
}

void plain_put_right(FILE *out, const char *s, size_t columns)
{
    for (size_t w = plain_width(s); w < columns; w++)
        putc(' ', out);
    fputs(s, out);
}

void plain_put_quoted(FILE *out, const char *before, const char *s)
{
    fprintf(out, "\"%s", before);
    for (; *s; s++) {
        if (*s == '"')
            putc('"', out);
        putc(*s, out);
    }
    putc('"', out);
}
