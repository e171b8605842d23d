/* Contenders: batches beyond the fastest point of a front that may make more than it.
 *
 * Nothing is published of one network at two batches, so what a larger batch makes is known less
 * well than what is counted within one.  As long as the doubt leaves room for more, it is shown, as
 * undecided: only a run tells. */
#ifndef ADVISOR_CANDIDATE_SEARCH_CONTENDERS_H
#define ADVISOR_CANDIDATE_SEARCH_CONTENDERS_H

#include "advisor/candidate/search/search.h"

/* Two octaves of batches are shown; runs go on for as long as they find better ones, up to four. */
enum { CONTENDERS_SHOWN = 4, CONTENDERS_RUN = 8 };

/* The same changes in the same mode, with as many workers as bring something, by ascending batch;
 * `most` of what the search compiled. */
TunePoint *contenders_of(Arena *a, const Search *s, const Space *space, const TunePoint *fastest,
                         size_t most, size_t *ret_count);

#endif
