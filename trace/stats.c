/* TraceStats: read, assign, collect. */
#include "trace/gather.h"

static Status read_all_files(Gather *g, TraceStats *s, const char *const *path, size_t npath,
                             const TraceReadOptions *o, Diag *diag)
{
    for (size_t i = 0; i < npath; i++) {
        g->file = (uint32_t)i;
        Status st = trace_read(s->arena, path[i], o, gather_span, g, &s->file[i], diag);
        if (st)
            return st;
        s->spans += s->file[i].spans;
        if (s->file[i].sdk > s->sdk)
            s->sdk = s->file[i].sdk;
    }
    return STATUS_OK;
}

static void move_inferences(Gather *g, TraceStats *s)
{
    s->ninference = g->ninference;
    s->inference = ARENA_ARRAY(s->arena, InferenceStat, g->ninference + 1);
    for (size_t i = 0; i < g->ninference; i++)
        s->inference[i] = g->inference[i].stat;
}

static void describe_latency(TraceStats *s)
{
    Arena *scratch = arena_new(SIZE_MAX);
    int64_t *all = ARENA_ARRAY(scratch, int64_t, s->ninference + 1);
    int64_t *warm = ARENA_ARRAY(scratch, int64_t, s->ninference + 1);
    size_t nwarm = 0;
    for (size_t i = 0; i < s->ninference; i++) {
        all[i] = s->inference[i].dur_ns;
        if (!s->inference[i].warm_up)
            warm[nwarm++] = s->inference[i].dur_ns;
    }
    s->latency = distribution_of(all, s->ninference);
    s->warm = distribution_of(warm, nwarm);
    arena_free(scratch);
}

static void evaluate(Gather *g, TraceStats *s)
{
    assign_inferences(g, s);
    move_inferences(g, s);
    collect_executions(g, s);
    collect_hosts(g, s);
    mark_warm_up(s);
    describe_latency(s);
    s->npu_name =
        name_table(s->arena, s->op_span, s->nop_span, 1u << SPAN_NPU_OPERATOR, &s->nnpu_name);
    s->host_name = name_table(s->arena, s->host_span, s->nhost_span, ~0u, &s->nhost_name);
    s->compile_ns = g->compile_ns;
    s->ncompile = g->ncompile;
}

Status trace_stats(Arena *a, const char *const *path, size_t npath, const TraceReadOptions *o,
                   TraceStats **ret, Diag *diag)
{
    TraceStats *s = ARENA_NEW(a, TraceStats);
    Gather *g = ARENA_NEW(a, Gather);
    s->arena = a;
    s->file = ARENA_ARRAY(a, TraceInfo, npath + 1);
    s->nfile = npath;
    gather_init(g, a);
    Status st = read_all_files(g, s, path, npath, o, diag);
    if (!st) {
        s->format = npath ? s->file[0].format : TRACE_UNKNOWN;
        evaluate(g, s);
        *ret = s;
    }
    gather_free(g);
    return st;
}
