/* Gathers those values from the data folder and from tables, for help and for shell completions. */
#include "advisor/cli/values.h"

#include "advisor/render/forms/formats.h"
#include "advisor/act/gate/gate_parts.h"
#include "advisor/rules/rule_book.h"
#include "graph/base/folder.h"
#include "graph/base/data.h"
#include "graph/compile/machine.h"
#include "graph/compile/options.h"
#include "trace/readers/trace_formats.h"

static const char *append_choice(Arena *a, const char *list, const char *word)
{
    return *list ? arena_printf(a, "%s|%s", list, word) : word;
}

/* Each target, and with as many PEs fused as it has. */
static const char *target_choices(Arena *a)
{
    static const char suffix[] = ".xml";
    const char **file = NULL, *list = "";
    size_t n = 0;
    Diag unused;
    Machine *m;
    if (folder_list(a, data_path(a, "targets"), suffix, &file, &n, &unused))
        return "";
    for (size_t i = 0; i < n; i++) {
        const char *name = arena_strndup(a, file[i], strlen(file[i]) - (sizeof suffix - 1));
        TargetText text;
        if (machine_load(a, name, &m, &unused))
            continue;
        list = append_choice(a, list, name);
        if (m->pe_count > 1)
            list = append_choice(a, list, arena_strdup(a, target_text(&text, name, m->pe_count)));
    }
    return list;
}

static const char *rule_ids(Arena *a)
{
    const char *list = "";
    RuleBook book;
    Diag unused;
    if (rules_load(a, NULL, 0, &book, &unused))
        return "";
    for (size_t i = 0; i < book.nrule; i++)
        list = append_choice(a, list, book.rule[i].id);
    return list;
}

static const char *trace_formats(Arena *a)
{
    const char *list = "";
    for (int f = TRACE_UNKNOWN + 1; f < TRACE_FORMAT_COUNT; f++)
        list = append_choice(a, list, trace_format_name((TraceFormat)f));
    return list;
}

static const char *table_choices(Arena *a)
{
    const char *list = "";
#define TRACE_TABLE(name) list = append_choice(a, list, #name);
#include "graph/options/trace_tables.def"
    return list;
}

static const char *format_choices(Arena *a)
{
    const char *list = "text|json";
    for (const OutputFormat *f = output_format_table; f->name; f++)
        list = append_choice(a, list, f->name);
    return list;
}

static const char *budget_choices(Arena *a)
{
    const char *list = "";
    for (const Metric *m = gate_metric_table; m->name; m++)
        list = append_choice(a, list, arena_printf(a, "%s=", m->name));
    return list;
}

static const struct {
    OptionId option; /* OPTION_NONE: the argument of `explain` */
    const char *(*values)(Arena *a);
    bool shown; /* in help, in place of the argument: they are few */
} source[] = {
    {OPTION_LANG, language_choice, true},        {OPTION_SDK, sdk_choice, true},
    {OPTION_TARGET, target_choices, false},      {OPTION_NONE, rule_ids, false},
    {OPTION_TRACE_FORMAT, trace_formats, false}, {OPTION_TABLE, table_choices, false},
    {OPTION_FORMAT, format_choices, false},      {OPTION_BUDGET, budget_choices, false},
};
enum { SOURCES = sizeof source / sizeof *source };

static size_t source_of(OptionId option)
{
    return LIST_INDEX(k, (size_t)SOURCES, source[k].option == option);
}

const char *values_of(Arena *a, OptionId option)
{
    size_t i = source_of(option);
    if (i < SOURCES)
        return source[i].values(a);
    const OptionRow *row = option_row(OPTION_OF_ADVISE, option);
    return row->kind == OPTION_KIND_WORDS ? row->argument : "";
}

const char *values_format(Arena *a, const OptionRow *row)
{
    size_t i = source_of(row->id);
    return i < SOURCES && source[i].shown ? source[i].values(a) : row->argument;
}

Status values_print(Arena *a, FILE *out, const char *name, Diag *diag)
{
    const OptionRow *row = option_named(OPTION_OF_ADVISE, name + strspn(name, "-"));
    if (!row && strcmp(name, "rule") != 0)
        return diag_set(diag, STATUS_USAGE, NULL, NULL,
                        "--values '%s' is not an option; `npu-advise --help` lists them", name);
    for (const char *word = values_of(a, row ? row->id : OPTION_NONE); *word;) {
        size_t len = strcspn(word, "|");
        fprintf(out, "%.*s\n", (int)len, word);
        word += len + (word[len] == '|');
    }
    return STATUS_OK;
}
