/* Bounds the time of a program without some of its operators on the host.
 *
 * It is a bound, not a prediction: a change that takes an operator off the host saves up to its
 * time, the conversions and transfers around it, and the runtime overhead and launches between NPU
 * and host.  The known costs of the change stay: after the last operator something has to be read
 * back, and before the first one something handed over, as much as leaves or enters there. */
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
