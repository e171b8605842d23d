/* Reads the traces of one model into one set of statistics.
 *
 * Traces of one set-up add up; traces of several are refused, because their combined figures would
 * describe none of them. */
#pragma once

#include "cost_model/setup/setup.h"

/* Reads them; notes repeated ones. */
Status traces_read(Arena *a, const char *const *path, size_t npath, const TraceReadOptions *o,
                   Notes *notes, TraceStats **ret, Diag *diag);

/* STATUS_INPUT when one of them holds nothing that was measured. */
Status traces_need_spans(const TraceStats *s, Diag *diag);

/* STATUS_INPUT when two of them show different set-ups, which the error names.  `of` NULL: by
 * the traits that the traces show without a model. */
Status traces_match(Arena *a, const TraceStats *s, const TraceReadOptions *o,
                    const SetupRequest *of, Diag *diag);
