/* Defines a subcommand of npu-advise by its name, help and function.
 *
 * Each subcommand is a file advisor/cli/cmd_<name>.c that defines cmd_<name>(), and an element of
 * advisor/options/commands.xml; graph/options/options.xml says which options it takes. */
#pragma once

#include "advisor/options/args.h"

/* `out` is for the result, `err` for progress and warnings; only main prints by itself. */
typedef struct {
    Arena *arena;
    Notes *notes;             /* printed to err by main after the command, one line each */
    const Language *language; /* --lang; NULL: English */
    FILE *out, *err;
    struct Helper *helper; /* starts runners from outside the sandbox; NULL: none is needed */
    struct Helper *metric; /* likewise, the program of --metric */
    struct Helper *python; /* likewise, the Python that doctor asks */
    Diag *diag;            /* printed by main when the Status is not OK */
    int exit_code;         /* set by a command whose result decides it (a gate); else left 0 */
} Context;

typedef enum {
#define COMMAND(id, ...) COMMAND_##id,
#include "advisor/options/commands.def"
    COMMAND_COUNT
} CommandId;

typedef struct Command {
    CommandId id;
    const char *name;
    const char *synopsis; /* "inspect MODEL [--json FILE]" */
    const char *help;     /* one line */
    const char *examples; /* lines "COMMAND # effect" */
} Command;

/* The first is the default. */
extern const Command command_table[COMMAND_COUNT];

#define COMMAND(id, function, ...) Status cmd_##function(Context *c, const Args *args);
#include "advisor/options/commands.def"
