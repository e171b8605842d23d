/* Lists batches larger than the fastest point's that may reach a higher throughput.
 *
 * No measurement of one network at two batches is published, so the throughput of a larger batch is
 * known less well than differences within one batch.  As long as the interval leaves room for more,
 * the batch is shown as undecided: only a run can tell. */
#ifndef ADVISOR_CANDIDATE_SEARCH_CONTENDERS_H
#define ADVISOR_CANDIDATE_SEARCH_CONTENDERS_H

#include "advisor/candidate/search/search.h"

/* Two octaves of batches are shown; runs go on for as long as they find better ones, up to four. */
enum { CONTENDERS_SHOWN = 4, CONTENDERS_RUN = 8 };

/* Larger batches of the same changes and mode, ascending; up to `most` of them. */
TunePoint *contenders_of(Arena *a, const Search *s, const Space *space, const TunePoint *fastest,
                         size_t most, size_t *ret_count);

#endif
