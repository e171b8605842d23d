/* Searches sets of changes and settings for the best point and the front.
 *
 * Where the space is small enough, every set of changes is compiled in every mode with every batch:
 * exhaustive.  Otherwise a relaxed problem bounds what a build can reach before it is compiled: per
 * image, changes save on each resource up to the largest saving among their own builds with the
 * smallest batch and with the best batch of the model.  Builds are compiled from the largest bound
 * down, until no bound is better than the best point found; the rest is cut.  Where the budget ends
 * before that, the difference between the largest bound and the best point is the gap. */
#ifndef ADVISOR_CANDIDATE_SEARCH_SEARCH_H
#define ADVISOR_CANDIDATE_SEARCH_SEARCH_H

#include "advisor/candidate/search/front.h"

typedef struct {
    size_t points;   /* of the space, as far as it was looked at */
    size_t builds;   /* compiled, or known to come to the same */
    size_t compiled; /* of them */
    size_t cut;      /* builds that the bound excludes, or that were not reached */
    bool exhaustive;
    bool near; /* only near by: */
    double
        gap; /* the possible improvement as a share; 0: proven optimal; unknown for SEARCH_NEAR */
} Searched;

/* The whole space within bounds, or hill climbing from the recommended list, without bounds. */
typedef enum { SEARCH_ALL, SEARCH_NEAR } SearchReach;

/* Where it begins. */
typedef struct {
    PartSet set;
    int pe;
    int64_t batch;
} SearchSeed;

typedef struct {
    SearchReach reach;
    bool curves; /* the changes of the choice, and none, are taken in every mode with every batch */
    const double *known; /* known objectives, of what-ifs and of the list */
    size_t nknown;
    SearchSeed seed; /* SEARCH_NEAR begins there, and at the baseline */
} SearchFrom;

typedef struct {
    Builds *builds;
    PointList points;
    TunePoint baseline;
    bool found;       /* a point keeps the limit */
    TunePoint best;   /* by the goal alone */
    TunePoint chosen; /* as good as `best`, with the fewest needs */
    Searched searched;
} Search;

/* Points within this share of the best are as good: smaller differences cannot be measured. */
#define CHOICE_TOLERANCE 0.005
/* Of these points, those with the fewest cards and the least effort count; then those within this
 * factor of the smallest latency; then the one with the fewest changes. */
#define CHOICE_WAITS 1.1

/* The choice is no worse than known results, if possible. `s` outlives the result. */
void search_run(Search *ret, Arena *a, const Space *s, const Goal *g, const SearchFrom *from,
                TuneWatch watch);

/* The budget of compiling in operators and nodes: for the whole space, for SEARCH_NEAR (about as
 * much as the list of recommendations), and for curves. BUILDS_MIN builds are always allowed. */
enum {
    WORK_OF_SEARCH = 2000000,
    WORK_NEAR = 80000,
    WORK_OF_CURVES = 150000,
    BUILDS_MIN = 12,
};

#endif
