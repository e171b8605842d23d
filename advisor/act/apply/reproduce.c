/* Builds the command line that reproduces a result from the result tree alone. */
#include "advisor/message/plain.h"
#include "advisor/report/render.h"
#include "advisor/message/json.h"

#include <assert.h>
#include <string.h>

static bool needs_quotes(const char *s)
{
    return !*s || s[strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              "_./=:,+-@%")];
}

const char *render_shell_word(Arena *a, const char *word)
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

static char *append_option(Arena *a, char *line, const char *option, const char *value)
{
    return arena_printf(a, "%s %s %s", line, option, render_shell_word(a, value));
}

static char *add_number(Arena *a, char *line, const cJSON *r, const char *path, const char *option,
                        double usual)
{
    double v = json_number_or(r, path, usual);
    return v == usual ? line : arena_printf(a, "%s %s %.0f", line, option, v);
}

/* "--dim N=1" for every member of a map. */
static char *add_map(Arena *a, char *line, const cJSON *r, const char *path, const char *option)
{
    for (const cJSON *m = json_first(r, path); m; m = m->next) {
        const char *name = m->string ? m->string : "";
        line = append_option(a, line, option,
                             cJSON_IsString(m) ? arena_printf(a, "%s=%s", name, m->valuestring)
                                               : arena_printf(a, "%s=%.0f", name, m->valuedouble));
    }
    return line;
}

static char *add_permutation(Arena *a, char *line, const cJSON *r)
{
    const cJSON *list = json_at(r, "options.permute_input");
    if (!list || !list->child)
        return line;
    char *text = cJSON_PrintUnformatted(list);
    line = append_option(a, line, "--permute-input", text ? text : "");
    cJSON_free(text);
    return line;
}

/* Whether a setting that a search may choose is to stay as it was. */
static bool is_kept(const cJSON *r, const char *setting, CommandWords which)
{
    if (which != WORDS_TO_TUNE && which != WORDS_TO_TUNE_ANY)
        return true;
    char path[64];
    snprintf(path, sizeof path, "setup.%s.source", setting);
    const char *source = json_text(r, path, NULL);
    return source ? !strcmp(source, "option") : strcmp(setting, "queue_depth") != 0;
}

char *render_command_words(Arena *a, const cJSON *r, CommandWords which)
{
    char *line = arena_strdup(a, render_shell_word(a, json_text(r, "model.file", "?")));
    bool of_it = strcmp(json_text(r, "evidence.refuted", ""), "model") != 0;
    for (const cJSON *trace = json_first(r, "traces"); trace; trace = trace->next)
        if (of_it || which == WORDS_AS_IT_RAN)
            line = append_option(a, line, "--trace", json_text(trace, "file", "?"));
    if (is_kept(r, "target", which))
        line = append_option(a, line, "--target", json_text(r, "target", "?"));
    line = append_option(a, line, "--sdk", json_text(r, "sdk", "?"));
    if (which != WORDS_OF_ANY_OBJECTIVE && which != WORDS_TO_TUNE_ANY)
        line = append_option(a, line, "--objective", json_text(r, "objective", "latency"));
    if (is_kept(r, "batch", which))
        line = add_number(a, line, r, "options.batch", "--batch", 1);
#define RUN_OPTION(field, name, most, preset, what, help)                                          \
    if (is_kept(r, #field, which))                                                                 \
        line = add_number(a, line, r, "options." #field, "--" name, preset);
#include "graph/compile/run_options.def"
#undef RUN_OPTION
    line = add_number(a, line, r, "options.host_cores", "--host-cores", 8);
    line = add_number(a, line, r, "options.seed", "--seed", 1);
    line = add_map(a, line, r, "options.dim", "--dim");
    line = add_map(a, line, r, "options.input_dtype", "--input-dtype");
    line = add_map(a, line, r, "options.output_dtype", "--output-dtype");
    line = add_map(a, line, r, "options.compiler_config", "--compiler-config");
    return add_permutation(a, line, r);
}
