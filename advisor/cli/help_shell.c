/* Prints the manual page and the shell completions from the same tables as --help. */
#include "advisor/cli/help.h"

#include "advisor/cli/values.h"
#include "advisor/options/args.h"

/* roff reads '-' as a hyphen and '.' at the start of a line as a request. */
static void put_roff(FILE *out, const char *s)
{
    for (; *s; s++) {
        if (*s == '-')
            fputs("\\-", out);
        else if (*s == '\\')
            fputs("\\e", out);
        else
            putc(*s, out);
    }
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
    put_roff(out, r->help);
    putc('\n', out);
}

static void manual_examples(FILE *out)
{
    fputs(".SH EXAMPLES\n.nf\n", out);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        put_roff(out, command_table[i].examples);
        putc('\n', out);
    }
    fputs(".fi\n", out);
}

void help_manual(FILE *out)
{
    fprintf(out, ".TH NPU\\-ADVISE 1 \"\" \"npu\\-advise %s\" \"User Commands\"\n",
            NPU_ADVISE_VERSION);
    fputs(".SH NAME\nnpu\\-advise \\- what to change in a model, and what it will gain on the "
          "NPU\n.SH SYNOPSIS\n",
          out);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        fputs(i ? ".br\n.B npu\\-advise\n" : ".B npu\\-advise\n", out);
        put_roff(out, command_table[i].synopsis);
        putc('\n', out);
    }
    fputs(
        ".SH COMMANDS\nThe first argument names a command; any other first argument is a model.\n",
        out);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        fputs(".TP\n\\fB", out);
        put_roff(out, command_table[i].name);
        fputs("\\fR\n", out);
        put_roff(out, command_table[i].help);
        putc('\n', out);
    }
    fputs(".SH OPTIONS\nNot every command takes every option; \\fBnpu\\-advise\\fR "
          "\\fICOMMAND\\fR \\fB\\-\\-help\\fR lists those it takes.\n",
          out);
    for (OptionGroup group = 0; group < OPTION_GROUPS; group++) {
        fprintf(out, ".SS %s\n", option_group_title(group));
        for (const OptionRow *r = NULL; (r = args_next_row(NULL, r));)
            if (option_group(r) == group)
                manual_option(out, r);
    }
    manual_examples(out);
    fputs(
        ".SH EXIT STATUS\n.TP\n0\npassed, or advice was given and no gate was set\n"
        ".TP\n1\na gate failed\n.TP\n2\nusage error or unreadable input\n"
        ".TP\n3\nnothing could be decided\n"
        ".SH ENVIRONMENT\n.TP\n\\fBNO_COLOR\\fR\nno colour, unless \\fB\\-\\-color\\fR asks "
        "for it\n.TP\n\\fBNPU_ADVISE_DATA\\fR\nthe folder that holds rules and silicon, where they "
        "are not beside the program nor where it was installed\n",
        out);
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

/* Whether there are values to choose from; they are asked for when somebody types. */
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

static void write_bash_completion(FILE *out)
{
    fputs(
        "_npu_advise() {\n    local word=${COMP_WORDS[COMP_CWORD]} "
        "before=${COMP_WORDS[COMP_CWORD-1]} values=\n"
        "    [[ $before == explain ]] && before=--rule\n"
        "    [[ $before == --* ]] && values=$(npu-advise --values \"${before#--}\" 2> /dev/null)\n"
        "    if [[ $values ]]; then\n"
        "        mapfile -t COMPREPLY < <(compgen -W \"$values\" -- \"$word\")\n"
        "    elif [[ $word == -* ]]; then\n        mapfile -t COMPREPLY < <(compgen -W '",
        out);
    for (const OptionRow *r = NULL; (r = args_next_row(NULL, r));)
        fprintf(out, " %s", option_flag(r->id));
    fputs("' -- \"$word\")\n    elif ((COMP_CWORD == 1)); then\n"
          "        mapfile -t COMPREPLY < <(compgen -f -W '",
          out);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        fprintf(out, "%s ", command_table[i].name);
    fputs("' -- \"$word\")\n    else\n        mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
          "    fi\n}\ncomplete -o filenames -F _npu_advise npu-advise\n",
          out);
}

static void write_zsh_completion(FILE *out)
{
    fputs("#compdef npu-advise\n_arguments", out);
    for (const OptionRow *r = NULL; (r = args_next_row(NULL, r));)
        complete_zsh(out, r);
    fputs(" \\\n  '1:command or model:{compadd -- ", out);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        fprintf(out, "%s ", command_table[i].name);
    fputs("; _files}' \\\n"
          "  '*:file:{[[ $words[2] == explain ]] && compadd -- $(npu-advise --values rule) || "
          "_files}'\n",
          out);
}

static void write_fish_completion(FILE *out)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        fprintf(out, "complete -c npu-advise -n __fish_use_subcommand -a %s -d '",
                command_table[i].name);
        put_quoted(out, command_table[i].help);
        fputs("'\n", out);
    }
    fputs("complete -c npu-advise -n '__fish_seen_subcommand_from explain' -f -a "
          "'(npu-advise --values rule)'\n",
          out);
    for (const OptionRow *r = NULL; (r = args_next_row(NULL, r));)
        complete_fish(out, r);
}

void help_completion(FILE *out, const char *shell)
{
    if (!strcmp(shell, "bash"))
        write_bash_completion(out);
    else if (!strcmp(shell, "zsh"))
        write_zsh_completion(out);
    else
        write_fish_completion(out);
}
