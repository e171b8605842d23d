/* Groups spans by name and assigns them to the steps of that name in order. */
#include "advisor/advise/compiled/program_times.h"

#include "cost_model/match/span_match.h"

/* All that is measured of one name: steps of it, and what each took in each inference. */
typedef struct {
    const char *key;
    uint32_t *step;
    size_t nstep, step_cap;
    int64_t *ns; /* of the inference at hand, in the order of time */
    size_t nns, ns_cap;
    double lost_ns; /* where the counts differ */
} Group;

typedef struct {
    Arena *a;
    const Imported *g;
    Group *group;
    size_t ngroup, cap;
    StrMap by_key;
    int64_t **value; /* of each step */
    size_t *nvalue;
    size_t ninference;
} Gathering;

static Group *group_of(Gathering *x, const char *name)
{
    /* "LowLevelConv2d" is Conv2d in a graph. */
    const char *key = strncmp(name, "LowLevel", 8) == 0 ? name + 8 : match_host_name(name);
    uint32_t i = strmap_get(&x->by_key, key);
    if (i != STRMAP_NONE)
        return &x->group[i];
    key = arena_strdup(x->a, key);
    strmap_put(&x->by_key, key, (uint32_t)x->ngroup);
    Group *made = VEC_PUSH(x->a, x->group, x->ngroup, x->cap);
    *made = (Group){.key = key};
    return made;
}

static void add_value(Gathering *x, const char *name, int64_t ns)
{
    Group *group = group_of(x, name);
    *VEC_PUSH(x->a, group->ns, group->nns, group->ns_cap) = ns;
}

static void settle_group(Gathering *x, Group *group)
{
    for (size_t k = 0; k < group->nns; k++) {
        if (group->nns == group->nstep)
            x->value[group->step[k]][x->nvalue[group->step[k]]++] = group->ns[k];
        else
            group->lost_ns += (double)group->ns[k];
    }
    group->nns = 0;
}

/* Operators of tasks speak of a graph's; of a program's steps the whole task does. */
static void gather_tasks(Gathering *x, const TraceStats *s, const InferenceStat *inference)
{
    for (uint32_t i = 0; i < inference->ntask; i++) {
        const ExecutionStat *e = &s->execution[inference->first_task + i];
        if (x->g->kind == IMPORT_LOWERED)
            add_value(x, "npu", e->total_ns);
        for (uint32_t k = 0; x->g->kind == IMPORT_DOT && k < e->nop; k++)
            add_value(x, s->op_span[e->first_op + k].name, s->op_span[e->first_op + k].dur_ns);
    }
}

static void gather_inference(Gathering *x, const TraceStats *s, const InferenceStat *inference)
{
    for (uint32_t i = 0; i < inference->nhost; i++) {
        const OpSpan *span = &s->host_span[inference->first_host + i];
        if (span->kind == SPAN_HOST_OPERATOR || span->kind == SPAN_TRANSFER)
            add_value(x, span->name, span->dur_ns);
    }
    gather_tasks(x, s, inference);
    for (size_t i = 0; i < x->ngroup; i++)
        settle_group(x, &x->group[i]);
    x->ninference++;
}

static void begin_gathering(Gathering *x, Arena *a, const Imported *g, size_t ninference)
{
    *x = (Gathering){.a = a, .g = g};
    strmap_init(&x->by_key, a, 64);
    x->value = ARENA_ARRAY(a, int64_t *, g->nop + 1);
    x->nvalue = ARENA_ARRAY(a, size_t, g->nop + 1);
    for (size_t i = 0; i < g->nop; i++) {
        Group *group = group_of(x, g->op[i].type ? g->op[i].type : g->op[i].name);
        *VEC_PUSH(a, group->step, group->nstep, group->step_cap) = (uint32_t)i;
        x->value[i] = ARENA_ARRAY(a, int64_t, ninference + 1);
    }
}

static void add_row(EngineTimes *t, const char *name, double average_ns, double median_ns)
{
    *VEC_PUSH(t->arena, t->row, t->nrow, t->row_cap) = (EngineRow){name, average_ns, median_ns};
}

static void add_rows(EngineTimes *t, const Gathering *x)
{
    for (size_t i = 0; i < x->g->nop; i++) {
        if (x->nvalue[i] == 0)
            continue;
        Distribution d = distribution_of(x->value[i], x->nvalue[i]);
        add_row(t, x->g->op[i].name, d.mean, (double)d.median);
    }
    for (size_t i = 0; i < x->ngroup; i++)
        if (x->group[i].lost_ns > 0)
            add_row(t, x->group[i].key, x->group[i].lost_ns / (double)x->ninference, -1);
}

static EngineStage latency_of(const TraceStats *s)
{
    const Distribution *d = s->warm.count ? &s->warm : &s->latency;
    return (EngineStage){.known = d->count > 0,
                         .from_queries = true,
                         .n = d->count,
                         .min = (double)d->min,
                         .mean = d->mean,
                         .median = (double)d->median,
                         .max = (double)d->max,
                         .p90 = (double)d->p90,
                         .p99 = (double)d->p99,
                         .cv = -1};
}

void program_times(EngineTimes *t, const Imported *g, const TraceStats *s)
{
    Gathering x;
    bool settled = s->nwarm_up < s->ninference;
    begin_gathering(&x, t->arena, g, s->ninference);
    for (size_t i = 0; i < s->ninference; i++)
        if (!settled || !s->inference[i].warm_up)
            gather_inference(&x, s, &s->inference[i]);
    if (x.ninference == 0)
        return;
    add_rows(t, &x);
    t->iterations = x.ninference;
    t->stage[ENGINE_LATENCY] = latency_of(s);
}
