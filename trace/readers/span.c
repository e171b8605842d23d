/* Names the kinds of spans as the JSON output spells them. */
#include "trace/readers/span.h"
#include "graph/base/enum_words.h"

ENUM_WORDS(
    span_kind_name, SpanKind,
    SPAN_COMPILE + 1, [SPAN_OTHER] = "other", [SPAN_INFERENCE] = "inference",
    [SPAN_LABEL] = "label", [SPAN_HOST_OPERATOR] = "host_operator", [SPAN_TASK] = "task",
    [SPAN_NPU_OPERATOR] = "npu_operator", [SPAN_NPU_IO] = "npu_io", [SPAN_TRANSFER] = "transfer",
    [SPAN_SUBMIT] = "submit", [SPAN_MODEL_RUN] = "other", [SPAN_COMPILE] = "compile")

Span span_empty(void)
{
    return (Span){.name = "",
                  .cat = "",
                  .pe_index = INDEX_NONE,
                  .execution_index = INDEX_NONE,
                  .instruction_index = INDEX_NONE,
                  .operator_index = INDEX_NONE};
}
