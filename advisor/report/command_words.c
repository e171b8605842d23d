/* Builds the command line that reproduces a result from the result alone. */
#include "advisor/report/command_words.h"

#include "advisor/message/plain.h"
#include "graph/options/option.h"
#include "graph/base/file.h"

/* The default of --needs: all but retraining, in the order of need_words. */
#define USUAL_NEEDS "requests,input,output,accuracy"

static bool needs_quotes(const char *s)
{
    return !*s || s[strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              "_./=:,+-@%")];
}

const char *command_shell_word(Arena *a, const char *word)
{
    if (!needs_quotes(word))
        return arena_strdup(a, word);
    size_t n = 0, size = strlen(word) * PLAIN_CHAR_SIZE + 3;
    char *quoted = arena_alloc(a, size);
    quoted[n++] = '\'';
    while (*word) {
        char buf[PLAIN_CHAR_SIZE];
        int width;
        const char *shown = *word == '\'' ? (word++, "'\\''") : plain_char(buf, &word, &width);
        memcpy(quoted + n, shown, strlen(shown));
        n += strlen(shown);
    }
    quoted[n++] = '\'';
    assert(n < size);
    quoted[n] = '\0';
    return quoted;
}

static char *append_option(Arena *a, char *line, OptionId option, const char *value)
{
    return arena_printf(a, "%s %s %s", line, option_flag(option), command_shell_word(a, value));
}

static char *add_number(Arena *a, char *line, ResultInt v, OptionId option, int64_t usual)
{
    if (!v.known || v.value == usual)
        return line;
    return arena_printf(a, "%s %s %lld", line, option_flag(option), (long long)v.value);
}

static char *add_time(Arena *a, char *line, ResultInt ns, OptionId option)
{
    static const struct {
        int64_t ns;
        const char *unit;
    } unit[] = {{1000000, "ms"}, {1000, "us"}, {1, "ns"}};
    size_t i = 0;
    if (!ns.known)
        return line;
    while (ns.value % unit[i].ns)
        i++;
    return append_option(
        a, line, option,
        arena_printf(a, "%lld%s", (long long)(ns.value / unit[i].ns), unit[i].unit));
}

/* "--input-dtype x=uint8" for every member of a map. */
static char *add_texts(Arena *a, char *line, const ResultTextMap *map, OptionId option)
{
    for (size_t i = 0; i < map->count; i++)
        line = append_option(a, line, option,
                             arena_printf(a, "%s=%s", map->item[i].key, map->item[i].value));
    return line;
}

static char *add_dims(Arena *a, char *line, const ResultIntMap *map)
{
    for (size_t i = 0; i < map->count; i++)
        line = append_option(
            a, line, OPTION_DIM,
            arena_printf(a, "%s=%lld", map->item[i].key, (long long)map->item[i].value));
    return line;
}

const char *command_permutation(Arena *a, const ResultIntLists *list)
{
    char *text = arena_strdup(a, "[");
    for (size_t i = 0; i < list->count; i++) {
        text = arena_printf(a, "%s%s[", text, i ? "," : "");
        for (size_t k = 0; k < list->item[i].count; k++)
            text =
                arena_printf(a, "%s%s%lld", text, k ? "," : "", (long long)list->item[i].item[k]);
        text = arena_printf(a, "%s]", text);
    }
    return arena_printf(a, "%s]", text);
}

/* The source of a setting; unset where the result names none. */
static ResultSetupSource source_of(const ResultSetup *s, OptionId setting)
{
    if (!s)
        return RESULT_SETUP_SOURCE_UNSET;
    return setting == OPTION_TARGET    ? s->target.source
           : setting == OPTION_BATCH   ? s->batch.source
           : setting == OPTION_WORKERS ? s->workers.source
           : setting == OPTION_DEVICES ? s->devices.source
                                       : RESULT_SETUP_SOURCE_UNSET;
}

/* Whether the user gave the setting, or its source is not known. */
static bool is_told(const Result *r, OptionId setting)
{
    ResultSetupSource source = source_of(r->setup, setting);
    return !source || source == RESULT_SETUP_SOURCE_OPTION ||
           source == RESULT_SETUP_SOURCE_SETTINGS;
}

static char *add_rate(Arena *a, char *line, const ResultRate *rate)
{
    const char *gaps = rate->arrivals == RESULT_ARRIVALS_FIXED ? "fixed:" : "";
    line =
        append_option(a, line, OPTION_RATE, arena_printf(a, "%s%.15g", gaps, rate->images_per_s));
    return append_option(a, line, OPTION_AGGREGATION,
                         rate->quantile >= 0.99  ? "p99"
                         : rate->quantile >= 0.9 ? "p90"
                                                 : "median");
}

static char *add_goals(Arena *a, char *line, const Result *r)
{
    const ResultOptions *o = &r->options;
    const char *needs = "";
    line = add_time(a, line, r->latency_limit_ns, OPTION_LATENCY_LIMIT);
    for (size_t i = 0; i < o->needs.count; i++)
        needs = arena_printf(a, "%s%s%s", needs, i ? "," : "", o->needs.item[i]);
    if (strcmp(needs, USUAL_NEEDS))
        line = append_option(a, line, OPTION_NEEDS, *needs ? needs : "none");
    return o->allow_sdk ? arena_printf(a, "%s %s", line, option_flag(OPTION_ALLOW_SDK)) : line;
}

char *command_words(Arena *a, const Result *r, const char *path)
{
    const ResultOptions *o = &r->options;
    int folder = path ? (int)(strlen(path) - strlen(file_base_name(path))) : 0;
    char *line = arena_strdup(a, command_shell_word(a, path ? path : r->model.file));
    for (size_t i = 0; i < r->traces.count; i++)
        line = append_option(
            a, line, OPTION_TRACE,
            arena_printf(a, "%.*s%s", folder, path ? path : "", r->traces.item[i].file));
    if (is_told(r, OPTION_TARGET))
        line = append_option(a, line, OPTION_TARGET, r->target);
    line = append_option(a, line, OPTION_SDK, r->sdk);
    line = append_option(a, line, OPTION_OBJECTIVE, result_objective_words[r->objective]);
    if (is_told(r, OPTION_BATCH))
        line = add_number(a, line, o->batch, OPTION_BATCH, 1);
#define RUN_OPTION(field, id, preset, what)                                                        \
    if (is_told(r, OPTION_##id))                                                                   \
        line = add_number(a, line, o->field, OPTION_##id, preset);
#include "graph/compile/run_options.def"
    line = add_number(a, line, o->pes, OPTION_PES, 0);
    line = add_number(a, line, o->host_cores, OPTION_HOST_CORES, 8);
    line = r->traces.count ? line : add_number(a, line, o->ddr_mhz, OPTION_DDR_MHZ, 0);
    if (o->unknown_on)
        line = append_option(a, line, OPTION_UNKNOWN_ON, o->unknown_on);
    line = add_number(a, line, o->seed, OPTION_SEED, 1);
    line = add_dims(a, line, &o->dim);
    line = add_texts(a, line, &o->input_dtype, OPTION_INPUT_DTYPE);
    line = add_texts(a, line, &o->output_dtype, OPTION_OUTPUT_DTYPE);
    line = add_texts(a, line, &o->compiler_config, OPTION_COMPILER_CONFIG);
    line = add_goals(a, line, r);
    line = r->rate ? add_rate(a, line, r->rate) : line;
    return o->permute_input.count ? append_option(a, line, OPTION_PERMUTE_INPUT,
                                                  command_permutation(a, &o->permute_input))
                                  : line;
}

const char *command_goals(Arena *a, const Result *r)
{
    char *line = arena_strdup(a, "");
    if (r->objective == RESULT_OBJECTIVE_THROUGHPUT)
        line = append_option(a, line, OPTION_OBJECTIVE, result_objective_words[r->objective]);
    return add_goals(a, line, r);
}

char *command_apply(Arena *a, const Result *r, const char *words, const char *plan)
{
    words = words ? words : command_words(a, r, NULL);
    return arena_printf(a, "npu-advise apply %s --plan %s --output %s", words, plan,
                        strstr(words, "fixed/") ? "fixed-again" : "fixed");
}
