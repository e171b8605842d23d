/* Gives access to the table of formats. */
#ifndef TRACE_READERS_TRACE_FORMATS_H
#define TRACE_READERS_TRACE_FORMATS_H

#include "trace/readers/readers.h"

/* In order of recognition, NULL-terminated; the last one takes what none of the others knows. */
extern const TraceReader *const reader_table[];

const char *trace_format_name(TraceFormat f); /* "furiosa" "furiosa-csv" "onnxruntime" … */
TraceFormat trace_format_from_name(const char *name);

#endif
