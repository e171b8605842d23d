/* Extracts the times of the steps of a compiled program from its trace.
 *
 * They become records by the name of the step, so that they join as those of an engine do. */
#pragma once

#include "graph/import/imported.h"
#include "trace/readers/engine.h"
#include "trace/stats/stats.h"

/* The k-th span of a name in each inference is the k-th step of that name or type; an NPU task is a
 * step "npu", its operators are those of a graph without tasks. The time of spans that cannot be
 * assigned by their count is a separate record. Warm-up is excluded where possible. */
void program_times(EngineTimes *t, const Imported *g, const TraceStats *s);
