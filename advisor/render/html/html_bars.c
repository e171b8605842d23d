/* Computes the positions of the bars' parts and their labels, and writes them as SVG. */
#include "advisor/render/html/html_bars.h"

#include "advisor/render/html/html_svg.h"
#include "advisor/message/plain.h"

#include <math.h>

/* Pixels of a bar on a wide page at least, and on one of 390. */
enum { BAR_WIDE = 640, BAR_NARROW = 330 };

static void put_percent(Page *p, const char *name, double share)
{
    html_attr(p->h, name, "%.3f%%", 100 * share);
}

/* "Host 37.8 ms" on a chip, where there is room. */
static void put_bar_label(Page *p, const char *text, double from, double share)
{
    double width = 8.2 * (double)plain_width(text) + 14;
    if (share < width / BAR_WIDE)
        return;
    html_open(p->h, "svg", "class", share < width / BAR_NARROW ? "wide" : "any", "y", "5", "height",
              "26", "overflow", "visible", NULL);
    put_percent(p, "x", from);
    html_open(p->h, "rect", "class", "chip", "x", "6", "rx", "4", "height", "26", NULL);
    html_attr(p->h, "width", "%.0f", width);
    html_close(p->h);
    html_leaf(p->h, "text", text, "class", "chipped", "x", "13", "y", "18", NULL);
    html_close(p->h);
}

static void part_label(const Page *p, const BarPart *part, const char *unit, char *buf, size_t size)
{
    Figure f;
    snprintf(buf, size, "%s %s", phrase_text(p->lang, part->name),
             figure_value(&f, part->size, unit));
}

static void bar_label(const Page *p, const Bar *b, const char *unit, char text[400])
{
    size_t used = 0;
    char one[100];
    text[0] = '\0';
    for (int i = 0; i < b->nparts && used < 399; i++) {
        part_label(p, &b->part[i], unit, one, sizeof one);
        used += (size_t)snprintf(text + used, 400 - used, "%s%s", i ? ", " : "", one);
    }
}

static void put_whisker(Page *p, double lo, double hi)
{
    const double x[3][2] = {{lo, lo}, {hi, hi}, {lo, hi}};
    for (int i = 0; i < 3; i++) {
        html_open(p->h, "line", "class", "whisker", "y1", i < 2 ? "2" : "18", "y2",
                  i < 2 ? "34" : "18", NULL);
        put_percent(p, "x1", x[i][0]);
        put_percent(p, "x2", x[i][1]);
        html_close(p->h);
    }
}

static void put_bar(Page *p, const Bar *b, double full, const char *unit)
{
    char label[400];
    Figure f;
    html_open(p->h, "div", "class", "row", NULL);
    html_open(p->h, "div", "class", "of", NULL);
    html_leaf(p->h, "b", phrase_text(p->lang, b->name), NULL);
    html_void(p->h, "br", NULL);
    html_leaf(p->h, "span", figure_value(&f, b->total, unit), "class", "number", NULL);
    html_close(p->h);
    bar_label(p, b, unit, label);
    html_open(p->h, "svg", "role", "img", "aria-label", label, "height", "36", NULL);
    double at = 0;
    for (int i = 0; i < b->nparts; i++) {
        double share = b->part[i].size / full;
        html_open(p->h, "rect", "class", b->part[i].class, "height", "36", NULL);
        put_percent(p, "x", at);
        put_percent(p, "width", share);
        html_close(p->h);
        part_label(p, &b->part[i], unit, label, sizeof label);
        if (b->nparts > 1)
            put_bar_label(p, label, at, share);
        at += share;
    }
    if (b->hi > b->lo)
        put_whisker(p, b->lo / full, fmin(b->hi / full, 1));
    html_close(p->h);
    html_close(p->h);
}

static void put_bar_axis(Page *p, double full, const char *unit)
{
    double step = html_svg_tick_step(full * 1.3);
    html_open(p->h, "div", "class", "row", NULL);
    html_leaf(p->h, "div", "", "class", "of", NULL);
    html_open(p->h, "svg", "class", "axis", "height", "18", "aria-hidden", "true", NULL);
    for (int i = 0; i * step <= full; i++) {
        Figure f;
        html_open(p->h, "text", "class", "tick", "y", "13", "text-anchor",
                  i == 0                   ? "start"
                  : i * step > 0.93 * full ? "end"
                                           : "middle",
                  NULL);
        put_percent(p, "x", i * step / full);
        html_text(p->h, i ? figure_value(&f, i * step, unit) : "0");
        html_close(p->h);
    }
    html_close(p->h);
    html_close(p->h);
}

void page_bars(Page *p, const Bar *bar, size_t n, const char *unit)
{
    double full = 0;
    for (size_t i = 0; i < n; i++)
        full = fmax(full, bar[i].total);
    double longest = full;
    for (size_t i = 0; i < n; i++)
        full = fmax(full, fmin(bar[i].hi, 1.5 * longest));
    full *= 1.01;
    if (!(full > 0))
        return;
    html_open(p->h, "div", "class", "bars", NULL);
    for (size_t i = 0; i < n; i++)
        put_bar(p, &bar[i], full, unit);
    put_bar_axis(p, full, unit);
    html_close(p->h);
}

void page_bars_legend(Page *p, const Bar *now, const Bar *after, const char *unit)
{
    html_open(p->h, "ul", "class", "parts", NULL);
    for (int i = 0; i < now->nparts; i++) {
        Figure f;
        html_open(p->h, "li", NULL);
        page_key(p, now->part[i].class);
        html_textf(p->h, "%s ", phrase_text(p->lang, now->part[i].name));
        html_leaf(p->h, "b", figure_value(&f, now->part[i].size, unit), NULL);
        if (after) {
            html_text(p->h, " → ");
            html_leaf(p->h, "b", figure_value(&f, after->part[i].size, unit), NULL);
        }
        html_close(p->h);
    }
    html_close(p->h);
}

void page_key(Page *p, const char *class)
{
    html_open(p->h, "svg", "class", "key", "width", "14", "height", "14", "aria-hidden", "true",
              NULL);
    html_leaf(p->h, "rect", "", "class", class, "width", "14", "height", "14", NULL);
    html_close(p->h);
}
