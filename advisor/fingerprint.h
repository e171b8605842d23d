/* Fingerprints: the same advice has the same string in every output, however the model's nodes and
 * tensors are called or ordered in the file. */
#ifndef ADVISOR_FINGERPRINT_H
#define ADVISOR_FINGERPRINT_H

#include "advisor/match.h"
#include "graph/program.h"

/* "NPU103-" and 12 hex digits, from operator types, attributes, shapes and neighbourhood of the
 * places; of the whole graph's inputs and outputs where a rule concerns no place in it. */
const char *fingerprint_of(Arena *a, const Graph *g, const Match *m);

#endif
