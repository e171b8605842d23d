/* Parses the command line of npu-advise by the table of options (graph/options/options.xml).
 *
 * --help, the manual page and the completions are made from the same table. */
#pragma once

#include "graph/compile/options.h"
#include "graph/options/option.h"

typedef struct Args {
    const struct Command *command; /* the subcommand; the advise command when none is named */
    bool named;                    /* one was */
    const char **positional;
    size_t npositional;
    CompileOptions compile;
    OptionGiven *given; /* all options in the order given; those of the compile are in it as well */
    size_t ngiven;
    const char *of_set; /* the name of this model in a run over many; NULL: alone */
} Args;

/* The rows of the options that `command` takes (NULL: any), in the order of the table; the first
 * after NULL, NULL after the last. */
const OptionRow *args_next_row(const struct Command *command, const OptionRow *row);

/* Whether `command` (NULL: any) takes the option. */
bool args_command_takes(const struct Command *command, OptionId id);

/* argv[0] is the program. STATUS_USAGE with one line (and a "did you mean") for options that are
 * unknown or not taken by the command. */
Status args_parse(Arena *a, int argc, char **argv, Args *ret, Diag *diag);

/* Adds an option as if it had been given last; the value of a compile option is read as well.
 * STATUS_USAGE for a value that is not allowed. */
Status args_set(Arena *a, Args *g, OptionId id, const char *value, Diag *diag);

/* args_set for a valid value of an option that is not the compiler's. */
void args_add(Arena *a, Args *g, OptionId id, const char *value);

bool args_flag(const Args *g, OptionId id);
const OptionGiven *args_last(const Args *g, OptionId id); /* NULL: it was not given */
const char *args_text(const Args *g, OptionId id, const char *fallback); /* last one given */
const char **args_all(Arena *a, const Args *g, OptionId id, size_t *ret_count);

/* The value of an option of that kind, checked when parsed; a word is its index in the row. */
int64_t args_int(const Args *g, OptionId id, int64_t fallback);
double args_real(const Args *g, OptionId id, double fallback);
int64_t args_time_ns(const Args *g, OptionId id, int64_t fallback);
int args_word(const Args *g, OptionId id, int fallback);

/* args_word for an option whose words depend on the command (--format), or are in another order. */
Status args_choice(const Args *g, OptionId id, const char *words, int fallback, int *ret,
                   Diag *diag);

/* STATUS_USAGE unless there are lo..hi positional arguments; `what` names them in the error. */
Status args_positional(const Args *g, size_t lo, size_t hi, const char *what, Diag *diag);
