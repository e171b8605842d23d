/* Finds the configuration to deploy, the front, and the share that each part contributes. */
#ifndef ADVISOR_CANDIDATE_SEARCH_TUNE_H
#define ADVISOR_CANDIDATE_SEARCH_TUNE_H

#include "advisor/candidate/rank.h"
#include "advisor/candidate/verify.h"
#include "advisor/candidate/search/capacity.h"

/* A part of a point: a change, or a setting beside the changes. */
typedef struct {
    const Part *change; /* NULL: a setting */
    size_t attempt;     /* the try of the change */
    SpaceAxis axis;
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
    bool undecided;    /* predicted to make less than the point before it for more latency, but by
                          less than anybody knows (contenders.h) */
} TunedPoint;

typedef struct {
    const Space *space;
    Goal goal;
    CapacityGoal rate; /* images_per_s 0: nobody asks */
    CapacityPlan plan;
    const Search *search;
    TunedPoint *front;  /* by ascending throughput */
    size_t nfront;      /* those that are undecided are last, by ascending batch */
    size_t chosen;      /* index in front; nfront: no point keeps the limit */
    size_t predicted;   /* the choice before anything was run */
    size_t nrun, nkept; /* points that were run, and that keep the limit as they ran */
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
    CapacityGoal rate;
    SearchReach reach;
    bool front; /* else the chosen point alone is predicted in full; of a search near by, the
                   batches of its curves are in it */
    TuneWatch watch;
    Verifier *verifier; /* runs what serves a rate; NULL: nobody does */
} TuneRequest;

/* Where a rate is to be served, the plan is what is recommended. */
void tune_run(Tune *ret, Arena *a, const TuneRequest *q);

/* Runs a point against the run as it is, with the number of workers that it says; *ret_why as
 * verify_attempt has it. */
void tune_verify(Arena *a, TunedPoint *p, Verifier *v, const Message **ret_why);

/* The objective as the runs show it, in the middle of its interval; all 0: nothing was run. */
Interval tune_run_interval(const Tune *t, const TunedPoint *p);

/* Where runs of larger batches have fallen, the undecided ones from point `i` on are not run, and
 * leave the front; false: it is to be run.  Points are run in order. */
bool tune_ends_before(Tune *t, size_t i);

/* Runs under other seeds differ by as much (tests/full/loads.py has no sign below it). */
#define RUNS_TOLERANCE 0.02

/* Once points were run, the one that ran best is the choice; of those within RUNS_TOLERANCE of it
 * the one that was predicted best, else the one that asks least.  A limit has to be kept by the
 * prediction and by the runs: where none of those that were run keeps it, the choice stays.  Where
 * accuracy was measured, only points with the same changes are looked at; and what serves a rate
 * has runs of its own. */
void tune_choose_by_runs(Tune *t);

#endif
