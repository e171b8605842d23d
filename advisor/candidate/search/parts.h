/* Attributes the improvement of a point to its changes and settings. */
#ifndef ADVISOR_CANDIDATE_SEARCH_PARTS_H
#define ADVISOR_CANDIDATE_SEARCH_PARTS_H

#include "advisor/candidate/search/tune.h"

/* Up to that many parts, all orders are averaged (Shapley); beyond, the loss without each. */
typedef enum { SHARES_NONE = -1, SHARES_FAST = 3, SHARES_FULL = 6 } SharesOf;

/* Fills part … sum_alone of `t`, whose point is set; missing builds are compiled now. */
void parts_of(TunedPoint *t, Arena *a, Builds *b, const Goal *g, SharesOf how);

#endif
