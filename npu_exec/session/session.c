/* Implements the library with a simulation that is driven step by step. */
#include "npu_exec/session/session_state.h"
#include "graph/base/xml.h"
#include "graph/compile/program.h"
#include "graph/onnx/onnx.h"
#include "npu_exec/session/exec_prepare.h"

enum { SESSION_MAX_REQUESTS = 1000000, OPTIONS_MAX = 256 };

static void set_error_text(char *error, size_t size, const char *text)
{
    if (error && size > 0)
        snprintf(error, size, "%s", text);
}

/* What a session's own calls do cannot be asked for in words as well. */
static Status check_options(const ExecOptions *o, Diag *diag)
{
    const struct {
        bool wrong;
        const char *text;
    } rule[] = {
        {o->sim.arrivals != ARRIVALS_CLOSED,
         "a session submits by itself: no --rate, no --workload T"},
        {o->sim.duration > 0, "a session runs as long as it submits: no --duration"},
        {o->nlabel > 0, "npu_profiler_record_start and _pause are calls: no --record, no --pause"},
        {o->values, "npu_session_execute is a call: no --values"},
        {o->json, "completions hold the figures: no --json"},
    };
    return LIST_VALUE(i, sizeof rule / sizeof rule[0], rule[i].wrong,
                      diag_set(diag, STATUS_USAGE, NULL, NULL, "%s", rule[i].text), STATUS_OK);
}

static Status open_session(NpuSession *s, const char *model, const char *const *options)
{
    char *argv[OPTIONS_MAX] = {arena_strdup(s->arena, "npu-exec"), arena_strdup(s->arena, model)};
    int argc = 2;
    for (; options && options[argc - 2]; argc++) {
        if (argc == OPTIONS_MAX)
            return diag_set(&s->diag, STATUS_USAGE, NULL, NULL, "more than %d options",
                            OPTIONS_MAX - 2);
        argv[argc] = arena_strdup(s->arena, options[argc - 2]);
    }
    ExecOptions o;
    Status st = exec_options_parse(s->arena, argc, argv, &o, &s->diag);
    st = st ? st : check_options(&o, &s->diag);
    st = st ? st : exec_prepare(s->arena, s->arena, &o, &s->notes, &s->plan, &s->model, &s->diag);
    if (st)
        return st;
    s->options = o.sim;
    s->record = o.record;
    s->options.warmup = 0;
    s->options.runs = SESSION_MAX_REQUESTS;
    if (s->options.input_queue == 0)
        s->options.input_queue = s->options.workers;
    s->done_cap = (uint64_t)s->options.workers + s->options.input_queue;
    s->done = ARENA_ARRAY(s->arena, NpuCompletion, s->done_cap);
    return STATUS_OK;
}

NpuSession *npu_session_create(const char *model, const char *const *options, char *error,
                               size_t error_size)
{
    xml_startup();
    Arena *a = arena_new(0);
    NpuSession *s = ARENA_NEW(a, NpuSession);
    s->arena = a;
    notes_init(&s->notes, a);
    set_error_text(error, error_size, "");
    if (open_session(s, model, options) == STATUS_OK)
        return s;
    set_error_text(error, error_size, s->diag.text);
    arena_free(a);
    return NULL;
}

bool npu_session_close(NpuSession *s, char *error, size_t error_size)
{
    set_error_text(error, error_size, "");
    if (!s)
        return true;
    bool ok = !s->recorder || recorder_close(s->recorder, &s->diag) == STATUS_OK;
    if (!ok)
        set_error_text(error, error_size, s->diag.text);
    model_close(s->model);
    arena_free(s->arena);
    return ok;
}

const char *npu_session_error(const NpuSession *s)
{
    return s->diag.text;
}

static void application_done(void *user, ApplicationWork what, uint32_t caller, Ps begin, Ps end)
{
    NpuSession *s = user;
    if (s->recorder)
        recorder_application(s->recorder, what, caller, begin, end);
}

static void tell_operators(const NpuSession *s, const Job *j)
{
    const RunPlan *p = s->plan;
    for (uint32_t i = 0; i < p->nstage; i++) {
        const Stage *g = &p->stage[i];
        if (g->kind == STAGE_HOST) {
            int64_t start = j->stage_begin[i] / PS_PER_NS;
            s->callback(s->user, j->request, g->name, start, j->stage_end[i] / PS_PER_NS - start);
        }
        for (uint32_t k = 1; g->kind == STAGE_TASK && k + 1 < p->task[g->task]->nentry; k++) {
            const Ps *at = j->task[g->task].retired_at;
            LowOpId op = p->task[g->task]->entry[k].op;
            int64_t start = at[k - 1] / PS_PER_NS;
            s->callback(s->user, j->request, program_lowop_name(p->program->op[op].kind), start,
                        at[k] / PS_PER_NS - start);
        }
    }
}

static void on_completed(void *user, const Job *j)
{
    NpuSession *s = user;
    NpuCompletion c = {.request = j->request,
                       .latency_ns = (j->end - j->submitted) / PS_PER_NS,
                       .start_ns = j->begin / PS_PER_NS,
                       .end_ns = j->end / PS_PER_NS};
    for (uint32_t t = 0; t < s->plan->ntask; t++)
        c.npu_ns += (j->task[t].end - j->task[t].begin) / PS_PER_NS;
    s->done[(s->done_head + s->done_count++) % s->done_cap] = c;
    s->completed++;
    if (s->recorder)
        recorder_job(s->recorder, j);
    if (s->callback)
        tell_operators(s, j);
}

bool npu_session_submit(NpuSession *s, uint64_t *ret_request)
{
    const SimSink sink = {on_completed, application_done, s};
    if (!s->sim && sim_create(s->arena, s->plan, &s->options, &sink, &s->sim, &s->diag))
        return false;
    if (s->submitted == SESSION_MAX_REQUESTS) {
        diag_set(&s->diag, STATUS_USAGE, NULL, NULL, "at most %d requests per session",
                 SESSION_MAX_REQUESTS);
        return false;
    }
    if (s->done_count + (s->submitted - s->completed) == s->done_cap) {
        diag_set(&s->diag, STATUS_USAGE, NULL, NULL,
                 "%llu requests are out and none is received: receive one first",
                 (unsigned long long)s->done_cap);
        return false;
    }
    sim_submit(s->sim, 1);
    *ret_request = s->submitted++;
    return true;
}

static NpuCompletion take_done(NpuSession *s)
{
    NpuCompletion c = s->done[s->done_head];
    s->done_head = (s->done_head + 1) % s->done_cap;
    s->done_count--;
    return c;
}

bool npu_session_receive(NpuSession *s, NpuCompletion *ret)
{
    if (s->done_count == 0 && s->completed == s->submitted) {
        diag_set(&s->diag, STATUS_USAGE, NULL, NULL, "nothing is outstanding");
        return false;
    }
    if (s->done_count == 0 && sim_advance(s->sim, s->completed + 1, &s->diag))
        return false;
    *ret = take_done(s);
    return true;
}

bool npu_session_run(NpuSession *s, NpuCompletion *ret)
{
    uint64_t request;
    if (s->done_count > 0 || s->completed != s->submitted) {
        diag_set(&s->diag, STATUS_USAGE, NULL, NULL, "receive what was submitted before running");
        return false;
    }
    return npu_session_submit(s, &request) && npu_session_receive(s, ret);
}

int64_t npu_session_now_ns(const NpuSession *s)
{
    return s->sim ? sim_now(s->sim) / PS_PER_NS : 0;
}

void npu_session_on_operator(NpuSession *s, NpuOperatorCallback callback, void *user)
{
    s->callback = callback;
    s->user = user;
}

bool npu_profiler_enable(NpuSession *s, const char *path)
{
    if (s->recorder || s->sim) {
        diag_set(&s->diag, STATUS_USAGE, NULL, NULL,
                 "the profiler is enabled once, before the first request");
        return false;
    }
    if (path)
        s->record.trace = arena_strdup(s->arena, path);
    if (!s->record.trace && !s->record.csv && !s->record.memory_flow) {
        diag_set(&s->diag, STATUS_USAGE, NULL, NULL, "no file to record into");
        return false;
    }
    s->options.profiling = s->record.trace || s->record.csv;
    return recorder_open(s->arena, &s->record, s->plan, &s->options, &s->recorder, &s->diag) ==
           STATUS_OK;
}

void npu_profiler_record_start(NpuSession *s, const char *label)
{
    if (s->recorder)
        recorder_label_start(s->recorder, arena_strdup(s->arena, label),
                             s->sim ? sim_now(s->sim) : 0);
}

void npu_profiler_record_end(NpuSession *s)
{
    if (s->recorder)
        recorder_label_end(s->recorder, s->sim ? sim_now(s->sim) : 0);
}

void npu_profiler_pause(NpuSession *s)
{
    if (s->recorder)
        recorder_pause(s->recorder, true);
}

void npu_profiler_resume(NpuSession *s)
{
    if (s->recorder)
        recorder_pause(s->recorder, false);
}

uint64_t npu_profiler_left_out(const NpuSession *s)
{
    return s->recorder ? recorder_left_out(s->recorder) : 0;
}
