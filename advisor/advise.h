/* Advice: rules matched against the facts, levers tried, gains predicted, verified, ranked.
 *
 * The outcome is one result document (docs/schema/result.json) as a cJSON tree; every output
 * format is a rendering of that tree and nothing else. */
#ifndef ADVISOR_ADVISE_H
#define ADVISOR_ADVISE_H

#include "advisor/rule.h"
#include "trace/stats.h"

#include <cjson/cJSON.h>

typedef struct {
    const char *model_path;
    const char *const *trace;
    size_t ntrace;
    TraceReadOptions trace_options;
    const char *calibration;
    const char *const *rules_dir;
    size_t nrules_dir;
    Variant baseline; /* compile and run options as given */
    Objective objective;
    bool objective_given;
    int64_t latency_limit_ns; /* 0: none */
    bool verify;
    const char *runner; /* NULL: npu-exec beside the binary */
    uint64_t seed;
    double min_share;     /* 0.01 */
    int64_t min_gain_ns;  /* 20000 */
    const char *lang;     /* "en" or "ko" */
} AdviseRequest;

/* Runs the whole chain. *ret_result is owned by the caller (cJSON_Delete). STATUS_UNDECIDED with a
 * result when no step's cost is known. */
Status advise(Arena *a, const AdviseRequest *q, cJSON **ret_result, Diag *diag);

#endif
