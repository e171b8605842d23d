/* Draws the parts of a whole as stacked bars on one axis, now and after. */
#ifndef ADVISOR_RENDER_HTML_HTML_BARS_H
#define ADVISOR_RENDER_HTML_HTML_BARS_H

#include "advisor/render/html/html.h"

enum { BAR_PARTS = 4 };
typedef struct {
    const char *class; /* of the fill */
    PhraseId name;
    double size;
} BarPart;

typedef struct {
    PhraseId name; /* what stands before it */
    BarPart part[BAR_PARTS];
    int nparts;
    double total;
    double lo, hi; /* its 90 % interval; none where hi is not above lo */
} Bar;

/* Draws n bars and the axis below them; `unit` as in figure_value. */
void page_bars(Page *p, const Bar *bar, size_t n, const char *unit);
/* The fills and their figures, "host 11.5 ms → 243 µs"; `after` may be NULL. */
void page_bars_legend(Page *p, const Bar *now, const Bar *after, const char *unit);

#endif
