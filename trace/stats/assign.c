/* Assigns host spans and tasks to inferences (the rule is in stats.h). */
#include "trace/stats/gather.h"

#include "graph/base/statistics.h"

enum {
    OPEN_MAX = 64, /* inferences looked at for one span; runtimes have a few dozen workers */
    SEEN_NAMES = 32,
};

ORDER_BY(compare_inferences, InferenceRow, COMPARE(a->stat.start_ns, b->stat.start_ns),
         COMPARE(a->order, b->order))

/* One span that looks for its inference, at its middle: clocks may be a little apart. */
typedef struct {
    int64_t middle_ns;
    uint64_t trace_id, parent_id;
    uint32_t lane, name;
    size_t number; /* the last tie-breaker */
    uint32_t *ret; /* where the answer goes */
} Query;

ORDER_BY(by_middle, Query, COMPARE(a->middle_ns, b->middle_ns), COMPARE(a->number, b->number))

typedef struct {
    uint64_t id;
    uint32_t inference;
} IdEntry;

ORDER_BY(by_id, IdEntry, COMPARE(a->id, b->id), COMPARE(a->inference, b->inference))

typedef struct {
    const Gather *g;
    IdEntry *id; /* trace and span ids of inferences, sorted */
    size_t nid;
    size_t next; /* inference that opens next */
    uint32_t open[OPEN_MAX];
    size_t nopen;
    uint16_t seen[OPEN_MAX][SEEN_NAMES]; /* spans of each name that the open ones have got */
} Sweep;

/* An id that several inferences share (all below one label) tells nothing. */
static uint32_t by_ids(const Sweep *s, const Query *q)
{
    uint64_t wanted[] = {q->trace_id, q->parent_id};
    for (size_t w = 0; w < 2; w++) {
        IdEntry key = {.id = wanted[w]};
        size_t low = LIST_BOUND(i, s->nid, by_id(&s->id[i], &key) < 0);
        bool found = low < s->nid && s->id[low].id == wanted[w]; /* no id is 0 */
        if (found && (low + 1 == s->nid || s->id[low + 1].id != wanted[w]))
            return s->id[low].inference;
    }
    return INFERENCE_NONE;
}

static int64_t inference_end_ns(const Sweep *s, uint32_t inference)
{
    const InferenceStat *i = &s->g->inference[inference].stat;
    return i->start_ns + i->dur_ns;
}

/* Closes what has ended before `now`, opens what has begun. */
static void advance_sweep(Sweep *s, int64_t now_ns)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->nopen; i++) {
        if (inference_end_ns(s, s->open[i]) < now_ns)
            continue;
        if (kept != i) {
            s->open[kept] = s->open[i];
            memcpy(s->seen[kept], s->seen[i], sizeof s->seen[i]);
        }
        kept++;
    }
    s->nopen = kept;
    while (s->next < s->g->ninference && s->g->inference[s->next].stat.start_ns <= now_ns) {
        uint32_t i = (uint32_t)s->next;
        if (inference_end_ns(s, i) >= now_ns) {
            if (s->nopen == OPEN_MAX)
                break;
            memset(s->seen[s->nopen], 0, sizeof s->seen[0]);
            s->open[s->nopen++] = i;
        }
        s->next++;
    }
}

static uint32_t assign_by_time(Sweep *s, const Query *q)
{
    size_t best = OPEN_MAX, name = q->name < SEEN_NAMES ? q->name : SEEN_NAMES - 1;
    advance_sweep(s, q->middle_ns);
    for (size_t i = s->nopen; i-- > 0 && best == OPEN_MAX;)
        if (s->g->inference[s->open[i]].lane == q->lane)
            best = i;
    if (best == OPEN_MAX)
        for (size_t i = 0; i < s->nopen; i++)
            if (best == OPEN_MAX || s->seen[i][name] < s->seen[best][name])
                best = i;
    if (best == OPEN_MAX)
        return INFERENCE_NONE;
    if (s->seen[best][name] < UINT16_MAX)
        s->seen[best][name]++;
    return s->open[best];
}

/* Whether the file itself says of any task whose it is. */
static bool tasks_have_ids(const Sweep *s)
{
    const TaskRow *t = s->g->task;
    return LIST_ANY(i, s->g->ntask,
                    by_ids(s, &(Query){.trace_id = t[i].stat.trace_id,
                                       .parent_id = t[i].parent_id}) != INFERENCE_NONE);
}

static void index_ids(Sweep *s, Arena *scratch)
{
    s->id = ARENA_ARRAY(scratch, IdEntry, 2 * s->g->ninference);
    for (size_t i = 0; i < s->g->ninference; i++) {
        const InferenceStat *f = &s->g->inference[i].stat;
        if (f->trace_id)
            s->id[s->nid++] = (IdEntry){f->trace_id, (uint32_t)i};
        if (f->span_id)
            s->id[s->nid++] = (IdEntry){f->span_id, (uint32_t)i};
    }
    rows_sort(s->id, s->nid, sizeof *s->id, by_id);
}

/* Names of tasks are one name, whatever the file calls them; it comes before all others. */
static Query *collect_queries(const Gather *g, Arena *scratch, size_t *ret_count)
{
    Query *q = ARENA_ARRAY(scratch, Query, g->host.count + g->ntask);
    size_t n = 0;
    RowCursor c = rows_begin(&g->host);
    for (HostRow *h; (h = rows_next(&g->host, &c)); n++)
        q[n] = (Query){.middle_ns = h->start_ns + h->dur_ns / 2,
                       .number = n,
                       .trace_id = h->detail.trace_id,
                       .parent_id = h->parent_id,
                       .lane = h->lane,
                       .name = h->name + 1,
                       .ret = &h->inference};
    for (size_t i = 0; i < g->ntask; i++, n++)
        q[n] = (Query){.middle_ns = g->task[i].stat.start_ns + g->task[i].stat.total_ns / 2,
                       .number = n,
                       .trace_id = g->task[i].stat.trace_id,
                       .parent_id = g->task[i].parent_id,
                       .lane = g->task[i].lane,
                       .name = 0,
                       .ret = &g->task[i].stat.inference};
    *ret_count = n;
    return q;
}

ORDER_BY(by_task_start, TaskRow, COMPARE(a->stat.start_ns, b->stat.start_ns),
         COMPARE(a->order, b->order))

/* Clocks that disagree: if every inference has the same number of tasks, order tells which. */
static void deal_in_order(Gather *g, TraceStats *stats)
{
    size_t orphans = LIST_SUM(size_t, i, g->ntask, g->task[i].stat.inference == INFERENCE_NONE);
    if (2 * orphans <= g->ntask || g->ninference == 0 || g->ntask % g->ninference != 0)
        return;
    rows_sort(g->task, g->ntask, sizeof *g->task, by_task_start);
    for (size_t i = 0; i < g->ntask; i++)
        g->task[i].stat.inference = (uint32_t)(i / (g->ntask / g->ninference));
    stats->dealt_in_order = true;
}

ORDER_BY(by_lane, LabelRow, COMPARE(a->lane, b->lane), COMPARE(a->start_ns, b->start_ns),
         COMPARE(b->end_ns, a->end_ns), strcmp(a->name, b->name))

/* The innermost label around an inference, on its thread. */
static const char *label_of(const Gather *g, const InferenceRow *i)
{
    size_t low =
        LIST_BOUND(k, g->nlabel,
                   g->label[k].lane < i->lane ||
                       (g->label[k].lane == i->lane && g->label[k].start_ns <= i->stat.start_ns));
    for (size_t n = 0; low-- > 0 && n < OPEN_MAX && g->label[low].lane == i->lane; n++)
        if (g->label[low].end_ns >= i->stat.start_ns + i->stat.dur_ns)
            return g->label[low].name;
    return NULL;
}

/* Most inferences open at once; one that ends when another begins is not open any more. */
uint64_t gather_count_lanes(const Gather *g)
{
    Arena *scratch = arena_new(SIZE_MAX);
    size_t n = g->ninference, ended = 0;
    uint64_t most = 0;
    int64_t *end = ARENA_ARRAY(scratch, int64_t, n);
    for (size_t i = 0; i < n; i++)
        end[i] = g->inference[i].stat.start_ns + g->inference[i].stat.dur_ns;
    statistics_sort_ints(end, n);
    for (size_t i = 0; i < n; i++) {
        while (ended < i && end[ended] <= g->inference[i].stat.start_ns)
            ended++;
        assert(ended <= i);
        if (i + 1 - ended > most)
            most = i + 1 - ended;
    }
    arena_free(scratch);
    return most;
}

void gather_assign_inferences(Gather *g, TraceStats *stats)
{
    Arena *scratch = arena_new(SIZE_MAX);
    rows_sort(g->inference, g->ninference, sizeof *g->inference, compare_inferences);
    rows_sort(g->label, g->nlabel, sizeof *g->label, by_lane);
    Sweep *s = ARENA_NEW(scratch, Sweep);
    s->g = g;
    index_ids(s, scratch);
    size_t n;
    Query *q = collect_queries(g, scratch, &n);
    rows_sort(q, n, sizeof *q, by_middle);
    for (size_t i = 0; i < n; i++) {
        uint32_t inference = by_ids(s, &q[i]);
        *q[i].ret = inference != INFERENCE_NONE ? inference : assign_by_time(s, &q[i]);
        assert(*q[i].ret == INFERENCE_NONE || *q[i].ret < g->ninference);
    }
    if (!tasks_have_ids(s))
        gather_follow_waits(g);
    deal_in_order(g, stats);
    for (size_t i = 0; i < g->ninference; i++)
        g->inference[i].stat.label = label_of(g, &g->inference[i]);
    arena_free(scratch);
}
