/* Picks the unit and the decimals that leave three significant digits. */
#include "graph/base/quantity.h"

#include "graph/base/libc.h"

const Unit unit_time[4] = {{1, "ns"}, {1e3, "µs"}, {1e6, "ms"}, {1e9, "s"}};

const Unit *unit_for(const Unit *unit, size_t n, double value)
{
    assert(n > 0);
    while (n > 1 && fabs(value) < unit[n - 1].size * 0.9995)
        n--;
    return &unit[n - 1];
}

int unit_decimals(double v)
{
    int n = 0;
    for (v = fabs(v); n < 6 && v < 99.95 && v > 0; v *= 10)
        n++;
    return n;
}

const char *quantity(char *out, size_t size, double value, const Unit *unit, size_t n)
{
    const Unit *u = unit_for(unit, n, value);
    double v = value / u->size;
    bool whole = u->size == 1 && v == floor(v);
    snprintf(out, size, "%.*f%s%s", whole ? 0 : unit_decimals(v), v, *u->name ? " " : "", u->name);
    return out;
}

const char *quantity_time(char *out, size_t size, double ns)
{
    return quantity(out, size, ns, unit_time, sizeof unit_time / sizeof *unit_time);
}
