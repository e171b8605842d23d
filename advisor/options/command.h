/* Defines a subcommand of npu-advise by its name, help and function.
 *
 * Each subcommand is a file advisor/cli/cmd_<name>.c that defines `const Command cmd_<name>`, and a
 * line in advisor/options/commands.def; graph/options/options.def says which options it takes. */
#pragma once

#include "advisor/options/args.h"

/* `out` is for the result, `err` for progress and warnings; only main prints by itself. */
typedef struct {
    Arena *arena;
    const struct Command *const *commands; /* all, NULL-terminated */
    Notes *notes;             /* printed to err by main after the command, one line each */
    const Language *language; /* --lang; NULL: English */
    FILE *out, *err;
    struct Helper *helper; /* starts runners from outside the sandbox; NULL: none is needed */
    struct Helper *metric; /* likewise, the program of --metric */
    Diag *diag;            /* printed by main when the Status is not OK */
    int exit_code;         /* set by a command whose result decides it (a gate); else left 0 */
} Context;

typedef enum {
#define COMMAND(id, name) COMMAND_##id,
#include "advisor/options/commands.def"
#undef COMMAND
    COMMAND_COUNT
} CommandId;

typedef struct Command {
    CommandId id;
    const char *name;
    const char *synopsis;        /* "inspect MODEL [--json FILE]" */
    const char *help;            /* one line */
    const char *const *examples; /* up to three, "COMMAND # effect"; NULL-terminated */
    Status (*run)(Context *c, const Args *args);
} Command;

extern const Command *const command_table[]; /* NULL-terminated, from commands.def */
