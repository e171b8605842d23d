/* Reads the JSON files of an engine (profile, times of queries, metadata). */
#include "graph/base/statistics.h"
#include "trace/readers/engine_parts.h"
#include "trace/readers/scan.h"
#include "trace/readers/source.h"

#include <cjson/cJSON.h>

/* Names and numbers are printed as they are: percentages of a sum of 0 are "nan", and a locale may
 * write 0,06.  Outside of texts both are mended; in lists of numbers no comma stands without a
 * blank. */
static char *mend_numbers(Arena *a, const char *text, size_t size)
{
    char *s = arena_strndup(a, text, size);
    bool quoted = false;
    for (size_t i = 0; i < size; i++) {
        if (quoted && s[i] == '\\' && i + 1 < size) {
            i++;
        } else if (s[i] == '"') {
            quoted = !quoted;
        } else if (quoted) {
            continue;
        } else if (s[i] == ',' && i && i + 1 < size && isdigit((unsigned char)s[i - 1]) &&
                   isdigit((unsigned char)s[i + 1])) {
            s[i] = '.';
        } else if ((!strncasecmp(s + i, "nan", 3) || !strncasecmp(s + i, "inf", 3))) {
            if (i && s[i - 1] == '-')
                s[i - 1] = ' ';
            memcpy(s + i, "-1 ", 3);
            for (size_t k = i + 3; k < size && isalpha((unsigned char)s[k]); k++)
                s[k] = ' ';
        }
    }
    return s;
}

/* Trailing separators inside a name: a name that holds a quote is not JSON; its row is a separate
 * line, between "name" : " and ", "timeMs". */
static char *with_quotes(Arena *a, const char *text)
{
    size_t n = strlen(text);
    char *out = arena_alloc(a, 2 * n + 1), *to = out;
    for (const char *s = text; *s;) {
        const char *name = strstr(s, "\"name\" : \"");
        const char *end = name ? strstr(name, "\", \"timeMs\"") : NULL;
        if (!end)
            return strcpy(to, s), out;
        name += strlen("\"name\" : \"");
        memcpy(to, s, (size_t)(name - s));
        to += name - s;
        for (; name < end; name++) {
            if (*name == '"' || *name == '\\')
                *to++ = '\\';
            *to++ = *name;
        }
        s = end;
    }
    *to = '\0';
    return out;
}

/* The objects of a list, one by one; null for each that is no JSON. */
static cJSON *parse_pieces(Arena *a, const char *text)
{
    size_t size = strlen(text);
    char *padded = arena_calloc(a, 1, size + WINDOW_PAD_BYTES);
    memcpy(padded, text, size);
    const char *end = padded + size, *at = strchr(padded, '['), *next;
    cJSON *list = at ? cJSON_CreateArray() : NULL;
    while (list && (at = strchr(at, '{')) && scan_skip(at, end, &next) == SCAN_OK) {
        cJSON *o = cJSON_ParseWithLength(at, (size_t)(next - at));
        cJSON_AddItemToArray(list, o ? o : cJSON_CreateNull());
        at = next;
    }
    return list;
}

static cJSON *parse_lenient(Arena *a, const char *text, size_t size)
{
    cJSON *root = cJSON_ParseWithLength(text, size);
    if (root)
        return root;
    char *again = mend_numbers(a, text, size);
    root = cJSON_Parse(again);
    if (!root)
        root = cJSON_Parse(again = with_quotes(a, again));
    return root || text[strspn(text, " \t\r\n")] != '[' ? root : parse_pieces(a, again);
}

static bool read_ms_number(const cJSON *o, const char *key, double *ret)
{
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(o, key);
    if (!cJSON_IsNumber(v) || !(fabs(v->valuedouble) < 4e10))
        return false;
    *ret = v->valuedouble;
    return true;
}

/* ---- the profile ---- */

const char *engine_name(Arena *a, const char *name)
{
    size_t n = strlen(name), k = 0;
    char *out = arena_alloc(a, 3 * n + 1);
    for (size_t i = 0; i < n; i++) {
        bool mark = name[i] == 0x1e || name[i] == 0x1f;
        memcpy(out + k, mark ? " + " : name + i, mark ? 3 : 1);
        k += mark ? 3 : 1;
    }
    out[k] = '\0';
    return out;
}

static void add_row_of(EngineTimes *t, const cJSON *o)
{
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(o, "name");
    double average = 0, total = 0, median;
    double count = t->iterations ? (double)t->iterations : 1;
    bool has_average = read_ms_number(o, "averageMs", &average),
         has_total = read_ms_number(o, "timeMs", &total);
    if (!cJSON_IsString(name) || !(has_average || has_total) ||
        (has_average ? average : total) < 0) {
        t->bad_rows++;
        return;
    }
    *VEC_PUSH(t->arena, t->row, t->nrow, t->row_cap) = (EngineRow){
        .name = engine_name(t->arena, name->valuestring),
        .average_ns = (has_average ? average : total / count) * 1e6,
        .median_ns = read_ms_number(o, "medianMs", &median) && median >= 0 ? median * 1e6 : -1};
}

Status engine_read_profile(EngineTimes *t, InFile file, Diag *diag)
{
    if (t->nrow && !t->rows_of_log)
        return diag_set(diag, STATUS_INPUT, file.path, NULL,
                        "is a second profile; give one, that of the run to be advised on");
    cJSON *root = parse_lenient(t->arena, (const char *)file.data, file.size), *o;
    if (!cJSON_IsArray(root)) {
        cJSON_Delete(root);
        return diag_set(diag, STATUS_INPUT, file.path, NULL,
                        "is not the list that trtexec --exportProfile writes");
    }
    t->nrow = t->iterations = 0;
    t->rows_of_log = false;
    cJSON_ArrayForEach(o, root)
    {
        double count;
        if (t->nrow == ENGINE_ROWS_MAX)
            break;
        if (read_ms_number(o, "count", &count) && count >= 0)
            t->iterations = (size_t)count;
        else
            add_row_of(t, o);
    }
    cJSON_Delete(root);
    return STATUS_OK;
}

/* ---- the times of every query ---- */

/* The named duration is exact; of the ends, which have six digits, only the difference is used. */
static const struct {
    const char *dur[2], *start[2], *end[2];
} query_key[] = {
    [ENGINE_COMPUTE] = {{"computeMs"}, {"startComputeMs"}, {"endComputeMs"}},
    [ENGINE_H2D] = {{"h2dMs", "inMs"}, {"startH2dMs", "startInMs"}, {"endH2dMs", "endInMs"}},
    [ENGINE_D2H] = {{"d2hMs", "outMs"}, {"startD2hMs", "startOutMs"}, {"endD2hMs", "endOutMs"}},
    [ENGINE_LATENCY] = {{"latencyMs"}, {NULL}, {NULL}},
    [ENGINE_ENQUEUE] = {{"enqMs"}, {"startEnqMs"}, {"endEnqMs"}},
};
static_assert(sizeof query_key / sizeof *query_key == ENGINE_STAGE_COUNT, "keys for each stage");

/* Beyond this the ends have two decimals: an enqueue of 8 us would read 0 or 10. */
#define EXACT_ENDS_MS 1000.0

static bool stage_duration(const cJSON *o, EngineStageKind s, double *ret_ns)
{
    double start, end, dur;
    for (int i = 0; i < 2; i++) {
        if (query_key[s].dur[i] && read_ms_number(o, query_key[s].dur[i], &dur) && dur >= 0) {
            *ret_ns = dur * 1e6;
            return true;
        }
        if (query_key[s].start[i] && read_ms_number(o, query_key[s].start[i], &start) &&
            read_ms_number(o, query_key[s].end[i], &end) && end >= start && end < EXACT_ENDS_MS) {
            *ret_ns = (end - start) * 1e6;
            return true;
        }
    }
    return false;
}

static EngineStage count_stage(double *v, size_t n)
{
    EngineStage s = {.known = true, .from_queries = true, .n = n};
    double sum = 0, square = 0;
    statistics_sort_reals(v, n);
    for (size_t i = 0; i < n; i++)
        sum += v[i];
    s.mean = sum / (double)n;
    for (size_t i = 0; i < n; i++)
        square += (v[i] - s.mean) * (v[i] - s.mean);
    s.cv = s.mean > 0 ? sqrt(square / (double)n) / s.mean : 0;
    s.min = v[0];
    s.max = v[n - 1];
    s.median = n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
    s.p90 = v[engine_percentile_index(n, 0.90)];
    s.p99 = v[engine_percentile_index(n, 0.99)];
    return s;
}

Status engine_read_times(EngineTimes *t, InFile file, Diag *diag)
{
    if (t->stage[ENGINE_COMPUTE].from_queries)
        return diag_set(diag, STATUS_INPUT, file.path, NULL, "holds times a second time; give one");
    cJSON *root = parse_lenient(t->arena, (const char *)file.data, file.size), *o;
    if (!cJSON_IsArray(root)) {
        cJSON_Delete(root);
        return diag_set(diag, STATUS_INPUT, file.path, NULL,
                        "is not the list that trtexec --exportTimes writes");
    }
    size_t most = (size_t)cJSON_GetArraySize(root);
    double *v = ARENA_ARRAY(t->arena, double, most);
    for (int s = 0; s < ENGINE_STAGE_COUNT; s++) {
        size_t n = 0;
        cJSON_ArrayForEach(o, root) n += stage_duration(o, (EngineStageKind)s, &v[n]);
        if (n && (s != ENGINE_COMPUTE || v[0] > 0))
            t->stage[s] = count_stage(v, n);
    }
    cJSON_Delete(root);
    return STATUS_OK;
}

/* ---- metadata: the log's sections as JSON ---- */

static void add_metadata(EngineTimes *t, const cJSON *section, const char *name)
{
    const cJSON *v;
    cJSON_ArrayForEach(v, section)
    {
        char text[64];
        snprintf(text, sizeof text, "%g", cJSON_IsNumber(v) ? v->valuedouble : 0);
        if (v->string && (cJSON_IsString(v) || cJSON_IsNumber(v)))
            engine_add_option(t, name, v->string, cJSON_IsString(v) ? v->valuestring : text);
    }
}

static void add_performance(EngineTimes *t, const cJSON *section)
{
    const cJSON *v, *x;
    cJSON_ArrayForEach(v, section)
    {
        double ms[16];
        size_t n = 0;
        if (cJSON_IsNumber(v))
            engine_total(t, v->string, v->valuedouble);
        cJSON_ArrayForEach(x, v)
        {
            if (n < 16 && cJSON_IsNumber(x))
                ms[n++] = x->valuedouble;
        }
        /* Percentiles without their shares: 99 alone, or 90 first. */
        if (n >= 4)
            engine_summary(t, v->string,
                           &(EngineSummary){ms[0], ms[1], ms[2], ms[3], n > 5 ? ms[4] : -1,
                                            n > 4 ? ms[n - 1] : -1});
    }
}

Status engine_read_metadata(EngineTimes *t, InFile file, Diag *diag)
{
    static const struct {
        const char *key, *section;
    } part[] = {{"model_options", "model"},
                {"build_options", "build"},
                {"inference_options", "inference"},
                {"device_information", "device"}};
    cJSON *root = parse_lenient(t->arena, (const char *)file.data, file.size);
    if (!cJSON_IsObject(root)) {
        cJSON_Delete(root);
        return diag_set(diag, STATUS_INPUT, file.path, NULL, "is not JSON");
    }
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        add_metadata(t, cJSON_GetObjectItemCaseSensitive(root, part[i].key), part[i].section);
    add_performance(t, cJSON_GetObjectItemCaseSensitive(root, "performance_summary"));
    cJSON_Delete(root);
    return STATUS_OK;
}
