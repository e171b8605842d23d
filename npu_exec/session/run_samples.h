/* Runs a model on data and writes the outputs for every image. */
#ifndef NPU_EXEC_SESSION_RUN_SAMPLES_H
#define NPU_EXEC_SESSION_RUN_SAMPLES_H

#include "npu_exec/session/exec_options.h"
#include "npu_exec/session/find_ranges.h"

/* Executes the model, whose inputs are of the types and axes that o->compile says, on o->data (or a
 * slice of it), `progress` after each run with the share that is done.  The data have the axes of
 * the model as it is written.  Writes output_0.npy, output_1.npy … into o->output_dir, each with a
 * first axis of its own that counts the runs, and samples.json: how many images, and runs that they
 * fill, there are in all. */
Status run_samples(Arena *a, const ExecOptions *o, const Model *m, void (*progress)(double done),
                   DataUsed *ret, Diag *diag);

#endif
