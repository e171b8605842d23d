/* The manual page and the shell completions, printed from the same tables as --help. */
#include "advisor/cli/help.h"

#include "advisor/options/args.h"

#include <string.h>

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

static void manual_option(void *user, const OptionRow *r)
{
    FILE *out = user;
    fputs(".TP\n\\fB", out);
    if (r->letter)
        fprintf(out, "\\-%c\\fR, \\fB", r->letter);
    put_roff(out, "--");
    put_roff(out, r->name);
    fputs("\\fR", out);
    if (*r->argument) {
        Arena *a = arena_new(0);
        fputs(" \\fI", out);
        put_roff(out, help_argument(a, r));
        fputs("\\fR", out);
        arena_free(a);
    }
    putc('\n', out);
    put_roff(out, r->help);
    putc('\n', out);
}

void help_manual(FILE *out)
{
    fprintf(out, ".TH NPU\\-ADVISE 1 \"\" \"npu\\-advise %s\" \"User Commands\"\n",
            NPU_ADVISE_VERSION);
    fputs(".SH NAME\nnpu\\-advise \\- what to change in a model, and what it will gain on the "
          "NPU\n.SH SYNOPSIS\n",
          out);
    for (const Command *const *c = command_table; *c; c++) {
        fputs(c == command_table ? ".B npu\\-advise\n" : ".br\n.B npu\\-advise\n", out);
        put_roff(out, (*c)->synopsis);
        putc('\n', out);
    }
    fputs(
        ".SH COMMANDS\nThe first argument names a command; any other first argument is a model.\n",
        out);
    for (const Command *const *c = command_table; *c; c++) {
        fputs(".TP\n\\fB", out);
        put_roff(out, (*c)->name);
        fputs("\\fR\n", out);
        put_roff(out, (*c)->help);
        putc('\n', out);
    }
    fputs(".SH OPTIONS\nNot every command takes every option; \\fBnpu\\-advise\\fR "
          "\\fICOMMAND\\fR \\fB\\-\\-help\\fR lists those it takes.\n",
          out);
    option_each(NULL, manual_option, out);
    fputs(".SH EXIT STATUS\n.TP\n0\npassed, or advice was given and no gate was set\n"
          ".TP\n1\na gate failed\n.TP\n2\nusage error or unreadable input\n"
          ".TP\n3\nnothing could be decided\n"
          ".SH ENVIRONMENT\n.TP\n\\fBNO_COLOR\\fR\nno colour, unless \\fB\\-\\-color\\fR asks "
          "for it\n",
          out);
}

typedef struct {
    FILE *out;
    const char *shell;
} Completion;

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

static void complete_option(void *user, const OptionRow *r)
{
    Completion *c = user;
    if (!strcmp(c->shell, "bash")) {
        fprintf(c->out, " --%s", r->name);
    } else if (!strcmp(c->shell, "zsh")) {
        fprintf(c->out, " \\\n  '*--%s[", r->name);
        put_zsh(c->out, r->help);
        fprintf(c->out, "]%s'", *r->argument ? ":value:_files" : "");
    } else {
        fprintf(c->out, "complete -c npu-advise -l %s%s -d '", r->name, *r->argument ? " -r" : "");
        put_quoted(c->out, r->help);
        fputs("'\n", c->out);
    }
}

static void bash(Completion *c)
{
    fputs("_npu_advise() {\n    local word=${COMP_WORDS[COMP_CWORD]}\n"
          "    if [[ $word == -* ]]; then\n        mapfile -t COMPREPLY < <(compgen -W '",
          c->out);
    option_each(NULL, complete_option, c);
    fputs("' -- \"$word\")\n    elif ((COMP_CWORD == 1)); then\n"
          "        mapfile -t COMPREPLY < <(compgen -f -W '",
          c->out);
    for (const Command *const *k = command_table; *k; k++)
        fprintf(c->out, "%s ", (*k)->name);
    fputs("' -- \"$word\")\n    else\n        mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
          "    fi\n}\ncomplete -o filenames -F _npu_advise npu-advise\n",
          c->out);
}

static void zsh(Completion *c)
{
    fputs("#compdef npu-advise\n_arguments", c->out);
    option_each(NULL, complete_option, c);
    fputs(" \\\n  '1:command or model:(( ", c->out);
    for (const Command *const *k = command_table; *k; k++)
        fprintf(c->out, "%s ", (*k)->name);
    fputs("))' \\\n  '*:file:_files'\n", c->out);
}

static void fish(Completion *c)
{
    for (const Command *const *k = command_table; *k; k++) {
        fprintf(c->out, "complete -c npu-advise -n __fish_use_subcommand -a %s -d '", (*k)->name);
        put_quoted(c->out, (*k)->help);
        fputs("'\n", c->out);
    }
    option_each(NULL, complete_option, c);
}

bool help_completion(FILE *out, const char *shell)
{
    Completion c = {out, shell};
    if (!strcmp(shell, "bash"))
        bash(&c);
    else if (!strcmp(shell, "zsh"))
        zsh(&c);
    else if (!strcmp(shell, "fish"))
        fish(&c);
    else
        return false;
    return true;
}
