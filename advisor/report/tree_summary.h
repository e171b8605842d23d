/* Derives from the result tree what several renderers need, so that terminal and page never
 * disagree.
 *
 * All pointers are into the tree. */
#ifndef ADVISOR_REPORT_TREE_SUMMARY_H
#define ADVISOR_REPORT_TREE_SUMMARY_H

#include "advisor/message/json.h"

typedef enum {
    TREE_SUMMARY_UNDECIDED, /* no step's cost is known */
    TREE_SUMMARY_STOPPED,   /* nothing is recommended, but a rule did not come to its end */
    TREE_SUMMARY_NOTHING,   /* no recommendation saves anything */
    TREE_SUMMARY_ADVICE,
} TreeSummaryOutcome;

typedef struct {
    TreeSummaryOutcome outcome;
    const char *refuted;   /* why nothing in the trace counts: "setup", "model", "size"; NULL */
    bool throughput;       /* the objective */
    const char *unit;      /* "ns" or "per_s": of baseline and savings */
    double baseline;       /* measured median if there is one, else predicted; 0 if unknown */
    bool measured;         /* which of the two it is */
    const cJSON *first;    /* the recommendation to do first; NULL: none.  Never an observation */
    double first_gain;     /* verified if it was, else predicted */
    double first_baseline; /* the base of that saving, known in the same way */
    bool verified, simulated; /* any saving was measured; by simulation */
    const char *runner;       /* of the first measured saving */
    int pairs;
} TreeSummary;

TreeSummary tree_summary_of(const cJSON *result);

/* The best known saving (measured, else predicted); false if unknown. */
bool tree_summary_best_gain(const cJSON *gain, double *ret);

/* False without a saving: by its verdict (no-gain …) or a known figure. */
bool tree_summary_can_help(const cJSON *rec);

/* True for a part of `combined`; without one, for the first recommendation. */
bool tree_summary_is_combined(const cJSON *result, const cJSON *rec);

/* Ranks of the recommendations that `combined` holds, as "1+2+3"; false (and "") without one. */
bool tree_summary_combined_ranks(const cJSON *result, const char *separator, char *text,
                                 size_t size);

/* How long a step or operator takes: measured median, else predicted middle; false if unknown. */
bool tree_summary_step_time_ns(const cJSON *step, double *ret);

#endif
