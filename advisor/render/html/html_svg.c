/* Formats coordinates and writes each SVG element over the stream of html_write.h. */
#include "advisor/render/html/html_svg.h"

#define LETTER 8.8 /* width of a wide bold letter at the chart's font size, in units */

void html_svg_open(Page *p, const char *class, double w, double h, const char *title)
{
    html_open(p->h, "div", "class", "scroll", "tabindex", "0", "role", "group", "aria-label", title,
              NULL);
    html_open(p->h, "svg", "class", class, "role", "img", NULL);
    html_attr(p->h, "viewBox", "0 0 %.0f %.0f", w, h);
    html_attr(p->h, "width", "%.0f", w);
    html_attr(p->h, "height", "%.0f", h);
    html_leaf(p->h, "title", title, NULL);
}

void html_svg_close(Page *p)
{
    html_close(p->h);
    html_close(p->h);
}

void html_svg_rect(Page *p, const char *class, SvgBox b, const char *title)
{
    html_open(p->h, "rect", "class", class, NULL);
    html_attr(p->h, "x", "%.1f", b.x);
    html_attr(p->h, "y", "%.1f", b.y);
    html_attr(p->h, "width", "%.1f", b.w);
    html_attr(p->h, "height", "%.1f", b.h);
    if (title)
        html_leaf(p->h, "title", title, NULL);
    html_close(p->h);
}

void html_svg_line(Page *p, const char *class, double x1, double y1, double x2, double y2)
{
    html_open(p->h, "line", "class", class, NULL);
    html_attr(p->h, "x1", "%.1f", x1);
    html_attr(p->h, "y1", "%.1f", y1);
    html_attr(p->h, "x2", "%.1f", x2);
    html_attr(p->h, "y2", "%.1f", y2);
    html_close(p->h);
}

void html_svg_curve(Page *p, double x1, double y1, double x2, double y2)
{
    double bend = (y2 - y1) / 2;
    html_open(p->h, "path", "class", "edge", NULL);
    html_attr(p->h, "d", "M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f", x1, y1, x1, y1 + bend, x2,
              y2 - bend, x2, y2);
    html_close(p->h);
}

void html_svg_text(Page *p, const char *class, double x, double y, const char *anchor,
                   const char *text)
{
    double width = LETTER * (double)plain_width(text);
    if (!*text)
        return;
    if (!strcmp(class, "on")) /* a fill, which may have any colour and hatch */
        html_svg_rect(p, "chip", (SvgBox){x - width / 2, y - 13, width, 17}, NULL);
    html_open(p->h, "text", "class", class, "text-anchor", anchor, NULL);
    html_attr(p->h, "x", "%.1f", x);
    html_attr(p->h, "y", "%.1f", y);
    html_text(p->h, text);
    html_close(p->h);
}

const char *html_svg_fit(Plain *buf, const char *text, double width)
{
    double letters = floor(width / LETTER);
    if (letters >= (double)plain_width(text))
        return plain(buf, text, PLAIN_COLUMNS);
    if (letters < 8)
        return "";
    return plain(buf, text, letters < PLAIN_COLUMNS ? (size_t)letters : PLAIN_COLUMNS);
}

double html_svg_tick_step(double max)
{
    double raw = max / 6, size = pow(10, floor(log10(raw > 0 ? raw : 1)));
    double lead = raw / size;
    return size * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
}
