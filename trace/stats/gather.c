/* Appends one row per span that counts to the list of its kind. */
#include "trace/stats/gather.h"

#include "trace/stats/files.h"

#include "trace/readers/scan.h"

Gather *gather_new(void)
{
    Arena *a = arena_new(SIZE_MAX);
    Gather *g = ARENA_NEW(a, Gather);
    *g = (Gather){.arena = a,
                  .first_ns = INT64_MAX,
                  .op = {.size = sizeof(OpRow)},
                  .host = {.size = sizeof(HostRow)},
                  .other = {.size = sizeof(OtherRow)}};
    strmap_init(&g->ids, a, 256);
    return g;
}

void gather_free(Gather *g)
{
    if (!g)
        return;
    rows_free(&g->op);
    rows_free(&g->host);
    rows_free(&g->other);
    arena_free(g->arena);
}

static uint32_t remember_name(Gather *g, const char *text, size_t slot)
{
    uint32_t id = strmap_number(&g->ids, text, g->nname);
    if (id == g->nname)
        *VEC_PUSH(g->arena, g->name, g->nname, g->name_cap) = text;
    g->cache[slot].text = text;
    return g->cache[slot].id = id;
}

static uint32_t id_of(Gather *g, const char *text)
{
    size_t slot = (uintptr_t)text / 16 % NAME_CACHE;
    return g->cache[slot].text == text ? g->cache[slot].id : remember_name(g, text, slot);
}

static uint32_t name_id(Gather *g, const Span *s)
{
    uint32_t id = id_of(g, s->name);
    assert(id < g->nname);
    return id;
}

static uint32_t remember_lane(Gather *g, const Span *s, size_t slot)
{
    uint64_t part[] = {g->file, (uint64_t)s->pid, (uint64_t)s->tid};
    g->recent[slot].file = g->file + 1;
    g->recent[slot].pid = s->pid;
    g->recent[slot].tid = s->tid;
    return g->recent[slot].lane = (uint32_t)scan_hash((const char *)part, sizeof part, 3);
}

static uint32_t lane_of(Gather *g, const Span *s)
{
    size_t slot = ((uint64_t)s->tid ^ (uint64_t)s->pid << 2) % LANE_CACHE;
    bool known = g->recent[slot].pid == s->pid && g->recent[slot].tid == s->tid &&
                 g->recent[slot].file == g->file + 1; /* 0: nothing there yet */
    return known ? g->recent[slot].lane : remember_lane(g, s, slot);
}

static void on_other(Gather *g, const Span *s)
{
    *(OtherRow *)rows_push(&g->other) = (OtherRow){
        .start_ns = s->start_ns, .dur_ns = s->dur_ns, .name = name_id(g, s), .kind = s->kind};
}

static void on_op(Gather *g, const Span *s)
{
    *(OpRow *)rows_push(&g->op) = (OpRow){.start_ns = s->start_ns,
                                          .dur_ns = s->dur_ns,
                                          .parent_id = s->parent_id,
                                          .name = name_id(g, s),
                                          .lane = lane_of(g, s),
                                          .instruction_index = s->instruction_index,
                                          .kind = s->kind,
                                          .detail = s->detail};
}

static void on_host(Gather *g, const Span *s)
{
    *(HostRow *)rows_push(&g->host) = (HostRow){.start_ns = s->start_ns,
                                                .dur_ns = s->dur_ns,
                                                .parent_id = s->parent_id,
                                                .name = name_id(g, s),
                                                .lane = lane_of(g, s),
                                                .operator_index = s->operator_index,
                                                .kind = s->kind,
                                                .inference = INFERENCE_NONE,
                                                .order = s->order,
                                                .op_detail = s->detail,
                                                .detail = {.pid = s->pid,
                                                           .tid = s->tid,
                                                           .trace_id_high = s->trace_id_high,
                                                           .trace_id = s->trace_id,
                                                           .span_id = s->span_id,
                                                           .nominal = s->nominal}};
}

/* The same in runs one after the other: it is the hardware's. */
static uint32_t device_lane_of(const Span *s)
{
    uint64_t part[] = {(uint64_t)s->pid, (uint64_t)s->tid};
    return (uint32_t)scan_hash((const char *)part, sizeof part, 3);
}

static void on_task(Gather *g, const Span *s)
{
    TaskRow *t = VEC_PUSH(g->arena, g->task, g->ntask, g->task_cap);
    *t = (TaskRow){.stat = {.trace_id_high = s->trace_id_high,
                            .trace_id = s->trace_id,
                            .span_id = s->span_id,
                            .pe_index = s->pe_index,
                            .execution_index = s->execution_index,
                            .lane = device_lane_of(s),
                            .start_ns = s->start_ns,
                            .total_ns = s->dur_ns,
                            .run_ns = s->run_ns,
                            .inference = INFERENCE_NONE},
                   .parent_id = s->parent_id,
                   .order = s->order,
                   .lane = lane_of(g, s),
                   .stated_run = s->run_ns != 0};
}

static void on_inference(Gather *g, const Span *s)
{
    InferenceRow *i = VEC_PUSH(g->arena, g->inference, g->ninference, g->inference_cap);
    *i = (InferenceRow){.stat = {.start_ns = s->start_ns,
                                 .dur_ns = s->dur_ns,
                                 .pid = s->pid,
                                 .tid = s->tid,
                                 .trace_id_high = s->trace_id_high,
                                 .trace_id = s->trace_id,
                                 .span_id = s->span_id},
                        .model = s->kind == SPAN_MODEL_RUN ? s->name : NULL,
                        .order = s->order,
                        .lane = lane_of(g, s)};
}

static void on_label(Gather *g, const Span *s)
{
    LabelRow *l = VEC_PUSH(g->arena, g->label, g->nlabel, g->label_cap);
    *l = (LabelRow){.start_ns = s->start_ns,
                    .end_ns = s->start_ns + s->dur_ns,
                    .name = s->name,
                    .pid = s->pid,
                    .tid = s->tid,
                    .lane = lane_of(g, s)};
}

static void on_compile(Gather *g, const Span *s)
{
    *VEC_PUSH(g->arena, g->compile, g->ncompile, g->compile_cap) =
        (CompileRow){s->start_ns, s->dur_ns};
    on_other(g, s);
}

static void (*const on_kind[])(Gather *, const Span *) = {
    [SPAN_OTHER] = on_other,        [SPAN_INFERENCE] = on_inference, [SPAN_LABEL] = on_label,
    [SPAN_HOST_OPERATOR] = on_host, [SPAN_TASK] = on_task,           [SPAN_NPU_OPERATOR] = on_op,
    [SPAN_NPU_IO] = on_op,          [SPAN_TRANSFER] = on_host,       [SPAN_SUBMIT] = on_host,
    [SPAN_COMPILE] = on_compile,    [SPAN_MODEL_RUN] = on_inference,
};

void gather_span(void *user, const Span *s)
{
    Gather *g = user;
    const unsigned also = 1u << SPAN_INFERENCE | 1u << SPAN_MODEL_RUN | 1u << SPAN_TASK |
                          1u << SPAN_LABEL | 1u << SPAN_NPU_IO;
    if (g->several)
        file_span(g, s);
    g->first_ns = s->start_ns < g->first_ns ? s->start_ns : g->first_ns;
    on_kind[s->kind](g, s);
    if (also >> s->kind & 1)
        on_other(g, s);
}
