/* trtexec's log: "[mm/dd/yyyy-hh:mm:ss] [I] text", sections "=== Build Options ===" with "Key:
 * value" lines, one line per metric in the summary (TensorRT 8 on) or a block of lines (7). */
#include "trace/readers/engine.h"
#include "trace/readers/engine_parts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct {
    EngineTimes *t;
    const char *section; /* "build" …; NULL outside */
    const char *block;   /* of 7: the metric that "min: x ms" lines belong to */
    double of_block[5];  /* min, max, mean, median, percentile */
    bool in_summary;
} LogRead;

/* The text behind "[date] [I] " and "[TRT] "; the whole line where it has no such head. */
static const char *after_head(const char *line)
{
    const char *s = line;
    while (*s == '[') {
        const char *close = strchr(s, ']');
        if (!close || (s != line && close - s > 5))
            break;
        s = close + 1;
        while (*s == ' ')
            s++;
    }
    return s;
}

static const struct {
    const char *title, *section;
} section_table[] = {{"Model Options", "model"},         {"Build Options", "build"},
                     {"System Options", "system"},       {"Inference Options", "inference"},
                     {"Reporting Options", "reporting"}, {"Device Information", "device"},
                     {"Performance summary", "summary"}, {"Trace details", "trace"}};

static bool begin_section(LogRead *r, const char *s)
{
    if (strncmp(s, "=== ", 4) != 0)
        return false;
    r->section = NULL;
    r->in_summary = false;
    for (size_t i = 0; i < sizeof section_table / sizeof *section_table; i++)
        if (!strncmp(s + 4, section_table[i].title, strlen(section_table[i].title)))
            r->section = section_table[i].section;
    r->in_summary = r->section && !strcmp(r->section, "summary");
    return true;
}

/* "min = 0.1 ms, max = 0.2 ms, … percentile(99%) = 0.2 ms": the number behind each '='. */
static size_t numbers_of(const char *s, double *ms, size_t most)
{
    size_t n = 0;
    while (n < most && (s = strchr(s, '='))) {
        char *end;
        double v = strtod(s + 1, &end);
        if (end == s + 1)
            break;
        ms[n++] = v;
        s = end;
    }
    return n;
}

static void read_summary(LogRead *r, const char *key, const char *value)
{
    double ms[16];
    size_t n = numbers_of(value, ms, 16);
    if (n)
        engine_summary(r->t, key, ms, n);
    else
        engine_total(r->t, key, strtod(value, NULL));
}

/* TensorRT 7: "Host latency" / "GPU Compute" alone on a line, then "min: 1.2 ms …". */
static bool read_block(LogRead *r, const char *s)
{
    static const char *const metric[] = {"Host latency", "GPU Compute", "Enqueue Time"};
    static const char *const field[] = {"min:", "max:", "mean:", "median:", "percentile:"};
    for (size_t i = 0; i < 3; i++)
        if (!strcasecmp(s, metric[i])) {
            r->block = i ? metric[i] : "Host Latency";
            memset(r->of_block, 0, sizeof r->of_block);
            return true;
        }
    for (size_t i = 0; r->block && i < 5; i++) {
        if (strncmp(s, field[i], strlen(field[i])) != 0)
            continue;
        r->of_block[i] = strtod(s + strlen(field[i]), NULL);
        if (i == 4)
            engine_summary(r->t, r->block, r->of_block, 5);
        return true;
    }
    return false;
}

static void read_pair(LogRead *r, const char *s)
{
    const char *colon = strchr(s, ':');
    if (!r->section || !colon || colon == s || strlen(s) > 4096)
        return;
    char *key = arena_strndup(r->t->arena, s, (size_t)(colon - s));
    const char *value = colon + 1 + strspn(colon + 1, " ");
    if (r->in_summary)
        read_summary(r, key, value);
    else
        engine_add_option(r->t, r->section, key, value);
}

/* 8.5.2, v8502 (one digit of the major version up to 9) or v101600. */
static void read_version(LogRead *r, const char *s)
{
    const char *dotted = strstr(s, "TensorRT version: "), *packed = strstr(s, "[TensorRT v");
    int major = 0, minor = 0;
    if (r->t->version)
        return;
    if (dotted && sscanf(dotted + 18, "%d.%d", &major, &minor) == 2 && major > 0 && major < 100 &&
        minor >= 0 && minor < 100) {
        r->t->version = 100 * major + minor;
    } else if (packed) {
        long v = strtol(packed + strlen("[TensorRT v"), NULL, 10);
        if (v >= 100000 && v < 1000000)
            r->t->version = (int)(v / 100);
        else if (v >= 1000 && v < 10000)
            r->t->version = (int)(v / 1000 * 100 + v / 100 % 10);
    }
}

/* What a line is about: the words behind the phrase, or the layer in quotes before it. */
static const char *subject_of(Arena *a, const char *line, const char *behind)
{
    const char *open = strchr(line, '\'');
    size_t len = strcspn(behind, ",");
    const char *due = strstr(behind, " due to");
    if (due && (size_t)(due - behind) < len)
        len = (size_t)(due - behind);
    if (isalpha((unsigned char)behind[0]) || strchr("(/{[_", behind[0]))
        return len && behind[0] ? arena_strndup(a, behind, len) : NULL;
    return open && strchr(open + 1, '\'')
               ? arena_strndup(a, open + 1, (size_t)(strchr(open + 1, '\'') - open - 1))
               : NULL;
}

static void read_message(LogRead *r, const char *s)
{
    static const char *const words[] = {
#define X(id, key, words) words,
        ENGINE_MESSAGES(X)
#undef X
    };
    for (int i = 0; i < ENGINE_MESSAGE_COUNT; i++) {
        const char *at = strstr(s, words[i]);
        if (!at || (i == ENGINE_NO_MEMORY && !strstr(at, "memory")))
            continue;
        r->t->message_count[i]++;
        if (r->t->nmessage < ENGINE_MESSAGES_MAX && i != ENGINE_TACTIC_TIMING)
            *VEC_PUSH(r->t->arena, r->t->message, r->t->nmessage, r->t->message_cap) =
                (EngineMessage){(EngineMessageKind)i,
                                subject_of(r->t->arena, s, at + strlen(words[i]))};
        return;
    }
}

static void read_line(LogRead *r, const char *line)
{
    const char *s = after_head(line);
    bool verbose = strstr(line, "[V]") != NULL;
    if (!verbose && begin_section(r, s))
        return;
    read_version(r, line);
    read_message(r, s);
    if (verbose || read_block(r, s))
        return;
    read_pair(r, s);
}

Status engine_read_log(EngineTimes *t, const char *text, size_t size)
{
    enum { LINE = 8192 };
    LogRead r = {.t = t};
    char line[LINE];
    for (const char *s = text, *end = text + size; s < end;) {
        const char *stop = memchr(s, '\n', (size_t)(end - s));
        size_t len = (size_t)((stop ? stop : end) - s), kept = len < LINE ? len : LINE - 1;
        memcpy(line, s, kept);
        while (kept && isspace((unsigned char)line[kept - 1]))
            kept--;
        line[kept] = '\0';
        read_line(&r, line);
        s += len + (stop != NULL);
    }
    return STATUS_OK;
}
