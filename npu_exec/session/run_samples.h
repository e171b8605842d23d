/* Runs a model on data and writes the outputs for every image. */
#pragma once

#include "npu_exec/session/find_ranges.h"

/* Executes the model, whose inputs have the types and axes of o->compile, on o->data (or a slice
 * of it), which has the axes of the model as written; `progress` gets the share done after each
 * run.  Writes output_0.npy, output_1.npy … into o->output_dir, each with a first axis that
 * counts the runs, and samples.json: the number of images, and of the runs that they fill. */
Status run_samples(Arena *a, const ExecOptions *o, const Model *m, void (*progress)(double done),
                   DataUsed *ret, Diag *diag);
