/* Cross-validates the published-fit figures of the NPU: fits them again without one point and
 * predicts that point.  What the file says must not depend on the point that it is compared with.
 */
#ifndef ADVISOR_VALIDATION_CROSSVALIDATE_H
#define ADVISOR_VALIDATION_CROSSVALIDATE_H

#include "cost_model/op_model.h"

typedef struct {
    double work[TERM_COUNT]; /* of one task on unsplit PEs: crossvalidate_work */
    int pe;
    double measured_ns; /* NPU time of that task */
} FitPoint;

typedef struct {
    int figure[TERM_COUNT + 1]; /* indices in COSTS, of kind published-fit; fusion_phi last */
    size_t nfigure;
    double value[TERM_COUNT + 1]; /* fitted on all points */
    double *left_out_ns;          /* per point: predicted by the fit without it */
    double *in_sample_ns;         /* per point: predicted by the fit on all */
} CrossValidation;

/* Works as on one PE with nothing shared: what is split is divided only when phi is known. */
void crossvalidate_work(const Program *p, const Costs *c, double work[TERM_COUNT]);

/* Needs at least two points. Points with equal `group` leave together (NULL: each alone). */
void crossvalidate(Arena *a, const Costs *c, const FitPoint *point, size_t n, const int *group,
                   CrossValidation *ret);

/* The same fit without the points whose skip[i] holds (NULL: on all), told to predict all of them:
 * for families. */
void crossvalidate_fit(Arena *a, const Costs *c, const FitPoint *point, size_t n, const bool *skip,
                       double value[TERM_COUNT + 1], double *ret_ns);

#endif
