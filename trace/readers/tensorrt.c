/* Reads the files of TensorRT's trtexec that hold times or layers. --exportProfile has a mean
 * time per layer, --exportTimes the stages of every inference, --exportLayerInfo the engine's
 * layers, without times. */
#include "trace/readers/readers.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

static const Sign sign[] = {
    {"\"averageMs\"", "\"timeMs\""},
    {"\"startComputeMs\"", "\"endComputeMs\""},
    {"\"Layers\"", "\"LayerType\""},
    {"\"Layers\"", "\"Bindings\""},
    {NULL, NULL},
};

/* Milliseconds; false when absent or beyond a year. */
static bool time_ns(const cJSON *o, const char *key, int64_t *ret)
{
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(o, key);
    if (!cJSON_IsNumber(v) || !(fabs(v->valuedouble) < 4e10))
        return false;
    *ret = llround(v->valuedouble * 1e6);
    return true;
}

static void emit_timed_span(TraceRead *r, const char *name, SpanKind kind, int64_t tid,
                            int64_t start_ns, int64_t dur_ns)
{
    Span s = span_empty();
    s.name = name;
    s.kind = kind;
    s.tid = tid;
    s.start_ns = start_ns;
    s.dur_ns = dur_ns;
    s.order = r->order++;
    if (s.dur_ns < 0) {
        r->info.repairs.negative_duration++;
        s.dur_ns = 0;
    }
    reader_emit(r, &s, false);
}

/* The file gives no beginnings: layers are put one behind the other, as they run. */
static void on_layer(TraceRead *r, const cJSON *o)
{
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(o, "name");
    int64_t dur;
    if (!cJSON_IsString(name) || !(time_ns(o, "averageMs", &dur) || time_ns(o, "timeMs", &dur)) ||
        r->clock_ns > INT64_MAX / 4) {
        r->info.repairs.bad_event++;
        return;
    }
    emit_timed_span(r, reader_name(r, name->valuestring, strlen(name->valuestring)),
                    SPAN_NPU_OPERATOR, 0, r->clock_ns, dur);
    r->clock_ns += dur > 0 ? dur : 0;
}

/* Times since the start of the program have six digits; a duration of its own is more exact. */
static const struct {
    const char *name, *start, *end, *dur;
    SpanKind kind;
    int64_t tid;
} stage[] = {
    /* From its first copy to its last; the time in the queue before is not its own. */
    {"Inference", "startH2dMs", "endD2hMs", "latencyMs", SPAN_INFERENCE, 0},
    {"Enqueue", "startEnqMs", "endEnqMs", NULL, SPAN_SUBMIT, 1},
    {"H2D", "startH2dMs", "endH2dMs", "h2dMs", SPAN_TRANSFER, 2},
    {"Compute", "startComputeMs", "endComputeMs", "computeMs", SPAN_TASK, 3},
    {"D2H", "startD2hMs", "endD2hMs", "d2hMs", SPAN_TRANSFER, 2},
};

static void on_times(TraceRead *r, const cJSON *o)
{
    int64_t start, end, dur;
    bool any = false;
    for (size_t i = 0; i < sizeof stage / sizeof *stage; i++) {
        if (!time_ns(o, stage[i].start, &start) || !time_ns(o, stage[i].end, &end))
            continue;
        if (!stage[i].dur || !time_ns(o, stage[i].dur, &dur))
            dur = end - start;
        emit_timed_span(r, stage[i].name, stage[i].kind, stage[i].tid, start, dur);
        any = true;
    }
    r->info.repairs.bad_event += !any;
}

static void on_element(TraceRead *r, const char *json, size_t len)
{
    cJSON *o = cJSON_ParseWithLength(json, len);
    if (!o) {
        r->info.repairs.bad_event++;
        return;
    }
    r->has_event = true;
    if (cJSON_HasObjectItem(o, "startComputeMs"))
        on_times(r, o);
    else if (cJSON_HasObjectItem(o, "timeMs") || cJSON_HasObjectItem(o, "averageMs"))
        on_layer(r, o);
    cJSON_Delete(o);
}

const TraceReader reader_tensorrt = {
    .format = TRACE_TENSORRT,
    .name = "tensorrt",
    .sign = sign,
    .element = on_element,
};
