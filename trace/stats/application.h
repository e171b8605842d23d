/* Measures the work of the application around each inference. It knows that work by the labels
 * that the application put into the trace ("pre", "post", or one around the call). */
#pragma once

#include "trace/stats/gather.h"

/* Sets s->application.  Needs inferences and labels as gather_assign_inferences leaves them, and
 * s->lanes.
 *
 * A label counts if there is about one for each inference and none holds several.  Its own time is
 * what neither the labels nor the inference that it holds take; a label "pre…" or "post…" holds
 * only inferences on the same thread, since requests that others run lie within it by chance.
 * Threads that carry the same labels share the work. */
void application_collect(Gather *g, TraceStats *s);
