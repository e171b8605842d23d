/* Prints the manual page and the shell completions from the same tables as --help. */
#include "advisor/cli/help.h"

#include "advisor/cli/values.h"
#include "advisor/options/args.h"

#define ROFF(id, text) static const char id##_roff[] = text;
#include "advisor/cli/manual_heads.def"

/* roff reads '-' as a hyphen, and '.' or a quotation mark at the start of a line as a request. */
static void put_roff(FILE *out, const char *s)
{
    fputs(*s == '.' || *s == '\'' ? "\\&" : "", out);
    for (; *s; s++) {
        if (*s == '-' || *s == '\\')
            fprintf(out, "\\%c", *s == '-' ? '-' : 'e');
        else
            putc(*s, out);
    }
}

static void put_term(FILE *out, const char *term, const char *text)
{
    fputs(".TP\n\\fB", out);
    put_roff(out, term);
    fputs("\\fR\n", out);
    put_roff(out, wording_of(text));
    putc('\n', out);
}

static void manual_option(FILE *out, const OptionRow *r)
{
    fputs(".TP\n\\fB", out);
    if (r->letter)
        fprintf(out, "\\-%c\\fR, \\fB", r->letter);
    put_roff(out, option_flag(r->id));
    fputs("\\fR", out);
    if (*r->argument) {
        Arena *a = arena_new(0);
        fputs(" \\fI", out);
        put_roff(out, values_format(a, r));
        fputs("\\fR", out);
        arena_free(a);
    }
    putc('\n', out);
    put_roff(out, wording_of(r->help));
    putc('\n', out);
}

static void manual_options(FILE *out)
{
    fprintf(out, "%s\n", wording_of(options_roff));
    for (OptionGroup group = 0; group < OPTION_GROUPS; group++) {
        fprintf(out, ".SS %s\n", wording_of(option_group_title(group)));
        for (const OptionRow *r = NULL; (r = args_next_row(NULL, r));)
            if (option_group(r) == group)
                manual_option(out, r);
    }
}

/* "command   # comment", of which the comment has words. */
static void manual_examples(FILE *out, const char *examples)
{
    Arena *a = arena_new(0);
    for (const char *e = examples; *e; e += *e == '\n') {
        size_t len = strcspn(e, "\n"), at = strcspn(e, "#\n");
        const char *line = arena_strndup(a, e, len);
        put_roff(out, arena_strndup(a, line, at));
        put_roff(out, wording_of(line + at));
        putc('\n', out);
        e += len;
    }
    arena_free(a);
}

static void manual_last_chapters(FILE *out)
{
    static const struct {
        const char *chapter, *term, *text;
    } row[] = {
#define MANUAL_TERM(chapter, term, text) {chapter, term, text},
#include "advisor/cli/manual.def"
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        if (!i || strcmp(row[i].chapter, row[i - 1].chapter))
            fprintf(out, "%s\n", wording_of(row[i].chapter));
        put_term(out, row[i].term, row[i].text);
    }
}

void help_manual(FILE *out)
{
    fprintf(out, ".TH NPU\\-ADVISE 1 \"\" \"npu\\-advise %s\" \"User Commands\"\n%s\n%s\n",
            NPU_ADVISE_VERSION, wording_of(name_roff), wording_of(".SH SYNOPSIS"));
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        fputs(i ? ".br\n.B npu\\-advise\n" : ".B npu\\-advise\n", out);
        put_roff(out, command_table[i].synopsis);
        putc('\n', out);
    }
    fprintf(out, "%s\n", wording_of(commands_roff));
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        put_term(out, command_table[i].name, command_table[i].help);
    manual_options(out);
    fprintf(out, "%s\n.nf\n", wording_of(".SH EXAMPLES"));
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        manual_examples(out, command_table[i].examples);
    fputs(".fi\n", out);
    manual_last_chapters(out);
}

/* Quoted for single quotes. */
static void put_quoted(FILE *out, const char *s)
{
    for (; *s; s++) {
        if (*s == '\'')
            fputs("'\\''", out);
        else
            putc(*s, out);
    }
}

/* The help of an option as _arguments reads it: ']' and ':' are escaped. */
static void put_zsh(FILE *out, const char *s)
{
    for (; *s; s++) {
        if (strchr("[]:", *s))
            putc('\\', out);
        if (*s == '\'')
            fputs("'\\'", out);
        putc(*s, out);
    }
}

/* Whether there are values to choose from; the shell asks for them while the user types. */
static bool has_values(const OptionRow *r)
{
    Arena *a = arena_new(0);
    bool has = *values_of(a, r->id) != '\0';
    arena_free(a);
    return has;
}

static void complete_zsh(FILE *out, const OptionRow *r)
{
    fprintf(out, " \\\n  '*%s[", option_flag(r->id));
    put_zsh(out, r->help);
    fputs("]", out);
    if (has_values(r))
        fprintf(out, ":value:{compadd -- $(npu-advise --values %s)}", option_name(r->id));
    else if (r->kind != OPTION_KIND_FLAG)
        fprintf(out, ":value:_files%s", r->kind == OPTION_KIND_FOLDER ? " -/" : "");
    fputs("'", out);
}

static void complete_fish(FILE *out, const OptionRow *r)
{
    fprintf(out, "complete -c npu-advise -l %s%s", option_name(r->id),
            r->kind == OPTION_KIND_FLAG ? "" : " -r");
    if (has_values(r))
        fprintf(out, " -f -a '(npu-advise --values %s)'", option_name(r->id));
    fputs(" -d '", out);
    put_quoted(out, r->help);
    fputs("'\n", out);
}

static void complete_bash(FILE *out, const OptionRow *r)
{
    fprintf(out, " %s", option_flag(r->id));
}

static void name_command(FILE *out, const Command *c)
{
    fprintf(out, "%s ", c->name);
}

static void fish_command(FILE *out, const Command *c)
{
    fprintf(out, "complete -c npu-advise -n __fish_use_subcommand -a %s -d '", c->name);
    put_quoted(out, c->help);
    fputs("'\n", out);
}

void help_completion(FILE *out, const char *shell)
{
    static const struct {
        const char *name;
        void (*option)(FILE *out, const OptionRow *r);
        void (*command)(FILE *out, const Command *c);
        const char *before, *between, *after;
    } row[] = {
#define SHELL(...) {__VA_ARGS__},
#include "advisor/cli/shells.def"
    };
    size_t i = 0;
    while (strcmp(row[i].name, shell))
        i++; /* one of them: --completion takes no other */
    fputs(row[i].before, out);
    for (const OptionRow *r = NULL; (r = args_next_row(NULL, r));)
        row[i].option(out, r);
    fputs(row[i].between, out);
    for (size_t k = 0; k < COMMAND_COUNT; k++)
        row[i].command(out, &command_table[k]);
    fputs(row[i].after, out);
}
