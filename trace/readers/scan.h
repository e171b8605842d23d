/* Scans JSON text in a window without allocation. It is tolerant, and ends with one trace
 * event.
 *
 * A window ends in WINDOW_PAD_BYTES zeros.  Every function takes [p, end) and returns SCAN_MORE
 * when the text continues after `end`; the caller then gets more and starts again.  Nothing
 * recurses. */
#pragma once

#include "graph/base/libc.h"
#ifdef __SSE2__
#include <emmintrin.h>
#endif

typedef enum {
    SCAN_OK = 0,
    SCAN_MORE, /* the window ends first */
    SCAN_BAD,  /* no JSON, and no plain guess what was meant */
    SCAN_DEEP, /* nested deeper than TRACE_MAX_DEPTH */
} Scan;

/* The inside of a string, or a bare scalar. */
typedef struct {
    const char *p;
    uint32_t n;
    bool escaped; /* has backslashes */
    bool wide;    /* has bytes above 0x7f */
} Text;

/* What args may say of an operator; the raw JSON of each. */
typedef enum {
    FACT_IN_SHAPES,
    FACT_OUT_SHAPES,
    FACT_ACTIVATION_SIZE,
    FACT_PARAMETER_SIZE,
    FACT_OUTPUT_SIZE,
    EVENT_FACTS
} EventFact;

/* The fixed keys of an event, and what args may say about it. */
typedef struct {
    const char *begin, *end; /* the object itself */
    Text name, cat, op;
    Text arg_name; /* args.name, which metadata events have */
    Text fact[EVENT_FACTS];
    bool has_fact;       /* any of them */
    Text parent_name;    /* args.parent_name: of the operator that a kernel belongs to */
    int64_t external_id; /* of PyTorch; 0: none */
    char phase;          /* 0: none */
    bool has_time, has_duration, nominal;
    int64_t ts_ns, dur_ns;
    int64_t pid, tid;
    Text pid_name, tid_name; /* what the file has in place of a number, or empty */
    int32_t pe_index, execution_index, instruction_index, operator_index;
    uint64_t id, scope; /* hashes of id or id2, and of scope: they pair async events */
    bool id_local;      /* id2.local: only unique within its process */
    uint64_t trace_id_high, trace_id, span_id, parent_id;
    uint32_t nduplicate, nbad_number, nwrapped, ntrailing_comma; /* what was mended */
} Event;

/* ---- called for every byte: defined here, so that they are inlined --------------------------- */

/* Skips white space (and, as real files have them, NULs). */
static inline const char *scan_space(const char *p, const char *end)
{
    if ((unsigned char)*p > ' ') /* nearly always, or after one of them */
        return p;
    if (p < end && (unsigned char)p[1] > ' ')
        return p + 1;
    while (p < end && (unsigned char)*p <= ' ')
        p++;
    return p;
}

static inline bool scan_ends_scalar(char c)
{
    return c == ',' || c == ']' || c == '}' || c == ':' || c == '"' || (unsigned char)c <= ' ';
}

/* First quote or backslash from p on, or `end`; reads up to 15 bytes past it. */
static inline const char *scan_find_quote(const char *p, const char *end, bool *wide)
{
#ifdef __SSE2__
    const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\');
    for (; p < end; p += 16) {
        __m128i x = _mm_loadu_si128((const __m128i *)(const void *)p);
        unsigned high = (unsigned)_mm_movemask_epi8(x);
        unsigned hit = (unsigned)_mm_movemask_epi8(
            _mm_or_si128(_mm_cmpeq_epi8(x, quote), _mm_cmpeq_epi8(x, backslash)));
        if (hit) {
            int at = __builtin_ctz(hit);
            *wide |= (high & ((1u << at) - 1)) != 0;
            return p + at;
        }
        *wide |= high != 0;
    }
    return end;
#else
    for (; p < end && *p != '"' && *p != '\\'; p++)
        *wide |= (unsigned char)*p > 0x7f;
    return p;
#endif
}

/* A string at p (its opening quote). */
static inline Scan scan_string(const char *p, const char *end, Text *ret, const char **ret_next)
{
    Text text = {.p = p + 1};
    for (p++;; p += 2) {
        p = scan_find_quote(p, end, &text.wide);
        if (p >= end)
            return SCAN_MORE;
        if (*p == '"')
            break;
        text.escaped = true;
    }
    text.n = (uint32_t)(p - text.p);
    *ret = text;
    *ret_next = p + 1;
    return SCAN_OK;
}

/* ---- the rest -------------------------------------------------------------------------------- */

/* Scans the object that begins at p. */
Scan scan_event(const char *p, const char *end, Event *ret, const char **ret_next);

/* The first `{` from p on with which an event seems to begin (a key of events follows it, and it is
 * the value of no other key), or NULL.  p[-1] exists, or p is the beginning of the text. */
const char *scan_find_event(const char *p, const char *end);

/* Skips one value of any kind. */
Scan scan_skip(const char *p, const char *end, const char **ret_next);

/* Decimal text times 10^scale as an integer, rounded half away from zero: "14.9321" with scale 3
 * is 14932.  Exponents are understood.  False when it is no finite number or does not fit.
 * Values from 2^63 to 2^64 are taken as wrapped negative ones, and *ret_wrapped is set. */
bool scan_decimal(const char *p, size_t n, int scale, int64_t *ret, bool *ret_wrapped);

/* 1..16 hex digits; 1..32 of them as a high and a low half.  False leaves the target alone. */
bool scan_hex(const char *p, size_t n, uint64_t *ret);
bool scan_hex_pair(const char *p, size_t n, uint64_t *ret_high, uint64_t *ret_low);

/* Decodes escapes into `to` (room for n bytes; decoding never grows).  Lone surrogates become
 * U+FFFD and NUL a space; an escape that JSON does not have, as in a path of Windows, stays as it
 * is.  Returns the length. *ret_mended tells whether any of it happened. */
size_t scan_unescape(const char *p, size_t n, char *to, bool *ret_mended);

/* Are the n bytes equal? */
static inline bool scan_equal(const char *p, const char *q, size_t n)
{
    uint64_t a, b;
    if (n < 8)
        return memcmp(p, q, n) == 0;
    for (size_t i = 0; i + 8 < n; i += 8) {
        memcpy(&a, p + i, 8);
        memcpy(&b, q + i, 8);
        if (a != b)
            return false;
    }
    memcpy(&a, p + n - 8, 8);
    memcpy(&b, q + n - 8, 8);
    return a == b;
}

static inline bool text_is(const Text *t, const char *what)
{
    return t->n == strlen(what) && memcmp(t->p, what, t->n) == 0;
}

/* Fast 64-bit hash of a byte string; not for fingerprints. */
uint64_t scan_hash(const char *p, size_t n, uint64_t seed);
