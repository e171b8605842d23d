/* Reads what trtexec says about a run as a whole: its log, the same as JSON (*.metadata.json of
 * TensorRT's engine explorer), and the profile of the layers, of which each is one span. */
#include "trace/readers/engine.h"
#include "trace/readers/readers.h"

static const Sign sign[] = {
#define SIGN(text, also) {text, also},
#include "trace/readers/tensorrt_signs.def"
    {NULL, NULL},
};

/* The file gives no beginnings: layers are put one after the other, as they run. */
static void emit_layers(TraceRead *r, const EngineTimes *t)
{
    for (size_t i = 0; i < t->nrow && r->clock_ns < INT64_MAX / 4; i++) {
        const EngineRow *row = &t->row[i];
        OpDetail *d = ARENA_NEW(r->arena, OpDetail);
        Span s = span_empty();
        *d = (OpDetail){.is_mean = true,
                        .runs = t->iterations,
                        .mean_ns = row->average_ns,
                        .median_ns = row->median_ns < 0 ? -1 : llround(row->median_ns)};
        s.name = reader_name(r, row->name, strlen(row->name));
        s.kind = SPAN_NPU_OPERATOR;
        s.detail = d;
        s.start_ns = r->clock_ns;
        s.dur_ns = llround(row->average_ns);
        s.order = r->order++;
        reader_emit(r, &s, false);
        r->clock_ns += s.dur_ns;
    }
}

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
    r->info.repairs.bad_event += t->bad_rows;
    emit_layers(r, t);
    return st;
}

const TraceReader reader_tensorrt_summary = {
    .format = TRACE_TENSORRT,
    .name = "tensorrt",
    .sign = sign,
    .whole = read_summary,
};
