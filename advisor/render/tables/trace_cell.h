/* Describes a cell of a table of `npu-advise trace`: a value and how it is shown.  Text is a view:
 * the caller keeps it alive. */
#pragma once

#include "advisor/message/figure.h"

typedef enum { CELL_NONE, CELL_INT, CELL_REAL, CELL_TEXT, CELL_BOOL, CELL_HEX } CellKind;

typedef struct {
    CellKind kind;
    int64_t integer; /* CELL_INT, CELL_BOOL */
    double real;
    const char *text;
    uint64_t high, low; /* CELL_HEX: an id of `digits` hex digits */
    int digits;
    const char *(*figure)(Figure *f, double value); /* how text shows a CELL_REAL; NULL: as it is */
    bool is_word; /* CELL_TEXT: text shows CELL_… of the language */
} Cell;

Cell cell_none(void);
Cell cell_int(int64_t v);
Cell cell_bool(bool v);

/* Shown as it is. */
Cell cell_real(double v);

/* Text shows it with `show`. */
Cell cell_figure(double v, const char *(*show)(Figure *, double));

/* As cell_figure; 0 means not known, and gives CELL_NONE. */
Cell cell_known(double v, const char *(*show)(Figure *, double));

/* NULL gives CELL_NONE. */
Cell cell_text(const char *s);

/* A word of ours, which text shows in the user's language. */
Cell cell_word(const char *s);

/* An id of `digits` (16 or 32) hex digits; 0 gives CELL_NONE. */
Cell cell_hex(uint64_t high, uint64_t low, int digits);

/* A cell as plain text: what CSV and the text show; "" for CELL_NONE. */
enum { CELL_TEXT_SIZE = 48 };
const char *cell_show(const Cell *c, char buf[CELL_TEXT_SIZE]);
