/* Joins the layers of a compiled graph and their measured times by name.
 *
 * Equal lists are joined by position, others by name and occurrence.  Records that do not join are
 * kept with their time.  A layer without a record has no time: never 0. */
#pragma once

#include "graph/base/message.h"
#include "graph/import/imported.h"
#include "advisor/advise/advise.h"
#include "trace/readers/engine.h"

#define LAYER_UNTIMED (-1.0)

/* trtexec itself warns above this spread. */
#define LAYER_UNSTABLE_CV 0.025
enum { LAYER_ENOUGH_RUNS = 30 };

/* A code that outputs rely on and one sentence. */
typedef struct {
    const char *code;
    const Message *said;
} LayerIssue;

typedef struct {
    const Imported *graph;
    const EngineTimes *times;
    double *ns;                  /* average per run of each operator; LAYER_UNTIMED */
    double *median_ns;           /* the same; LAYER_UNTIMED */
    size_t joined;               /* operators with a record */
    size_t timed;                /* … of more than 0 */
    double sum_ns;               /* of all records: what shares refer to */
    double joined_ns;            /* of those that joined */
    size_t stray;                /* records that joined nothing */
    const EngineRow **stray_row; /* they, longest first */
    double event_ns;             /* time of a profiler event per timed layer; 0 unknown */
    bool other_engine;           /* times of queries were of another engine, and are ignored */
    char grade;                  /* 'A' … 'D' */
    LayerIssue *issue;
    size_t nissue, issue_cap;
    bool gains;                      /* false: no saving is known from these times */
    const int64_t *stage_ns;         /* of the application (advise.h); 0: not told */
    const struct TableTraits *table; /* of a table of RKNN (table_traits.h); else NULL */
} LayerTimes;

/* Tensor k of an operator: its inputs, then its outputs. */
static inline uint32_t layer_tensor(const ImportOp *op, size_t k)
{
    return k < op->ninput ? op->input[k] : op->output[k - op->ninput];
}

/* Clears in `t` what is said of whole queries where these are of another engine by their time. */
LayerTimes *layer_times_join(Arena *a, const Imported *g, EngineTimes *t);

/* Adds what is to be known of the quality of the times. */
void layer_times_issue(Arena *a, LayerTimes *x, const char *code, const Message *said);

/* What remains of a layer's time without the profiler's event. */
double layer_without_event(const LayerTimes *t, double ns);
