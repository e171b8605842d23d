/* Selects the operators that `npu-advise trace` shows, and their program. */
#pragma once

#include "advisor/options/command.h"
#include "advisor/render/tables/trace_operators.h"

/* The caller frees q->name (a regex_t) with regfree. */
Status trace_query_from_args(Context *c, const Args *args, OperatorQuery *q);

/* Compiles q->model as the trace shows that it was, so that every operator is separate; notes how,
 * or why not.  Traces that tell operators by their nodes need no program. */
void trace_query_compile(Context *c, const Args *args, const TraceStats *s, OperatorQuery *q);
