/* Expands trace_formats.xml into the tables of readers and names. */
#include "trace/readers/trace_formats.h"

const TraceReader *const reader_table[] = {
#define FORMAT(id, reader)  &reader_##reader,
#define VARIANT(id, reader) &reader_##reader,
#include "trace/readers/trace_formats.def"
    NULL,
};

const char *trace_format_name(TraceFormat f)
{
    for (size_t i = 0; reader_table[i]; i++)
        if (reader_table[i]->format == f)
            return reader_table[i]->name;
    return "unknown";
}

TraceFormat trace_format_from_name(const char *name)
{
    for (size_t i = 0; reader_table[i]; i++)
        if (strcmp(reader_table[i]->name, name) == 0)
            return reader_table[i]->format;
    return TRACE_UNKNOWN;
}
