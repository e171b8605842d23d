/* Collects the latencies that a gate compares, with intervals of their quantiles.
 *
 * One trace: every inference after warm-up is a sample.  Several traces that each hold inferences
 * of their own: every trace is one sample, its median (runs differ more than the inferences of one
 * run do).  Neighbouring inferences are taken as independent. */
#pragma once

#include "cost_model/interval.h"
#include "trace/stats/stats.h"

enum { LATENCY_SAMPLES_SHOWN = 64 };

typedef struct {
    bool per_trace;
    const int64_t
        *value; /* at most LATENCY_SAMPLES_SHOWN: all in order, else ranks at even distances */
    size_t nvalue;
    size_t n;             /* samples there are; 0: none */
    Interval median, p90; /* of several traces: the median of theirs */
    int64_t max;
} LatencySamples;

/* Reads several traces one by one; streams are sampled by their inferences. */
Status latency_samples_read(Arena *a, const char *const *path, size_t npath,
                            const TraceReadOptions *o, const TraceStats *merged,
                            LatencySamples *ret, Diag *diag);

/* Latencies after warm-up in their order; all where there are no others. */
int64_t *latency_samples_settled(Arena *a, const TraceStats *s, size_t *ret_count);

/* Quantile q of sorted values with its 90 % interval by order statistics; where there are too few
 * for that (below 5 for the median, 29 for the ninth decile), an end lies as far outside as the
 * values are apart.  n > 0; of one value, the interval is that value. */
Interval latency_samples_quantile(const int64_t *sorted, size_t n, double q);
