/* ONNX Runtime profiles (SessionOptions.enable_profiling), all known forms: a node's time is an X
 * event NAME_kernel_time of category Node with op_name in args; older ones add NAME_fence_before
 * and NAME_fence_after. */
#include "trace/readers.h"

#include <string.h>

static const Sign sign[] = {
    {"_kernel_time\"", "\"Node\""},
    {"\"model_loading_", "\"Session\""},
    {"\"session_initialization\"", "\"Session\""},
    {"\"model_run\"", "\"Session\""},
    {NULL, NULL},
};

static const char kernel_suffix[] = "_kernel_time";

static size_t strip(const char *name, size_t len)
{
    size_t suffix = sizeof kernel_suffix - 1;
    bool has = len > suffix && memcmp(name + len - suffix, kernel_suffix, suffix) == 0;
    return has ? len - suffix : len;
}

static bool ends_with(const char *name, const char *end)
{
    size_t n = strlen(name), m = strlen(end);
    return n >= m && strcmp(name + n - m, end) == 0;
}

static SpanKind kind(const char *cat, const char *name)
{
    static const char *const compile[] = {"model_loading_uri", "model_loading_array",
                                          "model_loading_from_saved_proto",
                                          "session_initialization", NULL};
    if (strcmp(cat, "Node") == 0)
        return ends_with(name, "_fence_before") || ends_with(name, "_fence_after")
                   ? SPAN_SUBMIT
                   : SPAN_HOST_OPERATOR;
    if (strcmp(name, "model_run") == 0)
        return SPAN_INFERENCE;
    return name_in(compile, name) ? SPAN_COMPILE : SPAN_OTHER;
}

const TraceReader reader_onnxruntime = {
    .format = TRACE_ONNXRUNTIME,
    .name = "onnxruntime",
    .sign = sign,
    .strip = strip,
    .kind = kind,
};
