/* The pipeline: the table of all passes. */
#ifndef PASSES_PIPELINE_H
#define PASSES_PIPELINE_H

#include "passes/pass.h"

/* All passes in order, NULL-terminated. */
extern const Pass *const pass_pipeline[];

/* Runs them all; the findings live in `a`. */
FindingList passes_run(Arena *a, const PassInput *in);

#endif
