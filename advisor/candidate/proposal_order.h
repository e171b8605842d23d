/* Sorts proposals into the order in which they are ranked. */
#ifndef ADVISOR_CANDIDATE_PROPOSAL_ORDER_H
#define ADVISOR_CANDIDATE_PROPOSAL_ORDER_H

#include "advisor/candidate/proposal.h"

/* 0: the saving is known, 1: unknown, 2: measured without a saving. */
int proposal_tier(const Proposal *p);

/* True if `upper` depends on a setting that `lower` makes. */
bool proposal_builds_on(const Proposal *upper, const Proposal *lower);

/* All of the list, by the lower bound of the saving times the weight of its applicability, ties by
 * rule id and occurrence.  Then: the bound of remaining boundary conversions is last; proposals to
 * retrain follow the last larger bound; proposals downstream of a cut (none without `g`) follow it;
 * and those that depend on a setting follow the last that makes it.  Lives in `a`. */
Proposal **proposal_sort(Arena *a, const Graph *g, Proposal *list, size_t n);

/* True if the attempt cuts the graph and all occurrences of `p` are downstream of its cuts. */
bool proposal_is_downstream(Arena *scratch, const Graph *g, const Attempt *cut, const Proposal *p);

#endif
