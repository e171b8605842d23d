/* Attributes the latency of an inference to spans, instant by instant. What computes explains a
 * moment before what waits (task, transfer, host operator, other runtime calls), the latest
 * begun before what is around it; a moment that nothing explains is a gap, named by what ended
 * before it and what begins after it. The parts sum to the latencies. */
#pragma once

#include "trace/stats/stats.h"

typedef struct {
    const char *name; /* of the span, or "Quantize … Lower" for the gap between the two */
    SpanKind kind;    /* SPAN_OTHER for a gap */
    uint64_t count;   /* inferences that have it */
    int64_t total_ns;
} PathPart;

/* Over the inferences that are no warm-up (all, if all are).  In `a`, largest first. */
PathPart *trace_path(Arena *a, const TraceStats *s, size_t *ret_count, int64_t *ret_latency_ns);
