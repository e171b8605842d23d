/* Summarises a trace as one typical inference, with its spans in the most frequent order.  Each has
 * the median of its durations, transfers the tenth percentile, since one waits for another. */
#pragma once

#include "trace/stats/stats.h"

typedef struct {
    const OpSpan *op; /* with median durations; none where the file has the task's outline alone */
    uint32_t nop;
    int64_t total_ns; /* of the task's own span; of its operators where it has them */
    int64_t io_ns;    /* the vendor's IoWait: the span without its operators */
    bool has_run;     /* else io_ns is 0 */
} TypicalTask;

typedef struct {
    const OpSpan *host; /* operators, transfers and submits, with median durations */
    const HostDetail *host_detail;
    uint32_t nhost;
    const TypicalTask *task;
    uint32_t ntask;
    uint32_t inferences; /* that it was made of; 0: the trace has none, and the rest is empty */
} Typical;

enum { TYPICAL_MAX = 64 }; /* inferences looked at, at even distances */

/* Of the inferences after warm-up, or of all where there are no others; of those with NPU operators
 * where some have none.  Lives in `a`. */
Typical typical_of(Arena *a, const TraceStats *s);
