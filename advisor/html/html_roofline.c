/* The roofline of section 6: every NPU operator that multiplies, under the roof of the machine. */
#include "advisor/html/html_svg.h"

#include "advisor/say/json.h"

#include <math.h>

enum { WIDTH = 640, HEIGHT = 380, LEFT = 84, BOTTOM = 46, TOP = 26, RIGHT = 14, DOTS = 800 };

/* log10 ranges of both axes. */
typedef struct {
    double x_lo, x_hi, y_lo, y_hi;
} Frame;

static double at_x(const Frame *f, double v)
{
    return LEFT + (log10(v) - f->x_lo) / (f->x_hi - f->x_lo) * (WIDTH - LEFT - RIGHT);
}

static double at_y(const Frame *f, double v)
{
    return HEIGHT - BOTTOM - (log10(v) - f->y_lo) / (f->y_hi - f->y_lo) * (HEIGHT - BOTTOM - TOP);
}

static bool point(const cJSON *op, double *x, double *y)
{
    double macs, bytes, ns;
    if (!json_number(op, "macs", &macs) || !json_number(op, "bytes", &bytes) ||
        !work_time_ns(op, &ns) || macs <= 0 || bytes <= 0 || ns <= 0)
        return false;
    *x = macs / bytes;
    *y = macs / ns * 1e9;
    return true;
}

/* Whole decades that hold every point and the ridge. */
static bool fit(Frame *f, const cJSON *operators, double peak, double bandwidth)
{
    const cJSON *op;
    double x, y, ridge = peak / bandwidth;
    bool any = false;
    *f = (Frame){floor(log10(ridge)), ceil(log10(ridge) + 0.3), floor(log10(peak)) - 1,
                 ceil(log10(peak) + 1e-9)};
    cJSON_ArrayForEach(op, operators)
    {
        if (!point(op, &x, &y))
            continue;
        f->x_lo = fmin(f->x_lo, floor(log10(x)));
        f->x_hi = fmax(f->x_hi, ceil(log10(x)));
        f->y_lo = fmin(f->y_lo, floor(log10(y)));
        f->y_hi = fmax(f->y_hi, ceil(log10(y)));
        any = true;
    }
    return any && f->x_hi > f->x_lo && f->y_hi - f->y_lo < 40 && f->x_hi - f->x_lo < 40;
}

static void axes(Page *p, const Frame *f)
{
    Figure t;
    for (double d = f->x_lo; d <= f->x_hi; d++) {
        double x = at_x(f, pow(10, d));
        svg_line(p, "grid", x, TOP, x, HEIGHT - BOTTOM);
        svg_text(p, "tick", x, HEIGHT - BOTTOM + 17,
                 d == f->x_hi   ? "end"
                 : d == f->x_lo ? "start"
                                : "middle",
                 figure_count(&t, pow(10, d)));
    }
    for (double d = f->y_lo; d <= f->y_hi; d++) {
        double y = at_y(f, pow(10, d));
        svg_line(p, "grid", LEFT, y, WIDTH - RIGHT, y);
        svg_text(p, "tick", LEFT - 6, y + (d == f->y_lo ? -2 : 4), "end",
                 figure_count(&t, pow(10, d)));
    }
    svg_text(p, "label", (LEFT + WIDTH) / 2.0, HEIGHT - 8, "middle",
             say(p->lang, SAY_AXIS_INTENSITY));
    svg_text(p, "label", 4, 12, "start", say(p->lang, SAY_AXIS_RATE));
}

/* The slope up to the ridge, the flat roof from there. */
static void roof(Page *p, const Frame *f, double peak, double bandwidth)
{
    Figure t;
    Phrase buf;
    double ridge = peak / bandwidth, start = pow(10, f->x_lo), low = pow(10, f->y_lo);
    if (start * bandwidth < low)
        start = low / bandwidth;
    svg_line(p, "equal", at_x(f, start), at_y(f, start * bandwidth), at_x(f, ridge), at_y(f, peak));
    svg_line(p, "equal", at_x(f, ridge), at_y(f, peak), WIDTH - RIGHT, at_y(f, peak));
    svg_text(p, "label", WIDTH - RIGHT, TOP - 10, "end",
             say_with(&buf, p->lang, SAY_RIDGE, figure_count(&t, ridge), NULL));
}

void html_roofline(Page *p)
{
    const cJSON *operators = json_at(p->r, "operators"), *op;
    double peak, bandwidth, x, y;
    Frame f;
    size_t n = 0;
    if (!json_number(p->r, "machine.peak_macs_per_s", &peak) || peak <= 0 ||
        !json_number(p->r, "machine.dram_bytes_per_s", &bandwidth) || bandwidth <= 0 ||
        !fit(&f, operators, peak, bandwidth))
        return;
    svg_open(p, "scatter", WIDTH, HEIGHT, say(p->lang, SAY_ROOFLINE));
    axes(p, &f);
    roof(p, &f, peak, bandwidth);
    cJSON_ArrayForEach(op, operators)
    {
        if (!point(op, &x, &y) || n++ >= DOTS)
            continue;
        html_open(p->h, "circle", "class", "npu", "r", "4", NULL);
        html_attr(p->h, "cx", "%.1f", at_x(&f, x));
        html_attr(p->h, "cy", "%.1f", at_y(&f, y));
        html_leaf(p->h, "title", operator_title(p, op), NULL);
        html_close(p->h);
    }
    svg_close(p);
    page_note(p, SAY_ROOFLINE_NOTE);
}
