/* Tests whether two samples come from the same distribution, whatever it is. */
#pragma once

#include "graph/base/arena.h"

/* Two-sided at 1 %. */
#define RANKSUM_SIGNIFICANT 2.576

/* Normal deviate of the Mann-Whitney test of value[0..n_first) against value[n_first..n):
 * positive when the second sample is larger; ties share their ranks, with continuity correction.
 * 0 when a sample is empty or all values are equal.  Scratch in `a`; 4 + 4 values never reach 1
 * %. */
double ranksum_deviate(Arena *a, const int64_t *value, size_t n_first, size_t n);
