/* Declares what compiled_tie.c asks of compiled_tie_rows.c. */
#pragma once

#include "graph/import/imported.h"
#include "graph/model/model.h"

/* Gives the rows of a table their nodes, and returns how many have some. */
size_t compiled_tie_rows(Imported *table, const Model *m);
