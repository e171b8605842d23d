/* Reorders spans in a queue per thread, so that parents come before their children. */
#include "trace/write/writer.h"

#include "trace/write/emit.h"
#include "trace/readers/scan.h"

typedef struct {
    Span span;
    uint64_t number; /* of arrival, the last tie-breaker */
} Queued;

typedef struct {
    int64_t pid, tid;
    Queued *queue; /* WRITER_REORDER_SPANS, not yet written */
    size_t nqueue, queue_cap;
    Span *open; /* written spans that may still contain one */
    size_t nopen, open_cap;
    int64_t horizon_ns; /* start of the last span written */
} Lane;

struct TraceWriter {
    Arena *arena;
    OutFile file;
    Emit emit;
    int style;
    bool has_event;
    Lane **lane;
    size_t nlane, lane_cap;
    Lane **slot; /* the same by pid and tid: open addressing, at most half full */
    size_t nslot;
    uint64_t spans, overlaps;
};

static const char *default_cat(const TraceWriter *w, SpanKind kind)
{
    if (kind == SPAN_TASK || kind == SPAN_NPU_OPERATOR || kind == SPAN_NPU_IO)
        return "NPU";
    return w->style >= 10 ? "Runtime" : "Nux";
}

/* `{"name":…,"cat":…,"ph":"X","ts":…` for the span's beginning (or end). */
static void event_head(TraceWriter *w, const Span *s, char phase, int64_t ts_ns)
{
    Emit *e = &w->emit;
    if (w->has_event)
        EMIT(e, ",\n");
    w->has_event = true;
    EMIT(e, "{\"name\":");
    emit_string(e, s->name ? s->name : "");
    EMIT(e, ",\"cat\":");
    emit_string(e, s->cat ? s->cat : default_cat(w, s->kind));
    EMIT(e, ",\"ph\":\"");
    emit_bytes(e, &phase, 1);
    EMIT(e, "\",\"ts\":");
    emit_microseconds(e, ts_ns + WRITER_EPOCH_NS);
}

static void event_place(TraceWriter *w, const Span *s)
{
    EMIT(&w->emit, ",\"pid\":");
    emit_int(&w->emit, s->pid);
    EMIT(&w->emit, ",\"tid\":");
    emit_int(&w->emit, s->tid);
}

/* Opens args before the first key, separates the others. */
static void arg_key(Emit *e, const char *key, bool *any)
{
    emit_text(e, *any ? ",\"" : ",\"args\":{\"");
    emit_text(e, key);
    EMIT(e, "\":\"");
    *any = true;
}

static void event_args(TraceWriter *w, const Span *s)
{
    Emit *e = &w->emit;
    bool any = false;
    const struct {
        const char *key;
        int32_t value;
    } index[] = {{"pe_index", s->pe_index},
                 {"execution_index", s->execution_index},
                 {"instruction_index", s->instruction_index},
                 {"operator_index", s->operator_index}};
    for (size_t i = 0; i < sizeof index / sizeof *index; i++) {
        if (index[i].value == INDEX_NONE)
            continue;
        arg_key(e, index[i].key, &any);
        emit_int(e, index[i].value);
        EMIT(e, "\"");
    }
    if (s->trace_id || s->trace_id_high) {
        arg_key(e, "trace_id", &any);
        emit_hex(e, s->trace_id_high, 16);
        emit_hex(e, s->trace_id, 16);
        EMIT(e, "\"");
    }
    if (s->span_id) {
        arg_key(e, "span_id", &any);
        emit_hex(e, s->span_id, 16);
        EMIT(e, "\"");
    }
    if (s->parent_id) {
        arg_key(e, "parent_span_id", &any);
        emit_hex(e, s->parent_id, 16);
        EMIT(e, "\"");
    }
    if (s->nominal) {
        arg_key(e, "nominal", &any);
        EMIT(e, "true\"");
    }
    emit_text(e, any ? "}}" : "}");
}

/* Viewers add ts and dur in binary, where 0.1 + 0.2 exceeds 0.3: a span that ends where the next
 * one begins, or where its parent ends, would overlap it.  So it ends a tenth of a nanosecond
 * earlier, and one more for each span around it. */
static void write_complete(TraceWriter *w, const Span *s, size_t depth)
{
    event_head(w, s, 'X', s->start_ns);
    EMIT(&w->emit, ",\"dur\":");
    emit_microseconds_short(&w->emit, s->dur_ns, depth < 3 ? (int)depth + 1 : 4);
    event_place(w, s);
    event_args(w, s);
}

static void write_edge(TraceWriter *w, const Span *s, char phase)
{
    event_head(w, s, phase, phase == 'B' ? s->start_ns : s->start_ns + s->dur_ns);
    event_place(w, s);
    event_args(w, s);
}

/* The vendor's older runtimes write host spans and tasks as B/E, and spans inside a task as X. */
static bool writes_edges(const TraceWriter *w, const Span *s)
{
    return w->style < 10 && s->kind != SPAN_NPU_OPERATOR && s->kind != SPAN_NPU_IO;
}

static int64_t span_end_ns(const Span *s)
{
    return s->start_ns + s->dur_ns;
}

static void close_until(TraceWriter *w, Lane *lane, int64_t now_ns)
{
    while (lane->nopen > 0 && span_end_ns(&lane->open[lane->nopen - 1]) <= now_ns) {
        const Span *s = &lane->open[--lane->nopen];
        if (writes_edges(w, s))
            write_edge(w, s, 'E');
    }
}

/* Spans come here by start, parents first; only a late one starts before the horizon. */
static void write_in_order(TraceWriter *w, Lane *lane, const Span *s)
{
    bool late = s->start_ns < lane->horizon_ns;
    if (!late) {
        close_until(w, lane, s->start_ns);
        lane->horizon_ns = s->start_ns;
    }
    bool overlaps = lane->nopen > 0 && span_end_ns(s) > span_end_ns(&lane->open[lane->nopen - 1]);
    if (overlaps && !late) {
        trace_writer_async(w, s, (UINT64_C(1) << 48) + w->overlaps++);
        return;
    }
    if (late || !writes_edges(w, s))
        write_complete(w, s, lane->nopen);
    else
        write_edge(w, s, 'B');
    if (!late)
        *VEC_PUSH(w->arena, lane->open, lane->nopen, lane->open_cap) = *s;
}

ORDER_BY(compare_queued, Queued, COMPARE(a->span.start_ns, b->span.start_ns),
         COMPARE(b->span.dur_ns, a->span.dur_ns), COMPARE(a->number, b->number))

/* Writes the earlier part of the queue, keeps `keep` spans. */
static void drain_lane(TraceWriter *w, Lane *lane, size_t keep)
{
    ORDER_LIST(lane->queue, lane->nqueue, compare_queued);
    size_t n = lane->nqueue - keep;
    for (size_t i = 0; i < n; i++)
        write_in_order(w, lane, &lane->queue[i].span);
    memmove(lane->queue, lane->queue + n, keep * sizeof *lane->queue);
    lane->nqueue = keep;
}

/* Where the lane is, or would go. */
static Lane **lane_slot(const TraceWriter *w, int64_t pid, int64_t tid)
{
    const int64_t key[] = {pid, tid};
    size_t i = scan_hash((const char *)key, sizeof key, 0) & (w->nslot - 1);
    while (w->slot[i] && (w->slot[i]->pid != pid || w->slot[i]->tid != tid))
        i = (i + 1) & (w->nslot - 1);
    return &w->slot[i];
}

static void make_room(TraceWriter *w)
{
    if (2 * (w->nlane + 1) <= w->nslot)
        return;
    w->nslot = w->nslot ? 2 * w->nslot : 64;
    w->slot = ARENA_ARRAY(w->arena, Lane *, w->nslot);
    for (size_t i = 0; i < w->nlane; i++)
        *lane_slot(w, w->lane[i]->pid, w->lane[i]->tid) = w->lane[i];
}

static Lane *lane_of(TraceWriter *w, int64_t pid, int64_t tid)
{
    make_room(w);
    Lane **slot = lane_slot(w, pid, tid);
    if (*slot)
        return *slot;
    Lane *lane = *slot = ARENA_NEW(w->arena, Lane);
    lane->pid = pid;
    lane->tid = tid;
    lane->horizon_ns = INT64_MIN;
    return *VEC_PUSH(w->arena, w->lane, w->nlane, w->lane_cap) = lane;
}

void trace_writer_span(TraceWriter *w, const Span *s)
{
    Lane *lane = lane_of(w, s->pid, s->tid);
    if (lane->nqueue == 2 * (size_t)WRITER_REORDER_SPANS)
        drain_lane(w, lane, WRITER_REORDER_SPANS);
    Queued *q = VEC_PUSH(w->arena, lane->queue, lane->nqueue, lane->queue_cap);
    *q = (Queued){.span = *s, .number = w->spans++};
}

static void write_async_edge(TraceWriter *w, const Span *s, uint64_t id, char phase)
{
    event_head(w, s, phase, phase == 'b' ? s->start_ns : span_end_ns(s));
    EMIT(&w->emit, ",\"id\":\"0x");
    emit_hex(&w->emit, id, 16);
    EMIT(&w->emit, "\"");
    event_place(w, s);
    event_args(w, s);
}

void trace_writer_async(TraceWriter *w, const Span *s, uint64_t id)
{
    write_async_edge(w, s, id, 'b');
    write_async_edge(w, s, id, 'e');
}

/* Flow events bind to the span that encloses them. */
static void write_flow_end(TraceWriter *w, const char *name, uint64_t id, const Span *at, char ph)
{
    event_head(w, &(Span){.name = name, .cat = "flow"}, ph, at->start_ns);
    EMIT(&w->emit, ",\"id\":\"0x");
    emit_hex(&w->emit, id, 16);
    EMIT(&w->emit, "\"");
    if (ph == 'f')
        EMIT(&w->emit, ",\"bp\":\"e\"");
    event_place(w, at);
    EMIT(&w->emit, "}");
}

void trace_writer_flow(TraceWriter *w, const char *name, uint64_t id, const Span *from,
                       const Span *to)
{
    write_flow_end(w, name, id, from, 's');
    write_flow_end(w, name, id, to, 'f');
}

static void write_name(TraceWriter *w, const char *kind, int64_t pid, const int64_t *tid,
                       const char *key, const char *name)
{
    Emit *e = &w->emit;
    emit_text(e, w->has_event ? ",\n{\"name\":\"" : "{\"name\":\"");
    w->has_event = true;
    emit_text(e, kind);
    EMIT(e, "\",\"ph\":\"M\",\"pid\":");
    emit_int(e, pid);
    if (tid) {
        EMIT(e, ",\"tid\":");
        emit_int(e, *tid);
    }
    EMIT(e, ",\"args\":{");
    emit_string(e, key);
    EMIT(e, ":");
    emit_string(e, name);
    EMIT(e, "}}");
}

void trace_writer_labels(TraceWriter *w, int64_t pid, const char *labels)
{
    write_name(w, "process_labels", pid, NULL, "labels", labels);
}

void trace_writer_process(TraceWriter *w, int64_t pid, const char *name)
{
    write_name(w, "process_name", pid, NULL, "name", name);
}

void trace_writer_thread(TraceWriter *w, int64_t pid, int64_t tid, const char *name)
{
    write_name(w, "thread_name", pid, &tid, "name", name);
}

void trace_writer_counter(TraceWriter *w, int64_t pid, int64_t ts_ns, const char *name,
                          const char *series, int64_t value)
{
    event_head(w, &(Span){.name = name, .cat = "counter"}, 'C', ts_ns);
    EMIT(&w->emit, ",\"pid\":");
    emit_int(&w->emit, pid);
    EMIT(&w->emit, ",\"args\":{");
    emit_string(&w->emit, series);
    EMIT(&w->emit, ":");
    emit_int(&w->emit, value);
    EMIT(&w->emit, "}}");
}

Status trace_writer_open(Arena *a, const char *path, int style, TraceWriter **ret, Diag *diag)
{
    TraceWriter *w = ARENA_NEW(a, TraceWriter);
    w->arena = a;
    w->style = style;
    Status st = file_out_open(&w->file, path, diag);
    if (st)
        return st;
    w->emit.stream = w->file.stream;
    emit_text(&w->emit, style >= 10 ? "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n" : "[\n");
    *ret = w;
    return STATUS_OK;
}

uint64_t trace_writer_bytes(const TraceWriter *w)
{
    const uint64_t usual_span_bytes = 320;
    uint64_t bytes = w->emit.flushed + w->emit.used;
    for (size_t i = 0; i < w->nlane; i++)
        bytes += w->lane[i]->nqueue * usual_span_bytes;
    return bytes;
}

Status trace_writer_close(TraceWriter *w, Diag *diag)
{
    for (size_t i = 0; i < w->nlane; i++) {
        drain_lane(w, w->lane[i], 0);
        close_until(w, w->lane[i], INT64_MAX);
    }
    emit_text(&w->emit, w->style >= 10 ? "\n]}\n" : "\n]\n");
    emit_flush(&w->emit);
    return file_out_commit(&w->file, diag);
}

void trace_writer_abort(TraceWriter *w)
{
    file_out_abort(&w->file);
}
