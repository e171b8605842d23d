/* Requests and workers. */
#include "npu_exec/sim_state.h"

#include "npu_exec/noise.h"

#include <assert.h>

enum { MILLI = 1000, PPM = 1000000, WARM_REQUESTS = 64, RUNTIME_SDK = 10 };

void sim_options_init(SimOptions *o)
{
    *o = (SimOptions){.runs = 1, .workers = 1, .io_threads = 2, .seed = 1, .noise = true};
}

int64_t sim_noise(const Sim *s, const Job *j, const Stage *g, uint64_t draw, int64_t sigma_ppm)
{
    return noise_factor(s->o.seed, g->noise_key, j->request, draw, s->o.noise ? sigma_ppm : 0);
}

/* Host parts of the first requests take longer: caches, pages and clocks warm up. */
static int64_t warm_factor(const Sim *s, uint64_t request)
{
    int64_t extra = i64_mul_div(NOISE_ONE, s->silicon->warmup_extra, MILLI * MILLI);
    for (uint64_t i = 0; i < request && i < WARM_REQUESTS && extra > 0; i++)
        extra = i64_mul_div(extra, s->silicon->warmup_keep, MILLI * MILLI);
    return NOISE_ONE + extra;
}

/* Work of the host, with noise, warm-up, profiler and, for operators, the odd preemption. */
static Ps host_time(const Sim *s, const Job *j, const Stage *g)
{
    Ps t = noise_apply(g->service, sim_noise(s, j, g, DRAW_SERVICE, g->sigma_ppm));
    t = noise_apply(t, j->warm);
    if (s->o.profiling)
        t = ps_service(i64_mul_div(t, s->silicon->profiler_stretch, MILLI * MILLI));
    if (g->kind == STAGE_HOST && s->o.noise) {
        uint64_t bits = random_bits(s->o.seed, g->noise_key, j->request, DRAW_OUTLIER);
        if ((int64_t)random_below(bits, PPM) < s->silicon->outlier_share / MILLI)
            t = ps_service(i64_mul_div(t, s->silicon->outlier_stretch, MILLI * MILLI));
    }
    return t;
}

static Ps handoff_time(const Sim *s, const Job *j, const Stage *g)
{
    const Silicon *si = s->silicon;
    int64_t milli_us = s->o.profiling ? si->handoff_profiled : si->handoff;
    if (s->o.blocking && s->plan->program->options.sdk >= RUNTIME_SDK)
        milli_us = i64_add(milli_us, si->handoff_sync);
    Ps t = ps_service(i64_mul(milli_us, PS_PER_US / MILLI));
    t = noise_apply(t, sim_noise(s, j, g, DRAW_HANDOFF, si->handoff_sigma / MILLI));
    return noise_apply(t, j->warm);
}

static const Stage *stage_at(const Sim *s, const Job *j)
{
    return &s->plan->stage[j->at];
}

static Station *first_station(Sim *s, const Job *j, StageKind kind)
{
    return kind == STAGE_HOST ? &s->cores : &s->device[j->device].io;
}

static Station *link_of(Sim *s, const Job *j, StageKind kind)
{
    return &s->device[j->device].link[kind == STAGE_READ];
}

/* The job has a core or an I/O thread. */
static void begin_service(Sim *s, uint32_t job, uint32_t server)
{
    Job *j = &s->job[job];
    const Stage *g = stage_at(s, j);
    bool transfer = g->kind == STAGE_WRITE || g->kind == STAGE_READ;
    j->stage_begin[j->at] = s->heap.now;
    j->server[j->at] = server;
    event_put(&s->heap, s->heap.now + host_time(s, j, g), 0, transfer ? EVENT_SETUP : EVENT_STAGE,
              job);
}

static void begin_wire(Sim *s, uint32_t job)
{
    event_put(&s->heap, s->heap.now + stage_at(s, &s->job[job])->wire, 0, EVENT_STAGE, job);
}

static void enter_stage(Sim *s, uint32_t job)
{
    Job *j = &s->job[job];
    const Stage *g = stage_at(s, j);
    if (g->kind == STAGE_TASK) {
        npu_submit(s, job);
        return;
    }
    uint32_t server = station_enter(first_station(s, j, g->kind), job, s->heap.now);
    if (server != ID_NONE)
        begin_service(s, job, server);
}

static void setup_done(Sim *s, uint32_t job)
{
    const Job *j = &s->job[job];
    if (station_enter(link_of(s, j, stage_at(s, j)->kind), job, s->heap.now) != ID_NONE)
        begin_wire(s, job);
}

/* Gives the stations back and lets those who wait go on. */
static void leave_stations(Sim *s, uint32_t job)
{
    const Job *j = &s->job[job];
    const Stage *g = stage_at(s, j);
    if (g->kind == STAGE_WRITE || g->kind == STAGE_READ) {
        uint32_t next = station_leave(link_of(s, j, g->kind), job, s->heap.now);
        if (next != ID_NONE)
            begin_wire(s, next);
    }
    Station *first = first_station(s, j, g->kind);
    uint32_t server = station_server_of(first, job);
    uint32_t next = station_leave(first, job, s->heap.now);
    if (next != ID_NONE)
        begin_service(s, next, server);
}

/* The integral of the requests in the system, kept apart from their latencies. */
static void count_in_flight(Sim *s, int32_t change)
{
    s->result.in_system += (s->heap.now - s->in_flight_since) * (Ps)s->in_flight;
    s->in_flight_since = s->heap.now;
    s->in_flight += (uint32_t)change;
}

static bool has_waiting_request(const Sim *s)
{
    if (s->o.arrivals != ARRIVALS_CLOSED)
        return s->taken < s->arrived;
    bool over = s->o.duration > 0 && s->taken > s->o.warmup &&
                s->heap.now - s->first_begin >= s->o.duration;
    return s->taken < s->total && !over;
}

/* The lane with the fewest requests in flight; the lowest of equals. */
static uint32_t least_loaded(const Sim *s)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < s->nlane; i++)
        if (s->lane[i].load < s->lane[best].load)
            best = i;
    return best;
}

static void take_request(Sim *s, uint32_t worker)
{
    Job *j = &s->job[worker];
    s->working[worker] = true;
    count_in_flight(s, 1);
    j->with = s->in_flight;
    j->request = s->taken++;
    j->stream = least_loaded(s);
    j->device = s->lane[j->stream].device;
    s->lane[j->stream].load++;
    j->at = 0;
    j->begin = s->heap.now;
    j->submitted = s->o.arrivals == ARRIVALS_CLOSED ? j->begin : s->arrival[j->request];
    j->warm = warm_factor(s, j->request);
    if (j->request == s->o.warmup)
        s->first_begin = j->begin;
    enter_stage(s, worker);
}

static void finish_request(Sim *s, uint32_t worker)
{
    Job *j = &s->job[worker];
    j->end = s->heap.now;
    s->lane[j->stream].load--;
    count_in_flight(s, -1);
    j->left = s->in_flight;
    s->completed++;
    s->working[worker] = false;
    if (j->request >= s->o.warmup) {
        SimResult *r = &s->result;
        *VEC_PUSH(s->arena, r->latency, r->nlatency, r->latency_cap) = j->end - j->submitted;
        s->last_end = j->end;
    }
    if (s->sink)
        s->sink(s->user, j);
}

void sim_stage_done(Sim *s, uint32_t job)
{
    Job *j = &s->job[job];
    j->stage_end[j->at] = s->heap.now;
    if (++j->at < s->plan->nstage) {
        const Stage *g = stage_at(s, j);
        if (g->handoff)
            event_put(&s->heap, s->heap.now + handoff_time(s, j, g), 0, EVENT_HANDOFF, job);
        else
            enter_stage(s, job);
        return;
    }
    finish_request(s, job);
    if (has_waiting_request(s))
        take_request(s, job);
}

static void stage_event(Sim *s, uint32_t job)
{
    leave_stations(s, job);
    sim_stage_done(s, job);
}

static void arrive(Sim *s)
{
    uint64_t waiting = s->arrived - s->taken;
    s->arrived++;
    uint32_t worker = 0;
    while (worker < s->o.workers && s->working[worker])
        worker++;
    if (worker < s->o.workers) {
        take_request(s, worker);
    } else {
        s->result.queue_blocked += waiting >= s->o.input_queue;
        uint64_t queued = waiting + 1 < s->o.input_queue ? waiting + 1 : s->o.input_queue;
        if (queued > s->result.queue_longest)
            s->result.queue_longest = (uint32_t)queued;
    }
    if (s->arrived < s->total)
        event_put(&s->heap, i64_max(s->arrival[s->arrived], s->heap.now), 0, EVENT_ARRIVE, 0);
}

static void handle(Sim *s, const Event *e)
{
    if (e->kind < EVENT_LAUNCHED)
        npu_engine(s, e->arg, (Engine)(e->kind - EVENT_ENGINE));
    else if (e->kind >= EVENT_DRAM)
        npu_dram(s, e->kind - EVENT_DRAM, e->arg);
    else {
        static void (*const handler[])(Sim *, uint32_t) = {
            npu_launched, npu_recurred, npu_committed, setup_done, stage_event, enter_stage};
        if (e->kind == EVENT_ARRIVE)
            arrive(s);
        else
            handler[e->kind - EVENT_LAUNCHED](s, e->arg);
    }
}

static void init_jobs(Sim *s)
{
    const RunPlan *p = s->plan;
    s->job = ARENA_ARRAY(s->arena, Job, s->o.workers);
    s->working = ARENA_ARRAY(s->arena, bool, s->o.workers);
    for (uint32_t w = 0; w < s->o.workers; w++) {
        Job *j = &s->job[w];
        j->worker = w;
        j->stage_begin = ARENA_ARRAY(s->arena, Ps, p->nstage);
        j->stage_end = ARENA_ARRAY(s->arena, Ps, p->nstage);
        j->server = ARENA_ARRAY(s->arena, uint32_t, p->nstage);
        j->task = ARENA_ARRAY(s->arena, TaskRun, p->ntask);
        for (uint32_t t = 0; t < p->ntask; t++)
            j->task[t].retired_at = ARENA_ARRAY(s->arena, Ps, p->task[t]->nentry);
    }
}

static void init_device(Sim *s, Device *d)
{
    dram_init(&d->dram, s->silicon);
    station_init(&d->io, s->arena, s->o.io_threads, s->o.workers);
    station_init(&d->link[0], s->arena, 1, s->o.workers);
    station_init(&d->link[1], s->arena, 1, s->o.workers);
}

static void init_devices(Sim *s)
{
    const DeviceSet *set = &s->plan->devices;
    s->nlane = set->nlane;
    s->device = ARENA_ARRAY(s->arena, Device, set->ndevice);
    s->lane = ARENA_ARRAY(s->arena, Lane, s->nlane);
    for (uint32_t d = 0; d < set->ndevice; d++)
        init_device(s, &s->device[d]);
    for (uint32_t i = 0; i < s->nlane; i++) {
        Lane *l = &s->lane[i];
        l->device = set->lane[i].device;
        l->job = ID_NONE;
        fifo_init(&l->waiting, s->arena, s->o.workers);
        Device *d = &s->device[l->device];
        d->lane_of[set->lane[i].pe] = i;
        stream_init(&l->engines, &s->heap, &d->dram, set->lane[i].pe, EVENT_ENGINE, i);
    }
    int cores = s->plan->program->options.host_cores;
    station_init(&s->cores, s->arena, (uint32_t)i64_max(1, i64_min(cores, s->o.workers)),
                 s->o.workers);
}

static void init_recurrences(Sim *s)
{
    const RunPlan *p = s->plan;
    s->recurred = ARENA_ARRAY(s->arena, Ps *, p->ntask);
    for (uint32_t t = 0; s->o.recurrence && t < p->ntask; t++) {
        s->recurred[t] = ARENA_ARRAY(s->arena, Ps, p->task[t]->nentry);
        recurrence(p->task[t], s->recurred[t]);
    }
}

/* Times of the open loop, fixed or with exponential gaps. */
static void init_arrivals(Sim *s)
{
    s->arrival = ARENA_ARRAY(s->arena, Ps, s->total);
    Ps at = 0;
    for (uint64_t i = 0; i < s->total; i++) {
        s->arrival[i] = at;
        uint64_t bits = random_bits(s->o.seed, HASH_SEED, i, 0);
        int64_t gap = s->o.arrivals == ARRIVALS_FIXED ? NOISE_ONE : noise_exponential(bits);
        at = i64_add(at, i64_mul_div(s->o.interval, gap, NOISE_ONE));
    }
}

void sim_result(Sim *s, SimResult *ret)
{
    SimResult *r = &s->result;
    r->submitted = s->taken;
    r->completed = s->completed;
    r->events = s->heap.sequence;
    r->duration = s->last_end - s->first_begin;
    r->total = s->heap.now;
    r->nstream = s->nlane;
    for (int e = 0; e < ENGINE_COUNT; e++)
        r->engine_busy[e] = 0;
    for (uint32_t i = 0; i < s->nlane; i++) {
        r->stream_busy[i] = s->lane[i].busy;
        for (int e = 0; e < ENGINE_COUNT; e++)
            r->engine_busy[e] += s->lane[i].engines.busy_time[e];
    }
    r->core_busy = s->cores.busy;
    r->io_busy = r->link_busy[0] = r->link_busy[1] = r->dram_busy = 0;
    for (uint32_t d = 0; d < s->plan->devices.ndevice; d++) {
        r->io_busy += s->device[d].io.busy;
        r->link_busy[0] += s->device[d].link[0].busy;
        r->link_busy[1] += s->device[d].link[1].busy;
        r->dram_busy += s->device[d].dram.busy;
    }
    *ret = *r;
}

Status sim_create(Arena *a, const RunPlan *plan, const SimOptions *o, JobSink sink, void *user,
                  Sim **ret, Diag *diag)
{
    if (plan->nstage == 0)
        return diag_set(diag, STATUS_UNDECIDED, plan->program->model->path, NULL,
                        "nothing to run: every output is an input or a constant");
    Sim *s = ARENA_NEW(a, Sim);
    *s = (Sim){
        .arena = a, .plan = plan, .silicon = plan->silicon, .o = *o, .sink = sink, .user = user};
    if (s->o.input_queue == 0)
        s->o.input_queue = o->workers;
    assert(plan->silicon->pe_count <= DRAM_MAX_REQUESTS);
    event_heap_init(&s->heap, a);
    init_jobs(s);
    init_devices(s);
    init_recurrences(s);
    s->result.stream_busy = ARENA_ARRAY(a, Ps, s->nlane);
    if (o->arrivals != ARRIVALS_CLOSED) {
        s->total = o->runs + o->warmup;
        init_arrivals(s);
        event_put(&s->heap, s->arrival[0], 0, EVENT_ARRIVE, 0);
    }
    *ret = s;
    return STATUS_OK;
}

void sim_submit(Sim *s, uint64_t n)
{
    s->total += n;
    assert(s->o.arrivals == ARRIVALS_CLOSED && s->total <= s->o.runs + s->o.warmup);
    for (uint32_t w = 0; w < s->o.workers && has_waiting_request(s); w++)
        if (!s->working[w])
            take_request(s, w);
}

Ps sim_now(const Sim *s)
{
    return s->heap.now;
}

Status sim_advance(Sim *s, uint64_t completed, Diag *diag)
{
    for (Event e; s->completed < completed && event_take(&s->heap, &e);) {
        if (s->heap.now > PS_END)
            return diag_set(diag, STATUS_INPUT, s->plan->program->model->path, NULL,
                            "simulated time runs past %lld days; ask for fewer runs",
                            (long long)(PS_END / PS_PER_S / 86400));
        handle(s, &e);
    }
    return STATUS_OK;
}

Status sim_run(Arena *a, const RunPlan *plan, const SimOptions *o, JobSink sink, void *user,
               SimResult *ret, Diag *diag)
{
    Sim *s;
    Status st = sim_create(a, plan, o, sink, user, &s, diag);
    if (st)
        return st;
    if (o->arrivals == ARRIVALS_CLOSED)
        sim_submit(s, o->runs + o->warmup);
    st = sim_advance(s, o->runs + o->warmup, diag);
    if (!st)
        sim_result(s, ret);
    return st;
}
