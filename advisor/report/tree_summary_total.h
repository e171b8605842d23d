/* Computes the objective before and after the recommended changes, for the first line of every
 * output.
 *
 * A measured saving is relative to the runs that it was seen in, a predicted one to the replay;
 * both are scaled to the baseline by their factor, so that before and after have one base. */
#ifndef ADVISOR_REPORT_TREE_SUMMARY_TOTAL_H
#define ADVISOR_REPORT_TREE_SUMMARY_TOTAL_H

#include "advisor/report/tree_summary.h"
#include "advisor/message/phrase.h"

typedef struct {
    bool known;        /* there is a recommendation with a known saving */
    bool verified;     /* else predicted */
    const cJSON *gain; /* of all together, else of the first */
    double now, after; /* the objective, in the digest's unit */
    double lo, hi;     /* 90 % interval of after */
    double factor;     /* how many times as fast, or as many */
} TreeSummaryTotal;

TreeSummaryTotal tree_summary_total_of(const cJSON *result, const TreeSummary *d);

/* "Feed uint8 pixels instead of float32, end the graph at its last Conv and 2 more": the actions
 * that it is the outlook of, the first two by name. */
const char *tree_summary_total_actions(Phrase *buf, const cJSON *result, const TreeSummary *d,
                                       const Language *lang);

/* The plan to deploy: the recommended point of `tuned` and the baseline. */
typedef struct {
    const cJSON *point;   /* NULL: no search, or the baseline is best */
    const char *settings; /* "NPU101, NPU108, --target warboy --workers 5" */
    const char *effort;   /* the largest effort that was searched */
    const char *unit;     /* "ns" or "per_s" */
    bool verified;        /* else predicted */
    double now;
    const cJSON *after; /* an interval, or the measurement */
} TreeSummaryDeploy;
TreeSummaryDeploy tree_summary_deploy(Arena *a, const cJSON *result);

/* "NPU101, NPU108 (effort check at most): 3.59 ms → 716 µs [650 812], predicted". */
const char *tree_summary_deploy_text(Phrase *buf, const TreeSummaryDeploy *d, const Language *lang);

/* The settings of a point of `tuned`; NULL for the baseline. */
const char *tree_summary_point_settings(Arena *a, const cJSON *point);

/* How many parts of a point a rule makes, for its first part; 0 for the others. */
int tree_summary_part_count(const cJSON *part);

/* The longest observation, if it is at least a tenth of an inference; else NULL. */
const cJSON *tree_summary_uncovered_cost(const cJSON *result, double *ret_ns);

#endif
