/* Prints the tables of commands and options as help, manual page and shell completions. */
#pragma once

#include "advisor/options/command.h"

/* --help of one command: every option in full where that fits a screen of 60 lines or `all` is
 * asked for, else the less used ones by name alone. */
void help_command(FILE *out, const Command *command, bool all);

/* --help of the program: its commands. */
void help_program(FILE *out);

/* What is said to whom gives no argument at all: what this is, and three ways on. */
void help_first(FILE *out);

/* --version, with the versions of the libraries that run. */
void help_version(FILE *out);

/* npu-advise.1 */
void help_manual(FILE *out);

/* Completions for one of the shells of --completion. */
void help_completion(FILE *out, const char *shell);
