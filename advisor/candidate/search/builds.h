/* Compiles and predicts each variant once, and keeps its demands on the resources of a run.
 *
 * Workers, cards and requests in flight follow from these demands by queueing theory, without
 * compiling again. */
#pragma once

#include "advisor/candidate/search/space.h"

typedef struct {
    PartSet set;
    int pe;
    int64_t batch;
    bool fits;                 /* it compiles, and every cost that is known now stays known */
    NeedSet needs;             /* of its changes, PE mode and batch */
    QueueDemand alone, loaded; /* of a task on one card: one request in flight, several */
    Interval latency, per_s;   /* of a task, and images: with the baseline's workers */
    double latency_ns;         /* of a request alone */
    double skew_ns;            /* the mean latency exceeds the median by that */
    double images; /* that a task counts for, without padding of the batch or parts of an image */
    double parts;  /* tasks per image */
    int cap;       /* workers that still help */
    Interval application_ns; /* per task (application_share.h) */
    size_t point, npoint;    /* in the search's list */
} Build;

/* Called with the number of compiled variants, after each; may be NULL. */
typedef struct {
    void (*tell)(void *user, size_t compiled);
    void *user;
} TuneWatch;

typedef struct {
    Arena *a;
    TuneWatch watch;
    const Space *space;
    WhatIf w;      /* the space's, with the objective latency: no settings are chosen by it */
    Build **build; /* in the order that they were asked for */
    size_t nbuild, cap;
    StrMap by_choice;   /* choice → build */
    StrMap by_settings; /* settings → the first build with them */
    size_t ncompiled;
} Builds;

void builds_init(Builds *b, Arena *a, const Space *s, TuneWatch watch);

/* Lives as long as the arena. */
const Build *builds_get(Builds *b, const PartSet *set, int pe, int64_t batch);

/* A build that was compiled before; NULL: none. */
const Build *builds_known(const Builds *b, const PartSet *set, int pe, int64_t batch);

/* The variant with that many workers and cards, predicted in full; trial_free. */
Status builds_trial(const Builds *b, const Build *x, int workers, int devices, Trial *ret,
                    Diag *diag);

/* Demands of a task with that many requests in flight and cards. */
QueueDemand builds_demand(const Build *x, int under_way, int devices);
