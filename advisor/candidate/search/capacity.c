/* Searches by number of cards, then of workers, and follows the runs from there. */
#include "advisor/candidate/search/capacity.h"

#include "advisor/candidate/search/arrivals.h"
#include "advisor/rules/need.h"

/* The fast end of a smaller plan may exceed the limit by this factor and still be run: where a
 * station is 90 % busy, a tenth less work halves the wait. The nearest is run first. */
#define RUN_FARTHEST 3.0

typedef struct {
    const Search *s;
    const Space *space;
    const CapacityGoal *g;
    CapacityPlan best;
} Planner;

static double collecting_ns(const Build *x, const CapacityGoal *g)
{
    return (x->images - 1) * 1e9 / g->images_per_s;
}

/* Factors on times: of the host's work as predicted or traced, and of all. */
typedef struct {
    double host, all;
} Pace;

static bool is_traced(const Planner *p)
{
    const Reconciliation *r = p->space->w->rec;
    return r && r->refuted == REFUTED_NOT;
}

static Pace slow_pace(const Planner *p)
{
    return (Pace){1, 1 + (is_traced(p) ? CAPACITY_SLOWER_TRACED : CAPACITY_SLOWER_UNTRACED)};
}

static Pace middle_pace(const Planner *p)
{
    return (Pace){is_traced(p) ? 1 / (1 + PROFILER_HOST_MAX / 2) : 1, 1};
}

static Pace fast_pace(const Planner *p)
{
    return (Pace){is_traced(p) ? 1 / (1 + PROFILER_HOST_MAX) : 1, 1 - CAPACITY_FASTER};
}

static double latency_with(Planner *p, const Build *x, int workers, int devices, Pace pace)
{
    QueueDemand d = builds_demand(x, workers, devices);
    d.host_ns *= pace.host;
    Arrivals a = {p->g->images_per_s / x->images, p->g->equal_gaps, p->g->quantile, pace.all};
    p->best.tried++;
    return arrivals_latency(&d, workers, &a) + collecting_ns(x, p->g);
}

static bool keeps_limit(Planner *p, const Build *x, int workers, int devices)
{
    double latency = latency_with(p, x, workers, devices, slow_pace(p));
    return latency + x->application_ns.mid <= p->g->limit_ns;
}

/* By Little's law no fewer can do it at the slow pace. */
static int min_workers(const Build *x, const CapacityGoal *g)
{
    double tasks = g->images_per_s / x->images, alone = x->latency_ns;
    return (int)fmin(WORKERS_MAX, floor(tasks * alone / 1e9) + 1);
}

/* A request alone is within the limit, and the stations keep up. */
static bool may_hold(const Build *x, const CapacityGoal *g, int devices)
{
    QueueDemand d = builds_demand(x, 2, devices);
    double tasks = g->images_per_s / x->images;
    double latency = x->latency_ns + collecting_ns(x, g) + x->application_ns.mid;
    return x->fits && x->parts <= 1 && latency <= g->limit_ns && tasks < queueing_ceiling(&d);
}

/* More workers than the stations can use only let requests wait elsewhere. */
static int max_workers(const Planner *p, const Build *x, int devices)
{
    int most = front_max_workers(p->space, x, devices);
    const CapacityPlan *best = &p->best;
    bool same = best->found && best->point.devices == devices;
    return same && best->point.workers < most ? best->point.workers : most;
}

/* The fewest workers that hold, no more than `most`; 0: none.  More of them never hold less. */
static int fewest_workers(Planner *p, const Build *x, int devices)
{
    if (!p->space->open[AXIS_WORKERS]) {
        int now = p->space->w->baseline.variant.run.workers;
        return keeps_limit(p, x, now, devices) ? now : 0;
    }
    int lo = min_workers(x, p->g), hi = max_workers(p, x, devices);
    if (lo > hi || !keeps_limit(p, x, hi, devices))
        return 0;
    while (lo < hi) {
        int middle = lo + (hi - lo) / 2;
        if (keeps_limit(p, x, middle, devices))
            hi = middle;
        else
            lo = middle + 1;
    }
    return hi;
}

static void take_plan(Planner *p, const Build *x, int n, int devices)
{
    CapacityPlan *best = &p->best;
    best->found = true;
    best->latency_ns = latency_with(p, x, n, devices, middle_pace(p));
    best->point = front_point(p->space, x, n, devices);
    best->with_headroom_ns = latency_with(p, x, n, devices, slow_pace(p));
    best->slower = slow_pace(p).all - 1;
    best->collecting_ns = collecting_ns(x, p->g);
    QueueDemand d = builds_demand(x, n, devices);
    best->busy = p->g->images_per_s / x->images / queueing_ceiling(&d);
}

static void weigh_build(Planner *p, const Build *x, int devices)
{
    bool may = !(x->needs & ~p->g->needs) && may_hold(x, p->g, devices);
    int n = may ? fewest_workers(p, x, devices) : 0;
    const CapacityPlan *best = &p->best;
    if (!n || (best->found && n > best->point.workers))
        return;
    double ns = latency_with(p, x, n, devices, middle_pace(p));
    if (!best->found || n < best->point.workers || ns < best->latency_ns)
        take_plan(p, x, n, devices);
}

/* Fewer needs, then fewer changes: builds of one step are weighed against each other. */
static int step_of(const Build *x)
{
    return (int)need_count(x->needs) * (PARTS_MAX + 1) + (int)space_set_count(&x->set);
}

/* ---- with less ---- */

/* The smallest latency of all builds with that many workers. */
static double min_latency_of_all(Planner *p, int workers, int devices, Pace pace, double enough)
{
    double least = INFINITY;
    for (size_t i = 0; i < p->s->builds->nbuild; i++) {
        const Build *x = p->s->builds->build[i];
        int n = workers ? workers : front_max_workers(p->space, x, devices);
        bool hopeless = !x->fits || x->parts > 1 ||
                        x->latency_ns * pace.host * pace.all + collecting_ns(x, p->g) > enough;
        if (!hopeless)
            least = fmin(least, latency_with(p, x, n, devices, pace));
    }
    return least;
}

/* One card fewer. */
static CapacitySmaller one_device_fewer(const Planner *p)
{
    const TunePoint *t = &p->best.point;
    return (CapacitySmaller){.any = t->devices > 1 && p->space->open[AXIS_DEVICES],
                             .workers = p->space->open[AXIS_WORKERS] ? 0 : t->workers,
                             .devices = t->devices - 1};
}

static CapacitySmaller next_less(const Planner *p)
{
    const TunePoint *t = &p->best.point;
    CapacitySmaller worker = {.any = true, .workers = t->workers - 1, .devices = t->devices};
    return worker.workers >= 1 && p->space->open[AXIS_WORKERS] ? worker : one_device_fewer(p);
}

/* Stops at latencies within the limit at some pace. */
static CapacitySmaller with_less(Planner *p)
{
    CapacitySmaller less = next_less(p);
    if (!less.any)
        return less;
    double limit = p->g->limit_ns;
    less.least_ns = min_latency_of_all(p, less.workers, less.devices, fast_pace(p), limit);
    less.latency_ns = less.least_ns > limit ? INFINITY
                                            : min_latency_of_all(p, less.workers, less.devices,
                                                                 middle_pace(p), limit);
    return less;
}

/* Fewest cards first, then fewest needs and changes. */
static bool find_fewest(Planner *p)
{
    const Builds *b = p->s->builds;
    bool open = p->space->open[AXIS_DEVICES];
    int now = p->space->w->baseline.variant.run.devices;
    int steps = (NEED_KINDS + 1) * (PARTS_MAX + 1);
    p->best.found = false;
    for (int d = open ? 1 : now; d <= (open ? CAPACITY_CARDS_MAX : now) && !p->best.found; d++)
        for (int step = 0; step < steps && !p->best.found; step++)
            for (size_t i = 0; i < b->nbuild; i++)
                if (step_of(b->build[i]) == step)
                    weigh_build(p, b->build[i], d);
    return p->best.found;
}

/* Halves until a rate is served, then between the two, to 1 %: more is never easier. */
static double highest_rate(const Planner *from)
{
    CapacityGoal g = *from->g;
    Planner p = *from;
    double lo = g.images_per_s, hi = lo;
    p.g = &g;
    for (int k = 0; k < 40; k++) {
        g.images_per_s = lo = lo / 2;
        if (find_fewest(&p))
            break;
        hi = lo;
    }
    if (!p.best.found)
        return 0;
    while (hi > 1.01 * lo) {
        g.images_per_s = (lo + hi) / 2;
        *(find_fewest(&p) ? &lo : &hi) = g.images_per_s;
    }
    return lo;
}

CapacityPlan capacity_find(const Search *s, const Space *space, const CapacityGoal *g)
{
    Planner p = {.s = s, .space = space, .g = g};
    if (find_fewest(&p))
        p.best.less = with_less(&p);
    else
        p.best.highest_per_s = highest_rate(&p);
    return p.best;
}

/* ---- by runs ---- */

typedef struct {
    Planner p;
    CapacityRun *run;
    void *user;
} Runs;

/* Whether all of its runs are within the limit. */
static bool runs_hold(Runs *r, const TunePoint *x, Interval *ret_ns)
{
    double collecting = collecting_ns(x->build, r->p.g);
    if (!r->run(r->user, x, ret_ns))
        return false;
    *ret_ns =
        (Interval){ret_ns->lo + collecting, ret_ns->mid + collecting, ret_ns->hi + collecting};
    return ret_ns->hi <= r->p.g->limit_ns;
}

static void settle_on(Runs *r, const TunePoint *x, Interval ns)
{
    take_plan(&r->p, x->build, x->workers, x->devices);
    r->p.best.run_ns = ns;
    r->p.best.was_run = true;
}

/* Adds workers where the prediction was too low. */
static void go_up(Runs *r)
{
    CapacityPlan *best = &r->p.best;
    int most = front_max_workers(r->p.space, best->point.build, best->point.devices);
    for (int k = 0; k < RUN_UP && best->run_ns.hi > r->p.g->limit_ns; k++) {
        Interval ns;
        TunePoint more = front_point(r->p.space, best->point.build, best->point.workers + 1,
                                     best->point.devices);
        if (!r->p.space->open[AXIS_WORKERS] || more.workers > most)
            return;
        bool holds = runs_hold(r, &more, &ns);
        if (!holds && ns.lo <= 0)
            return;
        settle_on(r, &more, ns);
    }
}

typedef struct {
    TunePoint point;
    double ns;
} Candidate;

ORDER_BY(by_candidate, Candidate, COMPARE(a->ns, b->ns))

/* The first of each mode and batch in sorted candidates: other changes matter less. */
static size_t first_of_each(Candidate *list, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        const Build *x = list[i].point.build;
        size_t k = LIST_INDEX(
            j, kept, list[j].point.build->pe == x->pe && list[j].point.build->batch == x->batch);
        if (k == kept)
            list[kept++] = list[i];
    }
    return kept;
}

/* On as many cards, a worker less is not worth a need or a change more. */
static bool asks_no_more(const Planner *p, const Build *x, int devices)
{
    const TunePoint *best = &p->best.point;
    return !(x->needs & ~p->g->needs) &&
           (devices < best->devices || step_of(x) <= step_of(best->build));
}

/* Points that may hold with fewer resources, the likeliest first. */
static Candidate *with_less_of(Runs *r, Arena *a, const CapacitySmaller *less, size_t *ret_count)
{
    Planner *p = &r->p;
    Candidate *list = ARENA_ARRAY(a, Candidate, p->s->builds->nbuild + 1);
    size_t n = 0;
    for (size_t i = 0; i < p->s->builds->nbuild; i++) {
        const Build *x = p->s->builds->build[i];
        double alone = x->latency_ns * fast_pace(p).host * fast_pace(p).all;
        if (!x->fits || x->parts > 1 || alone + collecting_ns(x, p->g) > p->g->limit_ns)
            continue;
        int workers = less->workers ? less->workers : front_max_workers(p->space, x, less->devices);
        double ns = latency_with(p, x, workers, less->devices, fast_pace(p));
        if (ns <= RUN_FARTHEST * p->g->limit_ns)
            list[n++] = (Candidate){front_point(p->space, x, workers, less->devices), ns};
    }
    ORDER_LIST(list, n, by_candidate);
    n = first_of_each(list, n);
    *ret_count = n < RUN_BUILDS ? n : RUN_BUILDS;
    return list;
}

/* Moves to the first point that holds with `less`, with headroom, and asks no more; false: none. */
static bool move_to(Runs *r, Arena *a, CapacitySmaller *less)
{
    size_t n = 0;
    Candidate *list = less->any ? with_less_of(r, a, less, &n) : NULL;
    less->run_ns = INFINITY;
    for (size_t i = 0; i < n; i++) {
        Interval ns;
        const TunePoint *x = &list[i].point;
        bool kept = runs_hold(r, x, &ns);
        if (kept && asks_no_more(&r->p, x->build, x->devices) &&
            keeps_limit(&r->p, x->build, x->workers, x->devices)) {
            settle_on(r, x, ns);
            return true;
        }
        less->scarce |= kept;
        less->run++;
        less->run_ns = fmin(less->run_ns, ns.mid);
    }
    return false;
}

/* Tries one card fewer before one worker fewer. */
static bool go_down(Runs *r, Arena *a)
{
    CapacityPlan *best = &r->p.best;
    CapacitySmaller card = one_device_fewer(&r->p), less = next_less(&r->p);
    bool other = less.devices != card.devices;
    if ((other && move_to(r, a, &card)) || move_to(r, a, &less))
        return true;
    best->less = with_less(&r->p);
    best->less.scarce = less.scarce || (other && card.scarce);
    best->less.run = less.run;
    best->less.run_ns = less.run_ns;
    return false;
}

void capacity_run(CapacityPlan *plan, const Search *s, const Space *space, const CapacityGoal *g,
                  bool follow, CapacityRun *run, void *user)
{
    Runs r = {{.s = s, .space = space, .g = g, .best = *plan}, run, user};
    if (!plan->found || !(g->images_per_s > 0))
        return;
    Interval ns = {0};
    runs_hold(&r, &plan->point, &ns);
    r.p.best.run_ns = ns;
    r.p.best.was_run = ns.mid > 0;
    Arena *a = arena_new(0);
    if (follow && r.p.best.was_run) {
        go_up(&r);
        bool holds = r.p.best.run_ns.hi <= g->limit_ns;
        for (int k = 0; holds && k < RUN_DOWN && go_down(&r, a); k++)
            ;
    }
    arena_free(a);
    *plan = r.p.best;
}
