/* Chooses the longest spans, numbers their lanes and names, and writes them by start. */
#include "advisor/advise/result_charts.h"

#include "advisor/advise/result.h"
#include "graph/base/strmap.h"
#include "graph/base/compare.h"

#include <stdlib.h>

typedef struct {
    Arena *arena;
    cJSON *lanes, *names;
    TimelineBlock lane[CHART_LANES];
    int nlane;
    StrMap name;
    const int *element;     /* of a step; of a task its first operator */
    const Program *program; /* NULL: of another program, whose steps are no elements */
} Columns;

/* Where each step begins among the elements. */
static int *number_elements(Arena *a, const Program *p)
{
    int *first = ARENA_ARRAY(a, int, p->nstep), next = 0;
    for (size_t i = 0; i < p->nstep; i++) {
        first[i] = next;
        next += p->step[i].nop ? (int)p->step[i].nop : 1;
    }
    return first;
}

static int element_of(const Columns *c, const TimelineBlock *b)
{
    if (!b->own)
        return ELEMENT_OTHER;
    if (!c->program || b->step == STEP_NONE)
        return ELEMENT_NONE;
    const Step *s = &c->program->step[b->step];
    if (b->op != BLOCK_FULL)
        return c->element[b->step] + (int)(b->op - s->first_op);
    return s->nop ? ELEMENT_NONE : c->element[b->step];
}

/* Lanes beyond the limit share the last one. */
static int lane_number(Columns *c, const TimelineBlock *b)
{
    for (int i = 0; i < c->nlane; i++)
        if (c->lane[i].lane == b->lane && c->lane[i].index == b->index &&
            c->lane[i].count == b->count)
            return i;
    if (c->nlane == CHART_LANES)
        return CHART_LANES - 1;
    c->lane[c->nlane] = *b;
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "lane", timeline_lane_key(b->lane));
    cJSON_AddNumberToObject(o, "index", b->index);
    cJSON_AddNumberToObject(o, "count", b->count);
    cJSON_AddItemToArray(c->lanes, o);
    return c->nlane++;
}

static int name_number(Columns *c, const char *name)
{
    uint32_t at = strmap_get(&c->name, name);
    if (at == STRMAP_NONE) {
        at = (uint32_t)c->name.count;
        strmap_put(&c->name, name, at);
        cJSON_AddItemToArray(c->names, cJSON_CreateString(name));
    }
    return (int)at;
}

static int64_t timeline_units(int64_t ns)
{
    return (ns + CHART_UNIT_NS / 2) / CHART_UNIT_NS;
}

/* A block and its index: blocks and operators are in two lists. */
typedef struct {
    const TimelineBlock *block;
    size_t place;
} Placed;

static int longest_first(const void *pa, const void *pb)
{
    const Placed *a = pa, *b = pb;
    int64_t la = a->block->end_ns - a->block->start_ns, lb = b->block->end_ns - b->block->start_ns;
    return la != lb ? COMPARE(lb, la) : COMPARE(a->place, b->place);
}

/* Operators follow their task. */
static int compare_spans_by_start(const void *pa, const void *pb)
{
    const Placed *a = pa, *b = pb;
    int c = COMPARE(a->block->start_ns, b->block->start_ns);
    return c ? c : COMPARE(a->place, b->place);
}

/* The drawn blocks by start: the longest, without the runtime's. */
static const Placed *choose_spans(Arena *a, const Timeline *t, size_t *ret_n, size_t *ret_omitted)
{
    Placed *list = ARENA_ARRAY(a, Placed, t->nblock + t->ninner);
    size_t n = 0;
    for (size_t i = 0; i < t->nblock; i++)
        if (t->block[i].lane != LANE_RUNTIME)
            list[n++] = (Placed){&t->block[i], i};
    for (size_t i = 0; i < t->ninner; i++)
        list[n++] = (Placed){&t->inner[i], t->nblock + i};
    *ret_omitted = n > CHART_SPANS ? n - CHART_SPANS : 0;
    if (*ret_omitted)
        qsort(list, n, sizeof *list, longest_first);
    *ret_n = n - *ret_omitted;
    if (*ret_n)
        qsort(list, *ret_n, sizeof *list, compare_spans_by_start);
    return list;
}

static bool is_inner(const Timeline *t, const TimelineBlock *b)
{
    return t->ninner && b >= t->inner && b < t->inner + t->ninner;
}

static cJSON *json_run(Columns *c, const char *label, const Timeline *t, int inference)
{
    size_t n, omitted;
    const Placed *list = choose_spans(c->arena, t, &n, &omitted);
    int *number = ARENA_ARRAY(c->arena, int, n *SPAN_NUMBERS), *w = number;
    int64_t at = 0;
    for (size_t i = 0; i < n; i++) {
        const TimelineBlock *b = list[i].block;
        *w++ = lane_number(c, b);
        *w++ = is_inner(t, b);
        *w++ = (int)(timeline_units(b->start_ns) - at);
        *w++ = (int)(timeline_units(b->end_ns) - timeline_units(b->start_ns));
        *w++ = name_number(c, b->name);
        *w++ = element_of(c, b);
        at = timeline_units(b->start_ns);
    }
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "label", label);
    cJSON_AddItemToObject(o, "inference",
                          inference < 0 ? cJSON_CreateNull() : cJSON_CreateNumber(inference));
    cJSON_AddItemToObject(o, "total", result_ns((double)timeline_units(t->total_ns)));
    cJSON_AddItemToObject(o, "omitted", result_ns((double)omitted));
    cJSON_AddItemToObject(o, "spans", cJSON_CreateIntArray(number, (int)(n * SPAN_NUMBERS)));
    return o;
}

static int inference_index(const TraceStats *s, const InferenceStat *x)
{
    return (int)(x - s->inference);
}

/* The fastest and the slowest measured inference. */
static void add_others(cJSON *runs, Columns *c, const AdviseRun *run)
{
    const TraceStats *s = run->rec->stats;
    const Distribution *d = s->warm.count ? &s->warm : &s->latency;
    const InferenceStat *typical = timeline_inference(s, run->rec->latency.median_ns);
    const struct {
        const char *label;
        int64_t ns;
    } other[] = {{"fastest", d->min}, {"slowest", d->max}};
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        const InferenceStat *x = timeline_inference(s, other[i].ns);
        if (x == typical)
            continue;
        Timeline *t = timeline_measured(c->arena, run->program, run->prediction, s, run->costs, x);
        cJSON_AddItemToArray(runs, json_run(c, other[i].label, t, inference_index(s, x)));
    }
}

/* The latencies of inferences in order, up to a limit. */
static void add_latencies(cJSON *o, const TraceStats *s)
{
    size_t n = s->ninference < CHART_LATENCIES ? s->ninference : CHART_LATENCIES, warm = 0;
    cJSON *list = cJSON_AddArrayToObject(o, "latencies");
    for (size_t i = 0; i < n; i++)
        cJSON_AddItemToArray(list, result_ns((double)timeline_units(s->inference[i].dur_ns)));
    while (warm < n && s->inference[warm].warm_up)
        warm++;
    cJSON_AddItemToObject(o, "warm_up", result_ns((double)warm));
}

cJSON *result_charts(const AdviseRun *run, Arena *a, const Timeline *now, const Timeline *after)
{
    cJSON *o = cJSON_CreateObject();
    cJSON_AddNumberToObject(o, "unit_ns", CHART_UNIT_NS);
    Columns c = {.arena = a,
                 .lanes = cJSON_AddArrayToObject(o, "lanes"),
                 .names = cJSON_AddArrayToObject(o, "names"),
                 .element = number_elements(a, run->program),
                 .program = run->program};
    strmap_init(&c.name, a, 64);
    cJSON *runs = cJSON_AddArrayToObject(o, "runs");
    if (now && now->measured) {
        const TraceStats *s = run->rec->stats;
        const InferenceStat *x = timeline_inference(s, run->rec->latency.median_ns);
        cJSON_AddItemToArray(runs, json_run(&c, "median", now, inference_index(s, x)));
        add_others(runs, &c, run);
        add_latencies(o, s);
    } else if (now) {
        cJSON_AddItemToArray(runs, json_run(&c, "predicted", now, -1));
    }
    c.program = NULL;
    cJSON_AddItemToObject(
        o, "after", after ? json_run(&c, timeline_source(after), after, -1) : cJSON_CreateNull());
    return o;
}
