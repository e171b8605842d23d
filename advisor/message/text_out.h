/* Writes wrapped, indented and optionally coloured text for a terminal of 60 to 160 columns. */
#pragma once

#include "graph/base/language.h"

typedef enum { STYLE_NONE, STYLE_BOLD, STYLE_GOOD, STYLE_BAD, STYLE_DIM, STYLE_FIX } TextStyle;

typedef struct {
    FILE *out;
    bool colour;
    const Language *lang;
    size_t indent; /* where wrapped lines go on */
    size_t column; /* where the next character goes */
    size_t gap;    /* blanks before the next word, unless a line begins with it */
    size_t lines;  /* that are ended */
    size_t room;   /* columns of a line; 0: not yet known (text_room) */
    bool fresh;    /* the line is empty or blank */
    bool command;  /* wrapped lines end in a backslash, so that a shell joins them */
} TextOut;

/* The columns of a line: of the terminal, from 60 to 160; 80 where there is none. */
size_t text_room(TextOut *t);

/* Starts a line: `first` columns of blanks, wrapped lines are indented by `indent`. */
void text_line(TextOut *t, size_t first, size_t indent);

/* Words, wrapped at blanks (a no-break blank, U+00A0, is printed as a blank and never breaks).
 * Consecutive calls follow each other with the blanks that they carry; blanks at the end of a line
 * are not written.  Nothing in `words` reaches the terminal but as visible characters. */
void text_put(TextOut *t, TextStyle style, const char *words);
void text_putf(TextOut *t, TextStyle style, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Fills with blanks up to a column; one blank when a word passed it.  A cell has words there. */
void text_to(TextOut *t, size_t column);
void text_cell(TextOut *t, size_t column, TextStyle style, const char *words);

/* The heads of columns, after the line's own heading. */
typedef struct {
    size_t column;
    const char *text;
} TextHead;
void text_heads(TextOut *t, const TextHead *head, size_t n);

void text_end(TextOut *t);

/* A line of words from one column on, wrapped at another; nothing of "". */
typedef struct {
    size_t first, indent;
} TextPlace;
void text_paragraph(TextOut *t, TextPlace place, TextStyle style, const char *words);
