/* Formats quantities with a unit and three significant digits. */
#pragma once

#include <stddef.h>

typedef struct {
    double size;
    const char *name; /* "ms"; "" for none */
} Unit;

extern const Unit unit_time[4]; /* of nanoseconds */

/* The largest of `n` ascending units in which the rounded value is at least 1. */
const Unit *unit_for(const Unit *unit, size_t n, double value);

/* Decimals that leave three significant digits of `v`; 0.01 has four, 1234 none. */
int unit_decimals(double v);

/* "14.9 µs" into `out`. */
const char *quantity(char *out, size_t size, double value, const Unit *unit, size_t n);
const char *quantity_time(char *out, size_t size, double ns);
