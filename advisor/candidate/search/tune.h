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
    double alone;      /* its improvement of the baseline alone, in the objective's unit */
    double share; /* its share of the whole improvement: the mean over all orders (Shapley); of many
                     parts, the loss without it as a share of these losses. Shares sum to 1 */
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
    bool undecided;    /* predicted slower, within the error (contenders.h) */
} TunedPoint;

typedef struct {
    const Space *space;
    Goal goal;
    CapacityGoal rate; /* images_per_s 0: no rate */
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
    const Combined *list; /* the recommended list */
    const Variant *said;  /* the options as given */
    Applicability effort;
    Goal goal;
    CapacityGoal rate;
    SearchReach reach;
    bool front; /* else only the chosen point is predicted in full */
    TuneWatch watch;
    Verifier *verifier; /* runs the plan for a rate; NULL: no runs */
} TuneRequest;

/* For a rate, the plan is recommended. */
void tune_run(Tune *ret, Arena *a, const TuneRequest *q);

/* Runs a point against the baseline; *ret_why as in verify_attempt. */
void tune_verify(Arena *a, TunedPoint *p, Verifier *v, const Message **ret_why);

/* The objective as the runs show it, in the middle of its interval; all 0: nothing was run. */
Interval tune_run_interval(const Tune *t, const TunedPoint *p);

/* True if runs of larger batches got worse: points from `i` on leave the front without a run. */
bool tune_ends_before(Tune *t, size_t i);

/* Runs under other seeds differ by as much (tests/full/loads.py has no sign below it). */
#define RUNS_TOLERANCE 0.02

/* After the runs, the best measured point is chosen; within RUNS_TOLERANCE of it the predicted
 * best, else the simplest. Prediction and runs have to meet a limit; where no run does, the choice
 * stays. With measured accuracy, only points with the same changes count. */
void tune_choose_by_runs(Tune *t);

#endif
