/* Computes the objective before and after the recommended changes, for the first line of every
 * output.
 *
 * A measured saving is relative to the runs that it was seen in, a predicted one to the replay;
 * both are scaled to the baseline by their factor, so that before and after have one base. */
#ifndef ADVISOR_REPORT_SUMMARY_TOTAL_H
#define ADVISOR_REPORT_SUMMARY_TOTAL_H

#include "advisor/message/phrase.h"
#include "advisor/report/summary.h"
#include "graph/base/arena.h"

typedef struct {
    bool known;    /* there is a recommendation with a known saving */
    bool verified; /* else predicted */
    PhraseId kind; /* of a predicted saving: gain_phrase() */
    /* The saving of all together, else of the first; NULL: unknown, not run. */
    const ResultInterval *predicted;
    const ResultVerified *run;
    double now, after; /* the objective, in the summary's unit */
    double lo, hi;     /* 90 % interval of after */
    double factor;     /* how many times as fast, or as many */
} SummaryTotal;

SummaryTotal summary_total_of(const Result *r, const Summary *d);

/* "Feed uint8 pixels instead of float32, end the graph at its last Conv and 2 more": the actions
 * that it is the outlook of, the first two by name. */
const char *summary_total_actions(Phrase *buf, const Result *r, const Summary *d,
                                  const Language *lang);

/* The plan to deploy: the recommended point of `tuned` and the baseline. */
typedef struct {
    const ResultPoint *point; /* NULL: no search, or the baseline is best */
    const char *settings;     /* "NPU101, NPU108, --target warboy --workers 5" */
    const char *effort;       /* the largest effort that was searched */
    const char *unit;         /* "ns" or "per_s" */
    bool verified;            /* else predicted */
    double now;
    ResultInterval after; /* predicted, or the measurement */
} SummaryDeploy;
SummaryDeploy summary_deploy(Arena *a, const Result *r);

/* "NPU101, NPU108 (effort check at most): 3.59 ms → 716 µs [650 812], predicted". */
const char *summary_deploy_text(Phrase *buf, const SummaryDeploy *d, const Language *lang);

/* The settings of a point of `tuned`; NULL for the baseline. */
const char *summary_point_settings(Arena *a, const ResultPoint *point);

/* How many parts of a point the rule of part i makes, for its first part; 0 for the others. */
int summary_part_count(const ResultPartList *parts, size_t i);

/* The longest observation, if it is at least a tenth of an inference; else NULL. */
const ResultObservation *summary_uncovered_cost(const Result *r, double *ret_ns);

#endif
