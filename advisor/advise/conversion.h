/* Names what `apply` makes right in a float model for the vendor's quantizer. */
#pragma once

#include "advisor/advise/run.h"

/* Newer opset and IR version, tensors that the file does not describe, and free dimensions, in one
 * line; NULL: nothing, or the quantizer is not asked. */
const char *conversion_of_run(const AdviseRun *run);
