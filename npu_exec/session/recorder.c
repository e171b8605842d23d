/* Writes completed requests and their host parts as spans. */
#include "npu_exec/session/recorder_state.h"
#include "npu_exec/sim/memory_flow.h"

/* Host operators, transfers and submits. */
static void record_stage(Recorder *r, Ids *ids, const Job *j, uint32_t i, uint64_t parent)
{
    const Stage *g = &r->plan->stage[i];
    SpanKind kind = g->kind == STAGE_HOST     ? SPAN_HOST_OPERATOR
                    : g->kind == STAGE_SUBMIT ? SPAN_SUBMIT
                                              : SPAN_TRANSFER;
    Span s = recorder_span(ids, g->name, kind, j->stage_begin[i], j->stage_end[i]);
    s.pid = HOST_PID;
    s.tid = recorder_stage_tid(r, j, i);
    s.parent_id = parent;
    s.operator_index = g->operator_index;
    s.nominal = !g->known;
    recorder_emit(r, &s);
}

static void record_wait(Recorder *r, Ids *ids, const Job *j, const TaskRun *run, uint32_t i,
                        uint64_t parent)
{
    const char *name = recorder_is_runtime(r) ? "WaitForCommitAll" : "WaitForCommit";
    Span s = recorder_span(ids, name, SPAN_SUBMIT, j->stage_end[i - 1], run->end);
    s.pid = HOST_PID;
    s.parent_id = parent;
    if (recorder_is_runtime(r)) {
        s.tid = recorder_worker_tid(j);
        recorder_emit_async(r, &s, j->request * ID_DRAWS + i);
    } else {
        s.tid = WAIT_TID + (int64_t)j->worker;
        recorder_emit(r, &s);
    }
}

static void name_worker(Recorder *r, const Job *j)
{
    if (!r->writer || r->worker_named[j->worker])
        return;
    r->worker_named[j->worker] = true;
    trace_writer_thread(r->writer, HOST_PID, recorder_worker_tid(j),
                        recorder_is_runtime(r) ? "tokio-runtime-worker" : "nux-worker");
    if (!recorder_is_runtime(r))
        trace_writer_thread(r->writer, HOST_PID, WAIT_TID + (int64_t)j->worker, "nux-wait");
}

static void record_inference(Recorder *r, const Job *j)
{
    name_worker(r, j);
    Ids ids = {.r = r, .request = j->request};
    ids.trace_high = recorder_id(&ids);
    ids.trace_low = recorder_id(&ids);
    Span root = recorder_span(&ids, "Inference", SPAN_INFERENCE, j->begin, j->end);
    root.pid = HOST_PID;
    root.tid = r->label && recorder_is_runtime(r) ? USER_TID : recorder_worker_tid(j);
    if (recorder_is_runtime(r))
        recorder_emit_async(r, &root, j->request * ID_DRAWS);
    else
        recorder_emit(r, &root);
    recorder_count(r, HOST_PID, j->begin, "requests", "in flight", j->with);
    recorder_count(r, HOST_PID, j->end, "requests", "in flight", j->left);
    for (uint32_t i = 0; i < r->plan->nstage; i++) {
        const Stage *g = &r->plan->stage[i];
        if (g->kind != STAGE_TASK) {
            record_stage(r, &ids, j, i, root.span_id);
            continue;
        }
        record_wait(r, &ids, j, &j->task[g->task], i, root.span_id);
        recorder_task(r, &ids, j, i);
    }
}

/* Whether the file may hold one more inference, as long as the longest so far. */
static bool has_room(Recorder *r)
{
    if (!r->writer || r->what.limit_mb == 0)
        return true;
    uint64_t bytes = trace_writer_bytes(r->writer) + r->longest_bytes;
    bool room = bytes < r->what.limit_mb * 1000 * 1000;
    r->left_out += !room;
    return room;
}

static void draw_memory(Recorder *r, const Job *j)
{
    if (r->what.memory_flow && !r->drawn)
        r->trouble = memory_flow_write(r->arena, r->plan, j, r->what.memory_flow, &r->diag);
    r->drawn = true;
}

void recorder_job(void *user, const Job *j)
{
    Recorder *r = user;
    if (j->request < r->o.warmup || r->paused)
        return;
    draw_memory(r, j);
    if (!has_room(r))
        return;
    uint64_t before = r->writer ? trace_writer_bytes(r->writer) : 0;
    record_inference(r, j);
    uint64_t bytes = r->writer ? trace_writer_bytes(r->writer) - before : 0;
    r->longest_bytes = bytes > r->longest_bytes ? bytes : r->longest_bytes;
}

/* Where the inferences of a label lie, so that it encloses them. */
static int64_t label_tid(const Recorder *r)
{
    return recorder_is_runtime(r) || r->o.workers > 1 ? USER_TID : WORKER_TID;
}

static void name_user(Recorder *r, int64_t tid)
{
    static const char *const name[] = {"0x1", "0x2"};
    if (!r->writer || tid > RESULT_TID || r->user_named[tid - USER_TID])
        return;
    r->user_named[tid - USER_TID] = true;
    trace_writer_thread(r->writer, HOST_PID, tid, name[tid - USER_TID]);
}

void recorder_label_start(Recorder *r, const char *name, Ps now)
{
    name_user(r, label_tid(r));
    r->label = name;
    r->label_start = now;
}

static void emit_label(Recorder *r, const char *name, int64_t tid, Ps begin, Ps end)
{
    Ids ids = {.r = r, .request = UINT64_MAX - r->labels++};
    Span s = recorder_span(&ids, name, SPAN_LABEL, begin, end);
    s.pid = HOST_PID;
    s.tid = tid;
    recorder_emit(r, &s);
}

void recorder_label_end(Recorder *r, Ps now)
{
    if (r->label)
        emit_label(r, r->label, label_tid(r), r->label_start, now);
    r->label = NULL;
}

void recorder_application(void *user, ApplicationWork what, uint32_t caller, Ps begin, Ps end)
{
    static const char *const name[] = {[APPLICATION_BEFORE] = "pre", [APPLICATION_AFTER] = "post"};
    Recorder *r = user;
    int64_t own = what == APPLICATION_BEFORE ? USER_TID : RESULT_TID;
    int64_t tid = r->o.blocking ? WORKER_TID + (int64_t)caller : own;
    if (r->paused)
        return;
    name_user(r, tid);
    emit_label(r, name[what], tid, begin, end);
}

void recorder_pause(Recorder *r, bool paused)
{
    r->paused = paused;
}

uint64_t recorder_left_out(const Recorder *r)
{
    return r->left_out;
}

static void name_all(Recorder *r, Arena *a)
{
    const DeviceSet *set = &r->plan->devices;
    trace_writer_process(r->writer, HOST_PID,
                         r->plan->host_measured
                             ? "Process 1000 (host operators measured on this machine)"
                             : "Process 1000");
    trace_writer_labels(r->writer, HOST_PID,
                        arena_printf(a, "npu-exec, seed %llu", (unsigned long long)r->o.seed));
    if (!recorder_is_runtime(r))
        trace_writer_process(r->writer, OLD_NPU_PID, "Process 0");
    for (uint32_t lane = 0; lane < set->nlane; lane++)
        recorder_name_lane(r, a, lane);
    for (uint32_t d = 0; d < set->ndevice && recorder_is_runtime(r); d++)
        for (uint32_t t = 0; t < r->o.io_threads; t++)
            trace_writer_thread(r->writer, HOST_PID, IO_TID + (int64_t)d * IO_TIDS_PER_DEVICE + t,
                                arena_printf(a, "npu:%u-io-thread-%u", d, t));
}

Status recorder_open(Arena *a, const RecordOptions *what, const RunPlan *plan, const SimOptions *o,
                     Recorder **ret, Diag *diag)
{
    Recorder *r = ARENA_NEW(a, Recorder);
    *r = (Recorder){
        .arena = a, .plan = plan, .o = *o, .what = *what, .style = plan->program->options.sdk};
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

/* All files are finished; the first trouble is told. */
Status recorder_close(Recorder *r, Diag *diag)
{
    Diag other;
    Status st = r->trouble;
    if (st)
        *diag = r->diag;
    Status trace = r->writer ? trace_writer_close(r->writer, st ? &other : diag) : STATUS_OK;
    st = st ? st : trace;
    Status csv = r->what.csv ? file_out_commit(&r->csv, st ? &other : diag) : STATUS_OK;
    return st ? st : csv;
}

void recorder_abort(Recorder *r)
{
    if (r->writer)
        trace_writer_abort(r->writer);
    if (r->what.csv)
        file_out_abort(&r->csv);
}
