/* Derives from the result what several renderers need, so that they never disagree.
 *
 * All pointers are into the result. */
#pragma once

#include "advisor/report/result.h"

/* What the answer is about; the first that holds. */
typedef enum {
    HEADLINE_UNDECIDED,   /* no step's cost is known */
    HEADLINE_REFUSED,     /* the vendor's quantizer does not take the model, nor did it run */
    HEADLINE_REFUTED,     /* nothing in the trace counts */
    HEADLINE_UNEXPLAINED, /* most of an inference is in no step */
    HEADLINE_CPU_FASTER,  /* one core without the NPU is faster than every plan */
    HEADLINE_UNSUITABLE,  /* most multiplications run on the host, whatever is changed */
    HEADLINE_LIMIT,       /* no plan keeps the limit, or serves the rate */
    HEADLINE_PLAN,
    HEADLINE_SERVES,  /* no plan: the rate is served as it is */
    HEADLINE_BY_HAND, /* no plan, but work by hand */
    HEADLINE_STOPPED, /* nothing, but a rule did not come to its end */
    HEADLINE_NOTHING, /* no change saves anything worth a plan */
} Headline;

typedef struct {
    Headline headline;
    const ResultPlan *plan;    /* the recommended one; NULL */
    const ResultPlan *other;   /* the other one without retraining; NULL */
    const ResultPlan *retrain; /* NULL */
    bool throughput;           /* the objective */
    const char *unit;          /* "ns" or "per_s" */
    bool known;                /* now is known … */
    double now;                /* … of the objective; of an engine the sum of its layers */
    ResultSource source;
    double after;  /* of the recommended plan */
    double factor; /* how many times as fast, or as many; 0: not known */
} Summary;

Summary summary_of(const Result *r);

/* "ns" or "per_s" of the result's objective. */
const char *summary_unit(const Result *r);

/* The objective after a plan. */
ResultInterval summary_after(const Result *r, const ResultPlan *p);

/* The latency with the recommended plan and the application's share; without one it is now's. */
double summary_least_latency(const Result *r, const Summary *d);

/* The change of that number. */
const ResultChange *summary_change(const Result *r, int64_t id);

/* Whether the plan holds that change; false for no plan (NULL). */
bool summary_plan_has(const ResultPlan *p, int64_t id);

/* Whether "output", "accuracy" … is among them. */
bool summary_needs(const ResultTexts *needs, const char *need);

/* The share of now in steps of the host; false: unknown. */
bool summary_host_share(const Result *r, double *ret);

/* How long a step or operator takes: measured median, else predicted middle; false if unknown. */
bool summary_step_time_ns(const ResultStep *step, double *ret);

/* Whether the time of any step is known: beside none, the result has no figure of now. */
bool summary_any_cost_known(const ResultStepList *steps);
bool summary_operator_time_ns(const ResultOperator *op, double *ret);
