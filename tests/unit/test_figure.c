/* Figures for people: the unit and the decimals of single values and intervals. */
#include "advisor/message/figure.h"
#include "tests/unit/check.h"

#include <math.h>
#include <stdlib.h>

static void times(void)
{
    static const struct {
        double ns;
        const char *text;
    } check[] = {
        {0, "0 ns"},        {1, "1 ns"},        {999, "999 ns"},        {999.4, "999 ns"},
        {999.6, "1.00 µs"}, {1000, "1.00 µs"},  {14949, "14.9 µs"},     {99949, "99.9 µs"},
        {99951, "100 µs"},  {999499, "999 µs"}, {999600, "1.00 ms"},    {16910400, "16.9 ms"},
        {1e9, "1.00 s"},    {3.6e12, "3600 s"}, {-1310000, "-1.31 ms"}, {0.25, "0.250 ns"}};
    Figure f;
    for (size_t i = 0; i < sizeof check / sizeof *check; i++)
        check_same("time", figure_time(&f, check[i].ns), check[i].text);
}

/* Ties, where the binary number decides, and both sides of each change of decimals or unit. */
static void scaled(void)
{
    static const struct {
        const char *(*figure)(Figure *, double);
        double value;
        const char *text;
    } check[] = {
        {figure_time, 0.0000012, "0.000001 ns"},
        {figure_time, 0.01234, "0.0123 ns"},
        {figure_time, 9.994, "9.99 ns"},
        {figure_time, 9.996, "10.0 ns"},
        {figure_time, 999.5, "1.00 µs"},
        {figure_time, 999500, "1.00 ms"},
        {figure_rate, 0.5, "0.500 /s"},
        {figure_rate, 3, "3 /s"},
        {figure_rate, 9.995, "9.99 /s"},
        {figure_rate, 99.949, "99.9 /s"},
        {figure_rate, 99.95, "100 /s"},
        {figure_rate, 1234567.8, "1234568 /s"},
        {figure_rate, -14.62, "-14.6 /s"},
        {figure_count, 999, "999"},
        {figure_count, 999.5, "1.00 k"},
        {figure_count, 12.5, "12.5"},
        {figure_count, 123456, "123 k"},
        {figure_count, 999499, "999 k"},
        {figure_count, 999500, "1.00 M"},
        {figure_count, 54.3e9, "54.3 G"},
        {figure_count, 1e18, "1000000 T"},
        {figure_bytes, 1, "1 B"},
        {figure_bytes, 1023, "1023 B"},
        {figure_bytes, 1023.4, "1023 B"},
        {figure_bytes, 1023.6, "1.00 KiB"},
        {figure_bytes, 1536, "1.50 KiB"},
        {figure_bytes, 1048576, "1.00 MiB"},
        {figure_bytes, 5e12, "4657 GiB"},
        {figure_share, 0.8455, "84.5 %"},
        {figure_share, 0.00088, "0.09 %"},
        {figure_share, 1, "100 %"},
        {figure_share, 0.09994, "9.99 %"},
        {figure_share, 0.09996, "10.0 %"},
        {figure_share, 0.9994, "99.9 %"},
        {figure_share, 0.9996, "100 %"},
        {figure_share, -0.5, "-50.00 %"},
        {figure_share, 12.34, "1234 %"},
    };
    Figure f;
    for (size_t i = 0; i < sizeof check / sizeof *check; i++)
        check_same("figure", check[i].figure(&f, check[i].value), check[i].text);
}

static void intervals(void)
{
    static const struct {
        double lo, mid, hi;
        const char *unit, *text;
    } check[] = {
        {1.02e6, 1.31e6, 1.52e6, "ns", "1.31 ms [1.02, 1.52]"},
        {-58e3, 361e3, 609e3, "ns", "361 µs [-58, 609]"},
        {-13.97e6, 684e3, 4.896e6, "ns", "0.684 ms [-13.970, 4.896]"},
        {0, 9e3, 20e6, "ns", "9.00 µs [0.00, 20000.00]"},
        {-2000, 0, 2000, "ns", "0.00 µs [-2.00, 2.00]"},
        {11.1, 14.6, 20, "per_s", "14.6 /s [11.1, 20.0]"},
        {-2, 0.0123, 3, "per_s", "0.0123 /s [-2.0000, 3.0000]"},
        {0, 0.0123, 3, "ns", "0.012 ns [0.000, 3.000]"},
        {-0.0009, 0.0009, 5e6, "ns", "0.00 ms [0.00, 5.00]"},
        {-4, 1500, 9e3, "ns", "1.50 µs [0.00, 9.00]"},
        {0, 0, 0, "ns", "0 ns [0, 0]"},
        {1e9, 2e9, 1e14, "ns", "2.00 s [1.00, 100000.00]"},
        {0, 60e3, 9999.4e3, "ns", "60.0 µs [0.0, 9999.4]"},
        {0, 60e3, 9999.6e3, "ns", "0.060 ms [0.000, 10.000]"},
        {0, 50e3, 10e6, "ns", "0.050 ms [0.000, 10.000]"},
    };
    Figure f;
    for (size_t i = 0; i < sizeof check / sizeof *check; i++)
        check_same("interval",
                   figure_interval(&f, check[i].lo, check[i].mid, check[i].hi, check[i].unit),
                   check[i].text);
    check_same("value of a rate", figure_value(&f, 14.62, "per_s"), "14.6 /s");
    check_same("value of a time", figure_value(&f, 14.62, "ns"), "14.6 ns");
}

typedef struct {
    double size;
    const char *name;
} Scale;
static const Scale times_scale[] = {{1, " ns"}, {1e3, " µs"}, {1e6, " ms"}, {1e9, " s"}};
static const Scale rate_scale[] = {{1, " /s"}};
static const Scale byte_scale[] = {{1, " B"}, {0x1p10, " KiB"}, {0x1p20, " MiB"}, {0x1p30, " GiB"}};
static const Scale count_scale[] = {{1, ""}, {1e3, " k"}, {1e6, " M"}, {1e9, " G"}, {1e12, " T"}};

/* A figure as it is read: its number, decimals and unit; what follows is in `rest`. */
typedef struct {
    double number;
    int decimals;
    const char *rest;
} Read;

static Read read_number(const char *text)
{
    char *end;
    Read r = {.number = strtod(text, &end)};
    const char *point = strchr(text, '.');
    r.rest = end;
    r.decimals = point && point < r.rest ? (int)(r.rest - point) - 1 : 0;
    return r;
}

/* Within half of the last digit. */
static bool is_rounded(Read r, double value)
{
    return fabs(r.number - value) <= 0.5000001 * pow(10, -r.decimals) + 1e-12 * fabs(value);
}

/* Three significant digits of `value`, more before the point, and up to `max` after it.  Where the
 * fourth digit is a 5 and nothing follows, the binary number decides. */
static bool has_three_digits(int decimals, double value, int max)
{
    for (int up = 0; up < 2; up++) {
        char text[32];
        snprintf(text, sizeof text, "%.2e", value * (up ? 1 + 1e-12 : 1 - 1e-12));
        int after = value != 0 ? 2 - atoi(strchr(text, 'e') + 1) : 0;
        if (decimals == (after < 0 ? 0 : after > max ? max : after))
            return true;
    }
    return false;
}

/* The unit is the largest in which the rounded value is at least 1. */
static bool is_right(const char *text, double value, const Scale *scale, size_t n)
{
    Read r = read_number(text);
    size_t u = 0;
    while (u < n && strcmp(r.rest, scale[u].name))
        u++;
    if (u == n)
        return false;
    double v = value / scale[u].size;
    bool whole = u == 0 && v == floor(v);
    return is_rounded(r, v) && (whole ? r.decimals == 0 : has_three_digits(r.decimals, v, 6)) &&
           (u == 0 || fabs(r.number) >= 1) &&
           (u + 1 == n || fabs(value) / scale[u + 1].size < 0.9995 * (1 + 1e-12));
}

static bool is_right_share(const char *text, double share)
{
    Read r = read_number(text);
    int decimals = r.number >= 100 ? 0 : r.number >= 10 ? 1 : 2;
    return is_rounded(r, 100 * share) && r.decimals == decimals && !strcmp(r.rest, " %");
}

#define RIGHT(text, value, scale) is_right(text, value, scale, sizeof scale / sizeof *scale)

static bool are_right(double v)
{
    Figure f;
    return RIGHT(figure_time(&f, v), v, times_scale) && RIGHT(figure_rate(&f, v), v, rate_scale) &&
           RIGHT(figure_count(&f, -v), -v, count_scale) &&
           RIGHT(figure_bytes(&f, v), v, byte_scale) && is_right_share(figure_share(&f, v), v) &&
           RIGHT(figure_value(&f, -v, "ns"), -v, times_scale) &&
           RIGHT(figure_value(&f, -v, "per_s"), -v, rate_scale);
}

/* The middle has the unit that figure_time gives it (an end if the middle is nothing), or the next
 * one where an end would have five digits and the middle is at least 0.05 of it.  All have the
 * decimals that the middle needs. */
static bool is_right_interval(const char *text, const double value[3], const char *unit)
{
    bool rate = !strcmp(unit, "per_s");
    double v[3], ends = 0;
    for (int i = 0; i < 3; i++)
        v[i] = fabs(value[i]) < 1e-3 ? 0 : value[i];
    ends = fmax(fabs(v[0]), fabs(v[2]));
    double guide = v[1] != 0 ? v[1] : ends;
    const Scale *u = rate ? rate_scale : times_scale;
    Figure f;
    if (!rate) {
        const char *name = read_number(figure_time(&f, guide)).rest;
        while (strcmp(u->name, name))
            u++;
        if (ends / u->size >= 9999.5 && u < times_scale + 3 && fabs(guide) >= 0.05 * u[1].size)
            u++;
    }
    Read mid = read_number(text);
    size_t len = strlen(u->name);
    if (strncmp(mid.rest, u->name, len) || strncmp(mid.rest + len, " [", 2))
        return false;
    Read lo = read_number(mid.rest + len + 2);
    if (strncmp(lo.rest, ", ", 2))
        return false;
    Read hi = read_number(lo.rest + 2);
    bool minus_zero = (mid.number == 0 && signbit(mid.number)) ||
                      (lo.number == 0 && signbit(lo.number)) ||
                      (hi.number == 0 && signbit(hi.number));
    return !strcmp(hi.rest, "]") && !minus_zero && lo.decimals == mid.decimals &&
           hi.decimals == mid.decimals && is_rounded(lo, v[0] / u->size) &&
           is_rounded(mid, v[1] / u->size) && is_rounded(hi, v[2] / u->size) &&
           has_three_digits(mid.decimals, guide / u->size, rate ? 6 : 3);
}

/* As it is written, not as a libm computes it. */
static double ten(int power)
{
    char text[16];
    snprintf(text, sizeof text, "1e%d", power);
    return strtod(text, NULL);
}

/* Both sides of every change of decimals or unit, at every power of ten. */
static const double at[] = {0.51,   0.94999, 0.95,   0.99949, 0.9995, 0.99951, 1,
                            1.0049, 9.9949,  9.995,  9.9951,  10,     99.949,  99.95,
                            99.951, 100,     999.49, 999.5,   999.51, 1023.4};

static void all_powers(void)
{
    size_t wrong = 0, wrong_intervals = 0;
    Figure f;
    for (int power = -6; power <= 18; power++)
        for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
            double v = at[i] * ten(power), bytes = at[i] * ldexp(1, 10 * power);
            wrong += !are_right(v) || !RIGHT(figure_bytes(&f, bytes), bytes, byte_scale);
            for (int wide = -3; wide <= 6; wide++)
                for (int zero = 0; zero < 2; zero++) {
                    double mid = zero ? 0 : v;
                    double low[] = {mid - at[i] * ten(wide), mid, mid + 3 * v};
                    double both[] = {-v, mid, v * ten(wide)};
                    const char *unit = wide % 2 ? "ns" : "per_s";
                    figure_interval(&f, low[0], mid, low[2], "ns");
                    wrong_intervals += !is_right_interval(f.text, low, "ns");
                    figure_interval(&f, both[0], mid, both[2], unit);
                    wrong_intervals += !is_right_interval(f.text, both, unit);
                }
        }
    CHECK(wrong == 0);
    CHECK(wrong_intervals == 0);
}

static double shown_value(const char *text, const Scale *scale)
{
    Read r = read_number(text);
    while (strcmp(r.rest, scale->name))
        scale++;
    return r.number * scale->size;
}

/* A greater value is never shown as a smaller figure. */
static void monotone(void)
{
    double last[5] = {0};
    size_t wrong = 0;
    for (double v = 1e-6; v < 1e18; v *= 1.003) {
        Figure f;
        const double now[] = {
            shown_value(figure_time(&f, v), times_scale),
            shown_value(figure_rate(&f, v), rate_scale),
            shown_value(figure_bytes(&f, v), byte_scale),
            shown_value(figure_count(&f, v), count_scale),
            read_number(figure_share(&f, v)).number,
        };
        for (size_t i = 0; i < 5; i++) {
            wrong += now[i] < last[i];
            last[i] = now[i];
        }
        wrong += !are_right(v);
    }
    CHECK(wrong == 0);
}

int main(void)
{
    times();
    scaled();
    intervals();
    all_powers();
    monotone();
    return check_failures() ? 1 : 0;
}
