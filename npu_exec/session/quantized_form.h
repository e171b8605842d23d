/* Writes out the quantization of a calibrated program, to compute with its values. */
#pragma once

#include "graph/compile/program.h"

/* The model of `p`, which is calibrated (PRECISION_CALIBRATED), with QuantizeLinear and
 * DequantizeLinear around what the NPU computes, by the file's own ranges, and with the types of
 * its inputs and outputs as the file says.  It lives in `a`; `p` must outlive it.  STATUS_INPUT as
 * model_quantize(). */
Status program_quantized_form(Arena *a, const Program *p, Model **ret, Diag *diag);
