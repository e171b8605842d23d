/* Known: what is within reach by what was tried one by one, and by the list of advice applied as it
 * stands: no search may end below it, and one may begin there. */
#ifndef ADVISOR_CANDIDATE_SEARCH_SEED_H
#define ADVISOR_CANDIDATE_SEARCH_SEED_H

#include "advisor/candidate/rank.h"
#include "advisor/candidate/search/search.h"

/* Of the tries that belong to the space: what-ifs with a known gain that ask no more than is
 * allowed, and set nothing that was said.  In the space's objective. */
double *seed_values(Arena *a, const Space *s, const Proposal *list, size_t n, const Combined *c,
                    size_t *ret_count);

/* The list applied, as far as it belongs to the space. */
SearchSeed seed_from_advice(Arena *a, const Space *s, const Combined *c);

#endif
