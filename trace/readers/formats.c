/* The table of formats. */
#include "trace/readers/readers.h"

#include <string.h>

/* Most particular first: PyTorch's old traces have a category "Runtime", as Furiosa's have. */
const TraceReader *const reader_table[] = {
    &reader_furiosa_csv, &reader_tensorrt,         &reader_onnxruntime,
    &reader_pytorch,     &reader_megengine_static, &reader_megengine,
    &reader_furiosa,     &reader_chrome,           NULL,
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

const char *span_kind_name(SpanKind k)
{
    static const char *const name[] = {
        [SPAN_OTHER] = "other",   [SPAN_INFERENCE] = "inference",
        [SPAN_LABEL] = "label",   [SPAN_HOST_OPERATOR] = "host_operator",
        [SPAN_TASK] = "task",     [SPAN_NPU_OPERATOR] = "npu_operator",
        [SPAN_NPU_IO] = "npu_io", [SPAN_TRANSFER] = "transfer",
        [SPAN_SUBMIT] = "submit", [SPAN_COMPILE] = "compile",
    };
    return name[k];
}

bool name_in(const char *const *list, const char *name)
{
    for (size_t i = 0; list[i]; i++)
        if (strcmp(list[i], name) == 0)
            return true;
    return false;
}

Span span_empty(void)
{
    return (Span){.name = "",
                  .cat = "",
                  .pe_index = INDEX_NONE,
                  .execution_index = INDEX_NONE,
                  .instruction_index = INDEX_NONE,
                  .operator_index = INDEX_NONE};
}
