/* Variant: one way to compile and run the model; a lever turns one variant into another. */
#ifndef ADVISOR_VARIANT_H
#define ADVISOR_VARIANT_H

#include "cost_model/predict.h"

typedef struct {
    CompileOptions compile; /* edits included */
    RunOptions run;
} Variant;

/* One setting of one lever, as a rule's <set> says it. */
typedef struct {
    const char *lever; /* "input-dtype", "output-dtype", "permute-input", "width", "batch", "target",
                          "workers", "cut-tail", "drop-output", "replace-op", "compiler-config" … */
    const char *index; /* which input, output, tensor or node; "" where the lever has none */
    const char *value;
} LeverSetting;

/* All levers that exist, for the schema and `rules`; NULL-terminated. */
const char *const *lever_names(void);

/* Applies one setting. STATUS_USAGE when the lever is unknown or does not fit this model. */
Status variant_apply(Arena *a, Variant *v, const Model *m, const LeverSetting *s, Diag *diag);

#endif
