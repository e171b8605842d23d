/* Declares the sentences that passes write into findings. */
#pragma once

#include "graph/base/language.h"

DEFINE_MESSAGE(TIME_UNEXPLAINED,
               "{0} % of an inference ({1}) is in no operator, transfer, NPU task, launch or "
               "hand-off");
DEFINE_MESSAGE(PERCENT_OF_TIME, "%");
DEFINE_MESSAGE(SCALE_NO_NUMBER, "the scale is not a positive number");
DEFINE_MESSAGE(SCALE_NOT_POSITIVE, "the scale is not positive");
DEFINE_MESSAGE(CODES_STAND_FOR, "its range is {0} to {1}, of which {2} % can occur");
DEFINE_MESSAGE(WINDOW_OF, "a window of {0} x {1}");
DEFINE_MESSAGE(GROUPS_ON_HOST, "{0} groups on the host");
