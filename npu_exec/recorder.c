/* Requests as spans. */
#include "npu_exec/recorder.h"

enum {
    HOST_PID = 1000,
    NPU_PID = 2000, /* + lane, since SDK 0.10 */
    OLD_NPU_PID = 0,
    NPU_TID = 0x10000, /* + lane where the lanes share a process */
    USER_TID = 1,      /* labels */
    WORKER_TID = 32,   /* + worker */
    WAIT_TID = 100000, /* + worker: where an older runtime waits for the device */
    IO_TID = 200000,   /* + device * 100 + thread */
    IO_TIDS_PER_DEVICE = 100,
    STYLE_RUNTIME = 10, /* first SDK whose runtime writes the object form */
    ID_DRAWS = 1 << 20, /* identities of one request */
};

struct Recorder {
    TraceWriter *writer;
    const RunPlan *plan;
    SimOptions o;
    int style;
    uint32_t lanes_per_device;
    bool *worker_named;
    bool paused;
    const char *label;
    Ps label_start;
    uint64_t labels;
};

/* Identities of one request: reproducible, never 0. */
typedef struct {
    const Recorder *r;
    uint64_t request;
    uint64_t next;
    uint64_t trace_high, trace_low; /* shared by host spans before SDK 0.10 */
} Ids;

static uint64_t new_id(Ids *ids)
{
    return random_bits(ids->r->o.seed, HASH_SEED, ids->request, ids->next++) | 1;
}

static Span new_span(Ids *ids, const char *name, SpanKind kind, Ps begin, Ps end)
{
    int64_t start_ns = begin / PS_PER_NS;
    Span s = {.name = name,
              .kind = kind,
              .start_ns = start_ns,
              .dur_ns = end / PS_PER_NS - start_ns,
              .span_id = new_id(ids),
              .pe_index = INDEX_NONE,
              .execution_index = INDEX_NONE,
              .instruction_index = INDEX_NONE,
              .operator_index = INDEX_NONE};
    bool own_trace = ids->r->style >= STYLE_RUNTIME || kind == SPAN_TASK;
    s.trace_id_high = own_trace ? new_id(ids) : ids->trace_high;
    s.trace_id = own_trace ? new_id(ids) : ids->trace_low;
    return s;
}

static int64_t worker_tid(const Job *j)
{
    return WORKER_TID + (int64_t)j->worker;
}

static bool is_runtime(const Recorder *r)
{
    return r->style >= STYLE_RUNTIME;
}

/* Host operators, transfers and submits. */
static void record_stage(Recorder *r, Ids *ids, const Job *j, uint32_t i, uint64_t parent)
{
    const Stage *g = &r->plan->stage[i];
    SpanKind kind = g->kind == STAGE_HOST     ? SPAN_HOST_OPERATOR
                    : g->kind == STAGE_SUBMIT ? SPAN_SUBMIT
                                              : SPAN_TRANSFER;
    Span s = new_span(ids, g->name, kind, j->stage_begin[i], j->stage_end[i]);
    s.pid = HOST_PID;
    s.tid = worker_tid(j);
    if (g->kind != STAGE_HOST && is_runtime(r))
        s.tid = IO_TID + (int64_t)j->device * IO_TIDS_PER_DEVICE + j->server[i];
    s.parent_id = parent;
    s.operator_index = g->operator_index;
    trace_writer_span(r->writer, &s);
}

static void record_wait(Recorder *r, Ids *ids, const Job *j, const TaskRun *run, uint32_t i,
                        uint64_t parent)
{
    const char *name = is_runtime(r) ? "WaitForCommitAll" : "WaitForCommit";
    Span s = new_span(ids, name, SPAN_SUBMIT, j->stage_end[i - 1], run->end);
    s.pid = HOST_PID;
    s.parent_id = parent;
    if (is_runtime(r)) {
        s.tid = worker_tid(j);
        trace_writer_async(r->writer, &s, j->request * ID_DRAWS + i);
    } else {
        s.tid = WAIT_TID + (int64_t)j->worker;
        trace_writer_span(r->writer, &s);
    }
}

static void place_on_npu(const Recorder *r, Span *s, const TaskRun *run, uint32_t execution)
{
    s->pid = is_runtime(r) ? NPU_PID + (int64_t)run->stream : OLD_NPU_PID;
    s->tid = NPU_TID + (is_runtime(r) ? 0 : (int64_t)run->stream);
    s->pe_index = (int32_t)(run->stream % r->lanes_per_device);
    s->execution_index = (int32_t)execution;
}

static const char *entry_name(const Recorder *r, const PlanEntry *e, SpanKind *ret_kind)
{
    *ret_kind = SPAN_NPU_IO;
    if (e->op == LOWOP_NONE_LOAD)
        return "Load";
    if (e->op == LOWOP_NONE_STORE)
        return "Store";
    *ret_kind = SPAN_NPU_OPERATOR;
    return lowop_name(r->plan->program->op[e->op].kind);
}

/* The Task, then what it is made of: entry i lasts from the retirement before it to its own. */
static void record_task(Recorder *r, Ids *ids, const TaskRun *run, uint32_t execution)
{
    const TaskPlan *plan = r->plan->task[execution];
    Span task = new_span(ids, "Task", SPAN_TASK, run->begin, run->end);
    place_on_npu(r, &task, run, execution);
    trace_writer_span(r->writer, &task);
    Ps begin = run->begin + plan->launch;
    for (uint32_t i = 0; i < plan->nentry; i++) {
        SpanKind kind;
        const char *name = entry_name(r, &plan->entry[i], &kind);
        Ps end = run->retired_at[i];
        Span s = new_span(ids, name, kind, begin, end);
        s.trace_id_high = task.trace_id_high;
        s.trace_id = task.trace_id;
        s.parent_id = task.span_id;
        s.instruction_index = (int32_t)i;
        place_on_npu(r, &s, run, execution);
        trace_writer_span(r->writer, &s);
        begin = end;
    }
}

static void name_worker(Recorder *r, const Job *j)
{
    if (r->worker_named[j->worker])
        return;
    r->worker_named[j->worker] = true;
    trace_writer_thread(r->writer, HOST_PID, worker_tid(j),
                        is_runtime(r) ? "tokio-runtime-worker" : "nux-worker");
    if (!is_runtime(r))
        trace_writer_thread(r->writer, HOST_PID, WAIT_TID + (int64_t)j->worker, "nux-wait");
}

void recorder_job(void *user, const Job *j)
{
    Recorder *r = user;
    if (j->request < r->o.warmup || r->paused)
        return;
    name_worker(r, j);
    Ids ids = {.r = r, .request = j->request};
    ids.trace_high = new_id(&ids);
    ids.trace_low = new_id(&ids);
    Span root = new_span(&ids, "Inference", SPAN_INFERENCE, j->begin, j->end);
    root.pid = HOST_PID;
    root.tid = r->label && is_runtime(r) ? USER_TID : worker_tid(j);
    if (is_runtime(r))
        trace_writer_async(r->writer, &root, j->request * ID_DRAWS);
    else
        trace_writer_span(r->writer, &root);
    for (uint32_t i = 0; i < r->plan->nstage; i++) {
        const Stage *g = &r->plan->stage[i];
        if (g->kind != STAGE_TASK) {
            record_stage(r, &ids, j, i, root.span_id);
            continue;
        }
        record_wait(r, &ids, j, &j->task[g->task], i, root.span_id);
        record_task(r, &ids, &j->task[g->task], g->task);
    }
}

/* Where the inferences of a label lie, so that it encloses them. */
static int64_t label_tid(const Recorder *r)
{
    return is_runtime(r) || r->o.workers > 1 ? USER_TID : WORKER_TID;
}

void recorder_label_start(Recorder *r, const char *name, Ps now)
{
    if (r->labels == 0 && label_tid(r) == USER_TID)
        trace_writer_thread(r->writer, HOST_PID, USER_TID, "0x1");
    r->label = name;
    r->label_start = now;
}

void recorder_label_end(Recorder *r, Ps now)
{
    if (!r->label)
        return;
    Ids ids = {.r = r, .request = UINT64_MAX - r->labels++};
    Span s = new_span(&ids, r->label, SPAN_LABEL, r->label_start, now);
    s.pid = HOST_PID;
    s.tid = label_tid(r);
    trace_writer_span(r->writer, &s);
    r->label = NULL;
}

void recorder_pause(Recorder *r, bool paused)
{
    r->paused = paused;
}

/* "npu:0:0-1" for a fused pair, "npu:0:1" for a PE of its own. */
static void name_devices(Recorder *r, Arena *a)
{
    TraceWriter *w = r->writer;
    trace_writer_process(w, HOST_PID, "Process 1000");
    if (!is_runtime(r))
        trace_writer_process(w, OLD_NPU_PID, "Process 0");
    for (uint32_t lane = 0; lane < r->lanes_per_device * r->o.devices; lane++) {
        uint32_t device = lane / r->lanes_per_device, pe = lane % r->lanes_per_device;
        const char *name = r->lanes_per_device == 1 ? arena_printf(a, "npu:%u:0-1", device)
                                                    : arena_printf(a, "npu:%u:%u", device, pe);
        if (is_runtime(r)) {
            trace_writer_process(w, NPU_PID + (int64_t)lane, name);
            trace_writer_thread(w, NPU_PID + (int64_t)lane, NPU_TID, "0x10000");
        } else {
            trace_writer_thread(w, OLD_NPU_PID, NPU_TID + (int64_t)lane, name);
        }
        if (pe > 0 || !is_runtime(r))
            continue;
        for (uint32_t t = 0; t < r->o.io_threads; t++)
            trace_writer_thread(w, HOST_PID, IO_TID + (int64_t)device * IO_TIDS_PER_DEVICE + t,
                                arena_printf(a, "%s-io-thread-%u", name, t));
    }
}

Status recorder_open(Arena *a, const char *path, const RunPlan *plan, const SimOptions *o,
                     Recorder **ret, Diag *diag)
{
    Recorder *r = ARENA_NEW(a, Recorder);
    *r = (Recorder){.plan = plan, .o = *o, .style = plan->program->options.sdk};
    r->lanes_per_device = (uint32_t)(plan->silicon->pe_count / plan->program->options.pe);
    r->worker_named = ARENA_ARRAY(a, bool, o->workers);
    Status st = trace_writer_open(a, path, r->style, &r->writer, diag);
    if (st)
        return st;
    name_devices(r, a);
    *ret = r;
    return STATUS_OK;
}

Status recorder_close(Recorder *r, Diag *diag)
{
    return trace_writer_close(r->writer, diag);
}

void recorder_abort(Recorder *r)
{
    trace_writer_abort(r->writer);
}
