/* Holds the state that the parts of a search share: builds, points and the remaining budget. */
#ifndef ADVISOR_CANDIDATE_SEARCH_SEARCH_STATE_H
#define ADVISOR_CANDIDATE_SEARCH_SEARCH_STATE_H

#include "advisor/candidate/search/search.h"

typedef struct {
    Arena *a;
    Search *out;
    const Space *s;
    const Goal *g;
    PartSet *set;
    size_t nset;
    size_t budget; /* builds that may still be compiled */
    const SearchFrom *from;
} SearchState;

/* The build, with its points among those of the search; compiled at most once. */
const Build *search_add(SearchState *r, const PartSet *set, int pe, int64_t batch);

/* By how much `bound` is better than the best point, as a share of it; 0: it is not. */
double search_bound(const SearchState *r, double bound);

/* Compiles builds from the largest bound down (search_bounds.c). */
void search_by_bounds(SearchState *r);

/* Climbs from the seeds to a local optimum (search_near.c). */
void search_near(SearchState *r);

/* Compiles the best set and the empty one in all modes and batches (search_near.c). */
void search_curves(SearchState *r);

/* Searches between compiled batches: no latency is below that of the smaller neighbour, no
 * throughput above the better one. The remaining bound raises the gap. */
void search_between(SearchState *r);

#endif
