/* Derives from the result what several renderers need, so that terminal and page never disagree.
 *
 * All pointers are into the result. */
#ifndef ADVISOR_REPORT_SUMMARY_H
#define ADVISOR_REPORT_SUMMARY_H

#include "advisor/report/result.h"

typedef enum {
    SUMMARY_UNDECIDED, /* no step's cost is known */
    SUMMARY_STOPPED,   /* nothing is recommended, but a rule did not come to its end */
    SUMMARY_NOTHING,   /* no recommendation saves anything */
    SUMMARY_ADVICE,
} SummaryOutcome;

typedef struct {
    SummaryOutcome outcome;
    ResultRefuted refuted; /* why nothing in the trace counts */
    bool throughput;       /* the objective */
    const char *unit;      /* "ns" or "per_s": of baseline and savings */
    double baseline;       /* measured median if there is one, else predicted; 0 if unknown */
    bool measured;         /* which of the two it is */
    const ResultRecommendation *first; /* to do first; NULL: none */
    double first_gain;                 /* verified if it was, else predicted */
    double first_baseline;             /* the base of that saving, known in the same way */
    bool verified, simulated;          /* any saving was measured; by simulation */
    const char *runner;                /* of the first measured saving */
    int pairs;
} Summary;

Summary summary_of(const Result *r);

/* The best known saving (measured, else predicted); false if unknown. */
bool summary_best_gain(const ResultGain *gain, double *ret);

/* False without a saving: by its verdict (no-gain …) or a known figure. */
bool summary_can_help(const ResultRecommendation *recommendation);

/* True for a part of `combined`; without one, for the first recommendation. */
bool summary_is_combined(const Result *r, const ResultRecommendation *recommendation);

/* Ranks of the recommendations that `combined` holds, as "1+2+3"; false (and "") without one. */
bool summary_combined_ranks(const Result *r, const char *separator, char *text, size_t size);

/* How long a step or operator takes: measured median, else predicted middle; false if unknown. */
bool summary_step_time_ns(const ResultStep *step, double *ret);
bool summary_operator_time_ns(const ResultOperator *op, double *ret);

#endif
