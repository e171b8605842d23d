/* Compiles and predicts each variant once, and keeps its demands on the resources of a run.
 *
 * Workers, cards and requests in flight follow from these demands by queueing theory, without
 * compiling again. */
#ifndef ADVISOR_CANDIDATE_SEARCH_BUILDS_H
#define ADVISOR_CANDIDATE_SEARCH_BUILDS_H

#include "advisor/candidate/search/space.h"
#include "graph/base/strmap.h"

typedef struct {
    PartSet set;
    int pe;
    int64_t batch;
    bool fits;                 /* it can be compiled, and no cost is unknown that is known now */
    Applicability effort;      /* of its changes */
    QueueDemand alone, loaded; /* of a task on one card: one request under way, several */
    Interval latency, per_s;   /* of a task, and images: with the baseline's workers */
    double latency_ns;         /* of a request alone */
    double images;             /* that a task counts for: its own, less those nobody asks for, less
                                  where a picture takes several tasks */
    double parts;              /* tasks of a picture */
    int cap;                   /* workers that still help */
} Build;

/* Is told how many variants were compiled, after each; NULL: nobody is. */
typedef struct {
    void (*tell)(void *user, size_t compiled);
    void *user;
} TuneWatch;

typedef struct {
    Arena *a;
    TuneWatch watch;
    const Space *space;
    WhatIf w;      /* the space's, for latency: nothing is settled there that is searched here */
    Build **build; /* in the order that they were asked for */
    size_t nbuild, cap;
    StrMap by_choice;   /* what was asked for → build */
    StrMap by_settings; /* what it comes to → the first build that comes to the same */
    size_t ncompiled;
} Builds;

void builds_init(Builds *b, Arena *a, const Space *s, TuneWatch watch);

/* Lives as long as the arena. */
const Build *builds_get(Builds *b, const PartSet *set, int pe, int64_t batch);

/* What was compiled already; NULL: it was not. */
const Build *builds_known(const Builds *b, const PartSet *set, int pe, int64_t batch);

/* The variant itself with so many workers and cards, predicted in full, for intervals; the caller
 * frees it.  The build fits. */
Status builds_trial(const Builds *b, const Build *x, int workers, int devices, Trial *ret,
                    Diag *diag);

/* Demands of a task with so many requests under way and cards. */
QueueDemand builds_demand(const Build *x, int under_way, int devices);

#endif
