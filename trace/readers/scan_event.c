/* Scans one trace event for the known keys and skips all others. */
#include "trace/readers/digits.h"
#include "trace/readers/span.h"

#include "graph/base/list.h"

typedef struct {
    const char *end;
    Event *event;
    Scan failure; /* of the function that returned NULL */
} Cursor;

/* A key and its closing quote as KEY_WORDS words, with a mask for the bytes after it. */
enum { KEY_WORDS = 3, KEY_WORD_BYTES = 8 };

typedef struct {
    const char *key;
    size_t len;
    uint64_t word[KEY_WORDS], mask[KEY_WORDS];
    /* Takes the value at p into *to; returns its end, or NULL. */
    const char *(*take)(Cursor *c, const char *p, void *to);
    size_t offset; /* of that member of Event */
} Field;

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define SHIFT_OF(i) (8 * (i))
#else
#define SHIFT_OF(i) (56 - 8 * (i))
#endif
#define BYTE(s, i) (sizeof(s) > (i) ? (uint64_t)(s)[(i) % sizeof(s)] << SHIFT_OF((i) % 8) : 0)
#define USED(s, i) (sizeof(s) > (i) ? UINT64_C(0xff) << SHIFT_OF((i) % 8) : 0)
#define WORD(of, s, i)                                                                             \
    (of(s, i) | of(s, i + 1) | of(s, i + 2) | of(s, i + 3) | of(s, i + 4) | of(s, i + 5) |         \
     of(s, i + 6) | of(s, i + 7))
/* `sizeof` counts the NUL, which stands where the quote comes. */
#define QUOTED(s, i) (BYTE(s, i) | (sizeof(s) - 1 == (i) ? (uint64_t)'"' << SHIFT_OF((i) % 8) : 0))
#define FIELD(name, take, member)                                                                  \
    {                                                                                              \
        name, sizeof(name) - 1,                                                                    \
            {WORD(QUOTED, name, 0), WORD(QUOTED, name, 8), WORD(QUOTED, name, 16)},                \
            {WORD(USED, name, 0), WORD(USED, name, 8), WORD(USED, name, 16)}, take,                \
            offsetof(Event, member)                                                                \
    }
#define COUNT(table) (sizeof(table) / sizeof *(table))

#define ALWAYS_INLINE inline __attribute__((always_inline))

static ALWAYS_INLINE const char *next_or_fail(Cursor *c, Scan sc, const char *next)
{
    c->failure = sc;
    return sc ? NULL : next;
}

static const char *skip_value(Cursor *c, const char *p)
{
    const char *next = p;
    Scan sc = scan_skip(p, c->end, &next);
    return next_or_fail(c, sc, next);
}

static ALWAYS_INLINE const char *take_string(Cursor *c, const char *p, Text *ret)
{
    const char *next = p;
    Scan sc = scan_string(p, c->end, ret, &next);
    return next_or_fail(c, sc, next);
}

/* A string's inside, or a bare scalar as it stands; an object or array is skipped and gives "". */
static const char *take_scalar(Cursor *c, const char *p, Text *ret)
{
    if (*p == '"')
        return take_string(c, p, ret);
    const char *next = skip_value(c, p);
    bool nested = *p == '{' || *p == '[';
    *ret = (Text){.p = p, .n = next && !nested ? (uint32_t)(next - p) : 0};
    return next;
}

static const char *take_text(Cursor *c, const char *p, void *to)
{
    return *p == '"' ? take_string(c, p, to) : take_scalar(c, p, to);
}

static const char *take_phase(Cursor *c, const char *p, void *to)
{
    char *phase = to;
    Text text;
    if (c->end - p > 3 && p[0] == '"' && p[2] == '"' && p[1] != '\\') {
        *phase = p[1];
        return p + 3;
    }
    p = take_scalar(c, p, &text);
    if (p)
        *phase = text.n == 1 ? *text.p : '\0';
    return p;
}

/* Microseconds into nanoseconds; *ret_has tells whether there is a time. */
static ALWAYS_INLINE const char *take_time(Cursor *c, const char *p, int64_t *to, bool *ret_has)
{
    Text text;
    bool wrapped = false;
    const char *next = digits_plain(p, c->end, 3, to);
    if (next) {
        *ret_has = true;
        return next;
    }
    next = take_scalar(c, p, &text);
    if (!next)
        return NULL;
    *ret_has = scan_decimal(text.p, text.n, 3, to, &wrapped);
    c->event->nbad_number += !*ret_has;
    c->event->nwrapped += wrapped;
    return next;
}

static const char *take_start(Cursor *c, const char *p, void *to)
{
    return take_time(c, p, to, &c->event->has_time);
}

static const char *take_duration(Cursor *c, const char *p, void *to)
{
    return take_time(c, p, to, &c->event->has_duration);
}

static int64_t take_name(Cursor *c, Text text, bool is_process)
{
    *(is_process ? &c->event->pid_name : &c->event->tid_name) = text;
    return (int64_t)(scan_hash(text.p, text.n, 0) >> 18 | UINT64_C(1) << 46);
}

static bool is_hex(const Text *t, int64_t *ret)
{
    uint64_t hex;
    if (t->n <= 2 || t->n > 18 || t->p[0] != '0' || (t->p[1] | 32) != 'x' ||
        !scan_hex(t->p + 2, t->n - 2, &hex))
        return false;
    *ret = (int64_t)hex;
    return true;
}

/* A number, a number in quotes (hex too), or a name, which is hashed outside the real ids. */
static const char *take_number(Cursor *c, const char *p, void *to)
{
    Text text;
    bool wrapped = false;
    int64_t *number = to;
    const char *next = digits_plain(p, c->end, 0, number);
    if (next)
        return next;
    next = take_scalar(c, p, &text);
    if (next && !scan_decimal(text.p, text.n, 0, number, &wrapped) && !is_hex(&text, number))
        *number = take_name(c, text, to == &c->event->pid);
    return next;
}

/* A number, or nothing. */
static const char *take_integer(Cursor *c, const char *p, void *to)
{
    Text text;
    bool wrapped = false;
    const char *next = digits_plain(p, c->end, 0, to);
    if (!next && (next = take_scalar(c, p, &text)))
        scan_decimal(text.p, text.n, 0, to, &wrapped);
    return next;
}

/* An index of at most nine digits, in quotes or not. */
static ALWAYS_INLINE const char *take_small(const Cursor *c, const char *p, int32_t *ret)
{
    bool quoted = *p == '"';
    const char *first = p += quoted;
    int32_t value = 0;
    while (*p >= '0' && *p <= '9' && p - first < 9)
        value = value * 10 + (*p++ - '0');
    if (p == first || p >= c->end || (quoted ? *p != '"' : !scan_ends_scalar(*p)))
        return NULL;
    *ret = value;
    return p + quoted;
}

/* What take_small leaves: no index, or one that is written in an odd way. */
static const char *take_odd_index(Cursor *c, const char *p, int32_t *index)
{
    Text text;
    bool wrapped = false;
    int64_t value;
    const char *next = take_scalar(c, p, &text);
    if (!next || text.n == 0)
        return next;
    bool ok = scan_decimal(text.p, text.n, 0, &value, &wrapped) && value >= 0 && value <= INT32_MAX;
    *index = ok ? (int32_t)value : INDEX_NONE;
    c->event->nbad_number += !ok && !wrapped;
    c->event->nwrapped += wrapped;
    return next;
}

static const char *take_index(Cursor *c, const char *p, void *to)
{
    const char *next = take_small(c, p, to);
    return next ? next : take_odd_index(c, p, to);
}

static const char *take_hex(Cursor *c, const char *p, void *to)
{
    Text text;
    p = take_scalar(c, p, &text);
    if (p)
        scan_hex(text.p, text.n, to);
    return p;
}

static const char *take_trace_id(Cursor *c, const char *p, void *to)
{
    Text text;
    (void)to;
    p = take_scalar(c, p, &text);
    if (p)
        scan_hex_pair(text.p, text.n, &c->event->trace_id_high, &c->event->trace_id);
    return p;
}

/* Whatever names an asynchronous event goes into a hash; the order of the keys does not matter, nor
 * how a number is spelled. */
static const char *take_id(Cursor *c, const char *p, void *to)
{
    Text text;
    bool wrapped = false;
    int64_t number;
    p = take_scalar(c, p, &text);
    bool digits = p && LIST_ALL(i, text.n, text.p[i] >= '0' && text.p[i] <= '9');
    if (digits ? scan_decimal(text.p, text.n, 0, &number, &wrapped) : p && is_hex(&text, &number))
        text = (Text){.p = (const char *)&number, .n = sizeof number};
    if (p)
        *(uint64_t *)to = scan_hash(text.p, text.n, 1);
    return p;
}

static const char *take_local_id(Cursor *c, const char *p, void *to)
{
    c->event->id_local = true;
    return take_id(c, p, to);
}

static const char *take_flag(Cursor *c, const char *p, void *to)
{
    Text text;
    p = take_scalar(c, p, &text);
    if (p)
        *(bool *)to = text.n == 4 && memcmp(text.p, "true", 4) == 0;
    return p;
}

/* The value as it is. */
static const char *take_fact(Cursor *c, const char *p, void *to)
{
    const char *next = skip_value(c, p);
    if (next)
        *(Text *)to = (Text){.p = p, .n = (uint32_t)(next - p)};
    c->event->has_fact |= next != NULL;
    return next;
}

static const char *take_id2(Cursor *c, const char *p, void *to);
static const char *take_args(Cursor *c, const char *p, void *to);

static const Field id2_field[] = {
    FIELD("local", take_local_id, id),
    FIELD("global", take_id, id),
};

static const Field args_field[] = {
#define ARG_FIELD(name, take, member) FIELD(name, take, member),
#define EVENT_FIELD(name, take, member)
#include "trace/readers/event_fields.def"
};

static const Field event_field[] = {
#define EVENT_FIELD(name, take, member) FIELD(name, take, member),
#define ARG_FIELD(name, take, member)
#include "trace/readers/event_fields.def"
};

/* Whether the quoted key is there.  Reads whole words: a window has room for them after its end. */
static inline bool is_key(const Field *f, const char *key)
{
    for (size_t i = 0; i * KEY_WORD_BYTES <= f->len; i++) {
        uint64_t word;
        memcpy(&word, key + i * KEY_WORD_BYTES, sizeof word);
        if ((word & f->mask[i]) != f->word[i])
            return false;
    }
    return true;
}

/* Its number, or nfield. */
static size_t field_named(const Field *field, size_t nfield, const char *key)
{
    size_t i = 0;
    while (i < nfield && !is_key(&field[i], key))
        i++;
    return i;
}

static size_t field_escaped(const Field *field, size_t nfield, const Text *key)
{
    enum { LONGEST = 96 };
    char plain[LONGEST + 1 + KEY_WORDS * KEY_WORD_BYTES] = {0};
    bool mended;
    if (key->n > LONGEST)
        return nfield;
    plain[scan_unescape(key->p, key->n, plain, &mended)] = '"';
    return field_named(field, nfield, plain);
}

/* The key at p: mostly `next` or one after it, as writers keep an order and leave keys out. */
static ALWAYS_INLINE const char *take_key(Cursor *c, const char *p, const Field *field,
                                          size_t nfield, size_t next, size_t *ret)
{
    const size_t ahead = field == event_field ? 3 : 1; /* args hold many keys of their writer */
    Text key;
    for (size_t i = next; i < nfield && i < next + ahead; i++) {
        if (is_key(&field[i], p + 1)) {
            *ret = i;
            return p + field[i].len + 2;
        }
    }
    p = take_string(c, p, &key);
    if (p)
        *ret = key.escaped ? field_escaped(field, nfield, &key) : field_named(field, nfield, key.p);
    return p;
}

/* `: value`, the value left to the field's function; `at` is nfield for a key that none has. */
static ALWAYS_INLINE const char *take_value(Cursor *c, const char *p, const Field *field,
                                            size_t nfield, size_t at, uint32_t *seen)
{
    p = scan_space(p, c->end);
    if (*p != ':')
        return next_or_fail(c, p >= c->end ? SCAN_MORE : SCAN_BAD, p);
    p = scan_space(p + 1, c->end);
    if (p >= c->end)
        return next_or_fail(c, SCAN_MORE, p);
    if (at == nfield)
        return skip_value(c, p);
    c->event->nduplicate += *seen >> at & 1;
    *seen |= 1u << at;
    return field[at].take(c, p, (char *)c->event + field[at].offset);
}

/* The object at p.  args and id2 come here from inside an event, so the depth is two at most. */
static ALWAYS_INLINE const char *take_object(Cursor *c, const char *p, const Field *field,
                                             size_t nfield)
{
    uint32_t seen = 0;
    size_t at, next = 0;
    bool comma = false;
    p++;
    for (;;) {
        p = scan_space(p, c->end);
        if (*p != '"')
            break;
        p = take_key(c, p, field, nfield, next, &at);
        if (!p || !(p = take_value(c, p, field, nfield, at, &seen)))
            return NULL;
        next = at < nfield ? at + 1 : next;
        p = scan_space(p, c->end);
        comma = *p == ',';
        if (!comma)
            break;
        p++;
    }
    if (p >= c->end || *p != '}')
        return next_or_fail(c, p >= c->end ? SCAN_MORE : SCAN_BAD, p);
    c->event->ntrailing_comma += comma;
    return p + 1;
}

static const char *take_id2(Cursor *c, const char *p, void *to)
{
    (void)to;
    return *p == '{' ? take_object(c, p, id2_field, COUNT(id2_field)) : skip_value(c, p);
}

static const char *take_args(Cursor *c, const char *p, void *to)
{
    (void)to;
    return *p == '{' ? take_object(c, p, args_field, COUNT(args_field)) : skip_value(c, p);
}

Scan scan_event(const char *p, const char *end, Event *ret, const char **ret_next)
{
    *ret = (Event){.begin = p,
                   .end = p, /* of a broken one no text is looked at */
                   .cat = {.p = ""},
                   .pe_index = INDEX_NONE,
                   .execution_index = INDEX_NONE,
                   .instruction_index = INDEX_NONE,
                   .operator_index = INDEX_NONE};
    Cursor c = {.end = end, .event = ret};
    p = take_object(&c, p, event_field, COUNT(event_field));
    if (!p)
        return c.failure;
    *ret_next = ret->end = p;
    return SCAN_OK;
}

/* Whether the bracket at p is the value of a key. */
static bool follows_colon(const char *from, const char *p)
{
    while (p > from && (unsigned char)p[-1] <= ' ')
        p--;
    return p > from && p[-1] == ':';
}

const char *scan_find_event(const char *p, const char *end)
{
    const char *from = p;
    for (; p < end && (p = memchr(p, '{', (size_t)(end - p))); p++) {
        const char *key = scan_space(p + 1, end);
        if (key < end && *key == '"' && !follows_colon(from, p) &&
            field_named(event_field, COUNT(event_field), key + 1) < COUNT(event_field))
            return p;
    }
    return NULL;
}
