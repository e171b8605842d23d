/* Predicts the points of a build, sorts them and keeps those that no other point beats. */
#include "advisor/candidate/search/front.h"

#include "advisor/rules/need.h"
#include "cost_model/queueing.h"

#define MIN_STEP 0.001 /* in throughput, from one number of workers to a larger one */

double front_total_ns(const TunePoint *p)
{
    return p->latency_ns + p->build->application_ns.mid;
}

double front_value(const TunePoint *p, Objective o)
{
    return o == OBJECTIVE_LATENCY ? front_total_ns(p) : p->per_s;
}

bool front_is_better(Objective o, double x, double y)
{
    return o == OBJECTIVE_LATENCY ? x < y : x > y;
}

bool front_meets_limit(const TunePoint *p, const Goal *g)
{
    return !(g->limit_ns > 0) || front_total_ns(p) <= g->limit_ns;
}

int front_compare_needs(const TunePoint *x, const TunePoint *y)
{
    return x->devices != y->devices ? x->devices - y->devices
                                    : (int)need_count(x->needs) - (int)need_count(y->needs);
}

bool front_is_simpler(const TunePoint *x, const TunePoint *y)
{
    int asks = front_compare_needs(x, y);
    if (asks)
        return asks < 0;
    if (x->changes != y->changes)
        return x->changes < y->changes;
    if (x->workers != y->workers)
        return x->workers < y->workers;
    if (x->build->batch != y->build->batch)
        return x->build->batch < y->build->batch;
    return x->latency_ns < y->latency_ns;
}

/* ---- one point ---- */

/* Requests in flight: the application's number, where that is not searched. */
static int under_way(const Space *s, int workers)
{
    int depth = s->w->baseline.variant.run.queue_depth;
    return s->open[AXIS_DEPTH] || depth < 1 || depth > workers ? workers : depth;
}

static void set_needs(const Space *s, TunePoint *p)
{
    const Variant *now = &s->w->baseline.variant;
    const bool differs[AXIS_COUNT] = {
        [AXIS_TARGET] = p->build->pe != now->compile.pe,
        [AXIS_BATCH] = p->build->batch != now->compile.batch,
        [AXIS_WORKERS] = p->workers != now->run.workers,
        [AXIS_DEPTH] = space_queue_depth(s, p->workers) > 0,
        [AXIS_DEVICES] = p->devices != now->run.devices,
    };
    p->needs = p->build->needs;
    p->changes = space_changes(s, &p->build->set);
    for (int a = 0; a < AXIS_COUNT; a++) {
        if (differs[a])
            p->needs |= space_axis_needs((SpaceAxis)a);
        p->changes += differs[a];
    }
}

static TunePoint point_of(const Space *s, const Build *x, int workers, int devices, double tasks)
{
    assert(workers >= 0 && devices > 0);
    int n = under_way(s, workers);
    TunePoint p = {.build = x, .workers = workers, .devices = devices, .per_s = tasks * x->images};
    double little = tasks > 0 ? n * 1e9 / tasks : 0;
    double alone = x->latency_ns;
    p.latency_ns = n > 1 ? fmax(alone, little * fmax(1, x->parts) - x->skew_ns) : alone;
    set_needs(s, &p);
    return p;
}

TunePoint front_point(const Space *s, const Build *x, int workers, int devices)
{
    int n = under_way(s, workers < x->cap ? workers : x->cap);
    QueueDemand d = builds_demand(x, n, devices);
    return point_of(s, x, workers, devices, queueing_throughput(&d, n));
}

/* ---- all of a build ---- */

static void keep_point(PointList *l, TunePoint p)
{
    *VEC_PUSH(l->a, l->point, l->n, l->cap) = p;
}

/* Twice as many as the bounds require: more change nothing. */
int front_max_workers(const Space *s, const Build *x, int devices)
{
    if (!s->open[AXIS_WORKERS])
        return 1;
    QueueDemand d = builds_demand(x, 2, devices);
    int n = 2 * queueing_workers_for(&d, 1, x->cap);
    n = n < x->cap ? n : x->cap;
    return n < WORKERS_MAX ? n : WORKERS_MAX;
}

static void front_sweep(const Space *s, const Build *x, int n, int devices, TunePoint *ret)
{
    double tasks[WORKERS_MAX];
    assert(n >= 0 && n <= WORKERS_MAX);
    if (!s->open[AXIS_WORKERS]) {
        for (int k = 0; k < n; k++)
            ret[k] = front_point(s, x, s->w->baseline.variant.run.workers, devices);
        return;
    }
    QueueDemand alone = builds_demand(x, 1, devices), loaded = builds_demand(x, 2, devices);
    queueing_sweep(&loaded, n, tasks);
    tasks[0] = queueing_throughput(&alone, 1);
    for (int k = 1; k <= n; k++)
        ret[k - 1] = point_of(s, x, k, devices, tasks[under_way(s, k) - 1]);
}

/* Devices that run independently of each other, which share the workers. */
static int extra_devices(const Space *s, int pe, int devices)
{
    int per_card = s->w->machine->pe_count / pe;
    return devices * (per_card > 1 ? per_card : 1);
}

static void add_workers(PointList *l, const Space *s, const Build *x, int devices)
{
    TunePoint point[WORKERS_MAX];
    int n = front_max_workers(s, x, devices);
    double last = 0;
    front_sweep(s, x, n, devices, point);
    int now = s->w->baseline.variant.run.workers, apart = extra_devices(s, x->pe, devices);
    for (int k = 1; k <= n && under_way(s, k) == k; k++) { /* beyond: as with fewer workers */
        if (k % apart && k != now)
            continue;
        l->seen += (size_t)k; /* a queue that is shorter is as fewer workers */
        if (point[k - 1].per_s <= last * (1 + MIN_STEP))
            continue;
        last = point[k - 1].per_s;
        keep_point(l, point[k - 1]);
    }
}

void front_add(PointList *l, const Space *s, const Build *x)
{
    if (!x->fits)
        return;
    int devices = s->w->baseline.variant.run.devices;
    keep_point(l, front_point(s, x, s->w->baseline.variant.run.workers, devices));
    l->seen++;
    if (s->open[AXIS_WORKERS])
        add_workers(l, s, x, devices);
}

/* ---- the front ---- */

typedef struct {
    const TunePoint *p;
    size_t index;
} Ref;

ORDER_BY(by_rate_down, Ref, COMPARE(b->p->per_s, a->p->per_s),
         COMPARE(a->p->latency_ns, b->p->latency_ns),
         COMPARE(need_count(a->p->needs), need_count(b->p->needs)),
         COMPARE(a->p->changes, b->p->changes), COMPARE(a->index, b->index))

static size_t sorted_refs(const PointList *l, Ref *ref)
{
    for (size_t i = 0; i < l->n; i++)
        ref[i] = (Ref){&l->point[i], i};
    ORDER_LIST(ref, l->n, by_rate_down);
    return l->n;
}

/* From the fastest down: a point stays when none before it has no more latency and no other need.
 */
static size_t keep_pareto(Ref *ref, size_t n)
{
    double best[NEED_ALL + 1];
    size_t kept = 0;
    for (NeedSet e = 0; e <= NEED_ALL; e++)
        best[e] = INFINITY;
    for (size_t i = 0; i < n; i++) {
        const TunePoint *p = ref[i].p;
        bool beaten = false;
        for (NeedSet e = 0; e <= NEED_ALL; e++)
            beaten |= !(e & ~p->needs) && best[e] <= p->latency_ns;
        if (beaten)
            continue;
        best[p->needs] = p->latency_ns;
        ref[kept++] = ref[i];
    }
    return kept;
}

/* From one point of a set of needs to the next: as many steps as are shown lie between its ends. */
static void step_factors(const Ref *ref, size_t n, double step[NEED_ALL + 1])
{
    double least[NEED_ALL + 1] = {0}, most[NEED_ALL + 1] = {0};
    for (size_t i = 0; i < n; i++) {
        NeedSet e = ref[i].p->needs;
        most[e] = fmax(most[e], ref[i].p->per_s);
        least[e] = ref[i].p->per_s; /* they descend */
    }
    for (NeedSet e = 0; e <= NEED_ALL; e++)
        step[e] =
            least[e] > 0 ? fmax(1 + STEP_OF_FRONT, pow(most[e] / least[e], 1.0 / FRONT_MAX)) : 1;
}

/* The ends of each set of needs stay, and between them one for each step. */
static size_t thin_front(Ref *ref, size_t n)
{
    double last[NEED_ALL + 1] = {0}, step[NEED_ALL + 1];
    const TunePoint *end[NEED_ALL + 1] = {0};
    size_t kept = 0;
    step_factors(ref, n, step);
    for (size_t i = 0; i < n; i++)
        end[ref[i].p->needs] = ref[i].p;
    for (size_t i = 0; i < n; i++) {
        const TunePoint *p = ref[i].p;
        double *before = &last[p->needs];
        if (*before > 0 && p->per_s * step[p->needs] > *before && p != end[p->needs])
            continue;
        *before = p->per_s;
        ref[kept++] = ref[i];
    }
    return kept;
}

static bool as_good(const TunePoint *p, const TunePoint *as)
{
    return p->per_s >= as->per_s * (1 - FRONT_TOLERANCE) &&
           p->latency_ns <= as->latency_ns * (1 + FRONT_TOLERANCE);
}

static TunePoint simplest_as(const PointList *l, const TunePoint *as)
{
    TunePoint best = *as;
    for (size_t i = 0; i < l->n; i++)
        if (as_good(&l->point[i], as) && !(l->point[i].needs & ~as->needs) &&
            front_is_simpler(&l->point[i], &best))
            best = l->point[i];
    return best;
}

TunePoint *front_of(Arena *a, const PointList *l, size_t *ret_count)
{
    Arena *scratch = arena_new(0);
    Ref *ref = ARENA_ARRAY(scratch, Ref, l->n + 1);
    size_t n = thin_front(ref, keep_pareto(ref, sorted_refs(l, ref))), kept = 0;
    TunePoint *list = ARENA_ARRAY(a, TunePoint, n + 1);
    for (size_t i = n; i-- > 0;) {
        TunePoint p = simplest_as(l, ref[i].p);
        bool again = kept && as_good(&list[kept - 1], &p) && list[kept - 1].devices <= p.devices &&
                     !(list[kept - 1].needs & ~p.needs);
        if (!again)
            list[kept++] = p;
    }
    arena_free(scratch);
    assert(kept <= n);
    *ret_count = kept;
    return list;
}
