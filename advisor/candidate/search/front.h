/* Finds the Pareto front in latency, throughput and needs.
 *
 * A point is a build with a number of workers and cards.  Its latency is that of one request; with
 * several requests in flight it follows from Little's law while all of them are busy. */
#pragma once

#include "advisor/candidate/search/builds.h"

enum { WORKERS_MAX = 1024 };

typedef struct {
    const Build *build;
    int workers, devices;
    double latency_ns, per_s; /* middles: a request with all of them busy; images */
    NeedSet needs;            /* of its changes and settings */
    size_t changes;           /* changes and settings that differ from the baseline */
} TunePoint;

/* What is wanted. */
typedef struct {
    Objective objective;
    double limit_ns; /* of latency, under throughput; 0: none */
} Goal;

/* What the user waits for: the latency, and the application's share of the work. */
double front_total_ns(const TunePoint *p);
/* The objective of a point, of latency the total; and whether `x` is better than `y`. */
double front_value(const TunePoint *p, Objective o);
bool front_is_better(Objective o, double x, double y);
bool front_meets_limit(const TunePoint *p, const Goal *g);

/* Below 0 where `x` asks less of the user than `y`: fewer cards, then fewer needs; 0: as much. */
int front_compare_needs(const TunePoint *x, const TunePoint *y);
/* Whether it asks less, or as much with fewer changes, fewer workers, a smaller batch. */
bool front_is_simpler(const TunePoint *x, const TunePoint *y);

/* The point with so many workers; the build fits. */
TunePoint front_point(const Space *s, const Build *x, int workers, int devices);

/* The largest useful number of workers; a given number is kept. */
int front_max_workers(const Space *s, const Build *x, int devices);

typedef struct {
    Arena *a;
    TunePoint *point;
    size_t n, cap;
    size_t seen; /* points of the space, repeated ones included */
} PointList;

/* Adds the points of a build: every useful number of workers on the present cards. A point less
 * than a thousandth better than one with fewer workers is only counted. */
void front_add(PointList *l, const Space *s, const Build *x);

/* The Pareto front by ascending throughput: the ends of each set of needs, and up to FRONT_MAX at
 * even steps of at least STEP_OF_FRONT. The simplest of points within FRONT_TOLERANCE represents
 * all. */
enum { FRONT_MAX = 12 };
#define STEP_OF_FRONT   0.05
#define FRONT_TOLERANCE 0.005
TunePoint *front_of(Arena *a, const PointList *l, size_t *ret_count);
