/* Derives the start and the minimum result of a search from what was tried before.
 *
 * No search may end with a worse point than the tries one by one or the recommended list as a
 * whole, and a search may begin at that list. */
#ifndef ADVISOR_CANDIDATE_SEARCH_SEED_H
#define ADVISOR_CANDIDATE_SEARCH_SEED_H

#include "advisor/candidate/rank.h"
#include "advisor/candidate/search/search.h"

/* Objectives of the what-ifs that belong to the space and have a known saving. */
double *seed_values(Arena *a, const Space *s, const Proposal *list, size_t n, const Combined *c,
                    size_t *ret_count);

/* The recommended list as far as it belongs to the space. */
SearchSeed seed_from_advice(Arena *a, const Space *s, const Combined *c);

#endif
