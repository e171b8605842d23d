/* Chooses the longest spans, numbers their lanes and names, and lists them by start. */
#include "advisor/advise/result_charts.h"

#include "advisor/advise/result.h"
#include "advisor/report/result_json.h"

typedef struct {
    Arena *arena, *scratch; /* of the result, and of temporary data */
    ResultPicturesLane *lane;
    size_t nlane;
    StrMap number; /* of a name */
    const char **name;
    size_t nname, name_cap;
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
static size_t lane_number(Columns *c, const TimelineBlock *b)
{
    ResultPicturesLaneLane lane =
        result_word(result_pictures_lane_lane_words, result_lane_words[b->lane]);
    for (size_t i = 0; i < c->nlane; i++)
        if (c->lane[i].lane == lane && c->lane[i].index == b->index && c->lane[i].count == b->count)
            return i;
    if (c->nlane == CHART_LANES)
        return CHART_LANES - 1;
    c->lane[c->nlane] = (ResultPicturesLane){lane, b->index, b->count};
    return c->nlane++;
}

static uint32_t name_number(Columns *c, const char *name)
{
    uint32_t at = strmap_get(&c->number, name);
    if (at == STRMAP_NONE) {
        at = (uint32_t)c->nname;
        name = arena_strdup(c->arena, name);
        strmap_put(&c->number, name, at);
        *VEC_PUSH(c->arena, c->name, c->nname, c->name_cap) = name;
    }
    return at;
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

ORDER_BY(longest_first, Placed,
         COMPARE(b->block->end_ns - b->block->start_ns, a->block->end_ns - a->block->start_ns),
         COMPARE(a->place, b->place))

/* Operators follow their task. */
ORDER_BY(compare_spans_by_start, Placed, COMPARE(a->block->start_ns, b->block->start_ns),
         COMPARE(a->place, b->place))

/* The drawn blocks by start: the longest, without the runtime's. */
static const Placed *choose_spans(Arena *a, const Timeline *t, size_t *ret_n, size_t *ret_omitted)
{
    Placed *list = ARENA_ARRAY(a, Placed, t->nblock + t->ninner);
    size_t n = 0;
    for (size_t i = 0; i < t->nblock; i++)
        if (t->block[i].lane != RESULT_LANE_RUNTIME)
            list[n++] = (Placed){&t->block[i], i};
    for (size_t i = 0; i < t->ninner; i++)
        list[n++] = (Placed){&t->inner[i], t->nblock + i};
    *ret_omitted = n > CHART_SPANS ? n - CHART_SPANS : 0;
    if (*ret_omitted)
        qsort(list, n, sizeof *list, longest_first);
    *ret_n = n - *ret_omitted;
    ORDER_LIST(list, *ret_n, compare_spans_by_start);
    return list;
}

static ResultDrawnRun draw_run(Columns *c, ResultLabel label, const Timeline *t)
{
    size_t n, omitted;
    const Placed *list = choose_spans(c->scratch, t, &n, &omitted);
    int64_t *number = ARENA_ARRAY(c->arena, int64_t, n * SPAN_NUMBERS), *w = number, at = 0;
    for (size_t i = 0; i < n; i++) {
        const TimelineBlock *b = list[i].block;
        *w++ = (int64_t)lane_number(c, b);
        *w++ = t->ninner && b >= t->inner && b < t->inner + t->ninner;
        *w++ = timeline_units(b->start_ns) - at;
        *w++ = timeline_units(b->end_ns) - timeline_units(b->start_ns);
        *w++ = name_number(c, b->name);
        *w++ = element_of(c, b);
        at = timeline_units(b->start_ns);
    }
    return (ResultDrawnRun){.label = label,
                            .total = timeline_units(t->total_ns),
                            .omitted = (int64_t)omitted,
                            .spans = {number, n * SPAN_NUMBERS}};
}

static ResultDrawnRun draw_inference(Columns *c, ResultLabel label, const Timeline *t,
                                     const TraceStats *s, const InferenceStat *x)
{
    ResultDrawnRun r = draw_run(c, label, t);
    r.inference = result_int_if(true, x - s->inference);
    return r;
}

enum { RUNS_DRAWN = 3 };

/* The typical inference, and the fastest and the slowest where these are others. */
static ResultDrawnRunList measured_runs(Columns *c, const AdviseRun *run, const Timeline *now)
{
    const TraceStats *s = run->rec->stats;
    const Distribution *d = s->warm.count ? &s->warm : &s->latency;
    const InferenceStat *typical = timeline_inference(s, run->rec->latency.median_ns),
                        *end[] = {timeline_inference(s, d->min), timeline_inference(s, d->max)};
    static const ResultLabel label[] = {RESULT_LABEL_FASTEST, RESULT_LABEL_SLOWEST};
    ResultDrawnRun *list = ARENA_ARRAY(c->arena, ResultDrawnRun, RUNS_DRAWN);
    size_t n = 0;
    list[n++] = draw_inference(c, RESULT_LABEL_MEDIAN, now, s, typical);
    for (size_t i = 0; i < 2; i++) {
        if (end[i] == typical)
            continue;
        Timeline *t =
            timeline_measured(c->scratch, run->program, run->prediction, s, run->costs, end[i]);
        list[n++] = draw_inference(c, label[i], t, s, end[i]);
    }
    return (ResultDrawnRunList){list, n};
}

/* The latencies of inferences in order, up to a limit. */
static ResultInts latencies_of(Arena *a, const TraceStats *s)
{
    size_t n = s->ninference < CHART_LATENCIES ? s->ninference : CHART_LATENCIES;
    int64_t *list = ARENA_ARRAY(a, int64_t, n);
    for (size_t i = 0; i < n; i++)
        list[i] = timeline_units(s->inference[i].dur_ns);
    return (ResultInts){list, n};
}

const ResultPictures *result_charts(const AdviseRun *run, Arena *scratch, const Timeline *now,
                                    const Timeline *after)
{
    ResultPictures p = {0};
    Columns c = {.arena = run->arena,
                 .scratch = scratch,
                 .lane = ARENA_ARRAY(run->arena, ResultPicturesLane, CHART_LANES),
                 .element = number_elements(scratch, run->program),
                 .program = run->program};
    strmap_init(&c.number, scratch, 64);
    if (now && now->source == RESULT_SOURCE_MEASURED) {
        p.runs = measured_runs(&c, run, now);
        p.latencies = latencies_of(run->arena, run->rec->stats);
        size_t warm = LIST_INDEX(i, p.latencies.count, !run->rec->stats->inference[i].warm_up);
        p.warm_up = result_int_if(true, (int64_t)warm);
    } else if (now) {
        p.runs = (ResultDrawnRunList){
            RESULT_NEW(c.arena, ResultDrawnRun, draw_run(&c, RESULT_LABEL_PREDICTED, now)), 1};
    }
    c.program = NULL;
    if (after)
        p.after = RESULT_NEW(
            run->arena, ResultDrawnRun,
            draw_run(&c, result_word(result_label_words, result_source_words[after->source]),
                     after));
    p.lanes = (ResultPicturesLaneList){c.lane, c.nlane};
    p.names = (ResultTexts){c.name, c.nname};
    return RESULT_NEW(run->arena, ResultPictures, p);
}
