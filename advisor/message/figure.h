/* Formats figures for people with three significant digits, in the unit that fits.
 *
 * Every renderer uses these functions, so that terminal and page print the same characters. */
#pragma once

#include "graph/base/libc.h"

typedef struct {
    char text[96];
} Figure;

/* "14.9 µs"; "0 ns". */
const char *figure_time(Figure *f, double ns);

/* "218 /s" */
const char *figure_rate(Figure *f, double per_s);

/* A value of `unit` "ns" or "per_s". */
const char *figure_value(Figure *f, double value, const char *unit);
bool figure_is_rate(const char *unit);

/* "1.31 ms [1.02, 1.52]": one unit for the three, that of the middle. */
const char *figure_interval(Figure *f, double lo, double mid, double hi, const char *unit);

/* The parts of an interval: f[0] "1.02", f[1] "1.31 ms", f[2] "1.52". */
void figure_interval_parts(Figure f[3], double lo, double mid, double hi, const char *unit);

/* "12.3 KiB", "54.3 G", "12.3 %" (of a share 0..1). */
const char *figure_bytes(Figure *f, double bytes);
const char *figure_count(Figure *f, double count);
const char *figure_share(Figure *f, double share);
