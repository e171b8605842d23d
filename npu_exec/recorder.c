/* Requests as spans. */
#include "npu_exec/recorder.h"

#include "npu_exec/csv.h"

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
    TraceWriter *writer; /* NULL: no trace */
    Csv csv;
    RecordOptions what;
    const RunPlan *plan;
    SimOptions o;
    int style;
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

static const char *category(const Recorder *r, const Span *s)
{
    if (s->pe_index != INDEX_NONE)
        return "NPU";
    return is_runtime(r) ? "Runtime" : "Nux";
}

static bool is_wanted(const Recorder *r, const Span *s)
{
    bool outline = s->kind == SPAN_INFERENCE || s->kind == SPAN_TASK || s->kind == SPAN_LABEL;
    if (s->pe_index != INDEX_NONE ? r->what.without_npu : r->what.without_host)
        return false;
    return outline || r->what.verbosity >= RECORD_LAYER;
}

static void emit(Recorder *r, const Span *s)
{
    if (!is_wanted(r, s))
        return;
    if (r->writer)
        trace_writer_span(r->writer, s);
    if (r->what.csv)
        csv_span(&r->csv, s, category(r, s));
}

/* One that overlaps others of its thread. */
static void emit_async(Recorder *r, const Span *s, uint64_t id)
{
    if (!is_wanted(r, s))
        return;
    if (r->writer)
        trace_writer_async(r->writer, s, id);
    if (r->what.csv)
        csv_span(&r->csv, s, category(r, s));
}

static void count(Recorder *r, int64_t pid, Ps at, const char *name, const char *series,
                  int64_t value)
{
    if (r->writer && r->what.verbosity == RECORD_DETAILED)
        trace_writer_counter(r->writer, pid, at / PS_PER_NS, name, series, value);
}

static int64_t stage_tid(const Recorder *r, const Job *j, uint32_t i)
{
    if (r->plan->stage[i].kind == STAGE_HOST || !is_runtime(r))
        return worker_tid(j);
    return IO_TID + (int64_t)j->device * IO_TIDS_PER_DEVICE + j->server[i];
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
    s.tid = stage_tid(r, j, i);
    s.parent_id = parent;
    s.operator_index = g->operator_index;
    s.nominal = !g->known;
    emit(r, &s);
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
        emit_async(r, &s, j->request * ID_DRAWS + i);
    } else {
        s.tid = WAIT_TID + (int64_t)j->worker;
        emit(r, &s);
    }
}

static void place_on_npu(const Recorder *r, Span *s, const TaskRun *run, uint32_t execution)
{
    s->pid = is_runtime(r) ? NPU_PID + (int64_t)run->stream : OLD_NPU_PID;
    s->tid = NPU_TID + (is_runtime(r) ? 0 : (int64_t)run->stream);
    s->pe_index = (int32_t)r->plan->devices.lane[run->stream].pe;
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

/* What --verbosity detailed adds: when the lane was busy, how many waited, which submit it was. */
static void record_details(Recorder *r, const Job *j, uint32_t i, const TaskRun *run,
                           const Span *task)
{
    if (!r->writer || r->what.verbosity < RECORD_DETAILED)
        return;
    Span submit = {.start_ns = j->stage_begin[i - 1] / PS_PER_NS,
                   .pid = HOST_PID,
                   .tid = stage_tid(r, j, i - 1)};
    if (!r->what.without_host && !r->what.without_npu)
        trace_writer_flow(r->writer, "submit", j->request * ID_DRAWS + i, &submit, task);
    count(r, task->pid, run->begin, "NPU", "busy", 1);
    count(r, task->pid, run->end, "NPU", "busy", 0);
    count(r, task->pid, run->begin, "task queue", "waiting", run->waiting);
}

/* The Task, then what it is made of: entry i lasts from the retirement before it to its own. */
static void record_task(Recorder *r, Ids *ids, const Job *j, uint32_t stage)
{
    uint32_t execution = r->plan->stage[stage].task;
    const TaskRun *run = &j->task[execution];
    const TaskPlan *plan = r->plan->task[execution];
    Span task = new_span(ids, "Task", SPAN_TASK, run->begin, run->end);
    place_on_npu(r, &task, run, execution);
    emit(r, &task);
    record_details(r, j, stage, run, &task);
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
        emit(r, &s);
        begin = end;
    }
}

static void name_worker(Recorder *r, const Job *j)
{
    if (!r->writer || r->worker_named[j->worker])
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
        emit_async(r, &root, j->request * ID_DRAWS);
    else
        emit(r, &root);
    count(r, HOST_PID, j->begin, "requests", "in flight", j->with);
    count(r, HOST_PID, j->end, "requests", "in flight", j->left);
    for (uint32_t i = 0; i < r->plan->nstage; i++) {
        const Stage *g = &r->plan->stage[i];
        if (g->kind != STAGE_TASK) {
            record_stage(r, &ids, j, i, root.span_id);
            continue;
        }
        record_wait(r, &ids, j, &j->task[g->task], i, root.span_id);
        record_task(r, &ids, j, i);
    }
}

/* Where the inferences of a label lie, so that it encloses them. */
static int64_t label_tid(const Recorder *r)
{
    return is_runtime(r) || r->o.workers > 1 ? USER_TID : WORKER_TID;
}

void recorder_label_start(Recorder *r, const char *name, Ps now)
{
    if (r->writer && r->labels == 0 && label_tid(r) == USER_TID)
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
    emit(r, &s);
    r->label = NULL;
}

void recorder_pause(Recorder *r, bool paused)
{
    r->paused = paused;
}

/* "npu:0:0-1" for a fused pair, "npu:0:1" for a PE of its own. */
static const char *lane_name(const Recorder *r, Arena *a, uint32_t lane)
{
    const Place *at = &r->plan->devices.lane[lane];
    int pe = r->plan->program->options.pe;
    if (pe == 1)
        return arena_printf(a, "npu:%u:%u", at->device, at->pe);
    return arena_printf(a, "npu:%u:%u-%u", at->device, at->pe, at->pe + (uint32_t)pe - 1);
}

static void name_lane(Recorder *r, Arena *a, uint32_t lane)
{
    const char *name = lane_name(r, a, lane);
    if (!is_runtime(r)) {
        trace_writer_thread(r->writer, OLD_NPU_PID, NPU_TID + (int64_t)lane, name);
        return;
    }
    trace_writer_process(r->writer, NPU_PID + (int64_t)lane, name);
    trace_writer_thread(r->writer, NPU_PID + (int64_t)lane, NPU_TID, "0x10000");
}

static void name_all(Recorder *r, Arena *a)
{
    const DeviceSet *set = &r->plan->devices;
    trace_writer_process(r->writer, HOST_PID, "Process 1000");
    if (!is_runtime(r))
        trace_writer_process(r->writer, OLD_NPU_PID, "Process 0");
    for (uint32_t lane = 0; lane < set->nlane; lane++)
        name_lane(r, a, lane);
    for (uint32_t d = 0; d < set->ndevice && is_runtime(r); d++)
        for (uint32_t t = 0; t < r->o.io_threads; t++)
            trace_writer_thread(r->writer, HOST_PID, IO_TID + (int64_t)d * IO_TIDS_PER_DEVICE + t,
                                arena_printf(a, "npu:%u-io-thread-%u", d, t));
}

Status recorder_open(Arena *a, const RecordOptions *what, const RunPlan *plan, const SimOptions *o,
                     Recorder **ret, Diag *diag)
{
    Recorder *r = ARENA_NEW(a, Recorder);
    *r = (Recorder){.plan = plan, .o = *o, .what = *what, .style = plan->program->options.sdk};
    r->worker_named = ARENA_ARRAY(a, bool, o->workers);
    if (what->trace) {
        Status st = trace_writer_open(a, what->trace, r->style, &r->writer, diag);
        if (st)
            return st;
        name_all(r, a);
    }
    if (what->csv) {
        Status st = csv_open(&r->csv, what->csv, diag);
        if (st && r->writer)
            trace_writer_abort(r->writer);
        if (st)
            return st;
    }
    *ret = r;
    return STATUS_OK;
}

/* Both files are finished; the first trouble is told. */
Status recorder_close(Recorder *r, Diag *diag)
{
    Diag second;
    Status st = r->writer ? trace_writer_close(r->writer, diag) : STATUS_OK;
    Status csv = r->what.csv ? csv_close(&r->csv, st ? &second : diag) : STATUS_OK;
    return st ? st : csv;
}

void recorder_abort(Recorder *r)
{
    if (r->writer)
        trace_writer_abort(r->writer);
    if (r->what.csv)
        csv_abort(&r->csv);
}
