/* Declares what compiled_tie.c asks of compiled_tie_rows.c. */
#pragma once

#include "graph/compile/program.h"
#include "graph/import/imported.h"
#include "graph/model/model.h"

/* Gives the rows of a table their nodes, and returns how many have some. */
size_t compiled_tie_rows(Imported *table, const Model *m);

/* The model compiled for the target and SDK, as the options say them; NULL: what they are without.
 * NULL where it cannot be compiled. */
Program *compiled_tie_program(Arena *a, const Model *m, const char *target, const char *sdk);
