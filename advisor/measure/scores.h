/* Compares the scores of outputs before and after a change, run by run.
 *
 * A score is a right answer, matching boxes, or the user's metric.  More is better. */
#ifndef ADVISOR_MEASURE_SCORES_H
#define ADVISOR_MEASURE_SCORES_H

#include "advisor/measure/average_precision.h"
#include "advisor/candidate/comparer.h"

#include <cjson/cJSON.h>

typedef enum {
    SCORES_TOP1,  /* shares of right answers; what is lost is the difference of their means */
    SCORES_BOXES, /* boxes of both, and twice those that are the same: their share is told */
    SCORES_MAP,   /* mean average precision: of all pictures together (average_precision.h); what is
                     lost is   the difference */
    SCORES_METRIC /* of the user's; what is lost is the difference of the means, as a share of the
                     first */
} ScoresKind;

typedef struct Scores Scores;

/* `of`: the output, or what the user's metric is called. */
Scores *scores_new(Arena *a, ScoresKind kind, const char *of);
void scores_add(Scores *s, double before, double after);
/* The same of SCORES_MAP: what was drawn on a picture, and what is on it. */
typedef struct {
    const DetectionBox *box;
    size_t n;
} DetectionList;
void scores_add_boxes(Scores *s, DetectionList before, DetectionList after, const LabeledBox *there,
                      size_t nthere);
size_t scores_count(const Scores *s);

/* What was added since run `from`, and the same put in: false where it is not of these. */
cJSON *scores_runs(const Scores *s, size_t from);
bool scores_restore(Scores *s, const cJSON *runs);

/* Makes the scores the head figure of *x; what was its head becomes one of more.  Exact stays
 * exact.  Leaves *x, whose images are the runs, as it is where nothing is to be told: no runs, no
 * boxes, or not of all runs. */
void scores_apply(const Scores *s, Accuracy *x, uint64_t seed);

#endif
