/* Shows a compiled graph that another tool made. */
#pragma once

#include "advisor/options/command.h"
#include "advisor/message/phrase.h"
#include "graph/import/imported.h"

#include <cjson/cJSON.h>

/* Counts, subgraphs and what crosses, layout moves, gaps in what is int8. */
void imported_text(const PhraseOut *o, const Imported *g, bool verbose);

/* What the structure alone shows, by kind: how often, bytes of what is known (-1: of none), what it
 * is and what to do.  None of it has a gain. */
typedef struct {
    const char *id;
    size_t places;
    int64_t bytes;
    PhraseId fact, fix;
} ImportFinding;

/* In `g`'s arena; those with no place are left out. */
const ImportFinding *imported_findings(const Imported *g, size_t *ret_count);

/* Why nobody can say what a change would gain. */
const char *imported_no_gain(const Imported *g);

/* {kind, operators, tensors, subgraphs[], crossing, types{}, layout_moves[], type_changes[],
 * findings[], reason_if_no_gain}; the caller owns the tree. */
cJSON *imported_json(const Imported *g);
