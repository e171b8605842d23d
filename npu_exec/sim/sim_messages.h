/* Declares the messages of preparing a run. */
#pragma once

#include "graph/base/language.h"

DEFINE_MESSAGE(HOST_MODELLED,
               "{0} host operator{0| is|s are} no conversion that can be run here: modelled times");
DEFINE_MESSAGE(NOMINAL_TIME,
               "{0} host operator{0| takes|s take} a nominal time, because the cost is unknown");
DEFINE_MESSAGE(MACS_DIFFER,
               "low-level op {0} has {1} MACs by its shape, {2} by the compiler; the shape counts");
