/* The command line of npu-advise: one option table, from which parsing, --help, man page and
 * completions come.  Compile options are those of graph/options.h. */
#ifndef ADVISOR_ARGS_H
#define ADVISOR_ARGS_H

#include "graph/options.h"

#include <stdio.h>

typedef struct Args {
    const struct Command *command; /* the subcommand; the advise command when none is named */
    const char **positional;
    size_t npositional;
    CompileOptions compile;
    /* Everything else, by long name; repeated options keep their order. */
    struct {
        const char *name, *value; /* value "" for flags */
    } *given;
    size_t ngiven;
} Args;

/* argv[0] is the program.  STATUS_USAGE with one line (and a "did you mean") for what is unknown. */
Status args_parse(Arena *a, int argc, char **argv, Args *ret, Diag *diag);

bool args_flag(const Args *g, const char *name);
const char *args_text(const Args *g, const char *name, const char *fallback); /* last one given */
const char **args_all(Arena *a, const Args *g, const char *name, size_t *ret_count);
Status args_int(const Args *g, const char *name, int64_t fallback, int64_t lo, int64_t hi,
                int64_t *ret, Diag *diag);

#endif
