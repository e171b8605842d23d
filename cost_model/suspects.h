/* Finds totals of a trace outside predicted intervals, and what their pattern points to. */
#pragma once

#include "cost_model/predict.h"
#include "graph/model/model.h"

typedef struct Reconciliation Reconciliation;

typedef struct {
    const char *code;    /* "memory", "lowering", "host", "hand-off" */
    double off_ns;       /* measured less expected, without its sign */
    const Message *said; /* one sentence with the figure */
} Suspect;

enum { SUSPECTS_MAX = 4 };

/* Fills ret[SUSPECTS_MAX] and returns how many there are.  `pred` is the pure prediction of `p`;
 * needs the measured figures and hand-offs of `r`. */
size_t suspects_find(Arena *a, const Program *p, const Costs *c, const Prediction *pred,
                     const Reconciliation *r, Suspect *ret);

/* For a set-up whose input types were read off the trace: where the file has pixels and the trace
 * fits floats, the durations of Quantize alone say so, and a host that is slow with pixels would
 * show the same.  That is one more suspect, and r->types_doubted. */
void suspect_types(Arena *a, const Model *m, const Program *p, const Costs *c, Reconciliation *r);
