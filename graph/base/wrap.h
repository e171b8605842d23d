/* Wraps help text at the width of the terminal. Text is plain ASCII where the locale is C. */
#pragma once

#include "graph/base/libc.h"

typedef struct {
    int width;  /* columns: of the terminal, 40 to 100; 80 where there is none */
    bool ascii; /* LC_ALL, else LC_CTYPE, else LANG, is C or POSIX */
} Wrap;

/* The columns of the terminal, 80 where there is none, but from `least` to `most`. */
int wrap_columns(FILE *terminal, int least, int most);

/* For what will be shown on `terminal`. */
Wrap wrap_for(FILE *terminal);

/* Prints a text on the line that stands; the number of columns.  Quotes, dots and arrows beyond
 * ASCII become ASCII where w->ascii. */
int wrap_put(const Wrap *w, FILE *out, const char *text);

/* Prints words from column `left` on, wrapped, and ends the line.  `at`: the column where the line
 * stands; beyond `left` the words begin on a line of their own. */
void wrap_words(const Wrap *w, FILE *out, int left, int at, const char *text);

/* Prints lines; those that are too long are wrapped and indented by two more columns. */
void wrap_lines(const Wrap *w, FILE *out, const char *text);
