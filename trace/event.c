/* One trace event: the fixed keys, found in a table; everything else is skipped. */
#include "trace/scan.h"

#include "trace/span.h"

#include <string.h>

typedef struct {
    const char *p, *end;
    Event *event;
} Cursor;

typedef struct {
    const char *key;
    size_t len;
    uint64_t head; /* its first eight bytes, zeros behind it: one comparison settles most keys */
    Scan (*take)(Cursor *c, size_t offset);
    size_t offset; /* of the member of Event */
} Field;

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define SHIFT_OF(i) (8 * (i))
#else
#define SHIFT_OF(i) (56 - 8 * (i))
#endif
#define BYTE(s, i) (sizeof(s) > (i) ? (uint64_t)(s)[(i) % sizeof(s)] << SHIFT_OF(i) : 0)
#define HEAD(s)                                                                                    \
    (BYTE(s, 0) | BYTE(s, 1) | BYTE(s, 2) | BYTE(s, 3) | BYTE(s, 4) | BYTE(s, 5) | BYTE(s, 6) |    \
     BYTE(s, 7))
#define FIELD(name, take, member)                                                                  \
    {                                                                                              \
        name, sizeof(name) - 1, HEAD(name), take, offsetof(Event, member)                          \
    }
#define COUNT(table) (sizeof(table) / sizeof *(table))

static void *member(Cursor *c, size_t offset)
{
    return (char *)c->event + offset;
}

/* A string's inside, or a bare scalar as it stands; an object or array is skipped and gives "". */
static Scan take_scalar(Cursor *c, Text *ret)
{
    Text text = {.p = c->p};
    const char *next = c->p;
    bool string = *c->p == '"', nested = *c->p == '{' || *c->p == '[';
    Scan sc = string ? scan_string(c->p, c->end, &text, &next) : scan_skip(c->p, c->end, &next);
    if (sc)
        return sc;
    if (!string && !nested)
        text.n = (uint32_t)(next - c->p);
    c->p = next;
    *ret = text;
    return SCAN_OK;
}

static Scan take_text(Cursor *c, size_t offset)
{
    if (*c->p == '"')
        return scan_string(c->p, c->end, member(c, offset), &c->p);
    return take_scalar(c, member(c, offset));
}

static Scan take_phase(Cursor *c, size_t offset)
{
    Text text;
    if (c->end - c->p > 3 && c->p[0] == '"' && c->p[2] == '"' && c->p[1] != '\\') {
        *(char *)member(c, offset) = c->p[1];
        c->p += 3;
        return SCAN_OK;
    }
    Scan sc = take_scalar(c, &text);
    if (!sc)
        *(char *)member(c, offset) = text.n == 1 ? *text.p : '\0';
    return sc;
}

/* A plain decimal number of at most 18 digits, in one pass: nearly all that traces hold; one digit
 * more than `scale` rounds, as our own writer's durations need.  False
 * leaves the cursor where it was; the window's end, exponents and the like are left to others. */
static inline bool take_plain(Cursor *c, int scale, int64_t *ret)
{
    const char *p = c->p;
    bool negative = *p == '-';
    const char *first = p += negative;
    uint64_t value = 0;
    while (*p >= '0' && *p <= '9')
        value = value * 10 + (uint64_t)(*p++ - '0');
    ptrdiff_t ndigit = p - first;
    if (ndigit == 0)
        return false;
    if (*p == '.') {
        p++;
        for (; scale > 0 && *p >= '0' && *p <= '9'; scale--, ndigit++)
            value = value * 10 + (uint64_t)(*p++ - '0');
        if (scale == 0 && *p >= '0' && *p <= '9')
            value += *p++ >= '5';
    }
    for (; scale > 0; scale--, ndigit++)
        value *= 10;
    if (ndigit > 18 || p >= c->end || !scan_ends_scalar(*p))
        return false;
    c->p = p;
    *ret = negative ? -(int64_t)value : (int64_t)value;
    return true;
}

/* Microseconds into nanoseconds. */
static Scan take_time(Cursor *c, size_t offset)
{
    Text text;
    Event *e = c->event;
    if (take_plain(c, 3, member(c, offset))) {
        *(offset == offsetof(Event, ts_ns) ? &e->has_time : &e->has_duration) = true;
        return SCAN_OK;
    }
    Scan sc = take_scalar(c, &text);
    if (sc)
        return sc;
    bool wrapped = false;
    bool ok = scan_decimal(text.p, text.n, 3, member(c, offset), &wrapped);
    *(offset == offsetof(Event, ts_ns) ? &e->has_time : &e->has_duration) = ok;
    e->nbad_number += !ok;
    e->nwrapped += wrapped;
    return SCAN_OK;
}

/* Process and thread: a number, a number in quotes (hex too), or a name, which is hashed to where
 * no real id lies. */
static Scan take_number(Cursor *c, size_t offset)
{
    Text text;
    bool wrapped = false;
    uint64_t hex;
    int64_t *to = member(c, offset);
    if (take_plain(c, 0, to))
        return SCAN_OK;
    Scan sc = take_scalar(c, &text);
    if (sc)
        return sc;
    if (scan_decimal(text.p, text.n, 0, to, &wrapped))
        return SCAN_OK;
    if (text.n > 2 && text.n <= 18 && text.p[0] == '0' && (text.p[1] | 32) == 'x' &&
        scan_hex(text.p + 2, text.n - 2, &hex))
        *to = (int64_t)hex;
    else
        *to = (int64_t)(scan_hash(text.p, text.n, 0) >> 18 | UINT64_C(1) << 46);
    return SCAN_OK;
}

/* An index of at most nine digits, in quotes or not. */
static inline bool take_small(Cursor *c, int32_t *ret)
{
    bool quoted = *c->p == '"';
    const char *first = c->p + quoted, *p = first;
    int32_t value = 0;
    while (*p >= '0' && *p <= '9' && p - first < 10)
        value = (int32_t)((uint32_t)value * 10 + (uint32_t)(*p++ - '0'));
    bool fits = p > first && p - first < 10 && p < c->end;
    if (!fits || (quoted ? *p != '"' : !scan_ends_scalar(*p)))
        return false;
    c->p = p + quoted;
    *ret = value;
    return true;
}

static Scan take_index(Cursor *c, size_t offset)
{
    Text text;
    bool wrapped = false;
    int64_t value;
    if (take_small(c, member(c, offset)))
        return SCAN_OK;
    Scan sc = take_scalar(c, &text);
    if (sc || text.n == 0)
        return sc;
    bool ok = scan_decimal(text.p, text.n, 0, &value, &wrapped) && value >= 0 && value <= INT32_MAX;
    *(int32_t *)member(c, offset) = ok ? (int32_t)value : INDEX_NONE;
    c->event->nbad_number += !ok && !wrapped;
    c->event->nwrapped += wrapped;
    return SCAN_OK;
}

static Scan take_hex(Cursor *c, size_t offset)
{
    Text text;
    Scan sc = take_scalar(c, &text);
    if (!sc)
        scan_hex(text.p, text.n, member(c, offset));
    return sc;
}

static Scan take_trace_id(Cursor *c, size_t offset)
{
    Text text;
    (void)offset;
    Scan sc = take_scalar(c, &text);
    if (!sc)
        scan_hex_pair(text.p, text.n, &c->event->trace_id_high, &c->event->trace_id);
    return sc;
}

/* Whatever names an asynchronous event goes into a hash; the order of the keys does not matter. */
static Scan take_id(Cursor *c, size_t offset)
{
    Text text;
    Scan sc = take_scalar(c, &text);
    if (!sc)
        *(uint64_t *)member(c, offset) = scan_hash(text.p, text.n, 1);
    return sc;
}

static Scan take_local_id(Cursor *c, size_t offset)
{
    c->event->id_local = true;
    return take_id(c, offset);
}

static Scan take_flag(Cursor *c, size_t offset)
{
    Text text;
    Scan sc = take_scalar(c, &text);
    if (!sc)
        *(bool *)member(c, offset) = text.n == 4 && memcmp(text.p, "true", 4) == 0;
    return sc;
}

static Scan scan_object(Cursor *c, const Field *field, size_t nfield);

static const Field id2_field[] = {
    FIELD("local", take_local_id, id),
    FIELD("global", take_id, id),
};

static const Field args_field[] = {
    FIELD("pe_index", take_index, pe_index),
    FIELD("execution_index", take_index, execution_index),
    FIELD("instruction_index", take_index, instruction_index),
    FIELD("operator_index", take_index, operator_index),
    FIELD("op_name", take_text, op),
    FIELD("trace_id", take_trace_id, trace_id_high),
    FIELD("span_id", take_hex, span_id),
    FIELD("parent_span_id", take_hex, parent_id),
    FIELD("nominal", take_flag, nominal),
};

static Scan take_id2(Cursor *c, size_t offset)
{
    (void)offset;
    return *c->p == '{' ? scan_object(c, id2_field, COUNT(id2_field))
                        : scan_skip(c->p, c->end, &c->p);
}

static Scan take_args(Cursor *c, size_t offset)
{
    (void)offset;
    return *c->p == '{' ? scan_object(c, args_field, COUNT(args_field))
                        : scan_skip(c->p, c->end, &c->p);
}

static const Field event_field[] = {
    FIELD("name", take_text, name), FIELD("cat", take_text, cat),    FIELD("ph", take_phase, phase),
    FIELD("ts", take_time, ts_ns),  FIELD("dur", take_time, dur_ns), FIELD("pid", take_number, pid),
    FIELD("tid", take_number, tid), FIELD("args", take_args, begin), FIELD("id", take_id, id),
    FIELD("id2", take_id2, id),     FIELD("scope", take_id, scope),
};

/* Reads eight bytes whatever the length: a key in the window is followed by more. */
static inline uint64_t head_of(const char *key, size_t len)
{
    uint64_t head, mask = UINT64_MAX;
    memcpy(&head, key, sizeof head);
    if (len < 8)
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        mask = (UINT64_C(1) << 8 * len) - 1;
#else
        mask = ~(UINT64_MAX >> 8 * len);
#endif
    return head & mask;
}

static const Field *field_named(const Field *field, size_t nfield, const char *key, size_t len)
{
    uint64_t head = head_of(key, len);
    for (size_t i = 0; i < nfield; i++)
        if (field[i].head == head && field[i].len == len &&
            (len <= 8 || memcmp(field[i].key, key, len) == 0))
            return &field[i];
    return NULL;
}

/* The key that the writer's order leads one to expect, compared in place. */
static inline bool expected(Cursor *c, const Field *f)
{
    const char *key = c->p + 1;
    if (c->end - c->p < 32 || head_of(key, f->len) != f->head || key[f->len] != '"' ||
        (f->len > 8 && memcmp(f->key, key, f->len) != 0))
        return false;
    c->p = key + f->len + 1;
    return true;
}

static const Field *field_escaped(const Field *field, size_t nfield, const Text *key)
{
    enum { LONGEST = 96 };
    char plain[LONGEST + 8] = {0};
    bool mended;
    if (key->n > LONGEST)
        return NULL;
    size_t len = scan_unescape(key->p, key->n, plain, &mended);
    return field_named(field, nfield, plain, len);
}

static inline Scan scan_key(Cursor *c, const Field *field, size_t nfield, size_t next,
                            const Field **ret)
{
    Text key;
    if (next < nfield && expected(c, &field[next])) {
        *ret = &field[next];
        return SCAN_OK;
    }
    Scan sc = scan_string(c->p, c->end, &key, &c->p);
    if (!sc)
        *ret = key.escaped ? field_escaped(field, nfield, &key)
                           : field_named(field, nfield, key.p, key.n);
    return sc;
}

/* `"key": value`, the value left to the field's function. */
static inline Scan scan_member(Cursor *c, const Field *field, size_t nfield, uint32_t *seen,
                               size_t *next)
{
    const Field *f = NULL;
    Scan sc = scan_key(c, field, nfield, *next, &f);
    if (sc)
        return sc;
    c->p = scan_space(c->p, c->end);
    if (*c->p != ':')
        return c->p >= c->end ? SCAN_MORE : SCAN_BAD;
    c->p = scan_space(c->p + 1, c->end);
    if (c->p >= c->end)
        return SCAN_MORE;
    if (!f)
        return scan_skip(c->p, c->end, &c->p);
    *next = (size_t)(f - field) + 1;
    uint32_t bit = 1u << (f - field);
    c->event->nduplicate += (*seen & bit) != 0;
    *seen |= bit;
    return f->take(c, f->offset);
}

/* The object at c->p; args and id2 come here from inside an event, so the depth is two at most. */
static Scan scan_object(Cursor *c, const Field *field, size_t nfield)
{
    uint32_t seen = 0;
    size_t next = 0;
    bool comma = false;
    c->p++;
    for (;;) {
        c->p = scan_space(c->p, c->end);
        if (c->p >= c->end)
            return SCAN_MORE;
        if (*c->p == '}')
            break;
        if (*c->p != '"')
            return SCAN_BAD;
        Scan sc = scan_member(c, field, nfield, &seen, &next);
        if (sc)
            return sc;
        c->p = scan_space(c->p, c->end);
        comma = *c->p == ',';
        if (!comma && *c->p != '}')
            return c->p >= c->end ? SCAN_MORE : SCAN_BAD;
        c->p += comma;
    }
    c->event->ntrailing_comma += comma;
    c->p++;
    return SCAN_OK;
}

Scan scan_event(const char *p, const char *end, Event *ret, const char **ret_next)
{
    *ret = (Event){.begin = p,
                   .pe_index = INDEX_NONE,
                   .execution_index = INDEX_NONE,
                   .instruction_index = INDEX_NONE,
                   .operator_index = INDEX_NONE};
    Cursor c = {.p = p, .end = end, .event = ret};
    Scan sc = scan_object(&c, event_field, COUNT(event_field));
    if (sc)
        return sc;
    ret->end = c.p;
    *ret_next = c.p;
    return SCAN_OK;
}
