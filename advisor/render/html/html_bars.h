/* Draws the parts of a whole as stacked bars on one axis, now and after. */
#pragma once

#include "advisor/render/html/html.h"

typedef struct {
    const char *class; /* of the fill */
    const char *name;  /* "1 Quantize" */
    double size;
} BarPart;

typedef struct {
    const char *name; /* to its left */
    const BarPart *part;
    size_t nparts;
    double total;
    double lo, hi; /* its 90 % interval; none where hi is not above lo */
    double most;   /* with the application's part at its most; none where it is not above total */
} Bar;

/* Draws n bars and the axis below them; `unit` as in figure_value. */
void page_bars(Page *p, const Bar *bar, size_t n, const char *unit);
/* The fills and their figures, "1 Quantize 11.5 ms". */
void page_bars_legend(Page *p, const Bar *bar, const char *unit);
