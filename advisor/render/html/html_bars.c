/* Computes the positions of the bars' parts and their labels, and writes them as SVG. */
#include "advisor/render/html/html_bars.h"

#include "advisor/render/html/html_svg.h"

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

static const char *part_label(const Page *p, const BarPart *part, const char *unit)
{
    Figure f;
    return arena_printf(p->a, "%s %s", part->name, figure_value(&f, part->size, unit));
}

/* "Now: 1 Quantize 24.8 ms, NPU 1.90 ms" */
static const char *bar_label(const Page *p, const Bar *b, const char *unit)
{
    Figure f;
    const char *text = arena_printf(p->a, "%s %s", b->name, figure_value(&f, b->total, unit));
    for (size_t i = 0; i < b->nparts && b->nparts > 1; i++)
        text = arena_printf(p->a, "%s%s %s", text, i ? "," : ":", part_label(p, &b->part[i], unit));
    return text;
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

/* From the bar's end to where the application's part may take it. */
static void put_application_part(Page *p, double from, double to)
{
    html_open(p->h, "line", "class", "most", "y1", "18", "y2", "18", NULL);
    put_percent(p, "x1", from);
    put_percent(p, "x2", to);
    html_close(p->h);
}

static void put_bar_name(Page *p, const Bar *b, const char *unit)
{
    Figure f;
    html_open(p->h, "div", "class", "of", NULL);
    html_leaf(p->h, "b", b->name, NULL);
    html_void(p->h, "br", NULL);
    html_leaf(p->h, "span", figure_value(&f, b->total, unit), "class", "number", NULL);
    html_close(p->h);
}

static void put_bar_part(Page *p, const BarPart *part, double at, double share, const char *label)
{
    html_open(p->h, "rect", "class", part->class, "height", "36", NULL);
    put_percent(p, "x", at);
    put_percent(p, "width", share);
    html_close(p->h);
    if (label)
        put_bar_label(p, label, at, share);
}

static void put_bar(Page *p, const Bar *b, double full, const char *unit)
{
    double at = 0;
    html_open(p->h, "div", "class", "row", NULL);
    put_bar_name(p, b, unit);
    html_open(p->h, "svg", "role", "img", "height", "36", NULL);
    html_attr_long(p->h, "aria-label", bar_label(p, b, unit));
    for (size_t i = 0; i < b->nparts; i++) {
        const BarPart *part = &b->part[i];
        put_bar_part(p, part, at, part->size / full,
                     b->nparts > 1 ? part_label(p, part, unit) : NULL);
        at += part->size / full;
    }
    if (b->hi > b->lo)
        put_whisker(p, b->lo / full, fmin(b->hi / full, 1));
    if (b->most > b->total)
        put_application_part(p, fmax(b->total, b->hi) / full, fmin(b->most / full, 1));
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
        full = fmax(full, fmin(fmax(bar[i].hi, bar[i].most), 1.5 * longest));
    full *= 1.01;
    if (!(full > 0))
        return;
    html_open(p->h, "div", "class", "bars", NULL);
    for (size_t i = 0; i < n; i++)
        put_bar(p, &bar[i], full, unit);
    put_bar_axis(p, full, unit);
    html_close(p->h);
}

void page_bars_legend(Page *p, const Bar *bar, const char *unit)
{
    html_open(p->h, "ul", "class", "parts", NULL);
    for (size_t i = 0; i < bar->nparts; i++) {
        html_open(p->h, "li", NULL);
        page_key(p, bar->part[i].class);
        html_textf(p->h, "%s ", bar->part[i].name);
        page_value(p, bar->part[i].size, unit);
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
