/* Finds the Pareto front in latency, throughput and effort.
 *
 * A point is a build with a number of workers and cards.  Its latency is that of one request; with
 * several requests in flight it follows from Little's law while all of them are busy. */
#ifndef ADVISOR_CANDIDATE_SEARCH_FRONT_H
#define ADVISOR_CANDIDATE_SEARCH_FRONT_H

#include "advisor/candidate/search/builds.h"

enum { WORKERS_MAX = 1024 };

typedef struct {
    const Build *build;
    int workers, devices;
    double latency_ns, per_s; /* middles: a request with all of them busy; images */
    Applicability effort;     /* the most that one of its changes or settings asks */
    size_t changes;           /* changes and settings that differ from the baseline */
} TunePoint;

/* What is wanted. */
typedef struct {
    Objective objective;
    double limit_ns; /* of latency, under throughput; 0: none */
} Goal;

/* The objective of a point; and whether `x` is better than `y`. */
double front_value(const TunePoint *p, Objective o);
bool front_is_better(Objective o, double x, double y);
bool front_meets_limit(const TunePoint *p, const Goal *g);

/* Below 0 where `x` asks less of the user than `y`: fewer cards, then less effort; 0: as much. */
int front_compare_needs(const TunePoint *x, const TunePoint *y);
/* Whether it asks less, or as much with fewer changes, fewer workers, a smaller batch. */
bool front_is_simpler(const TunePoint *x, const TunePoint *y);

/* The point with so many workers; the build fits. */
TunePoint front_point(const Space *s, const Build *x, int workers, int devices);

/* How many workers can still bring something; where they were said, those. */
int front_max_workers(const Space *s, const Build *x, int devices);
/* The points with 1, 2 … n workers (where they were said: all of these have as many). */
void front_sweep(const Space *s, const Build *x, int n, int devices, TunePoint *ret);

typedef struct {
    Arena *a;
    TunePoint *point;
    size_t n, cap;
    size_t seen; /* points of the space, those that no more than repeat another included */
} PointList;

/* Adds the points of a build: every number of workers that can still bring something, on the cards
 * that there are.  What brings less than a thousandth over a point with fewer workers is counted
 * and left. */
void front_add(PointList *l, const Space *s, const Build *x);

/* Points that none beats, by ascending throughput: ends of each effort, and between them at most
 * FRONT_MAX at even steps of throughput, none closer than STEP_OF_FRONT.  Of points that differ by
 * less than FRONT_TOLERANCE in latency and throughput the simplest stands for all. */
enum { FRONT_MAX = 12 };
#define STEP_OF_FRONT   0.05
#define FRONT_TOLERANCE 0.005
TunePoint *front_of(Arena *a, const PointList *l, size_t *ret_count);

#endif
