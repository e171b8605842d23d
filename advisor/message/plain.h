/* Makes any bytes fit to be shown in a terminal, a page or a log.
 *
 * Names come from strangers' models.  Whatever could forge a line, a colour, a reading direction or
 * a tag is made visible instead: control characters as \n \t \x1b, direction marks and other
 * invisible characters as \u202e, bytes that are not UTF-8 as U+FFFD, text that the log of a CI
 * would take for a command (log_command.h) as \x23#[ and \::.  Each renderer adds its own quoting
 * (HTML, JSON …) to this. */
#pragma once

#include "graph/base/libc.h"

/* Decodes one character and moves *s past it; U+FFFD for an invalid byte.  **s != 0. */
uint32_t plain_decode(const char **s);

/* UTF-8 of `c`, NUL-terminated, in `utf8`, which is returned. */
char *plain_encode(char utf8[5], uint32_t c);

/* Columns that a character takes in a terminal: 0, 1 or 2 (packaging/char_widths). */
int plain_char_width(uint32_t c);

/* True for characters that show nothing or change how their neighbours are shown. */
bool plain_is_invisible(uint32_t c);

/* The text for the character at *s, which is moved past it; at most 9 bytes. */
enum { PLAIN_CHAR_SIZE = 12 };
const char *plain_char(char buf[PLAIN_CHAR_SIZE], const char **s, int *ret_width);

/* Columns of the shown form of `s`. */
size_t plain_width(const char *s);

/* Bytes of as many whole words of `text` as fit; of one at least. */
size_t plain_fitting(const char *text, size_t columns);

/* The shown form of `s` in 1 to PLAIN_COLUMNS columns, longer ones with "…" in the middle. */
enum { PLAIN_COLUMNS = 240 };
typedef struct {
    char text[PLAIN_COLUMNS * PLAIN_CHAR_SIZE + 8];
} Plain;
const char *plain(Plain *buf, const char *s, size_t columns);

/* The shown form in `columns`, with blanks to its right. */
void plain_put(FILE *out, const char *s, size_t columns);

/* With blanks to its left; all of it, if it is wider. */
void plain_put_right(FILE *out, const char *s, size_t columns);

/* As a field of CSV (RFC 4180), with `before` at its beginning. */
void plain_put_quoted(FILE *out, const char *before, const char *s);
