/* Reads the files of TensorRT's trtexec that are lists of queries or layers. --exportTimes has the
 * stages of every query, --exportLayerInfo the engine's layers, without times. */
#include "trace/readers/readers.h"

#include <cjson/cJSON.h>

static const Sign sign[] = {
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

/* Times since the start of the program have six digits; a separate duration is more exact. */
static const struct {
    const char *name;
    SpanKind kind;
    int64_t tid;
    struct {
        const char *start, *end, *dur;
    } key[2]; /* from 8.0 on, and before */
} stage[] = {
#define STAGE(name, kind, tid, start, end, dur, start7, end7, dur7)                                \
    {name, SPAN_##kind, tid, {{start, end, dur}, {start7, end7, dur7}}},
#include "trace/readers/tensorrt_stages.def"
};

static bool on_stage(TraceRead *r, const cJSON *o, size_t i)
{
    int64_t start, end, dur;
    for (size_t k = 0; k < 2 && *stage[i].key[k].start; k++) {
        if (!time_ns(o, stage[i].key[k].start, &start) || !time_ns(o, stage[i].key[k].end, &end))
            continue;
        if (!time_ns(o, stage[i].key[k].dur, &dur))
            dur = end - start;
        emit_timed_span(r, stage[i].name, stage[i].kind, stage[i].tid, start, dur);
        return true;
    }
    return false;
}

static void on_times(TraceRead *r, const cJSON *o)
{
    bool any = false;
    for (size_t i = 0; i < sizeof stage / sizeof *stage; i++)
        any |= on_stage(r, o, i);
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
    cJSON_Delete(o);
}

const TraceReader reader_tensorrt = {
    .format = TRACE_TENSORRT,
    .name = "tensorrt",
    .sign = sign,
    .element = on_element,
};
