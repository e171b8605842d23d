/* Measures the conversions of a plan on this machine instead of simulating them.
 *
 * Quantize, Dequantize, Lower, Unlower, Pad and Slice run on buffers of their real size; the median
 * of several repetitions takes the place of the modelled time.  Operators of the CPU fallback stay
 * modelled, and are noted.  A well-written conversion takes a fraction of the vendor's: the times
 * tell about this machine and this code, and differ from run to run. */
#pragma once

#include "npu_exec/sim/host.h"

/* STATUS_INPUT when a buffer is beyond what memory holds. */
Status real_host_measure(RunPlan *plan, Notes *notes, Diag *diag);
