/* Recognises text that a CI log would take for a command. That is "##[" and "##vso[" anywhere
 * in a line (GitHub, Azure), and "::" at its beginning (GitHub). Names come from strangers, and
 * every line that we write may end in such a log. */
#pragma once

#include "graph/base/libc.h"

/* Whether a command begins exactly at `s`, anywhere in a line. */
bool log_command_at(const char *s);

/* Whether `s`, at the beginning of a line or after blanks there, would make it a command. */
bool log_command_begins(const char *s);
