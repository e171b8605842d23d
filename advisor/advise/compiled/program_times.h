/* Extracts the times of the steps of a compiled program from its trace.
 *
 * They become records by the name of the step, so that they join as those of an engine do. */
#ifndef ADVISOR_ADVISE_COMPILED_PROGRAM_TIMES_H
#define ADVISOR_ADVISE_COMPILED_PROGRAM_TIMES_H

#include "graph/import/imported.h"
#include "trace/readers/engine.h"
#include "trace/stats/stats.h"

/* The k-th span of a name in each inference is the k-th step of that name or type; a task of the
 * NPU is a step "npu", its operators are those of a graph without tasks.  A name whose counts
 * differ in an inference matches nothing there, because nobody can say which is which: its time is
 * a record of its own.  Warm-up is left out where there is anything else. */
void program_times(EngineTimes *t, const Imported *g, const TraceStats *s);

#endif
