/* Measures how far outputs of a changed model differ from the baseline, image by image. */
#pragma once

#include "graph/model/model.h"

/* One figure.  Units: "share" of 0 to 1, "dB", or "value", the output's own. */
typedef struct {
    const char *metric; /* of metric_names */
    const char *unit;
    double value, lo, hi; /* 90 %, by resampling the images */
} AccuracyFigure;

enum { ACCURACY_MORE = 8 };

#define ACCURACY_DB_MAX 200.0 /* equal outputs; pure error is as far below 0 */

typedef struct {
    bool known;          /* it was measured */
    bool exact;          /* every number of every output is the same on all of them */
    const char *output;  /* the figures are of this one, whose loss is the greatest */
    AccuracyFigure head; /* by its kind: top1_agreement, psnr … or a score */
    AccuracyFigure more[ACCURACY_MORE];
    size_t nmore;
    /* Of the head figure, 0 to 1: answers that differ, or the RMS error over signal or range. */
    double loss, loss_lo, loss_hi;
    size_t images; /* that were compared */
    bool constant; /* the baseline's output is the same for every image: no figure is meaningful */
    const char *runner;
} Accuracy;

typedef struct Comparer Comparer; /* of one output */

/* `dtype` and `shape` of the baseline's output: integers are answers; floats along one axis alone
 * are scores of classes; image shapes are images; anything else is values. */
Comparer *comparer_new(Arena *a, const char *name, DType dtype, const Shape *shape);

/* The output of one more run of both, n numbers each. */
void comparer_add(Comparer *c, const double *before, const double *after, size_t n);

/* What was added since run `from`, and the same put in: false where it is not of this output. */
struct cJSON;
struct cJSON *comparer_runs(const Comparer *c, size_t from);
bool comparer_restore(Comparer *c, const struct cJSON *runs);
size_t comparer_count(const Comparer *c);

/* The number of class scores, along one axis but the first; 0 for other shapes. */
size_t comparer_class_count(const Shape *shape);

/* With this share of agreement, n agree in one case of twenty. */
double comparer_share_bound(double n);

/* The first of the greatest. */
size_t comparer_argmax(const double *x, size_t n);

/* Of the output that loses most.  Of no outputs or images: not known. */
Accuracy comparer_result(Comparer *const *list, size_t n, uint64_t seed);

/* The head figure or one of `more` whose unit that is; NULL. */
const AccuracyFigure *accuracy_in(const Accuracy *x, const char *unit);
