/* Gives each match a fingerprint that depends neither on names nor on the order in the file. */
#ifndef ADVISOR_RULES_FINGERPRINT_H
#define ADVISOR_RULES_FINGERPRINT_H

#include "advisor/rules/match.h"
#include "graph/compile/program.h"

/* One for each match, all different: "NPU103-" and 12 hex digits, from operator types, attributes,
 * shapes and neighbourhood of the places.  Where a match concerns no place in the graph, from its
 * cause and the whole graph's inputs and outputs.  Matches that are alike even so, such as two at
 * twins, are numbered in the order of the list.  The array lives in `a`. */
const char **fingerprint_all(Arena *a, const Graph *g, const MatchList *list);

#endif
