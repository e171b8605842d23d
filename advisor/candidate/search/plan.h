/* Finds the plans, lists of changes with all settings to deploy, and what each row saves.
 *
 * Every figure is relative to now: a plan takes u + (now - u) * plan / baseline, where u is the
 * unattributed time, which no plan removes (design: "Baseline").  A rate is now * plan / baseline.
 */
#pragma once

#include "advisor/candidate/effect.h"
#include "advisor/candidate/search/search.h"

typedef enum { ROUTE_SAME_OUTPUTS, ROUTE_NEW_OUTPUTS, ROUTE_RETRAIN, ROUTE_COUNT } Route;
const char *route_name(Route r); /* "same_outputs" … */
Route route_of_needs(NeedSet needs);

typedef enum { SOURCE_PREDICTED, SOURCE_SIMULATED, SOURCE_MEASURED } FigureSource;

/* The baseline of every figure. */
typedef struct {
    double latency_ns, per_s; /* a request; images */
    FigureSource source;
    double unattributed_ns;
    double noise;               /* the width of the interval of latency_ns, as a share */
    double base_ns, base_per_s; /* as predicted for the baseline */
} PlanNow;

/* A predicted latency, or rate, on the scale of now. */
double plan_latency_after(const PlanNow *n, double predicted_ns);
double plan_rate_after(const PlanNow *n, double predicted);

/* One change of a plan. */
typedef struct {
    const Part *part; /* NULL: a setting of `axis` */
    size_t attempt;   /* the part's try, an index of the match's */
    SpaceAxis axis;
    int64_t now, value; /* of the setting: PEs, images, requests or cards */
    NeedSet needs;
    Attempt own;       /* its settings */
    Attempt upto;      /* those of all rows to this one */
    Interval saves;    /* after the rows above, in the objective's unit */
    bool merged;       /* it costs by itself: its figure is in the next row */
    Effect effect;     /* of the baseline: steps and operators missing or shorter after this row */
    Accuracy accuracy; /* of all rows to this one; `known` false: not measured */
    Verified verified; /* of all rows to this one; n == 0: not run */
    Verified step;     /* of this row over those above it */
} PlanRow;

typedef struct {
    char id[9]; /* 8 hex digits of fingerprints and settings */
    Route route;
    TunePoint point;
    NeedSet needs;
    PlanRow *row;
    size_t nrow;
    Attempt settings;           /* of all rows, in the order in which they are applied */
    Gain gain;                  /* predicted, of the objective over the baseline */
    Interval law;               /* the objective by the law of this program */
    Interval latency_ns, per_s; /* after */
    Interval predicted;         /* of the objective after, whatever runs say */
    Interval application_ns;
    FigureSource source;
    bool at_least; /* a part of the program has no known cost, before and after */
    Verdict verdict;
    Verified verified;      /* n == 0: not run */
    const Message *not_run; /* why; NULL */
    Accuracy accuracy;
} Plan;

typedef struct {
    Arena *a;
    const Space *space;
    Search search;
    PlanNow now;
    Goal goal;
    Plan plan[ROUTE_COUNT];
    size_t nplan;             /* by route; each better than the one before */
    size_t recommended;       /* nplan: none is */
    bool unattributed;        /* most of now is in no step: no plan can be based on it */
    bool retrain_asked;       /* --needs names retraining: such a plan may be recommended */
    const Proposal **no_gain; /* changes that ran without a gain and left */
    size_t nno_gain, no_gain_cap;
} PlanSet;

typedef struct {
    const WhatIf *w; /* open */
    const Proposal *proposal;
    size_t nproposal;
    const Variant *said; /* the options as given */
    NeedSet needs;       /* that plans may have */
    Goal goal;
    PlanNow now;           /* base_ns and base_per_s are filled */
    size_t work;           /* SEARCH_WORK_... */
    bool cards, allow_sdk; /* SpaceLimits */
    double min_share;      /* a plan that saves less is none */
    TuneWatch watch;
} PlanRequest;

/* A route is left out unless its total is at least this share better than that of the one before;
 * the plan with new outputs is recommended if it is at least PLAN_WORTH_OUTPUTS better. */
#define PLAN_WORTH         0.10
#define PLAN_WORTH_OUTPUTS 0.20

void plan_find(PlanSet *ret, Arena *a, const PlanRequest *q);

/* The plan of that point, without figures of runs. */
Plan plan_of_point(PlanSet *s, Route route, const TunePoint *p);

/* Fills the figures after the change from a predicted saving, or from runs of the plan. */
void plan_set_predicted(const PlanSet *s, Plan *p);
void plan_set_run(const PlanSet *s, Plan *p);

/* The objective where the run saves `share` of its baseline.  By that share, the baseline replaces
 * the measured value, within its interval: noise of the removed part must not remain.  Unattributed
 * time that the baseline does not have is added. */
double plan_run_left(const PlanSet *s, const Plan *p, double share);

/* A row that costs by itself is told together with the next one, the last with the one before. */
void plan_merge_rows(Plan *p);

/* Chooses the recommended plan anew, and drops plans that are not worth a route or not better than
 * now: after runs. */
void plan_choose(PlanSet *s, double min_share);

/* The recommended plan; NULL: there is none. */
const Plan *plan_recommended(const PlanSet *s);

/* What the user waits for, or gets: after and the application's share; the rate. */
double plan_value(const PlanSet *s, const Plan *p);

/* What the plan saves of now, in the objective's unit. */
double plan_saves(const PlanSet *s, const Plan *p);

/* Tries the settings beside those of the plan; false: they do not fit.  *ret is the objective after
 * both, `ret_most` of a bound with the largest removal. */
bool plan_with(const PlanSet *s, const Plan *p, const Attempt *more, double *ret, double *ret_most);
