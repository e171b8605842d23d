/* Lists values of options that only data files know, such as languages and targets. */
#pragma once

#include "graph/options/option.h"

/* The values that an option can have, as "a|b|c"; "" where anything goes.  OPTION_NONE means
 * the argument of `explain`. */
const char *values_of(Arena *a, OptionId option);

/* What follows an option in help: the argument of its row, or what the data hold. */
const char *values_format(Arena *a, const OptionRow *row);

/* Prints them, one a line, for completions; "rule" means the argument of `explain`.
 * STATUS_USAGE for an option that there is not. */
Status values_print(Arena *a, FILE *out, const char *name, Diag *diag);
