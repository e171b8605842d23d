/* Defines a variant, which is one way to compile and run a model, and the levers that change it. */
#ifndef ADVISOR_RULES_VARIANT_H
#define ADVISOR_RULES_VARIANT_H

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

/* One setting of one lever, as in the <set> of a rule. */
typedef struct {
    const char *lever; /* a name of lever_table */
    const char *index; /* which input or output (number), tensor or node (name), key; "" for none */
    const char *value;
    bool given; /* made by another recommendation, which this one depends on */
} LeverSetting;

typedef struct Lift Lift; /* a setting that is being applied */

/* A lever: one of the closed list of settings that rules may change. */
typedef struct {
    const char *name;
    const char *where; /* where the user makes the change: a value of fix/@where */
    bool edits_model;  /* else an option: the variant can be spelled on a command line */
    bool figure_only;  /* tried for its figure alone; not a change for users */
    Status (*lift)(const Lift *l);
    const char *help; /* the meaning of index and value */
} Lever;

enum { THREADS_MAX = 1024, PATCHES_MAX = 4096 };

/* The run options of a variant as npu-exec and npu-advise spell them: those that are not the
 * default, and --workers where `workers` is set.  Not NULL-terminated. */
const char **run_options_argv(Arena *a, const RunOptions *run, bool workers, size_t *ret_count);

#define LEVER_COMPILER_CONFIG "compiler-config"

/* Levers that are tried for a figure alone; they decide its basis. */
#define LEVER_STAND_IN "stand-in"
#define LEVER_WITHOUT  "without"

/* All levers, name NULL at the end. */
extern const Lever lever_table[];
/* NULL when there is none of that name. */
const Lever *lever_find(const char *name);

/* The tensor of an index "tensor:NAME"; NULL where it is a number. */
const char *lever_tensor(const LeverSetting *set);

/* Applies one setting to `v`, whose lists are copied first (compile_options_copy), so that the
 * variant it was copied from is unchanged.  `m` gives the names of inputs and outputs.
 * STATUS_USAGE when the lever is unknown or its index or value does not fit this model. */
Status variant_apply(Arena *a, Variant *v, const Model *m, const LeverSetting *s, Diag *diag);

/* True when no edit of the model is needed to run it, and nothing is left out for a bound. */
bool variant_is_options_only(const Variant *v);

#endif
