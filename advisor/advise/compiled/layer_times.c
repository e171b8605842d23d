/* Joins records and layers of one name in order, and grades the quality of the times. */
#include "advisor/advise/compiled/layer_times.h"

#include "advisor/message/phrase.h"

/* Below this share of the measured time in layers of the graph, the two are of different builds. */
#define MATCHED_ENOUGH 0.95

/* Measured profiler events take 4 to 8 us.  The times are of another engine if events take far
 * more and the layers twice a query's time, or if a query takes four times the layers' time. */
#define EVENT_MAX_NS 30e3

static bool is_of_another_engine(const LayerTimes *x)
{
    const EngineStage *c = &x->times->stage[ENGINE_COMPUTE];
    if (!c->known || x->timed == 0 || x->sum_ns <= 0)
        return false;
    double event = (x->sum_ns - c->mean) / (double)x->timed;
    return (event > EVENT_MAX_NS && x->sum_ns > 2 * c->mean) || c->mean > 4 * x->sum_ns;
}

/* Chains of equal names: first[i] is the first of a name, next[i] the following one. */
static void join_by_name(Arena *a, const Imported *g, const EngineTimes *t, uint32_t *ret_row)
{
    StrMap first;
    uint32_t *next = ARENA_ARRAY(a, uint32_t, t->nrow + 1);
    strmap_init(&first, a, t->nrow);
    for (size_t i = t->nrow; i-- > 0;) {
        next[i] = strmap_get(&first, t->row[i].name);
        strmap_put(&first, t->row[i].name, (uint32_t)i);
    }
    for (size_t i = 0; i < g->nop; i++) {
        ret_row[i] = strmap_get(&first, g->op[i].name);
        if (ret_row[i] != STRMAP_NONE)
            strmap_put(&first, g->op[i].name, next[ret_row[i]]);
    }
}

ORDER_BY_POINTED(compare_rows_by_time, EngineRow, COMPARE(b->average_ns, a->average_ns),
                 strcmp(a->name, b->name))

static void keep_strays(Arena *a, LayerTimes *x, const uint32_t *row)
{
    const EngineTimes *t = x->times;
    bool *used = ARENA_ARRAY(a, bool, t->nrow + 1);
    x->stray_row = ARENA_ARRAY(a, const EngineRow *, t->nrow + 1);
    for (size_t i = 0; i < x->graph->nop; i++)
        if (row[i] != STRMAP_NONE)
            used[row[i]] = true;
    for (size_t i = 0; i < t->nrow; i++)
        if (!used[i])
            x->stray_row[x->stray++] = &t->row[i];
    qsort(x->stray_row, x->stray, sizeof *x->stray_row, compare_rows_by_time);
}

void layer_times_issue(Arena *a, LayerTimes *x, const char *code, const Message *said)
{
    *VEC_PUSH(a, x->issue, x->nissue, x->issue_cap) = (LayerIssue){code, said};
}

/* The time of a profiler event: the layers' sum minus the GPU's time, per layer that ran. */
static double event_of(const LayerTimes *x)
{
    const EngineStage *c = &x->times->stage[ENGINE_COMPUTE];
    if (!c->known || x->timed == 0 || x->sum_ns <= c->mean)
        return 0;
    return (x->sum_ns - c->mean) / (double)x->timed;
}

/* What speaks against the records of layers; returns by how many grades. */
static int doubt_layers(Arena *a, LayerTimes *x)
{
    const EngineTimes *t = x->times;
    int worse = 0;
    size_t untimed = x->graph->nop - x->joined;
    if (x->stray || untimed) {
        layer_times_issue(a, x, "pair-mismatch",
                          MESSAGE(a, phrase_arg(PHRASE_PAIR_MISMATCH), arg_size(untimed),
                                  arg_size(x->graph->nop), arg_size(x->stray), arg_size(t->nrow),
                                  arg_time(x->sum_ns - x->joined_ns), arg_time(x->sum_ns)));
        worse += 1;
    }
    if (t->bad_rows) {
        layer_times_issue(a, x, "bad-records",
                          MESSAGE(a, phrase_arg(PHRASE_BAD_RECORDS), arg_size(t->bad_rows)));
        worse += 1;
    }
    if (t->iterations < LAYER_ENOUGH_RUNS) {
        layer_times_issue(a, x, "few-runs",
                          x->graph->kind != IMPORT_TENSORRT
                              ? MESSAGE(a, phrase_arg(PHRASE_FEW_RECORDED), arg_size(t->iterations),
                                        arg_count(LAYER_ENOUGH_RUNS))
                          : t->iterations == 0 ? MESSAGE(a, phrase_arg(PHRASE_RUNS_UNKNOWN))
                          : t->iterations == 1
                              ? MESSAGE(a, phrase_arg(PHRASE_ONE_RUN))
                              : MESSAGE(a, phrase_arg(PHRASE_FEW_RUNS), arg_size(t->iterations)));
        worse += 1;
    }
    return worse;
}

/* As doubt_layers, for the times of whole queries. */
static int doubt_queries(Arena *a, LayerTimes *x)
{
    const EngineTimes *t = x->times;
    const EngineStage *c = &t->stage[ENGINE_COMPUTE];
    if (c->known && c->cv > LAYER_UNSTABLE_CV) {
        layer_times_issue(a, x, "unstable",
                          MESSAGE(a, phrase_arg(PHRASE_UNSTABLE), arg_fixed(c->cv * 100, 1)));
        return 1;
    }
    if (t->message_count[ENGINE_UNSTABLE]) {
        layer_times_issue(a, x, "unstable", MESSAGE(a, phrase_arg(PHRASE_UNSTABLE_BY_LOG)));
        return 1;
    }
    return !c->known && !t->stage[ENGINE_LATENCY].known;
}

/* Nothing that a log or times of queries say is used where they are of another engine. */
static void drop_queries(Arena *a, LayerTimes *x, EngineTimes *t)
{
    layer_times_issue(a, x, "other-engine",
                      MESSAGE(a, phrase_arg(PHRASE_OTHER_ENGINE), arg_time(x->sum_ns),
                              arg_time(t->stage[ENGINE_COMPUTE].mean)));
    for (int i = 0; i < ENGINE_STAGE_COUNT; i++)
        t->stage[i] = (EngineStage){.cv = -1};
    t->wall_ns = t->gpu_ns = t->throughput_per_s = 0;
    t->nmessage = t->noption = 0;
    memset(t->message_count, 0, sizeof t->message_count);
    x->other_engine = true;
}

static void grade_layer_times(Arena *a, LayerTimes *x)
{
    const EngineTimes *t = x->times;
    if (x->graph->rknn)
        return; /* table_judge() knows more of it */
    if (t->nrow == 0) {
        bool engine = x->graph->kind == IMPORT_TENSORRT;
        layer_times_issue(
            a, x, "no-layer-times",
            MESSAGE(a, phrase_arg(engine ? PHRASE_NO_PROFILE : PHRASE_NO_STEP_TIMES)));
        x->grade = 'D';
        return;
    }
    int worse = doubt_layers(a, x) + doubt_queries(a, x);
    assert(x->joined <= x->graph->nop && x->stray <= t->nrow);
    x->grade = (char)('A' + (worse > 3 || x->other_engine ? 3 : worse));
    if (x->joined_ns < MATCHED_ENOUGH * x->sum_ns || 2 * x->joined < x->graph->nop ||
        x->sum_ns <= 0) {
        x->gains = false;
        x->grade = 'D';
    }
}

double layer_without_event(const LayerTimes *t, double ns)
{
    return ns > t->event_ns ? ns - t->event_ns : 0;
}

LayerTimes *layer_times_join(Arena *a, const Imported *g, EngineTimes *t)
{
    LayerTimes *x = ARENA_NEW(a, LayerTimes);
    uint32_t *row = ARENA_ARRAY(a, uint32_t, g->nop + 1);
    *x = (LayerTimes){.graph = g, .times = t, .gains = t->nrow > 0};
    x->ns = ARENA_ARRAY(a, double, g->nop + 1);
    x->median_ns = ARENA_ARRAY(a, double, g->nop + 1);
    x->stage_ns = ARENA_ARRAY(a, int64_t, STAGE_COUNT);
    join_by_name(a, g, t, row);
    for (size_t i = 0; i < g->nop; i++) {
        const EngineRow *r = row[i] == STRMAP_NONE ? NULL : &t->row[row[i]];
        x->ns[i] = r ? r->average_ns : LAYER_UNTIMED;
        x->median_ns[i] = r && r->median_ns >= 0 ? r->median_ns : LAYER_UNTIMED;
        x->joined += r != NULL;
        x->timed += r && r->average_ns > 0;
        x->joined_ns += r ? r->average_ns : 0;
    }
    for (size_t i = 0; i < t->nrow; i++)
        x->sum_ns += t->row[i].average_ns;
    keep_strays(a, x, row);
    if (is_of_another_engine(x))
        drop_queries(a, x, t);
    x->event_ns = event_of(x);
    grade_layer_times(a, x);
    return x;
}
