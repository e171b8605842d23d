/* Tune: what to deploy: the front, the point that is recommended, and what each of its parts
 * brings.
 */
#ifndef ADVISOR_TUNE_TUNE_H
#define ADVISOR_TUNE_TUNE_H

#include "advisor/try/rank.h"
#include "advisor/try/verify.h"
#include "advisor/tune/plan.h"

/* A part of a point: a change, or a setting beside the changes. */
typedef struct {
    const Part *change; /* NULL: a setting */
    size_t attempt;     /* the try of the change */
    Axis axis;
    const char *value; /* of the setting: "warboy", "16" */
    double alone;      /* what it brings to the baseline by itself, in the objective's unit */
    double share; /* of what all parts bring: its mean over all orders in which they could be made
                     (Shapley); of many parts, what its absence costs, as a share of the sum of
                     these.  Shares sum to 1 */
} TunePart;

typedef struct {
    TunePoint point;
    Interval latency_ns, per_s;
    Attempt settings; /* all that differs from the baseline, in order of trial */
    TunePart *part;   /* changes in order of trial, then settings */
    size_t npart;
    bool known;               /* false: nothing differs, or the objective is as it was */
    bool shapley;             /* how the shares were found */
    double brings, sum_alone; /* of all parts together, and each by itself added up */
    Gain gain;                /* over what the baseline is compared with */
    Verdict verdict;
    Verified verified; /* n == 0: was not run */
    Accuracy accuracy; /* of its changes together; known: false: was not measured */
} TunedPoint;

typedef struct {
    const Space *space;
    Goal goal;
    PlanGoal rate; /* images_per_s 0: nobody asks */
    Plan plan;
    const Search *search;
    TunedPoint *front; /* by ascending throughput */
    size_t nfront;
    size_t chosen; /* index in front; nfront: no point keeps the limit */
    TunedPoint baseline;
} Tune;

/* What a search is about. */
typedef struct {
    const WhatIf *w; /* open */
    const RuleBook *book;
    const Proposal *proposal;
    size_t nproposal;
    const Combined *list; /* the advice applied as it stands */
    const Variant *said;  /* the options as given */
    Applicability effort;
    Goal goal;
    PlanGoal rate;
    SearchReach reach;
    bool front; /* else the chosen point alone is predicted in full; of a search near by, the
                   batches of its curves are in it */
    TuneWatch watch;
    Verifier *verifier; /* runs what serves a rate; NULL: nobody does */
} TuneAsk;

/* Where a rate is to be served, the plan is what is recommended. */
void tune_run(Tune *ret, Arena *a, const TuneAsk *q);

/* Runs a point against the run as it is, with the number of workers that it says; *ret_why as
 * verify_attempt has it. */
void tune_verify(Arena *a, TunedPoint *p, Verifier *v, const Said **ret_why);

#endif
