/* Writes tasks as spans, and the counters of a device. */
#include "npu_exec/session/recorder_state.h"
#include "graph/compile/program.h"

static void place_on_npu(const Recorder *r, Span *s, const TaskRun *run, uint32_t execution)
{
    s->pid = recorder_is_runtime(r) ? NPU_PID + (int64_t)run->stream : OLD_NPU_PID;
    s->tid = NPU_TID + (recorder_is_runtime(r) ? 0 : (int64_t)run->stream);
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
    const LowOp *op = &r->plan->program->op[e->op];
    return op->row ? op->row : program_lowop_name(op->kind);
}

/* What --verbosity detailed adds: when the lane was busy, how many waited, which submit it was. */
static void record_details(Recorder *r, const Job *j, uint32_t i, const TaskRun *run,
                           const Span *task)
{
    if (!r->writer || r->what.verbosity < RECORD_DETAILED)
        return;
    Span submit = {.start_ns = j->stage_begin[i - 1] / PS_PER_NS,
                   .pid = HOST_PID,
                   .tid = recorder_stage_tid(r, j, i - 1)};
    if (!r->what.without_host && !r->what.without_npu)
        trace_writer_flow(r->writer, "submit", j->request * ID_DRAWS + i, &submit, task);
    recorder_count(r, task->pid, run->begin, "NPU", "busy", 1);
    recorder_count(r, task->pid, run->end, "NPU", "busy", 0);
    recorder_count(r, task->pid, run->begin, "task queue", "waiting", run->waiting);
}

/* SRAM in use while an op runs, and what went between it and DRAM in that time. */
static void count_memory(Recorder *r, const TaskRun *run, const PlanEntry *e, uint32_t i,
                         const Span *s)
{
    if (e->op < r->plan->program->nop)
        recorder_count(r, s->pid, s->start_ns * PS_PER_NS, "SRAM", "bytes",
                       r->plan->program->op[e->op].live_bytes);
    int64_t moved = run->moved_at[i] - (i > 0 ? run->moved_at[i - 1] : 0);
    if (!r->o.recurrence && s->dur_ns > 0)
        recorder_count(r, s->pid, s->start_ns * PS_PER_NS, "DRAM", "MB/s",
                       i64_mul_div(moved, 1000, s->dur_ns));
}

/* The Task, then what it is made of: entry i lasts from the retirement before it to its own. */
void recorder_task(Recorder *r, Ids *ids, const Job *j, uint32_t stage)
{
    uint32_t execution = r->plan->stage[stage].task;
    const TaskRun *run = &j->task[execution];
    const TaskPlan *plan = r->plan->task[execution];
    Span task = recorder_span(ids, "Task", SPAN_TASK, run->begin, run->end);
    place_on_npu(r, &task, run, execution);
    recorder_emit(r, &task);
    record_details(r, j, stage, run, &task);
    if (r->what.sample > 1 && (j->request - r->o.warmup) % r->what.sample != 0)
        return;
    Ps begin = run->begin + plan->launch;
    for (uint32_t i = 0; i < plan->nentry; i++) {
        SpanKind kind;
        const char *name = entry_name(r, &plan->entry[i], &kind);
        Ps end = run->retired_at[i];
        Span s = recorder_span(ids, name, kind, begin, end);
        s.trace_id_high = task.trace_id_high;
        s.trace_id = task.trace_id;
        s.parent_id = task.span_id;
        s.instruction_index = (int32_t)i;
        place_on_npu(r, &s, run, execution);
        recorder_emit(r, &s);
        count_memory(r, run, &plan->entry[i], i, &s);
        begin = end;
    }
}

/* "npu:0:0-1" for a fused pair, "npu:0:1" for a single PE. */
static const char *html_lane_name(const Recorder *r, Arena *a, uint32_t lane)
{
    const PePlace *at = &r->plan->devices.lane[lane];
    int pe = r->plan->program->options.pe;
    if (pe == 1)
        return arena_printf(a, "npu:%u:%u", at->device, at->pe);
    return arena_printf(a, "npu:%u:%u-%u", at->device, at->pe, at->pe + (uint32_t)pe - 1);
}

void recorder_name_lane(Recorder *r, Arena *a, uint32_t lane)
{
    const char *name = html_lane_name(r, a, lane);
    if (!recorder_is_runtime(r)) {
        trace_writer_thread(r->writer, OLD_NPU_PID, NPU_TID + (int64_t)lane, name);
        return;
    }
    trace_writer_process(r->writer, NPU_PID + (int64_t)lane, name);
    trace_writer_thread(r->writer, NPU_PID + (int64_t)lane, NPU_TID, "0x10000");
}
