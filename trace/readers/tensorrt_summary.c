/* Reads what trtexec says about a run without spans. That is its log, and the same as JSON
 * (*.metadata.json of TensorRT's engine explorer). */
#include "trace/readers/engine.h"
#include "trace/readers/readers.h"

static const Sign sign[] = {
    {"\"performance_summary\"", "\"inference_options\""},
    {"\"performance_summary\"", "\"device_information\""},
    {"\"build_options\"", "\"model_options\""},
    {"=== Performance summary ===", NULL},
    {"&&&& RUNNING TensorRT", NULL},
    {NULL, NULL},
};

static Status read_summary(TraceRead *r)
{
    const char *text;
    size_t len;
    Status st = source_all(&r->source, (size_t)ENGINE_FILE_MIB << 20, &text, &len, r->diag);
    if (st)
        return st;
    EngineTimes *t = ARENA_NEW(r->arena, EngineTimes);
    engine_times_init(t, r->arena);
    st = engine_times_add(
        t, (InFile){.path = r->info.path, .data = (const void *)text, .size = len}, "", r->diag);
    r->info.engine = t;
    r->has_event = true;
    return st;
}

const TraceReader reader_tensorrt_summary = {
    .format = TRACE_TENSORRT,
    .name = "tensorrt",
    .sign = sign,
    .whole = read_summary,
};
