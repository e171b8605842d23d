/* Adds, scales and widens intervals, and keeps times at or above zero. */
#include "cost_model/interval.h"

#include "graph/base/libc.h"

Interval interval_exact(double value)
{
    return (Interval){value, value, value};
}

Interval interval_add(Interval a, Interval b)
{
    return (Interval){a.lo + b.lo, a.mid + b.mid, a.hi + b.hi};
}

Interval interval_scale(Interval a, double k)
{
    return (Interval){a.lo * k, a.mid * k, a.hi * k};
}

/* A time cannot be negative: symmetric half-widths are cut there. */
static Interval cut_at_zero(Interval a)
{
    if (a.mid >= 0 && a.lo < 0)
        a.lo = 0;
    return a;
}

Interval interval_widen(Interval a, double factor)
{
    assert(factor >= 1);
    return cut_at_zero(
        (Interval){a.mid - (a.mid - a.lo) * factor, a.mid, a.mid + (a.hi - a.mid) * factor});
}

Interval interval_sum_independent(const Interval *v, size_t n)
{
    double mid = 0, down = 0, up = 0;
    for (size_t i = 0; i < n; i++) {
        mid += v[i].mid;
        down += (v[i].mid - v[i].lo) * (v[i].mid - v[i].lo);
        up += (v[i].hi - v[i].mid) * (v[i].hi - v[i].mid);
    }
    return cut_at_zero((Interval){mid - sqrt(down), mid, mid + sqrt(up)});
}
