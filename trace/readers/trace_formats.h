/* Gives access to the table of formats. */
#pragma once

#include "trace/readers/readers.h"

/* In order of recognition, NULL-terminated; the last one takes what none of the others knows. */
extern const TraceReader *const reader_table[];

const char *trace_format_name(TraceFormat f); /* "furiosa" "furiosa-csv" "onnxruntime" … */
TraceFormat trace_format_from_name(const char *name);
