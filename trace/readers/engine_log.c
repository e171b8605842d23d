/* Reads the log that trtexec prints. Lines are "[mm/dd/yyyy-hh:mm:ss] [I] text", sections "===
 * Build Options ===" with "Key: value" lines, one line per metric in the summary (TensorRT 8
 * on) or a block of lines (7). */
#include "trace/readers/engine_parts.h"

typedef struct {
    EngineTimes *t;
    const char *section; /* "build" …; NULL outside */
    const char *block;   /* of 7: the metric that "min: x ms" lines belong to */
    EngineSummary of_block;
    bool in_summary;
    bool in_profile, name_first; /* --dumpProfile: its table, and where the name is in a line */
    size_t numbers;              /* in each line of it */
} LogRead;

/* The text after "[date] [I] " and "[TRT] "; the whole line where it has no such head. */
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

/* Takes the value that is called so: "min", "percentile(90%)", or of 7 "percentile" with "at 99%".
 */
static void take_figure(EngineSummary *s, const char *name, double ms, int percent)
{
    double *const to[] = {&s->min, &s->max, &s->mean, &s->median};
    static const char *const called[] = {"min", "max", "mean", "median"};
    for (size_t i = 0; i < sizeof to / sizeof *to; i++)
        if (!strncmp(name, called[i], strlen(called[i])))
            *to[i] = ms;
    if (!strncmp(name, "percentile", 10) && (percent == 90 || percent == 99))
        *(percent == 90 ? &s->p90 : &s->p99) = ms;
}

/* "min = 0.1 ms, max = 0.2 ms, … percentile(99%) = 0.2 ms" */
static bool figures_of(const char *s, EngineSummary *ret)
{
    const char *equals, *end;
    bool any = false;
    *ret = ENGINE_SUMMARY_NONE;
    for (; (equals = strchr(s, '=')); s = end + strcspn(end, ",")) {
        double ms = kernel_number_or(equals + 1, &end);
        if (end == equals + 1)
            break;
        s += strspn(s, ", ");
        take_figure(ret, s, ms, !strncmp(s, "percentile(", 11) ? atoi(s + 11) : 0);
        any = true;
    }
    return any;
}

static void read_summary(LogRead *r, const char *key, const char *value)
{
    EngineSummary ms;
    const char *end;
    if (figures_of(value, &ms))
        engine_summary(r->t, key, &ms);
    else
        engine_total(r->t, key, kernel_number_or(value, &end));
}

/* TensorRT 7: "Host latency" / "GPU Compute" alone on a line, then "min: 1.2 ms …"; each line adds
 * figures, for "Enqueue Time" has no percentile. */
static bool read_block(LogRead *r, const char *s)
{
    static const char *const metric[] = {"Host latency", "GPU Compute", "Enqueue Time"};
    static const char *const total[] = {"throughput: ", "walltime: "};
    const char *end, *colon = strchr(s, ':'), *at = strstr(s, " at ");
    for (size_t i = 0; i < sizeof metric / sizeof *metric; i++)
        if (!strcasecmp(s, metric[i])) {
            r->block = i ? metric[i] : "Host Latency";
            r->of_block = ENGINE_SUMMARY_NONE;
            return true;
        }
    for (size_t i = 0; i < sizeof total / sizeof *total; i++)
        if (!strncmp(s, total[i], strlen(total[i]))) {
            engine_total(r->t, i ? "walltime" : "Throughput", strtod(colon + 1, NULL));
            return true;
        }
    if (!r->block || !colon || strcspn(s, " ") != (size_t)(colon + 1 - s))
        return false;
    double ms = kernel_number_or(colon + 1, &end);
    if (end == colon + 1)
        return false;
    take_figure(&r->of_block, s, ms, at ? atoi(at + 4) : 0);
    engine_summary(r->t, r->block, &r->of_block);
    return true;
}

/* ---- the table of --dumpProfile ---- */

/* "=== Profile (137 iterations ) ===", then a heading.  The name is the last column from 8.6 on. */
static bool begin_profile(LogRead *r, const char *s)
{
    int runs;
    if (sscanf(s, "=== Profile (%d iterations", &runs) == 1) {
        r->in_profile = r->t->nrow == 0; /* a profile as a file is more exact */
        r->t->rows_of_log |= r->in_profile;
        r->t->iterations = r->in_profile && runs > 0 ? (size_t)runs : r->t->iterations;
        return r->in_profile;
    }
    if (!r->in_profile || !strstr(s, "Time") || !strstr(s, "Layer"))
        return false;
    r->name_first = strstr(s, "Layer") < strstr(s, "Time");
    r->numbers = strstr(s, "Median") ? 4 : 3;
    return true;
}

/* The time that all runs took, their mean, from 8.4 on the median, and the share. */
static bool profile_numbers(const LogRead *r, const char *s, double *number, const char **ret_end)
{
    char *end;
    for (size_t i = 0; i < r->numbers; i++, s = end) {
        number[i] = strtod(s, &end);
        if (end == s || (*end && *end != ' '))
            return false;
    }
    *ret_end = s + strspn(s, " ");
    return number[1] >= 0 && number[1] < 4e10;
}

/* Where the numbers of a line begin whose name, which may have blanks and numbers, is first. */
static const char *find_numbers(const LogRead *r, const char *s)
{
    const char *end;
    double number[4];
    while ((s = strchr(s, ' '))) {
        s += strspn(s, " ");
        if (profile_numbers(r, s, number, &end) && !*end)
            break;
    }
    return s;
}

static bool read_profile_line(LogRead *r, const char *s)
{
    double number[4];
    const char *end, *numbers = r->name_first ? find_numbers(r, s) : s;
    if (!r->numbers || !numbers || !profile_numbers(r, numbers, number, &end)) {
        r->in_profile = false; /* the first line after the table */
        return false;
    }
    const char *name = r->name_first ? s : end;
    size_t len = r->name_first ? (size_t)(numbers - s) : strlen(name);
    while (len > 0 && name[len - 1] == ' ')
        len--;
    bool total = len == 5 && !strncmp(name, "Total", 5);
    if (!total && len > 0 && r->t->nrow < ENGINE_ROWS_MAX)
        *VEC_PUSH(r->t->arena, r->t->row, r->t->nrow, r->t->row_cap) =
            (EngineRow){engine_name(r->t->arena, arena_strndup(r->t->arena, name, len)),
                        number[1] * 1e6, r->numbers > 3 ? number[2] * 1e6 : -1};
    r->in_profile &= !total;
    return true;
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

static const struct {
    EngineMessageKind kind;
    const char *words, *end, *also;
} message_table[] = {
#define SAYS(kind, words, end, also) {ENGINE_##kind, words, end, also},
#include "trace/readers/engine_messages.def"
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
        if (!at || !strstr(at, message_table[i].also))
            continue;
        r->t->message_count[kind]++;
        at += strlen(message_table[i].words);
        if (r->t->nmessage < ENGINE_MESSAGES_MAX && kind != ENGINE_TACTIC_TIMING)
            *VEC_PUSH(r->t->arena, r->t->message, r->t->nmessage, r->t->message_cap) =
                (EngineMessage){kind, *end ? name_before(r->t->arena, at, end)
                                           : quoted_name(r->t->arena, s)};
        return;
    }
}

static void read_line(LogRead *r, const char *line)
{
    const char *s = after_head(line);
    bool verbose = strstr(line, "[V]") != NULL;
    if (!verbose && (begin_profile(r, s) || (r->in_profile && read_profile_line(r, s))))
        return;
    if (!verbose && begin_section(r, s))
        return;
    read_version(r, line);
    read_message(r, s);
    if (verbose || read_block(r, s))
        return;
    read_pair(r, s);
}

void engine_read_log(EngineTimes *t, const char *text, size_t size)
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
}
