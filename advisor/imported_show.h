/* A compiled graph made elsewhere, shown. */
#ifndef ADVISOR_IMPORTED_SHOW_H
#define ADVISOR_IMPORTED_SHOW_H

#include "graph/imported.h"

#include <cjson/cJSON.h>
#include <stdio.h>

/* Counts, subgraphs and what crosses, layout moves, gaps in what is int8. */
void imported_text(FILE *out, const Imported *g, bool verbose);

/* {kind, operators, tensors, subgraphs[], crossing, types{}, layout_moves[], type_changes[]}; the
 * caller owns the tree. */
cJSON *imported_json(const Imported *g);

#endif
