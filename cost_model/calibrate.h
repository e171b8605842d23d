/* Fits the figures of a target to traces of one host and card.
 *
 * Priors are the target's figures; those that the traces do not inform are kept and named. */
#pragma once

#include "cost_model/reconcile.h"

/* One model with its trace. */
typedef struct {
    const Program *program;
    const Reconciliation *rec;
} CalibrationRun;

typedef struct {
    int figure; /* costs_figure */
    const FigureInfo *info;
    double prior;
    Interval value;
    size_t spans;     /* measured steps or ops that inform it */
    const char *kept; /* why it keeps the prior; NULL when it was fitted */
} CalibratedFigure;

typedef struct {
    HostCost law; /* with the fitted values */
    const HostCost *prior;
    size_t spans;
    const char *kept;
} CalibratedLaw;

typedef struct {
    const char *target; /* "warboy" */
    CalibratedFigure *figure;
    size_t nfigure;
    CalibratedLaw *law;
    size_t nlaw;
    const char *term[TERM_MAX];                     /* names */
    double kind_factor[LOWOP_KIND_COUNT][TERM_MAX]; /* over the target's; 1 where nothing tells */
    size_t kind_spans[LOWOP_KIND_COUNT];
    size_t runs, spans;
    /* Errors of the target's figures and of the fit, mean over the runs; with two or more each
     * run is predicted by a fit without it.  npu: |predicted / measured - 1| of NPU time.
     * kinds: share of time on the wrong kind of operator, since errors of kinds cancel in a sum.
     * The fit is taken unless neither falls. */
    double npu_before, npu_after;
    double kinds_before, kinds_after;
    bool npu_kept; /* the fit did not help: the NPU's figures stay */
} Calibration;

/* STATUS_UNDECIDED when no span of any run matched its model. */
Status calibrate(Arena *a, const Costs *c, const CalibrationRun *run, size_t nrun,
                 Calibration **ret, Diag *diag);

/* The NPU's part. */
typedef struct {
    CalibratedFigure residual[FIGURE_MAX]; /* of the classes; others unset */
    double kind_factor[LOWOP_KIND_COUNT][TERM_MAX];
    size_t kind_spans[LOWOP_KIND_COUNT];
    size_t spans;
    double activation_beside; /* of the costs that were fitted */
    double off;               /* what the fit leaves, as fit_solve has it */
} CalibratedNpu;

/* The NPU's figures of `c` fitted to the runs but `skip` (SIZE_MAX: to all; calibrate_npu.c). */
void calibrate_npu(const Costs *c, const CalibrationRun *run, size_t nrun, size_t skip,
                   CalibratedNpu *ret);

/* The calibration file, by rename. */
Status calibration_write(const Calibration *cal, const char *path, Diag *diag);

/* Relative half-width that holds 90 % of values whose deviations from their fit are given. */
double calibrate_spread(double *relative_error, size_t n);
