/* Reads every file, assigns the spans and collects the figures. */
#include "trace/stats/application.h"
#include "trace/stats/files.h"

typedef struct {
    Gather *gather;
    TraceStats *stats;
} Naming;

static void on_name(void *user, const TraceRow *row)
{
    const Naming *n = user;
    gather_add_device_lane(n->gather, n->stats, row->name);
}

static Status read_one(Gather *g, TraceStats *s, const char *path, const TraceReadOptions *given,
                       Diag *diag)
{
    Naming naming = {g, s};
    TraceReadOptions listening = *given, *o = &listening;
    listening.named = on_name;
    listening.named_user = &naming;
    TraceInfo *file = &s->file[g->file];
    file_begin(g);
    Status st = trace_read(s->arena, path, o, gather_span, g, file, diag);
    if (st)
        return st;
    file_end(g, s);
    bool again = s->run[g->file].is_again;
    g->file++;
    if (given->file_end)
        given->file_end(given->also_user, again);
    if (again)
        return STATUS_OK;
    s->spans += file->spans;
    if (file->sdk > s->sdk)
        s->sdk = file->sdk;
    return STATUS_OK;
}

static void see_model(TraceStats *s, const char *model)
{
    if (model && !s->model[0])
        s->model[0] = model;
    else if (model && !s->model[1] && strcmp(model, s->model[0]) != 0)
        s->model[1] = model;
}

/* Those of several models have its name as their label. */
static void move_inferences(Gather *g, TraceStats *s)
{
    s->ninference = g->ninference;
    s->inference = ARENA_ARRAY(s->arena, InferenceStat, g->ninference);
    for (size_t i = 0; i < g->ninference; i++)
        see_model(s, g->inference[i].model);
    for (size_t i = 0; i < g->ninference; i++) {
        s->inference[i] = g->inference[i].stat;
        if (s->model[1] && !s->inference[i].label)
            s->inference[i].label = g->inference[i].model;
    }
}

static void describe_latency(TraceStats *s)
{
    Arena *scratch = arena_new(SIZE_MAX);
    int64_t *all = ARENA_ARRAY(scratch, int64_t, s->ninference);
    int64_t *warm = ARENA_ARRAY(scratch, int64_t, s->ninference);
    size_t nwarm = 0;
    for (size_t i = 0; i < s->ninference; i++) {
        all[i] = s->inference[i].dur_ns;
        if (!s->inference[i].warm_up)
            warm[nwarm++] = s->inference[i].dur_ns;
    }
    s->latency = distribution_by(stats_percentile_rule(s), all, s->ninference);
    s->warm = distribution_by(stats_percentile_rule(s), warm, nwarm);
    arena_free(scratch);
}

static double inferences_with(const TraceStats *s, const NameStat *n)
{
    double inferences = s->ninference ? (double)s->ninference : 1;
    return n->kind == SPAN_NPU_OPERATOR ? inferences * s->op_share : inferences;
}

double name_runs_per_inference(const TraceStats *s, const NameStat *n)
{
    return (double)n->count / inferences_with(s, n);
}

double name_ns_per_inference(const TraceStats *s, const NameStat *n)
{
    return (n->is_mean ? n->mean_ns : (double)n->self_ns) / inferences_with(s, n);
}

/* From rows to the final lists. */
static void collect_stats(Gather *g, TraceStats *s, const TraceReadOptions *o)
{
    if (g->ninference == 0 && g->nlabel > 0 && s->file[0].format == TRACE_PYTORCH)
        gather_count_labels(g);
    gather_assign_inferences(g, s);
    gather_assign_operators(g);
    if (o->from_ns > 0 || o->to_ns > 0)
        gather_apply_window(g, o->from_ns, o->to_ns);
    s->lanes = gather_count_lanes(g);
    s->first_ns = g->first_ns;
    application_collect(g, s);
    move_inferences(g, s);
    gather_collect_executions(g, s);
    gather_collect_hosts(g, s);
    s->other_name = gather_other_names(g, s, &s->nother_name);
    gather_collect_compiles(g, s);
}

static void describe_stats(TraceStats *s)
{
    gather_mark_warm_up(s);
    describe_latency(s);
    s->npu_name =
        gather_name_table(s, s->op_span, NULL, s->nop_span, 1u << SPAN_NPU_OPERATOR, &s->nnpu_name);
    s->host_name =
        gather_name_table(s, s->host_span, s->host_detail, s->nhost_span, ~0u, &s->nhost_name);
    s->format = s->nfile ? s->file[0].format : TRACE_UNKNOWN;
}

static TraceStats *stats_new(Arena *a, size_t nfile)
{
    TraceStats *s = ARENA_NEW(a, TraceStats);
    s->arena = a;
    s->file = ARENA_ARRAY(a, TraceInfo, nfile);
    s->run = ARENA_ARRAY(a, FileRun, nfile);
    s->device_lane = ARENA_ARRAY(a, DeviceLane, DEVICE_LANES_MAX);
    s->nfile = nfile;
    return s;
}

Status trace_stats(Arena *a, const char *const *path, size_t npath, const TraceReadOptions *o,
                   TraceStats **ret, Diag *diag)
{
    Gather *g = gather_new();
    TraceStats *s = stats_new(a, npath);
    Status st = STATUS_OK;
    g->several = npath > 1;
    for (size_t i = 0; i < npath && !st; i++)
        st = read_one(g, s, path[i], o, diag);
    if (!st)
        collect_stats(g, s, o);
    gather_free(g);
    if (st)
        return st;
    describe_stats(s);
    *ret = s;
    return STATUS_OK;
}
