/* Scans strings and numbers, and skips values that are not needed. */
#include "trace/readers/scan.h"

#include "trace/readers/reader.h"

static Scan skip_scalar(const char *p, const char *end, const char **ret_next)
{
    const char *from = p;
    while (p < end && !scan_ends_scalar(*p))
        p++;
    if (p >= end)
        return SCAN_MORE;
    *ret_next = p;
    return p > from ? SCAN_OK : SCAN_BAD;
}

/* Between brackets only strings and brackets matter. */
static Scan skip_nested(const char *p, const char *end, const char **ret_next)
{
    int depth = 0;
    while (p < end) {
        Text ignored;
        char c = *p;
        if (c == '"') {
            Scan sc = scan_string(p, end, &ignored, &p);
            if (sc)
                return sc;
            continue;
        }
        p++;
        if (c == '{' || c == '[') {
            if (++depth > TRACE_MAX_DEPTH)
                return SCAN_DEEP;
        } else if ((c == '}' || c == ']') && --depth == 0) {
            *ret_next = p;
            return SCAN_OK;
        }
    }
    return SCAN_MORE;
}

Scan scan_skip(const char *p, const char *end, const char **ret_next)
{
    Text ignored;
    if (p >= end)
        return SCAN_MORE;
    if (*p == '"')
        return scan_string(p, end, &ignored, ret_next);
    if (*p == '{' || *p == '[')
        return skip_nested(p, end, ret_next);
    return skip_scalar(p, end, ret_next);
}

/* What the exact path does not understand: exponents, and more digits than 64 bits hold. */
static bool decimal_by_strtod(const char *p, size_t n, int scale, int64_t *ret)
{
    char text[64], *stop;
    if (n == 0 || n >= sizeof text)
        return false;
    memcpy(text, p, n);
    text[n] = '\0';
    if (strspn(text, "+-.0123456789eE") != n)
        return false; /* strtod would take hex, inf and nan */
    double value = strtod(text, &stop);
    for (int i = 0; i < scale; i++)
        value *= 10;
    if (*stop || !(fabs(value) < 9.2e18))
        return false;
    *ret = llround(value);
    return true;
}

bool scan_decimal(const char *p, size_t n, int scale, int64_t *ret, bool *ret_wrapped)
{
    const char *const begin = p, *const end = p + n;
    bool negative = p < end && *p == '-', any = false, fits = true, round_up = false;
    uint64_t value = 0;
    p += negative;
    for (; p < end && *p >= '0' && *p <= '9'; p++, any = true)
        fits &= !__builtin_mul_overflow(value, 10, &value) &&
                !__builtin_add_overflow(value, (uint64_t)(*p - '0'), &value);
    bool dot = p < end && *p == '.';
    p += dot;
    for (int i = 0; i < scale; i++) {
        bool digit = dot && p < end && *p >= '0' && *p <= '9';
        fits &= !__builtin_mul_overflow(value, 10, &value) &&
                !__builtin_add_overflow(value, digit ? (uint64_t)(*p - '0') : 0, &value);
        p += digit;
    }
    if (p < end && *p >= '5' && *p <= '9')
        round_up = true;
    while (dot && p < end && *p >= '0' && *p <= '9')
        p++;
    if (!any || p != end || !fits || __builtin_add_overflow(value, round_up, &value))
        return decimal_by_strtod(begin, n, scale, ret);
    if (negative && value > (uint64_t)INT64_MAX)
        return false;
    *ret_wrapped |= value > (uint64_t)INT64_MAX;
    *ret = negative ? -(int64_t)value : (int64_t)value;
    return true;
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'                 ? c - '0'
           : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10
                                                : -1;
}

bool scan_hex(const char *p, size_t n, uint64_t *ret)
{
    uint64_t value = 0;
    for (size_t i = 0; i < n; i++) {
        int digit = hex_digit(p[i]);
        if (digit < 0)
            return false;
        value = value << 4 | (uint64_t)digit;
    }
    if (n == 0 || n > 16)
        return false;
    *ret = value;
    return true;
}

bool scan_hex_pair(const char *p, size_t n, uint64_t *ret_high, uint64_t *ret_low)
{
    uint64_t high = 0, low;
    size_t split = n > 16 ? n - 16 : 0;
    if (n > 32 || !scan_hex(p + split, n - split, &low) || (split && !scan_hex(p, split, &high)))
        return false;
    *ret_high = high;
    *ret_low = low;
    return true;
}

/* The four digits after \u, or -1. */
static int32_t code_unit(const char *p, const char *end)
{
    int32_t value = 0;
    if (end - p < 6 || p[0] != '\\' || p[1] != 'u')
        return -1;
    for (int i = 2; i < 6; i++) {
        int digit = hex_digit(p[i]);
        if (digit < 0)
            return -1;
        value = value << 4 | digit;
    }
    return value;
}

static size_t put_utf8(uint32_t c, char *to)
{
    if (c < 0x80) {
        to[0] = (char)c;
        return 1;
    }
    size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = n - 1; i > 0; i--, c >>= 6)
        to[i] = (char)(0x80 | (c & 0x3f));
    to[0] = (char)(0xf0u << (4 - n) | c);
    return n;
}

/* A \u escape, or a pair of them; *p moves past it. */
static size_t unescape_unicode(const char **p, const char *end, char *to, bool *ret_mended)
{
    int32_t high = code_unit(*p, end);
    if (high < 0) {
        *ret_mended = true;
        *p += 2;
        memcpy(to, "\\u", 2);
        return 2;
    }
    *p += 6;
    int32_t low = high >= 0xd800 && high < 0xdc00 ? code_unit(*p, end) : -1;
    if (low >= 0xdc00 && low < 0xe000) {
        *p += 6;
        return put_utf8((uint32_t)(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00)), to);
    }
    bool lone = high >= 0xd800 && high < 0xe000;
    *ret_mended |= lone || high == 0;
    return put_utf8(lone ? 0xfffd : high == 0 ? ' ' : (uint32_t)high, to);
}

size_t scan_unescape(const char *p, size_t n, char *to, bool *ret_mended)
{
    static const char code[] = "\"\\/bfnrt", meaning[] = "\"\\/\b\f\n\r\t";
    const char *end = p + n;
    size_t out = 0;
    *ret_mended = false;
    while (p < end) {
        if (*p != '\\' || end - p < 2) {
            to[out++] = *p++;
        } else if (p[1] == 'u') {
            out += unescape_unicode(&p, end, to + out, ret_mended);
        } else {
            const char *at = p[1] ? strchr(code, p[1]) : NULL;
            *ret_mended |= !at;
            if (!at)
                to[out++] = '\\';
            to[out++] = at ? meaning[at - code] : p[1];
            p += 2;
        }
    }
    return out;
}

/* The last n (0 to 8) of `whole` bytes as a word; overlapping loads read nothing after them. */
static inline uint64_t last_word(const char *p, size_t n, size_t whole)
{
    uint64_t word = 0;
    uint32_t a, b;
    if (whole >= 8) {
        memcpy(&word, p + n - 8, 8);
    } else if (n >= 4) {
        memcpy(&a, p, 4);
        memcpy(&b, p + n - 4, 4);
        word = (uint64_t)a << 32 | b;
    } else if (n > 0) {
        word = (uint64_t)(unsigned char)p[0] << 16 | (uint64_t)(unsigned char)p[n / 2] << 8 |
               (unsigned char)p[n - 1];
    }
    return word;
}

uint64_t scan_hash(const char *p, size_t n, uint64_t seed)
{
    uint64_t h = seed ^ (n * UINT64_C(0x9e3779b97f4a7c15)), word;
    size_t whole = n;
    for (; n > 8; p += 8, n -= 8) {
        memcpy(&word, p, 8);
        h = (h ^ word) * UINT64_C(0xff51afd7ed558ccd);
        h ^= h >> 32;
    }
    h = (h ^ last_word(p, n, whole)) * UINT64_C(0xc4ceb9fe1a85ec53);
    return h ^ h >> 29;
}
