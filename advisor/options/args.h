/* Parses the command line of npu-advise against one table of options.
 *
 * --help, the manual page and the completions are made from the same table.  Compile options are
 * those of graph/compile/options.h. */
#ifndef ADVISOR_OPTIONS_ARGS_H
#define ADVISOR_OPTIONS_ARGS_H

#include "graph/compile/options.h"

typedef struct {
    const char *name, *value; /* long name; value "" for flags */
    bool compile;             /* also read into Args.compile */
} UserOption;

typedef struct Args {
    const struct Command *command; /* the subcommand; the advise command when none is named */
    bool named;                    /* one was */
    const char **positional;
    size_t npositional;
    CompileOptions compile;
    UserOption *given; /* all options in the order given */
    size_t ngiven;
    const char *of_set; /* the name of this model in a run over many; NULL: alone */
} Args;

/* The row of an option or compile option; NULL: unknown. */
const OptionRow *args_option_named(const char *name, bool *ret_compile);

/* Calls `each` for the options that `command` takes, in the order of the tables: its own first,
 * then the compile options if it takes those.  NULL: every option there is. */
void args_option_each(const struct Command *command, void (*each)(void *user, const OptionRow *row),
                      void *user);

/* Whether `command` (NULL: any) takes the option; its list may name "compile" and "run". */
bool args_command_takes(const struct Command *command, const char *name);

/* "one of the tables summary inferences …": all keys of trace_tables.def, for help and messages. */
extern const char trace_table_choice[];

/* `commands` is NULL-terminated; its first is the default. argv[0] is the program. STATUS_USAGE
 * with one line (and a "did you mean") for options that are unknown or not taken by the command. */
Status args_parse(Arena *a, const struct Command *const *commands, int argc, char **argv, Args *ret,
                  Diag *diag);

/* Adds an option as if it had been given last; the value of a compile option is read as well.
 * STATUS_USAGE for a name or a value that is not allowed. */
Status args_set(Arena *a, Args *g, const char *name, const char *value, Diag *diag);

/* args_set for a valid option and value that are not the compiler's. */
void args_add(Arena *a, Args *g, const char *name, const char *value);

bool args_flag(const Args *g, const char *name);
const UserOption *args_last(const Args *g, const char *name); /* NULL: it was not given */
const char *args_text(const Args *g, const char *name, const char *fallback); /* last one given */
const char **args_all(Arena *a, const Args *g, const char *name, size_t *ret_count);

/* The value of an option of that kind, checked when parsed; a word is its index in the row. */
int64_t args_int(const Args *g, const char *name, int64_t fallback);
double args_real(const Args *g, const char *name, double fallback);
int64_t args_time_ns(const Args *g, const char *name, int64_t fallback);
int args_word(const Args *g, const char *name, int fallback);

/* args_word for an option whose words depend on the command (--format), or are in another order. */
Status args_choice(const Args *g, const char *name, const char *words, int fallback, int *ret,
                   Diag *diag);

/* STATUS_USAGE unless there are lo..hi positional arguments; `what` names them in the error. */
Status args_positional(const Args *g, size_t lo, size_t hi, const char *what, Diag *diag);

#endif
