/* Cross-validates the published-fit figures of the NPU: fits them again without one point and
 * predicts that point.  What the file says must not depend on the point that it is compared with.
 *
 * Works are those that a prediction has (op_work), so that the model that is fitted is the model
 * that predicts. */
#pragma once

#include "cost_model/op_model.h"

typedef struct {
    double work[TERM_MAX]; /* of one task: crossvalidate_work */
    double measured_ns;    /* NPU time of that task */
} FitPoint;

typedef struct {
    int term[TERM_MAX]; /* of the costs, whose figures are of kind published-fit */
    size_t nterm;
    double value[TERM_MAX]; /* fitted on all points, per `term` */
    double *left_out_ns;    /* per point: predicted by the fit without it */
    double *in_sample_ns;   /* per point: predicted by the fit on all */
} CrossValidation;

/* The sum over all operators of the program, as compiled. */
void crossvalidate_work(const Program *p, const Costs *c, double work[TERM_MAX]);

/* Needs at least two points. Points with equal `group` leave together (NULL: each alone). */
void crossvalidate(Arena *a, const Costs *c, const FitPoint *point, size_t n, const int *group,
                   CrossValidation *ret);

/* The same fit without the points whose skip[i] holds (NULL: on all), told to predict all of them:
 * for families. */
void crossvalidate_fit(Arena *a, const Costs *c, const FitPoint *point, size_t n, const bool *skip,
                       double value[TERM_MAX], double *ret_ns);
