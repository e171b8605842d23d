/* Help: the same tables as text, manual page and shell completions. */
#ifndef ADVISOR_CLI_HELP_H
#define ADVISOR_CLI_HELP_H

#include "advisor/options/command.h"

/* --help of one command, or of the program when `command` is the first one and none was named. */
void help_command(FILE *out, const Command *command, bool whole_program);

/* --version, with the versions of the libraries that run. */
void help_version(FILE *out);

/* npu-advise.1 */
void help_manual(FILE *out);

/* Completions for one of the shells of --completion. */
void help_completion(FILE *out, const char *shell);

#endif
