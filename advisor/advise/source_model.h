/* Takes the ONNX model that a .dfg was made from in its place, because a .dfg is not edited. */
#pragma once

#include "advisor/advise/advise.h"
#include "advisor/options/args.h"

/* Where the request is about a .dfg and --model is given: that model, fed and read in the types of
 * the .dfg.  STATUS_USAGE where the two have other inputs or outputs. */
Status source_model_take(Arena *a, const Args *args, AdviseRequest *q, Diag *diag);
