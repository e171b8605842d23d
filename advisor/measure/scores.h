/* Compares the scores of outputs before and after a change, run by run.
 *
 * A score is a right answer, matching boxes, or the user's metric.  More is better. */
#pragma once

#include "advisor/measure/average_precision.h"
#include "advisor/candidate/comparer.h"

#include <cjson/cJSON.h>

typedef enum {
    SCORES_TOP1,  /* share of right answers; the loss is the difference of the means */
    SCORES_BOXES, /* share of boxes that match */
    SCORES_MAP,   /* mean average precision (average_precision.h); the loss is the difference */
    SCORES_METRIC /* the user's; the loss is the difference of the means as a share of the first */
} ScoresKind;

typedef struct Scores Scores;

/* `of`: the output, or the name of the user's metric. */
Scores *scores_new(Arena *a, ScoresKind kind, const char *of);
void scores_add(Scores *s, double before, double after);
/* For SCORES_MAP: the boxes of an image, and its annotations. */
typedef struct {
    const DetectionBox *box;
    size_t n;
} DetectionList;
void scores_add_boxes(Scores *s, DetectionList before, DetectionList after, const LabeledBox *there,
                      size_t nthere);
size_t scores_count(const Scores *s);

/* The runs since `from`, and their restoration: false for those of another score. */
cJSON *scores_runs(const Scores *s, size_t from);
bool scores_restore(Scores *s, const cJSON *runs);

/* Makes the score the head figure of *x; the previous head becomes one of `more`. Exact stays
 * exact. *x, whose images are the runs, is unchanged without a score for all runs. */
void scores_apply(const Scores *s, Accuracy *x, uint64_t seed);
