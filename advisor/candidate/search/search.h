/* Searches sets of changes and settings for the best point of each route.
 *
 * Where the budget allows it, every set of changes is compiled in every PE mode with every batch:
 * exhaustive.  Otherwise the search climbs from the baseline and from the best point of the route
 * before: one change, mode or batch at a time, and after each step all changes that are not made
 * are tried again, one that the others exclude in place of one or two of them; where none helps
 * alone, one with the next batch, then two at a time. */
#pragma once

#include "advisor/candidate/search/front.h"

typedef struct {
    Arena *a;
    const Space *space;
    Goal goal;
    double min_share; /* of points with as many needs within it of the best: the fewest changes */
    Builds *builds;
    PointList points;
    TunePoint baseline;
    size_t budget;   /* variants that may still be compiled */
    bool exhaustive; /* every point of the space was looked at */
} Search;

/* Compiles the baseline.  `work`: the budget in operators and nodes; at least SEARCH_BUILDS_MIN
 * variants are compiled.  `s` outlives the search. */
void search_open(Search *ret, Arena *a, const Space *s, Goal g, double min_share, size_t work,
                 TuneWatch watch);

/* The best point whose needs are among `allowed`; `from` (NULL: none) is where the search begins
 * beside the baseline.  False: no point keeps the limit of the goal; then *ret is the one with the
 * smallest latency. */
bool search_route(Search *r, NeedSet allowed, const TunePoint *from, TunePoint *ret);

/* The build, with its points in the list; compiled at most once. */
const Build *search_add(Search *r, const PartSet *set, int pe, int64_t batch);

/* Of plans that differ by less than this share of their time, the one with fewer needs counts; of
 * rates, those within it of the best are as good (design: "Routes", "Knee"). */
#define SEARCH_AS_GOOD 0.05
/* A rate that is as good as the chosen one is taken for a latency that is shorter by this factor.
 */
#define SEARCH_KNEE 1.5
/* What a point may lose for fewer changes, however large the share that a plan has to save. */
#define SEARCH_SIMPLER 0.01

/* Budgets for a plan, and for `tune`. */
enum { SEARCH_WORK_PLAN = 80000, SEARCH_WORK_ALL = 2000000, SEARCH_BUILDS_MIN = 24 };
