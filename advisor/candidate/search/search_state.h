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

/* Takes builds from the largest bound down (search_bounds.c). */
void search_by_bounds(SearchState *r);

/* Goes from the seeds to where no single other change, mode or batch is better (search_near.c). */
void search_near(SearchState *r);

/* Takes the changes of the best point, and none, in every mode with every batch (search_near.c). */
void search_curves(SearchState *r);

/* Looks between the batches that were taken (search_between.c), where the limit may leave room: of
 * two neighbours nothing between them is sooner than the smaller one, or makes more than the better
 * one. What is left of the bounds raises the gap. */
void search_between(SearchState *r);

#endif
