/* Reads the log that trtexec prints. Lines are "[mm/dd/yyyy-hh:mm:ss] [I] text", sections "===
 * Build Options ===" with "Key: value" lines, one line per metric in the summary (TensorRT 8
 * on) or a block of lines (7). */
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

/* 0.7, or 0,7 in some locales: a blank follows the comma of a list.  *ret_end == s: no number. */
static double kernel_number_or(const char *s, const char **ret_end)
{
    char text[64], *end, *comma;
    snprintf(text, sizeof text, "%.*s", (int)strcspn(s, "m%"), s);
    if ((comma = strchr(text, ',')) && isdigit((unsigned char)comma[1]))
        *comma = '.';
    double v = strtod(text, &end);
    *ret_end = s + (end - text);
    return v;
}

/* "min = 0.1 ms, max = 0.2 ms, … percentile(99%) = 0.2 ms": the number behind each '='. */
static size_t numbers_of(const char *s, double *ms, size_t most)
{
    size_t n = 0;
    while (n < most && (s = strchr(s, '='))) {
        const char *end;
        double v = kernel_number_or(s + 1, &end);
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
    const char *end;
    size_t n = numbers_of(value, ms, 16);
    if (n)
        engine_summary(r->t, key, ms, n);
    else
        engine_total(r->t, key, kernel_number_or(value, &end));
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
        const char *end;
        if (strncmp(s, field[i], strlen(field[i])) != 0)
            continue;
        r->of_block[i] = kernel_number_or(s + strlen(field[i]), &end);
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

/* What a line of a kind says.  Its subject stands between `words` and `end`; without `end` it is
 * what the line has in quotes before them, if anything. */
static const struct {
    EngineMessageKind kind;
    const char *words, *end;
    const char *also; /* the line has this as well */
} message_table[] = {
    {ENGINE_MISSING_SCALE, "Missing scale and zero-point for tensor ", ", expect", NULL},
    {ENGINE_INT8_REJECTED, "Rejecting some int8 implementation of layer ", " due to", NULL},
    {ENGINE_DLA_FALLBACK, "Switching this layer's device type to GPU", NULL, NULL},
    {ENGINE_DLA_FALLBACK, "DLA is enabled but layer ", " is not supported on DLA", NULL},
    {ENGINE_DLA_FALLBACK, " precision type. Switching ", " device type to GPU", NULL},
    {ENGINE_ENQUEUE_BOUND, "Throughput may be bound by Enqueue Time", NULL, NULL},
    {ENGINE_UNSTABLE, "GPU compute time is unstable", NULL, NULL},
    {ENGINE_AUXILIARY, " auxiliary streams", NULL, NULL},
    {ENGINE_IO_REFORMAT, "I/O reformatting for region", NULL, NULL},
    {ENGINE_NO_MEMORY, "Skipping tactic", NULL, "memory"},
    {ENGINE_NO_SUMMARY, "The e2e network timing is not reported", NULL, NULL},
    {ENGINE_TACTIC_TIMING, "Autotuning format combination", NULL, NULL},
    {ENGINE_CACHE_MISS, "Local timing cache in use", NULL, NULL},
};

static const char *quoted_name(Arena *a, const char *line)
{
    const char *open = strchr(line, '\''), *close = open ? strchr(open + 1, '\'') : NULL;
    return close ? engine_name(a, arena_strndup(a, open + 1, (size_t)(close - open - 1))) : NULL;
}

static const char *name_before(Arena *a, const char *text, const char *end)
{
    const char *stop = strstr(text, end);
    size_t len = stop ? (size_t)(stop - text) : strlen(text);
    return len ? engine_name(a, arena_strndup(a, text, len)) : NULL;
}

static void read_message(LogRead *r, const char *s)
{
    for (size_t i = 0; i < sizeof message_table / sizeof *message_table; i++) {
        EngineMessageKind kind = message_table[i].kind;
        const char *at = strstr(s, message_table[i].words), *end = message_table[i].end;
        if (!at || (message_table[i].also && !strstr(at, message_table[i].also)))
            continue;
        r->t->message_count[kind]++;
        at += strlen(message_table[i].words);
        if (r->t->nmessage < ENGINE_MESSAGES_MAX && kind != ENGINE_TACTIC_TIMING)
            *VEC_PUSH(r->t->arena, r->t->message, r->t->nmessage, r->t->message_cap) =
                (EngineMessage){kind, end ? name_before(r->t->arena, at, end)
                                          : quoted_name(r->t->arena, s)};
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
