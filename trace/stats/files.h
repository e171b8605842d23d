/* Decides whether a file is a run, a part of one, or a repetition. Private to the statistics.
 *
 * The same spans, whatever the file is called and however it is packed, count once.  A file with
 * inferences is a run: where its clock begins anew, it is placed after the earlier runs.  Runs must
 * have been set up alike: figures over several set-ups are those of none. */
#pragma once

#include "trace/stats/gather.h"

/* Remembers where the next file's rows begin.  Before each file. */
void file_begin(Gather *g);

/* Adds the span to the file's digest. */
void file_span(Gather *g, const Span *s);

/* Drops, places or compares the rows since file_begin; s->file[g->file] is set. */
void file_end(Gather *g, TraceStats *s);
