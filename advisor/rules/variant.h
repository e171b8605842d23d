/* Defines a variant, one way to compile and run a model, and applies levers to it. */
#pragma once

#include "advisor/rules/lever.h"
#include "cost_model/predict.h"

typedef struct {
    CompileOptions compile; /* edits included */
    RunOptions run;
    /* Results of nodes whose work on the host is left out, with the conversions around it, for a
     * bound (removal_bound.h).  Such a variant can be neither compiled nor run. */
    const char *const *without;
    size_t nwithout;
    bool without_borders; /* … nor the conversions at the graph's inputs and outputs */
} Variant;

/* The run options of a variant as npu-exec and npu-advise spell them: those that are not the
 * default, and --workers where `workers` is set.  Not NULL-terminated. */
const char **run_options_argv(Arena *a, const RunOptions *run, bool workers, size_t *ret_count);

/* Applies one setting to `v`, whose lists are copied first (compile_options_copy), so that the
 * variant it was copied from is unchanged.  `m` gives the names of inputs and outputs.
 * STATUS_USAGE when the index or the value does not fit this model. */
Status variant_apply(Arena *a, Variant *v, const Model *m, const LeverSetting *s, Diag *diag);

/* True when no edit of the model is needed to run it, and nothing is left out for a bound. */
bool variant_is_options_only(const Variant *v);
