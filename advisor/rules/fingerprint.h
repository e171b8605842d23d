/* Gives each match a fingerprint that depends neither on names nor on order. */
#pragma once

#include "advisor/rules/match.h"

/* One for each match, all different: "NPU103-" and 12 hex digits, from operator types, attributes,
 * shapes and neighbours of the occurrences.  For a match without an occurrence in the graph, from
 * its cause and the inputs and outputs of the graph.  Matches that are still equal are numbered in
 * the order of the list.  The array lives in `a`. */
const char **fingerprint_all(Arena *a, const Graph *g, const MatchList *list);
