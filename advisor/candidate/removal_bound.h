/* Bounds the time of a program without some of its operators on the host.
 *
 * It is a bound, not a prediction: a change that takes an operator off the host saves up to its
 * time, the conversions and transfers around it, and the runtime overhead and launches between NPU
 * and host.  The known costs of the change stay: after the last operator something has to be read
 * back, and before the first one something handed over, as much as leaves or enters there. */
#pragma once

#include "advisor/rules/variant.h"

typedef struct {
    const Program *program;
    const Costs *costs;
    /* Its `without`: unknown names are ignored; for an input, the padding of its width is removed.
     * Its `without_borders`: every conversion at inputs and outputs is removed. */
    const Variant *variant;
    /* The largest removal: also operators that only move data and would follow to the NPU, and the
     * conversions of the other side, which may not be needed then. */
    bool most;
} RemovalBound;

/* Changes the times of the steps, the runtime overhead and the launches of `t`, their scatter as
 * traced, and the totals. The time of a removed step is known to be zero. */
void removal_bound_apply(const RemovalBound *x, Prediction *t);
