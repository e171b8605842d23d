/* Holds the list of all tables of `npu-advise trace`. */
#include "advisor/render/tables/trace_tables.h"

const TraceTable *const trace_table[] = {
#define TRACE_TABLE(name) &trace_table_##name,
#include "graph/options/trace_tables.def"
    NULL};

const TraceTable *trace_table_named(const char *key)
{
    for (size_t i = 0; trace_table[i]; i++)
        if (!strcmp(trace_table[i]->key, key))
            return trace_table[i];
    return NULL;
}
