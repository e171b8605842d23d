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
    size_t cut;      /* builds that the bound says are no better, or that nobody got to */
    bool exhaustive;
    bool near;  /* only near by: */
    double gap; /* by how much the objective may be better at most, as a share; 0: proven best; of a
                   search near by nobody knows */
} Searched;

/* How far it goes: as far as its bounds need, or from where the list of advice leads to where no
 * single other change, mode or batch is better.  Near by, nothing is known of the rest. */
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
    const double *known; /* objectives that are known to be within reach, of what-ifs and of the
                            list */
    size_t nknown;
    SearchSeed seed; /* near by it begins there, and at the run as it is */
} SearchFrom;

typedef struct {
    Builds *builds;
    PointList points;
    TunePoint baseline;
    bool found;       /* a point keeps the limit */
    TunePoint best;   /* by the goal alone */
    TunePoint chosen; /* within CHOICE_TOLERANCE of it, no worse than any floor: the one that asks
                         least */
    Searched searched;
} Search;

/* What is as good as the best: nobody can measure less. */
#define CHOICE_TOLERANCE 0.005
/* Of such points, those with the fewest cards and the least effort count; of these, those whose
 * latency is at most so many times the least; and of these the one with the fewest changes. */
#define CHOICE_WAITS 1.1

/* The choice is no worse than anything known, unless no point reaches it.  `s` outlives the
 * result. */
void search_run(Search *ret, Arena *a, const Space *s, const Goal *g, const SearchFrom *from,
                TuneWatch watch);

/* The work of compiling builds that is allowed before the bound decides, in operators and nodes;
 * near by, where a list of advice takes about as much; and for curves on top of it.  BUILDS_MIN
 * are allowed in any case. */
enum {
    WORK_OF_SEARCH = 2000000,
    WORK_NEAR = 80000,
    WORK_OF_CURVES = 150000,
    BUILDS_MIN = 12,
};

#endif
