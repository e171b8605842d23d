/* Names the kinds of spans as the JSON output spells them. */
#include "trace/readers/span.h"

#include <assert.h>

const char *span_kind_name(SpanKind k)
{
    static const char *const name[] = {
        [SPAN_OTHER] = "other",   [SPAN_INFERENCE] = "inference",
        [SPAN_LABEL] = "label",   [SPAN_HOST_OPERATOR] = "host_operator",
        [SPAN_TASK] = "task",     [SPAN_NPU_OPERATOR] = "npu_operator",
        [SPAN_NPU_IO] = "npu_io", [SPAN_TRANSFER] = "transfer",
        [SPAN_SUBMIT] = "submit", [SPAN_COMPILE] = "compile",
    };
    static_assert(sizeof name / sizeof *name == SPAN_COMPILE + 1, "a name for each kind");
    assert(k <= SPAN_COMPILE);
    return name[k];
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
