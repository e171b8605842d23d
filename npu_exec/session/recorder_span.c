/* Gives spans and counter samples their identities and writes them to the files. */
#include "npu_exec/session/recorder_state.h"

uint64_t recorder_id(Ids *ids)
{
    return random_bits(ids->r->o.seed, HASH_SEED, ids->request, ids->next++) | 1;
}

Span recorder_span(Ids *ids, const char *name, SpanKind kind, Ps begin, Ps end)
{
    int64_t start_ns = begin / PS_PER_NS;
    Span s = {.name = name,
              .kind = kind,
              .start_ns = start_ns,
              .dur_ns = end / PS_PER_NS - start_ns,
              .span_id = recorder_id(ids),
              .pe_index = INDEX_NONE,
              .execution_index = INDEX_NONE,
              .instruction_index = INDEX_NONE,
              .operator_index = INDEX_NONE};
    bool own_trace = ids->r->style >= STYLE_RUNTIME || kind == SPAN_TASK;
    s.trace_id_high = own_trace ? recorder_id(ids) : ids->trace_high;
    s.trace_id = own_trace ? recorder_id(ids) : ids->trace_low;
    return s;
}

bool recorder_is_runtime(const Recorder *r)
{
    return r->style >= STYLE_RUNTIME;
}

static const char *span_category(const Recorder *r, const Span *s)
{
    if (s->pe_index != INDEX_NONE)
        return "NPU";
    return recorder_is_runtime(r) ? "Runtime" : "Nux";
}

static bool is_wanted(const Recorder *r, const Span *s)
{
    bool outline = s->kind == SPAN_INFERENCE || s->kind == SPAN_TASK || s->kind == SPAN_LABEL;
    if (s->pe_index != INDEX_NONE ? r->what.without_npu : r->what.without_host)
        return false;
    return outline || r->what.verbosity >= RECORD_LAYER;
}

void recorder_emit(Recorder *r, const Span *s)
{
    if (!is_wanted(r, s))
        return;
    if (r->writer)
        trace_writer_span(r->writer, s);
    if (r->what.csv)
        csv_span(r->csv.stream, s, span_category(r, s));
}

void recorder_emit_async(Recorder *r, const Span *s, uint64_t id)
{
    if (!is_wanted(r, s))
        return;
    if (r->writer)
        trace_writer_async(r->writer, s, id);
    if (r->what.csv)
        csv_span(r->csv.stream, s, span_category(r, s));
}

void recorder_count(Recorder *r, int64_t pid, Ps at, const char *name, const char *series,
                    int64_t value)
{
    if (r->writer && r->what.verbosity == RECORD_DETAILED)
        trace_writer_counter(r->writer, pid, at / PS_PER_NS, name, series, value);
}

int64_t recorder_worker_tid(const Job *j)
{
    return WORKER_TID + (int64_t)j->worker;
}

int64_t recorder_stage_tid(const Recorder *r, const Job *j, uint32_t i)
{
    if (r->plan->stage[i].kind == STAGE_HOST || !recorder_is_runtime(r))
        return recorder_worker_tid(j);
    return IO_TID + (int64_t)j->device * IO_TIDS_PER_DEVICE + j->server[i];
}
