/* Sorts proposals into the order in which they are ranked. */
#ifndef ADVISOR_CANDIDATE_PROPOSAL_ORDER_H
#define ADVISOR_CANDIDATE_PROPOSAL_ORDER_H

#include "advisor/candidate/proposal.h"

/* 0: a gain is known, 1: unknown, 2: run, and it does not help. */
int proposal_tier(const Proposal *p);

/* The same setting of the same place. */
bool proposal_settings_equal(const LeverSetting *a, const LeverSetting *b);

/* `upper` comes on top of what `lower` sets by itself. */
bool proposal_builds_on(const Proposal *upper, const Proposal *lower);

/* All of the list, by the lower bound of the gain times the weight of what the change asks of the
 * user, ties by rule id and place.  Then: what remains at the borders is last; advice to retrain
 * follows the last larger bound; what a cut takes away follows the cut, the other way of one
 * change; and what comes on top of something follows the last that sets it.  `g` may be NULL: then
 * nothing lies behind a cut.  Lives in `a`. */
Proposal **proposal_sort(Arena *a, const Graph *g, Proposal *list, size_t n);

/* The attempt cuts the graph, and all places of `p` are operators behind its cuts; of what comes on
 * top of something nothing is behind. */
bool proposal_is_downstream(Arena *scratch, const Graph *g, const Attempt *cut, const Proposal *p);

#endif
