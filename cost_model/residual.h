/* Finds measured times that the cost model cannot explain, with the most likely cause.
 *
 * A step is one when its median lies outside its predicted 90 % interval; an NPU operator when also
 * r = ln(measured / predicted) is more than 3.5 robust deviations (1.4826 MAD) off the median of
 * its kind (Iglewicz and Hoaglin).  Both only above 2 % of an inference.  The pattern tells the
 * cause: all operators by one factor, the clock; those that load most, DRAM; one alone, its
 * lowering. */
#pragma once

#include "cost_model/cost_words.def"
#include "cost_model/predict.h"

typedef struct Reconciliation Reconciliation;

#define RESIDUAL_SHARE 0.02 /* of an inference; smaller errors are not residuals */

typedef enum {
#define X(id, key) CAUSE_##id,
    RESIDUAL_CAUSES(X)
#undef X
} ResidualCause;
const char *residual_cause_key(ResidualCause c);

typedef struct {
    bool is_op;    /* an NPU operator; else a step */
    uint32_t item; /* its index in Program.op or Program.step */
    double measured_ns;
    Interval predicted_ns;
    ResidualCause cause;
    DType from, to; /* OTHER_TYPE: the types whose time was measured */
} Residual;

/* Largest difference first.  Needs the measured figures of `r`; `pred` is the pure model. */
Residual *residual_find(Arena *a, const Program *p, const Costs *c, const Prediction *pred,
                        const Reconciliation *r, size_t *ret_count);

/* One sentence: what took how long, how long it should, and why that may be. */
const Message *residual_message(Arena *a, const Program *p, const Residual *x);
