/* Holds the table of subcommands that commands.def lists. */
#include "advisor/options/command.h"

#define COMMAND(id, identifier) extern const Command cmd_##identifier;
#include "advisor/options/commands.def"
#undef COMMAND

const Command *const command_table[] = {
#define COMMAND(id, identifier) &cmd_##identifier,
#include "advisor/options/commands.def"
#undef COMMAND
    NULL,
};
