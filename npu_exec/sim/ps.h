/* Declares simulated time in integer picoseconds, with arithmetic that saturates.
 *
 * A single service (a tile on an engine, a host operator, a transfer) never exceeds PS_SERVICE_MAX,
 * so that sums along one inference cannot overflow; the simulation refuses to run past PS_END. */
#pragma once

#include "graph/base/compare.h"

typedef int64_t Ps;

#define PS_PER_NS      INT64_C(1000)
#define PS_PER_US      INT64_C(1000000)
#define PS_PER_MS      INT64_C(1000000000)
#define PS_PER_S       INT64_C(1000000000000)
#define PS_SERVICE_MAX (1000 * PS_PER_S)
#define PS_END         (INT64_C(4000000) * PS_PER_S) /* 46 days */

/* a * b / c rounded down, a, b >= 0, c > 0; saturates at INT64_MAX. */
static inline int64_t i64_mul_div(int64_t a, int64_t b, int64_t c)
{
    __extension__ typedef unsigned __int128 Wide;
    Wide v = (Wide)(uint64_t)a * (Wide)(uint64_t)b / (Wide)(uint64_t)c;
    return v > (Wide)INT64_MAX ? INT64_MAX : (int64_t)v;
}

/* a * b of non-negative numbers, saturating. */
static inline int64_t i64_mul(int64_t a, int64_t b)
{
    return i64_mul_div(a, b, 1);
}

/* a + b of non-negative numbers, saturating. */
static inline int64_t i64_add(int64_t a, int64_t b)
{
    return a > INT64_MAX - b ? INT64_MAX : a + b;
}

static inline Ps ps_service(int64_t ps)
{
    return i64_min(ps, PS_SERVICE_MAX);
}
