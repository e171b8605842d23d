/* Reads traces of the PyTorch profiler and Kineto. They hold operators of the host, kernels of
 * the device, the calls that launch them, and ProfilerStep#N around each iteration. */
#include "trace/readers/readers.h"
#include "trace/readers/shapes.h"

#include <string.h>

static const Sign sign[] = {
    {"\"schemaVersion\"", "\"traceEvents\""},
    {"\"deviceProperties\"", NULL},
    {"\"aten::", NULL},
    {"\"ProfilerStep#", NULL},
    {NULL, NULL},
};

/* "ProfilerStep#12" is one thing in twelve instances. */
static size_t strip_step_number(const char *name, size_t len)
{
    static const char step[] = "ProfilerStep#";
    size_t n = sizeof step - 1;
    return len > n && memcmp(name, step, n) == 0 ? n - 1 : len;
}

/* Categories were capitalised until 2022. */
static const struct {
    const char *cat;
    SpanKind kind;
} meaning[] = {
    {"kernel", SPAN_NPU_OPERATOR},  {"Kernel", SPAN_NPU_OPERATOR},    {"gpu_memcpy", SPAN_TRANSFER},
    {"Memcpy", SPAN_TRANSFER},      {"gpu_memset", SPAN_TRANSFER},    {"Memset", SPAN_TRANSFER},
    {"cuda_runtime", SPAN_SUBMIT},  {"Runtime", SPAN_SUBMIT},         {"cuda_driver", SPAN_SUBMIT},
    {"cpu_op", SPAN_HOST_OPERATOR}, {"Operator", SPAN_HOST_OPERATOR},
};

static SpanKind pytorch_kind(const char *cat, const char *name)
{
    if (strcmp(name, "ProfilerStep") == 0)
        return strncmp(cat, "gpu_", 4) == 0 ? SPAN_OTHER : SPAN_INFERENCE;
    for (size_t i = 0; i < sizeof meaning / sizeof *meaning; i++)
        if (strcmp(meaning[i].cat, cat) == 0)
            return meaning[i].kind;
    return SPAN_OTHER;
}

/* "Input Dims": [[1, 3, 224, 224], [64, 3, 7, 7], []] */
static const OpDetail *pytorch_detail(Arena *a, const char *event, size_t len)
{
    cJSON *root = cJSON_ParseWithLength(event, len);
    const cJSON *args = cJSON_GetObjectItemCaseSensitive(root, "args");
    const char *shapes = shapes_text(a, cJSON_GetObjectItemCaseSensitive(args, "Input Dims"));
    OpDetail *d = NULL;
    if (!shapes)
        shapes = shapes_text(a, cJSON_GetObjectItemCaseSensitive(args, "Input dims"));
    if (shapes) {
        d = ARENA_NEW(a, OpDetail);
        d->in_shapes = shapes;
    }
    cJSON_Delete(root);
    return d;
}

const TraceReader reader_pytorch = {
    .format = TRACE_PYTORCH,
    .name = "pytorch",
    .sign = sign,
    .strip = strip_step_number,
    .kind = pytorch_kind,
    .detail = pytorch_detail,
};
