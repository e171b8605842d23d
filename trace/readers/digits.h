/* Reads plain decimal numbers in a window (see scan.h), several digits at a time. Reads up to
 * eight bytes after the number. */
#pragma once

#include "trace/readers/scan.h"

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
/* The digits at p, eight at most, all at once: how many they are, and their value. */
static inline unsigned digits_eight(const char *p, uint64_t *ret)
{
    uint64_t w;
    memcpy(&w, p, sizeof w);
    w ^= UINT64_C(0x3030303030303030); /* a digit is 0 to 9 then, all else more */
    uint64_t other = (w | (w + UINT64_C(0x7676767676767676))) & UINT64_C(0x8080808080808080);
    unsigned n = other ? (unsigned)__builtin_ctzll(other) / 8 : 8;
    *ret = 0;
    if (n == 0)
        return 0;
    w <<= 64 - 8 * n; /* zeros in front */
    w = (w & UINT64_C(0x0f0f0f0f0f0f0f0f)) * 2561 >> 8;
    w = (w & UINT64_C(0x00ff00ff00ff00ff)) * 6553601 >> 16;
    *ret = (w & UINT64_C(0x0000ffff0000ffff)) * UINT64_C(42949672960001) >> 32;
    return n;
}
#else
static inline unsigned digits_eight(const char *p, uint64_t *ret)
{
    unsigned n = 0;
    for (*ret = 0; n < 8 && p[n] >= '0' && p[n] <= '9'; n++)
        *ret = *ret * 10 + (uint64_t)(p[n] - '0');
    return n;
}
#endif

static const uint64_t digits_power_of_ten[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};

/* A plain decimal number below 10^15, as nearly all that traces hold; one digit more than `scale`
 * rounds, as our own writer's durations need.  Returns its end, or NULL: the window's end,
 * exponents and the like are left to others. */
static inline __attribute__((always_inline)) const char *
digits_plain(const char *p, const char *end, unsigned scale, int64_t *ret)
{
    bool negative = *p == '-';
    uint64_t value, low, fraction = 0;
    unsigned n = digits_eight(p += negative, &value), nfraction = 0;
    p += n;
    if (n == 8) {
        n = digits_eight(p, &low);
        if (n == 8)
            return NULL;
        value = value * digits_power_of_ten[n] + low;
        p += n;
    } else if (n == 0) {
        return NULL;
    }
    if (*p == '.')
        for (p++; nfraction <= scale && *p >= '0' && *p <= '9'; nfraction++)
            fraction = fraction * 10 + (uint64_t)(*p++ - '0');
    if (p >= end || !scan_ends_scalar(*p))
        return NULL;
    if (nfraction > scale)
        fraction = fraction / 10 + (fraction % 10 >= 5);
    else
        fraction *= digits_power_of_ten[scale - nfraction];
    value = value * digits_power_of_ten[scale] + fraction;
    *ret = negative ? -(int64_t)value : (int64_t)value;
    return p;
}
