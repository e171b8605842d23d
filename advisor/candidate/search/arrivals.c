/* Processes arrivals and completions in the order of time, with a heap of events. */
#include "advisor/candidate/search/arrivals.h"

#include "graph/base/random.h"
#include "graph/base/statistics.h"

enum { AT_HOST, AT_LINK, AT_NPU, AT_DELAY, PLACES, ARRIVES = PLACES };
enum { SEED = 1, WARM = ARRIVALS_DRAWN / 10, STREAM_GAP = 100 };

typedef struct {
    double at;
    int what, request; /* a place that is done with it, or ARRIVES */
} Event;

typedef struct {
    double mean[PLACES], spread[PLACES]; /* of the logarithm */
    int servers[PLACES], busy[PLACES];
    int *queue[PLACES], head[PLACES], tail[PLACES];
    Event *event; /* a heap, the earliest on top */
    int nevent;
    double *arrived, *latency;
    int workers, working, waiting, narrived;
    double now;
} Line;

/* ---- events ---- */

static bool is_before(const Event *a, const Event *b)
{
    return a->at != b->at ? a->at < b->at : a->request < b->request;
}

static void push_event(Line *l, Event e)
{
    int i = l->nevent++;
    for (; i > 0 && is_before(&e, &l->event[(i - 1) / 2]); i = (i - 1) / 2)
        l->event[i] = l->event[(i - 1) / 2];
    l->event[i] = e;
}

static Event pop_event(Line *l)
{
    Event top = l->event[0], last = l->event[--l->nevent];
    int i = 0;
    for (;;) {
        int k = 2 * i + 1;
        if (k >= l->nevent)
            break;
        k += k + 1 < l->nevent && is_before(&l->event[k + 1], &l->event[k]);
        if (!is_before(&l->event[k], &last))
            break;
        l->event[i] = l->event[k];
        i = k;
    }
    l->event[i] = last;
    return top;
}

/* ---- draws ---- */

/* In (0, 1). */
static double uniform_random(uint64_t stream, int request, uint64_t draw)
{
    uint64_t bits = random_bits(SEED, stream, (uint64_t)request, draw) >> 11;
    return ((double)bits + 0.5) / 9007199254740992.0;
}

static double normal_random(int place, int request)
{
    double u = uniform_random((uint64_t)place, request, 0),
           v = uniform_random((uint64_t)place, request, 1);
    return sqrt(-2 * log(u)) * cos(2 * 3.14159265358979323846 * v);
}

static double service_time(const Line *l, int place, int request)
{
    double s = l->spread[place];
    return s > 0 ? l->mean[place] * exp(s * normal_random(place, request) - s * s / 2)
                 : l->mean[place];
}

/* ---- the line ---- */

static void begin_service(Line *l, int place, int request)
{
    l->busy[place]++;
    push_event(l, (Event){l->now + service_time(l, place, request), place, request});
}

static void enqueue_request(Line *l, int place, int request)
{
    if (l->busy[place] < l->servers[place])
        begin_service(l, place, request);
    else
        l->queue[place][l->tail[place]++] = request;
}

/* Requests wait for a worker in the order that they came in. */
static void give_work(Line *l)
{
    while (l->working < l->workers && l->waiting < l->narrived) {
        l->working++;
        enqueue_request(l, AT_HOST, l->waiting++);
    }
}

static void finish_service(Line *l, int place, int request)
{
    l->busy[place]--;
    if (l->head[place] < l->tail[place])
        begin_service(l, place, l->queue[place][l->head[place]++]);
    if (place + 1 < PLACES) {
        enqueue_request(l, place + 1, request);
        return;
    }
    l->latency[request] = l->now - l->arrived[request];
    l->working--;
    give_work(l);
}

static void add_arrival(Line *l, const Arrivals *x)
{
    int next = ++l->narrived;
    give_work(l);
    if (next == ARRIVALS_DRAWN)
        return;
    double gap = x->equal_gaps ? 1 : -log(uniform_random(STREAM_GAP, next, 0));
    l->arrived[next] = l->arrived[next - 1] + gap * 1e9 / x->per_s;
    push_event(l, (Event){l->arrived[next], ARRIVES, next});
}

static Line line_of(Arena *a, const QueueDemand *d, int workers, const Arrivals *x)
{
    Line l = {.mean = {d->host_ns * x->times, d->pcie_ns * x->times, d->npu_ns * x->times,
                       d->delay_ns * x->times},
              .servers = {d->host_servers, d->pcie_servers, d->npu_servers, INT_MAX},
              .workers = workers};
    l.spread[AT_HOST] = sqrt(log1p(fmax(0, 1 - d->host_regularity)));
    for (int k = 0; k < PLACES; k++)
        l.queue[k] = ARENA_ARRAY(a, int, ARRIVALS_DRAWN);
    l.event = ARENA_ARRAY(a, Event, 2 * ARRIVALS_DRAWN + 2);
    l.arrived = ARENA_ARRAY(a, double, ARRIVALS_DRAWN);
    l.latency = ARENA_ARRAY(a, double, ARRIVALS_DRAWN);
    return l;
}

/* What cannot keep up has no quantile, however long one looks. */
static bool keeps_up(const QueueDemand *d, int workers, const Arrivals *x)
{
    double alone = d->host_ns + d->pcie_ns + d->npu_ns + d->delay_ns;
    double most = fmin(queueing_ceiling(d), alone > 0 ? workers * 1e9 / alone : INFINITY);
    return x->per_s * x->times < most;
}

double arrivals_latency(const QueueDemand *d, int workers, const Arrivals *x)
{
    if (!keeps_up(d, workers, x))
        return INFINITY;
    Arena *scratch = arena_new(0);
    Line l = line_of(scratch, d, workers, x);
    push_event(&l, (Event){0, ARRIVES, 0});
    while (l.nevent) {
        Event e = pop_event(&l);
        l.now = e.at;
        if (e.what == ARRIVES)
            add_arrival(&l, x);
        else
            finish_service(&l, e.what, e.request);
    }
    statistics_sort_reals(l.latency + WARM, ARRIVALS_DRAWN - WARM);
    double ns = statistics_quantile(l.latency + WARM, ARRIVALS_DRAWN - WARM, x->quantile);
    arena_free(scratch);
    return ns;
}
