/* trace: arithmetic of the scanner, the strict check, percentiles, and that what the writer writes
 * is what the reader reads. */
#include "graph/base/random.h"
#include "tests/unit/check.h"
#include "trace/readers/json_check.h"
#include "trace/readers/digits.h"
#include "trace/write/emit.h"
#include "trace/readers/scan.h"
#include "trace/stats/stats.h"
#include "trace/readers/utf8.h"
#include "trace/write/writer.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- numbers ------------------------------------------------------------------------------- */

static int64_t decimal(const char *text, int scale)
{
    int64_t value = -7777;
    bool wrapped = false;
    scan_decimal(text, strlen(text), scale, &value, &wrapped);
    return wrapped ? value - 1 : value; /* one less shows that it was said */
}

/* Several digits at a time must give what one at a time does, or leave the number to it. */
static void check_digits(const char *text, unsigned scale)
{
    char window[64] = {0}; /* zeros behind it, as a window has them */
    int64_t fast = 0, slow = 0;
    bool wrapped = false;
    size_t n = (size_t)snprintf(window, 40, "%s", text);
    window[n] = ',';
    const char *end = digits_plain(window, window + n + 1, scale, &fast);
    if (!end)
        return;
    CHECK(end == window + n);
    CHECK(scan_decimal(window, n, (int)scale, &slow, &wrapped) && !wrapped && fast == slow);
}

/* The zeros behind it end a scalar; the end of the window does not. */
static int64_t plain(const char *text, unsigned scale)
{
    char window[64] = {0};
    int64_t value;
    size_t n = (size_t)snprintf(window, 40, "%s", text);
    CHECK(!digits_plain(window, window + n, scale, &value));
    return digits_plain(window, window + n + 1, scale, &value) ? value : -7777;
}

static void digit_checks(void)
{
    CHECK(plain("7", 0) == 7);
    CHECK(plain("12345678", 0) == 12345678);
    CHECK(plain("123456789012345", 0) == 123456789012345);
    CHECK(plain("1234567890123456", 0) == -7777);
    CHECK(plain("-14.9321", 3) == -14932);
    CHECK(plain("14.9325", 3) == 14933);
    CHECK(plain("14.93251", 3) == -7777);
    CHECK(plain("1.5", 0) == 2);
    CHECK(plain("5.", 3) == 5000);
    CHECK(plain(".5", 3) == -7777);
    CHECK(plain("-", 3) == -7777);
    CHECK(plain("1e3", 3) == -7777);
    for (uint64_t i = 0; i < 2000; i++) {
        char text[40];
        unsigned long long whole = random_bits(3, 0, i, 0) >> random_bits(3, 0, i, 1) % 64,
                           rest = random_bits(3, 0, i, 2) % 100000;
        const char *sign = random_bits(3, 0, i, 3) % 4 ? "" : "-";
        if (random_bits(3, 0, i, 4) % 2)
            snprintf(text, sizeof text, "%s%llu", sign, whole);
        else
            snprintf(text, sizeof text, "%s%llu.%0*llu", sign, whole,
                     (int)(random_bits(3, 0, i, 5) % 6) + 1, rest);
        check_digits(text, random_bits(3, 0, i, 6) % 2 ? 3 : 0);
    }
}

static void number_checks(void)
{
    CHECK(decimal("14.932", 3) == 14932);
    CHECK(decimal("14.931999999999999", 3) == 14932);
    CHECK(decimal("0.0004", 3) == 0);
    CHECK(decimal("0.0005", 3) == 1);
    CHECK(decimal("-1.5", 3) == -1500);
    CHECK(decimal("1623212760127829.123", 3) == INT64_C(1623212760127829123));
    CHECK(decimal("2e3", 3) == 2000000);
    CHECK(decimal("9223372036854775807", 0) == INT64_MAX);
    CHECK(decimal("18446744073709540605", 0) == -11011 - 1);
    CHECK(decimal("18446744073709540.605", 3) == -11011 - 1);
    CHECK(decimal("18446744073709551616", 0) == -7777);
    CHECK(decimal("1e400", 3) == -7777);
    CHECK(decimal("nan", 3) == -7777);
    CHECK(decimal("0x10", 3) == -7777);
    CHECK(decimal("", 3) == -7777);
    CHECK(decimal("-", 3) == -7777);
    CHECK(decimal(".5", 3) == 500);
}

/* The event's own fast path and the exact one must agree. */
static int64_t ts_of(const char *number)
{
    char text[256];
    Event e;
    const char *next;
    memset(text, 0, sizeof text);
    snprintf(text, sizeof text - 64, "{\"ts\":%s}", number);
    bool ok = scan_event(text, text + strlen(text), &e, &next) == SCAN_OK && e.has_time;
    return ok ? e.ts_ns - (e.nwrapped ? 1 : 0) : -7777;
}

static void event_checks(void)
{
    static const char *const number[] = {"14.932",
                                         "0",
                                         "7",
                                         "-3.25",
                                         "14.931999999999999",
                                         "1e3",
                                         "123456789012345678",
                                         "1234567890123456.789",
                                         "12345678901234567890",
                                         "18446744073709540.605",
                                         "\"12.5\"",
                                         "00012.5",
                                         "5."};
    for (size_t i = 0; i < sizeof number / sizeof *number; i++) {
        const char *n = number[i];
        char bare[64];
        snprintf(bare, sizeof bare, "%s", n[0] == '"' ? "12.5" : n);
        CHECK(ts_of(n) == decimal(bare, 3));
    }
    CHECK(ts_of("\"when?\"") == -7777);
    CHECK(ts_of("NaN") == -7777);
    CHECK(ts_of("{}") == -7777);
}

/* One member of args, read as an index. */
static int32_t index_of(const char *number, uint32_t *ret_bad)
{
    char text[256] = "";
    Event e;
    const char *next;
    snprintf(text, sizeof text - 64, "{\"args\":{\"pe_index\":%s}}", number);
    CHECK(scan_event(text, text + strlen(text), &e, &next) == SCAN_OK);
    *ret_bad = e.nbad_number + 10 * e.nwrapped;
    return e.pe_index;
}

static int64_t thread_of(const char *number)
{
    char text[256] = "";
    Event e;
    const char *next;
    snprintf(text, sizeof text - 64, "{\"tid\":%s}", number);
    CHECK(scan_event(text, text + strlen(text), &e, &next) == SCAN_OK);
    return e.tid;
}

static void index_checks(void)
{
    static const struct {
        const char *text;
        int32_t index;
        uint32_t bad;
    } row[] = {{"5", 5, 0},
               {"\"7\"", 7, 0},
               {"2147483647", INT32_MAX, 0},
               {"\"2147483647\"", INT32_MAX, 0},
               {"2147483648", INDEX_NONE, 1},
               {"-1", INDEX_NONE, 1},
               {"1.4", 1, 0},
               {"\"\"", INDEX_NONE, 0},
               {"[1]", INDEX_NONE, 0},
               {"null", INDEX_NONE, 1},
               {"\"12x\"", INDEX_NONE, 1},
               {"18446744073709551615", INDEX_NONE, 10}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        uint32_t bad;
        CHECK(index_of(row[i].text, &bad) == row[i].index && bad == row[i].bad);
    }
    CHECK(thread_of("12") == 12);
    CHECK(thread_of("\"12\"") == 12);
    CHECK(thread_of("\"0x1F\"") == 31);
    CHECK(thread_of("\"0xffffffffffffffff\"") == -1);
    CHECK(thread_of("\"main\"") >= INT64_C(1) << 46);
    CHECK(thread_of("\"main\"") != thread_of("\"other\""));
    CHECK(thread_of("\"0xZZ\"") >= INT64_C(1) << 46);
    CHECK(thread_of("\"0x10000000000000000\"") >= INT64_C(1) << 46);
}

static void hex_checks(void)
{
    uint64_t high = 1, low = 2;
    CHECK(!scan_hex("", 0, &low) && !scan_hex("12345678901234567", 17, &low) && low == 2);
    CHECK(!scan_hex("1g", 2, &low) && low == 2);
    CHECK(scan_hex("00fFA9", 6, &low) && low == 0xffa9);
    CHECK(scan_hex_pair("abc", 3, &high, &low) && high == 0 && low == 0xabc);
    CHECK(scan_hex_pair("10000000000000002", 17, &high, &low) && high == 1 && low == 2);
    CHECK(scan_hex_pair("0000000000000001ffffffffffffffff", 32, &high, &low) && high == 1 &&
          low == UINT64_MAX);
    CHECK(!scan_hex_pair("000000000000000100000000000000020", 33, &high, &low) && high == 1);
    CHECK(!scan_hex_pair("x0000000000000002", 17, &high, &low) && high == 1);
    CHECK(!scan_hex_pair("", 0, &high, &low) && high == 1 && low == UINT64_MAX);
}

/* ---- text ---------------------------------------------------------------------------------- */

static const char *unescaped(const char *text, bool *ret_mended)
{
    static char to[64];
    to[scan_unescape(text, strlen(text), to, ret_mended)] = '\0';
    return to;
}

static void text_checks(void)
{
    bool mended;
    CHECK(!strcmp(unescaped("a\\nb\\/\\\"", &mended), "a\nb/\"") && !mended);
    CHECK(!strcmp(unescaped("\\u00e9\\ud83d\\ude00", &mended), "\xc3\xa9\xf0\x9f\x98\x80") &&
          !mended);
    CHECK(!strcmp(unescaped("\\ud83dx", &mended), "\xef\xbf\xbdx") && mended);
    CHECK(!strcmp(unescaped("\\u0000", &mended), " ") && mended);
    CHECK(utf8_sequence("\xc3\xa9", 2) == 2);
    CHECK(utf8_sequence("\xc0\x80", 2) == 0);
    CHECK(utf8_sequence("\xed\xa0\x80", 3) == 0);
    CHECK(utf8_sequence("\xf4\x90\x80\x80", 4) == 0);
    CHECK(utf8_sequence("\xe2\x82", 2) == 0);
    CHECK(utf8_sequence("\xc3\xa9", 1) == 0);
    CHECK(utf8_sequence("\xe2\x82\xac", 2) == 0);
    CHECK(utf8_sequence("\xe2\x82\xac", 3) == 3);
    CHECK(utf8_sequence("\xe2\x82x", 3) == 0);
    CHECK(utf8_sequence("\xf0\x9f\x98\x80", 4) == 4);
    CHECK(utf8_sequence("\x80", 1) == 0);
    CHECK(utf8_sequence("\xff", 1) == 0);
}

static bool emits(void (*emit)(Emit *), const char *expected)
{
    static Emit e;
    char *text = NULL;
    size_t size = 0;
    e = (Emit){.stream = open_memstream(&text, &size)};
    emit(&e);
    emit_flush(&e);
    fclose(e.stream);
    bool same = strcmp(text, expected) == 0 && e.flushed == size && e.used == 0;
    free(text);
    return same;
}

static void numbers(Emit *e)
{
    emit_int(e, 0);
    emit_int(e, -40);
    emit_int(e, INT64_MIN);
    EMIT(e, " ");
    emit_microseconds(e, 14932);
    emit_microseconds(e, -7);
    EMIT(e, " ");
    emit_microseconds_short(e, 14932, 1);
    emit_microseconds_short(e, 0, 1);
    EMIT(e, " ");
    emit_hex(e, 0xbeef, 6);
}

static void strings(Emit *e)
{
    emit_string(e, "a\"\\\n\x01\x7f");
    emit_string(e, "\xc3\xa9\xff\xe2\x82");
    emit_string(e, "");
}

static char long_text[2 * EMIT_BUFFER_BYTES];

/* Text that fits the buffer, that fills it up, and that is longer than it. */
static void long_texts(Emit *e)
{
    emit_bytes(e, long_text, 10);
    emit_bytes(e, long_text, EMIT_BUFFER_BYTES - 10);
    emit_bytes(e, long_text, EMIT_BUFFER_BYTES);
    emit_bytes(e, long_text, EMIT_BUFFER_BYTES + 1);
    emit_bytes(e, long_text, 5);
}

static void emit_checks(void)
{
    static char expected[3 * EMIT_BUFFER_BYTES + 7];
    CHECK(emits(numbers, "0-40-9223372036854775808 14.932-0.007 14.93190.0001 00beef"));
    CHECK(emits(strings, "\"a\\\"\\\\\\n\\u0001\\u007f\"\"\xc3\xa9\xef\xbf\xbd"
                         "\xef\xbf\xbd\xef\xbf\xbd\"\"\""));
    memset(long_text, 'x', sizeof long_text);
    memset(expected, 'x', sizeof expected - 1);
    CHECK(emits(long_texts, expected));
}

static bool is_json(const char *text)
{
    JsonCheck c = {0};
    for (const char *p = text; *p; p++)
        json_check_feed(&c, p, 1); /* byte by byte: the state must carry over */
    json_check_end(&c);
    return !c.failure;
}

static void check_checks(void)
{
    static const char *const good[] = {"0",
                                       "-0",
                                       "-1.5e+3",
                                       "1E1",
                                       "\"\"",
                                       "\"\\u12aF\"",
                                       "[]",
                                       "{}",
                                       " [ 1 , {\"a\":[null,true,false]} ] ",
                                       "\"\xf0\x9f\x98\x80\"",
                                       "[[[[]]]]",
                                       "{\"a\":{\"b\":\"c\"}}"};
    static const char *const bad[] = {
        "",      "01",    "-",     "1.",     ".5",       "1e",           "1e+",
        "+1",    "0x1",   "[1,]",  "[,1]",   "[1 2]",    "{\"a\" 1}",    "{\"a\":1,}",
        "{a:1}", "[1}",   "]",     "\"\t\"", "\"\\x\"",  "\"\\u12g4\"",  "\"a",
        "nul",   "nulls", "[1]]",  "1 2",    "\"\xff\"", "\"\xc0\x80\"", "\"\xe2\x82\"",
        "'a'",   "[1",    "{\"a\""};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        CHECK(is_json(good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK(!is_json(bad[i]));
}

/* ---- percentiles --------------------------------------------------------------------------- */

static void percentile_checks(void)
{
    int64_t latency[] = {3027309, 2111363, 1824769, 1584494}; /* the guide's four */
    Distribution d = distribution_of(latency, 4);
    CHECK(d.count == 4 && d.min == 1584494 && d.max == 3027309);
    CHECK(d.mean == 2136983.75 && d.median == 1968066);
    CHECK(d.p90 == 2752525 && d.p95 == 2889917 && d.p97 == 2944873);
    CHECK(d.p99 == 2999830 && d.p99_9 == 3024561);
    CHECK(distribution_of(latency, 0).count == 0);
    CHECK(distribution_of(latency, 1).p99 == 1584494);
}

/* ---- writer and reader --------------------------------------------------------------------- */

typedef struct {
    int64_t start_ns, dur_ns, tid;
    bool nominal;
    char name[16];
} Seen;

typedef struct {
    Seen *seen;
    size_t n, cap;
    Arena *arena;
} Collected;

static void collect(void *user, const Span *s)
{
    Collected *c = user;
    Seen *to = VEC_PUSH(c->arena, c->seen, c->n, c->cap);
    *to =
        (Seen){.start_ns = s->start_ns, .dur_ns = s->dur_ns, .tid = s->tid, .nominal = s->nominal};
    snprintf(to->name, sizeof to->name, "%s", s->name);
}

static int by_place(const void *pa, const void *pb)
{
    const Seen *a = pa, *b = pb;
    if (a->tid != b->tid)
        return a->tid < b->tid ? -1 : 1;
    if (a->start_ns != b->start_ns)
        return a->start_ns < b->start_ns ? -1 : 1;
    if (a->dur_ns != b->dur_ns)
        return a->dur_ns > b->dur_ns ? -1 : 1;
    if (a->nominal != b->nominal)
        return a->nominal ? -1 : 1;
    return strcmp(a->name, b->name);
}

static Span span(const char *name, SpanKind kind, int64_t tid, int64_t start_ns, int64_t dur_ns)
{
    return (Span){.name = name,
                  .kind = kind,
                  .pid = 1,
                  .tid = tid,
                  .start_ns = start_ns,
                  .dur_ns = dur_ns,
                  .pe_index = INDEX_NONE,
                  .execution_index = INDEX_NONE,
                  .instruction_index = INDEX_NONE,
                  .operator_index = INDEX_NONE};
}

static void put(TraceWriter *w, Collected *expected, const Span *s)
{
    trace_writer_span(w, s);
    collect(expected, s);
}

/* Children before their parents, siblings that touch, empty spans, equal beginnings. */
static void write_inferences(TraceWriter *w, Collected *expected, int n)
{
    int64_t t = 0;
    for (int i = 0; i < n; i++) {
        int64_t begin = t;
        for (int k = 0; k < 5; k++) {
            int64_t dur =
                (int64_t)random_below(random_bits(1, 2, (uint64_t)i, (uint64_t)k), 4) * 100;
            Span op = span("Quantize", SPAN_HOST_OPERATOR, 7, t, dur),
                 npu = span("LowLevelPad", SPAN_NPU_OPERATOR, 65536, t, dur);
            op.nominal = i % 2 == 0;
            put(w, expected, &op);
            put(w, expected, &npu);
            t += dur;
        }
        Span task = span("Task(0,0)", SPAN_TASK, 65536, begin, t - begin),
             all = span("Inference", SPAN_INFERENCE, 7, begin, t - begin);
        put(w, expected, &task);
        put(w, expected, &all);
        t += 50;
    }
}

static void round_trip(int style, int inferences)
{
    Arena *a = arena_new(0);
    Diag diag;
    TraceWriter *w;
    TraceInfo info;
    TraceReadOptions strict = {.strict = true};
    Collected expected = {.arena = a}, found = {.arena = a};
    char path[] = "/tmp/test_trace.XXXXXX";
    close(mkstemp(path));
    CHECK(trace_writer_open(a, path, style, &w, &diag) == STATUS_OK);
    trace_writer_process(w, 1, "a \"quoted\" name");
    write_inferences(w, &expected, inferences);
    Span overlapping = span("WaitForCommit", SPAN_SUBMIT, 9, 0, 1000);
    trace_writer_async(w, &overlapping, 1);
    collect(&expected, &overlapping);
    trace_writer_counter(w, 1, 5, "queue", "depth", 3);
    CHECK(trace_writer_close(w, &diag) == STATUS_OK);
    CHECK(trace_read(a, path, &strict, collect, &found, &info, &diag) == STATUS_OK);
    CHECK(info.sdk == style && info.format == TRACE_FURIOSA && found.n == expected.n);
    for (size_t i = 0; i < expected.n; i++) {
        expected.seen[i].start_ns += WRITER_EPOCH_NS;
        char *parenthesis = strchr(expected.seen[i].name, '(');
        if (parenthesis)
            *parenthesis = '\0';
    }
    qsort(expected.seen, expected.n, sizeof(Seen), by_place);
    qsort(found.seen, found.n, sizeof(Seen), by_place);
    size_t same = 0;
    for (size_t i = 0; i < expected.n && i < found.n; i++)
        same += by_place(&expected.seen[i], &found.seen[i]) == 0;
    CHECK(same == expected.n);
    unlink(path);
    arena_free(a);
}

/* The hash is of the bytes alone, whatever stands around them, and of each of them. */
static void hash_checks(void)
{
    size_t wrong = 0;
    for (size_t n = 0; n <= 40; n++) {
        char one[64], other[64];
        memset(one, 'a', sizeof one);
        memset(other, 'z', sizeof other);
        for (size_t i = 0; i < n; i++)
            one[8 + i] = other[9 + i] = (char)('A' + i);
        uint64_t hash = scan_hash(one + 8, n, 3);
        wrong += hash != scan_hash(other + 9, n, 3);
        wrong += hash == scan_hash(one + 8, n, 4) || hash == scan_hash(one + 8, n + 1, 3);
        for (size_t i = 0; i < n; i++) {
            other[9 + i] ^= 1;
            wrong += hash == scan_hash(other + 9, n, 3);
            other[9 + i] ^= 1;
        }
    }
    CHECK(wrong == 0);
}

int main(void)
{
    hash_checks();
    number_checks();
    digit_checks();
    event_checks();
    index_checks();
    hex_checks();
    text_checks();
    emit_checks();
    check_checks();
    percentile_checks();
    round_trip(10, 3);
    round_trip(10, 2000);
    round_trip(9, 3);
    round_trip(9, 2000);
    return check_failures() != 0;
}
