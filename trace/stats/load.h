/* Measures how busy a run kept its workers and devices, by the operational laws. */
#pragma once

#include "trace/stats/stats.h"

enum { LOAD_LANES_MAX = 64 };

typedef struct {
    double wall_ns;     /* from the first inference to the end of the last; 0: there is none */
    double per_s;       /* inferences completed over wall time */
    double concurrency; /* mean of those in flight: their times over wall time (Little's law) */
    /* Of wall time: the union of the tasks of each lane of the NPU, in the order of their first. */
    double lane[LOAD_LANES_MAX];
    size_t nlane;
    double link;        /* the union of all transfers */
    double host;        /* cores: the sum of the host operators */
    int64_t waiting_ns; /* median of what an inference's tasks waited while others had their lane */
} TraceLoad;

TraceLoad trace_load(const TraceStats *s);
