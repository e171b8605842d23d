/* Writes SVG drawings inside the page with fixed coordinates, colours by class and a title for
 * screen readers. */
#pragma once

#include "advisor/render/html/html.h"
#include "advisor/message/plain.h"

typedef struct {
    double x, y, w, h;
} SvgBox;

/* A drawing of w x h units in a box that scrolls on narrow screens. Its title names its content. */
void html_svg_open(Page *p, const char *class, double w, double h, const char *title);
void html_svg_close(Page *p);

/* A rectangle; `title` (may be NULL) is shown when it is pointed at. */
void html_svg_rect(Page *p, const char *class, SvgBox b, const char *title);
void html_svg_line(Page *p, const char *class, double x1, double y1, double x2, double y2);

/* An edge of a graph, from the foot of a box to the head of another. */
void html_svg_curve(Page *p, double x1, double y1, double x2, double y2);

/* `anchor`: "start", "middle" or "end". Class "on": on a chip, in the middle of a filled shape. */
void html_svg_text(Page *p, const char *class, double x, double y, const char *anchor,
                   const char *text);

/* `text` shortened to about `width` units of the usual letter size; "" if nothing readable fits. */
const char *html_svg_fit(Plain *buf, const char *text, double width);

/* Five steps or so from 0 to at most `max`, each 1, 2 or 5 times a power of ten. */
double html_svg_tick_step(double max);
