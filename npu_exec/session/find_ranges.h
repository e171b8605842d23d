/* Finds the ranges of a model's values on data, or what quantization takes from them. */
#pragma once

#include "npu_exec/session/exec_options.h"

typedef struct {
    size_t images;
    const char *from, *to; /* types of arrays that were converted, and what to; NULL: none was */
} DataUsed;

/* Executes the model on o->data, `progress` after each run with the share that is done, and writes
 * o->ranges. */
Status find_ranges(Arena *a, const ExecOptions *o, const Model *m, void (*progress)(double done),
                   DataUsed *ret, Diag *diag);
/* The same for o->layers. */
Status find_losses(Arena *a, const ExecOptions *o, const Model *m, void (*progress)(double done),
                   DataUsed *ret, Diag *diag);
