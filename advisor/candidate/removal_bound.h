/* Absence: a program's times if some of its operators on the host were not there.
 *
 * That is a bound, not a prediction: whatever takes an operator off the host saves at most its
 * time, the conversions and transfers around it, and the hand-offs and launches that the border
 * between NPU and host costs.  What the change is known to cost stays: behind the last operator
 * something has to be read back, before the first one something handed over, as much as leaves or
 * enters there. */
#ifndef ADVISOR_CANDIDATE_REMOVAL_BOUND_H
#define ADVISOR_CANDIDATE_REMOVAL_BOUND_H

#include "advisor/rules/variant.h"

typedef struct {
    const Program *program;
    const Costs *costs;
    /* Its `without`: names that the program's graph lacks are nothing; of an input, the padding of
     * its width goes.  Its `without_borders`: every conversion at an input or output goes. */
    const Variant *variant;
    /* The most that can go: what only moves data beside it and would follow it to the NPU, and the
     * conversions of its other side, which may not be needed once it runs there. */
    bool most;
} RemovalBound;

/* Changes the times of the steps, the hand-offs and the launches of `t`, what a trace showed them
 * to scatter by, and its totals.  A step that goes is known to take nothing, also where nobody
 * knows what it takes now. */
void removal_bound_apply(const RemovalBound *x, Prediction *t);

#endif
