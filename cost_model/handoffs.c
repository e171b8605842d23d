/* Gathers the pauses between steps per pair of sides, and takes medians over inferences. */
#include "cost_model/handoffs.h"
#include "cost_model/match/span_match.h"
#include "cost_model/reconcile.h"

struct HandoffSamples {
    size_t capacity, count[SIDE_COUNT][SIDE_COUNT];
    int64_t *value[SIDE_COUNT][SIDE_COUNT], *submit, *launch;
    size_t nsubmit, nlaunch;
};

/* A step in time. */
typedef struct {
    int64_t begin, end;
    Side side;
} Stay;

HandoffSamples *handoffs_open(Arena *a, size_t capacity)
{
    HandoffSamples *h = ARENA_NEW(a, HandoffSamples);
    h->capacity = capacity;
    h->submit = ARENA_ARRAY(a, int64_t, capacity + 1);
    h->launch = ARENA_ARRAY(a, int64_t, capacity + 1);
    for (int i = 0; i < SIDE_COUNT; i++)
        for (int k = 0; k < SIDE_COUNT; k++)
            h->value[i][k] = ARENA_ARRAY(a, int64_t, capacity + 1);
    return h;
}

ORDER_BY(by_begin, Stay, COMPARE(a->begin, b->begin), COMPARE(a->end, b->end))

static Side side_of_span(const OpSpan *s)
{
    if (s->kind == SPAN_HOST_OPERATOR)
        return SIDE_HOST;
    return strcmp(match_host_name(s->name), "d2h") == 0 ? SIDE_D2H : SIDE_H2D;
}

static size_t stays_of(Arena *scratch, const TraceStats *s, const InferenceStat *x, Stay **ret)
{
    Stay *stay = ARENA_ARRAY(scratch, Stay, (size_t)x->nhost + x->ntask + 1);
    size_t n = 0;
    for (uint32_t i = x->first_host; i < x->first_host + x->nhost; i++) {
        const OpSpan *o = &s->host_span[i];
        if (o->kind == SPAN_HOST_OPERATOR || o->kind == SPAN_TRANSFER)
            stay[n++] = (Stay){o->start_ns, o->start_ns + o->dur_ns, side_of_span(o)};
    }
    for (uint32_t i = x->first_task; i < x->first_task + x->ntask; i++) {
        const ExecutionStat *e = &s->execution[i];
        stay[n++] = (Stay){e->start_ns, e->start_ns + e->total_ns, SIDE_NPU};
    }
    assert(n <= (size_t)x->nhost + x->ntask);
    ORDER_LIST(stay, n, by_begin);
    *ret = stay;
    return n;
}

static int64_t submit_ns(const TraceStats *s, const InferenceStat *x)
{
    return LIST_SUM(int64_t, i, x->nhost,
                    strcmp(s->host_span[x->first_host + i].name, "SendOperandTriple") == 0
                        ? s->host_detail[x->first_host + i].self_ns
                        : 0);
}

/* -1 where a task of the inference does not tell its Run. */
static int64_t launch_ns(const TraceStats *s, const InferenceStat *x)
{
    int64_t sum = 0;
    for (uint32_t i = x->first_task; i < x->first_task + x->ntask; i++) {
        const ExecutionStat *e = &s->execution[i];
        if (!e->has_run || e->io_wait_ns < 0)
            return -1;
        sum += e->io_wait_ns;
    }
    return x->ntask ? sum : -1;
}

/* Steps that overlap have nothing between them. */
void handoffs_gather(HandoffSamples *h, Arena *scratch, const TraceStats *s, const InferenceStat *x)
{
    int64_t sum[SIDE_COUNT][SIDE_COUNT] = {0}, n[SIDE_COUNT][SIDE_COUNT] = {0};
    Stay *stay;
    size_t nstay = stays_of(scratch, s, x, &stay);
    stay[nstay] = (Stay){x->start_ns + x->dur_ns, INT64_MAX, SIDE_EDGE};
    int64_t end = x->start_ns;
    Side before = SIDE_EDGE;
    for (size_t i = 0; i <= nstay; i++) {
        assert(i == 0 || i == nstay || stay[i].begin >= stay[i - 1].begin);
        if (stay[i].begin >= end) {
            sum[before][stay[i].side] += stay[i].begin - end;
            n[before][stay[i].side]++;
        }
        if (stay[i].end > end) {
            end = stay[i].end;
            before = stay[i].side;
        }
    }
    for (int i = 0; i < SIDE_COUNT; i++)
        for (int k = 0; k < SIDE_COUNT; k++)
            if (n[i][k] && h->count[i][k] < h->capacity)
                h->value[i][k][h->count[i][k]++] = sum[i][k] / n[i][k];
    if (h->nsubmit < h->capacity)
        h->submit[h->nsubmit++] = submit_ns(s, x);
    int64_t launch = launch_ns(s, x);
    if (launch >= 0 && h->nlaunch < h->capacity)
        h->launch[h->nlaunch++] = launch;
}

Handoffs handoffs_close(HandoffSamples *h)
{
    Handoffs r = {.submit_ns = (double)measured_of(h->submit, h->nsubmit).median_ns,
                  .launch_ns = -1};
    if (h->nlaunch)
        r.launch_ns = (double)measured_of(h->launch, h->nlaunch).median_ns;
    for (int i = 0; i < SIDE_COUNT; i++)
        for (int k = 0; k < SIDE_COUNT; k++) {
            r.known[i][k] = h->count[i][k] > 0;
            r.ns[i][k] = (double)measured_of(h->value[i][k], h->count[i][k]).median_ns;
        }
    return r;
}

static Side side_of_step(const Step *s)
{
    static const Side side[] = {[STEP_HOST] = SIDE_HOST,
                                [STEP_H2D] = SIDE_H2D,
                                [STEP_NPU] = SIDE_NPU,
                                [STEP_D2H] = SIDE_D2H};
    static_assert(sizeof side / sizeof *side == STEP_D2H + 1, "a side for each kind of step");
    assert((size_t)s->kind < sizeof side / sizeof *side);
    return side[s->kind];
}

/* Sides on both ends of hand-off i of the program's nstep + 1. */
static Side side_before(const Program *p, size_t i)
{
    return i ? side_of_step(&p->step[i - 1]) : SIDE_EDGE;
}

static Side side_after(const Program *p, size_t i)
{
    return i < p->nstep ? side_of_step(&p->step[i]) : SIDE_EDGE;
}

bool handoffs_cover(const Handoffs *h, const Program *p)
{
    for (size_t i = 0; i <= p->nstep; i++)
        if (!h->known[side_before(p, i)][side_after(p, i)])
            return false;
    return p->nstep > 0;
}

/* Mean of the known ones before a side; before any, for SIDE_COUNT. */
static double mean_before(const Handoffs *h, Side after, double most)
{
    double sum = 0, n = 0;
    for (int i = SIDE_HOST; i < SIDE_COUNT; i++)
        for (int k = 0; k < SIDE_COUNT; k++)
            if (h->known[i][k] && (after == SIDE_COUNT || k == (int)after)) {
                sum += fmin(h->ns[i][k], most);
                n++;
            }
    return n > 0 ? sum / n : -1;
}

static double handoff_ns(const Handoffs *h, Side before, Side after, double most)
{
    if (h->known[before][after])
        return fmin(h->ns[before][after], most);
    if (before == SIDE_EDGE)
        return 0; /* no hand-off precedes the first step */
    double like = mean_before(h, after, most);
    return like >= 0 ? like : fmax(0, mean_before(h, SIDE_COUNT, most));
}

double handoffs_sum_ns(const Handoffs *h, const Program *p, double most)
{
    return LIST_SUM(double, i, p->nstep + 1,
                    handoff_ns(h, side_before(p, i), side_after(p, i), most));
}

void handoffs_without(Handoffs *h, const Program *p, double waiting_ns)
{
    assert(waiting_ns >= 0);
    double tasks = LIST_SUM(double, i, p->nstep, p->step[i].kind == STEP_NPU);
    for (int i = 0; i < SIDE_COUNT && tasks > 0; i++)
        h->ns[i][SIDE_NPU] = fmax(0, h->ns[i][SIDE_NPU] - waiting_ns / tasks);
}
