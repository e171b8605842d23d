/* Applies the model's error for one operator to others of its shape, whatever the batch and the
 * number of PEs. */
#pragma once

#include "cost_model/reconcile.h"

/* Measured and predicted: of what waits for the DRAM, and of what does not. */
typedef struct {
    double wait_ns, predicted_wait_ns, rest_ns, predicted_rest_ns;
} PartTimes;

typedef struct {
    uint64_t key;
    PartTimes times; /* sums over the operators of the shape */
} ShapeTimes;

typedef struct {
    const ShapeTimes *shape; /* by key */
    size_t count;
} ShapeTable;

/* Of the measured operators of `p`, which `pure` predicts.  Left out are those that tell nothing of
 * their work: of most of whose time the law says that it is fixed.  Lives in `a`. */
ShapeTable same_shape(Arena *a, const Program *p, const Prediction *pure, const Reconciliation *r);

/* For an operator of this shape that waits for the DRAM, or for one that does not; NULL: none was
 * measured. */
const PartTimes *same_shape_times(const ShapeTable *t, const LowOp *op, bool waits);

/* Adds one that is predicted as `t` and measured at `ns`. */
void same_shape_add_times(PartTimes *sum, const OpPrediction *t, double ns);
/* What takes `t` then. */
double same_shape_part_ns(const PartTimes *times, const OpPrediction *t, double *ret_wait_ns);
