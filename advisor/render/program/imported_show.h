/* Shows a compiled graph that another tool made. */
#pragma once

#include "advisor/options/command.h"
#include "advisor/message/phrase.h"
#include "graph/import/imported.h"

#include <cjson/cJSON.h>

/* Counts, subgraphs and tensors between them, layout moves, gaps in the int8 part. */
void imported_text(const PhraseOut *o, const Imported *g, bool verbose);

/* Findings of the structure alone, by kind: count, known bytes (-1: none is known), fact and fix.
 * None of them has a gain. */
typedef struct {
    const char *id;
    size_t places;
    int64_t bytes;
    PhraseId fact, fix;
} ImportFinding;

/* In `g`'s arena; kinds without an occurrence are omitted. */
const ImportFinding *imported_findings(const Imported *g, size_t *ret_count);

/* Why the gain of a change is not known. */
const char *imported_no_gain(const Imported *g);

/* {kind, operators, tensors, subgraphs[], crossing, types{}, layout_moves[], type_changes[],
 * findings[], reason_if_no_gain}; the caller owns the tree. */
cJSON *imported_json(const Imported *g);
