/* Chooses the unit, the decimals and the rounding of figures and their intervals. */
#include "advisor/message/figure.h"

#include "graph/base/quantity.h"

static const Unit byte_unit[] = {{1, "B"}, {1024, "KiB"}, {1048576, "MiB"}, {1073741824, "GiB"}};
static const Unit count_unit[] = {{1, ""}, {1e3, "k"}, {1e6, "M"}, {1e9, "G"}, {1e12, "T"}};
static const Unit rate_unit[] = {{1, "/s"}};

#define SCALED(f, value, unit)                                                                     \
    quantity((f)->text, sizeof(f)->text, value, unit, sizeof unit / sizeof *unit)

const char *figure_time(Figure *f, double ns)
{
    return quantity_time(f->text, sizeof f->text, ns);
}

const char *figure_rate(Figure *f, double per_s)
{
    return SCALED(f, per_s, rate_unit);
}

bool figure_is_rate(const char *unit)
{
    return !strcmp(unit, "per_s");
}

const char *figure_value(Figure *f, double value, const char *unit)
{
    return figure_is_rate(unit) ? figure_rate(f, value) : figure_time(f, value);
}

/* Differences below this share of a nanosecond, or of an image per second, are rounding. */
#define NOTHING 1e-3

static double or_nothing(double x)
{
    return fabs(x) < NOTHING ? 0 : x;
}

/* No minus before what rounds to zero.  */
static double drop_minus_zero(double x, int decimals)
{
    return fabs(x) < 0.5 * pow(10, -decimals) ? 0 : x;
}

/* The unit of the middle, or the next one where an end would be long. */
#define LONG_NUMBER  9999.5
#define MIN_MIDDLE   0.05
#define DECIMALS_MAX 3

static const Unit *unit_of_times(double guide, double lo, double hi)
{
    const Unit *u = unit_for(unit_time, 4, guide), *last = unit_time + 3;
    bool is_long = fmax(fabs(lo), fabs(hi)) / u->size >= LONG_NUMBER;
    return is_long && u < last && fabs(guide) / u[1].size >= MIN_MIDDLE ? u + 1 : u;
}

void figure_interval_parts(Figure f[3], double lo, double mid, double hi, const char *unit)
{
    lo = or_nothing(lo);
    mid = or_nothing(mid);
    hi = or_nothing(hi);
    double guide = mid != 0 ? mid : fmax(fabs(lo), fabs(hi));
    const Unit *u = figure_is_rate(unit) ? rate_unit : unit_of_times(guide, lo, hi);
    int d = unit_decimals(guide / u->size);
    if (!figure_is_rate(unit) && d > DECIMALS_MAX)
        d = DECIMALS_MAX;
    assert(d >= 0);
    snprintf(f[0].text, sizeof f->text, "%.*f", d, drop_minus_zero(lo / u->size, d));
    snprintf(f[1].text, sizeof f->text, "%.*f %s", d, drop_minus_zero(mid / u->size, d), u->name);
    snprintf(f[2].text, sizeof f->text, "%.*f", d, drop_minus_zero(hi / u->size, d));
}

const char *figure_interval(Figure *f, double lo, double mid, double hi, const char *unit)
{
    Figure part[3];
    figure_interval_parts(part, lo, mid, hi, unit);
    snprintf(f->text, sizeof f->text, "%.30s [%.30s, %.30s]", part[1].text, part[0].text,
             part[2].text);
    return f->text;
}

const char *figure_bytes(Figure *f, double bytes)
{
    return SCALED(f, bytes, byte_unit);
}

const char *figure_count(Figure *f, double count)
{
    return SCALED(f, count, count_unit);
}

const char *figure_share(Figure *f, double share)
{
    double v = 100 * share;
    snprintf(f->text, sizeof f->text, "%.*f %%", v >= 99.95 ? 0 : v >= 9.995 ? 1 : 2, v);
    return f->text;
}
