/* Holds the table of subcommands that commands.def lists. */
#include "advisor/options/command.h"

#define COMMAND(identifier) extern const Command cmd_##identifier;
#include "advisor/cli/commands.def"
#undef COMMAND

const Command *const command_table[] = {
#define COMMAND(identifier) &cmd_##identifier,
#include "advisor/cli/commands.def"
#undef COMMAND
    NULL,
};
