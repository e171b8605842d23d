/* Handles the events of requests and workers. */
#include "npu_exec/sim/npu.h"

static Station *first_station(Sim *s, const Job *j, StageKind kind)
{
    return kind == STAGE_HOST ? &s->cores : &s->device[j->device].io;
}

static Station *link_of(Sim *s, const Job *j, StageKind kind)
{
    return &s->device[j->device].link[kind == STAGE_READ];
}

static int64_t permille_of(int64_t x, int64_t milli_permille)
{
    return i64_mul_div(x, milli_permille, 1000 * 1000);
}

/* What of a host operator went by while the tasks before it were at work: its share of what may. */
static Ps beside_tasks(const Sim *s, Job *j, const Stage *g)
{
    if (g->kind != STAGE_HOST || g->measured)
        return 0;
    Ps whole = sim_host_time(s, j, g), most = permille_of(whole, s->silicon->beside_most);
    Ps saved = i64_min(i64_min(most, whole), i64_mul_div(j->beside, g->service, g->host_left));
    j->beside -= saved;
    return saved;
}

/* The job has a core or an I/O thread. */
static void begin_service(Sim *s, uint32_t job, uint32_t server)
{
    Job *j = &s->job[job];
    const Stage *g = sim_stage(s, j);
    bool transfer = g->kind == STAGE_WRITE || g->kind == STAGE_READ;
    j->stage_begin[j->at] = s->heap.now;
    j->server[j->at] = server;
    event_put(&s->heap, s->heap.now + sim_host_time(s, j, g) - beside_tasks(s, j, g), 0,
              transfer ? EVENT_SETUP : EVENT_STAGE, job);
}

static void begin_wire(Sim *s, uint32_t job)
{
    event_put(&s->heap, s->heap.now + sim_stage(s, &s->job[job])->wire, 0, EVENT_STAGE, job);
}

static void enter_stage(Sim *s, uint32_t job)
{
    Job *j = &s->job[job];
    const Stage *g = sim_stage(s, j);
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
    if (station_enter(link_of(s, j, sim_stage(s, j)->kind), job, s->heap.now) != ID_NONE)
        begin_wire(s, job);
}

/* Gives the stations back and lets those who wait go on. */
static void release_stations(Sim *s, uint32_t job)
{
    const Job *j = &s->job[job];
    const Stage *g = sim_stage(s, j);
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
    bool queued = s->o.arrivals != ARRIVALS_CLOSED || application_queues(s);
    return queued ? s->taken < s->arrived : application_asks(s, s->taken);
}

/* The lane with the fewest requests in flight; the lowest of equals. */
static uint32_t min_loaded_lane(const Sim *s)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < s->nlane; i++)
        if (s->lane[i].load < s->lane[best].load)
            best = i;
    return best;
}

static void begin_request(Sim *s, uint32_t worker)
{
    Job *j = &s->job[worker];
    count_in_flight(s, 1);
    j->with = s->in_flight;
    j->stream = min_loaded_lane(s);
    j->device = s->lane[j->stream].device;
    s->lane[j->stream].load++;
    j->at = 0;
    j->begin = s->heap.now;
    j->submitted = s->o.arrivals == ARRIVALS_CLOSED ? j->begin : s->arrival[j->request];
    j->beside = 0;
    j->warm = sim_warm_factor(s, j->request);
    if (j->request == s->o.warmup)
        s->first_begin = j->begin;
    enter_stage(s, worker);
}

static void take_request(Sim *s, uint32_t worker)
{
    s->working[worker] = true;
    s->job[worker].request = s->taken++;
    if (!application_holds(s, worker))
        begin_request(s, worker);
}

static void finish_request(Sim *s, uint32_t worker)
{
    Job *j = &s->job[worker];
    j->end = s->heap.now;
    s->lane[j->stream].load--;
    count_in_flight(s, -1);
    j->left = s->in_flight;
    s->completed++;
    if (j->request >= s->o.warmup) {
        SimResult *r = &s->result;
        *VEC_PUSH(s->arena, r->latency, r->nlatency, r->latency_cap) = j->end - j->submitted;
        s->last_end = j->end;
    }
    if (s->sink.job)
        s->sink.job(s->sink.user, j);
}

static void free_worker(Sim *s, uint32_t worker)
{
    s->working[worker] = false;
    if (has_waiting_request(s))
        take_request(s, worker);
    application_prepare(s);
}

static bool take_idle(Sim *s)
{
    uint32_t worker = LIST_INDEX(i, s->o.workers, !s->working[i]);
    if (worker < s->o.workers)
        take_request(s, worker);
    return worker < s->o.workers;
}

static void stage_done(Sim *s, uint32_t job)
{
    Job *j = &s->job[job];
    j->stage_end[j->at] = s->heap.now;
    if (++j->at < s->plan->nstage) {
        const Stage *g = sim_stage(s, j);
        if (g->handoff)
            event_put(&s->heap, s->heap.now + sim_handoff_time(s, j, g), 0, EVENT_HANDOFF, job);
        else
            enter_stage(s, job);
        return;
    }
    finish_request(s, job);
    if (application_takes(s, job))
        free_worker(s, job);
}

static void stage_event(Sim *s, uint32_t job)
{
    release_stations(s, job);
    stage_done(s, job);
}

static void task_event(Sim *s, uint32_t lane)
{
    Job *j = &s->job[npu_committed(s, lane)];
    const TaskRun *run = &j->task[sim_stage(s, j)->task];
    j->beside += permille_of(run->end - run->begin, s->silicon->beside_task);
    stage_done(s, j->worker);
}

static void on_prepared(Sim *s, uint32_t caller)
{
    application_prepared(s, caller);
    if (s->o.blocking) {
        begin_request(s, caller);
        return;
    }
    (void)take_idle(s);
    application_prepare(s);
}

static void on_received(Sim *s, uint32_t caller)
{
    uint32_t worker = application_received(s, caller);
    if (worker != ID_NONE)
        free_worker(s, worker);
}

static void on_arrival(Sim *s, uint32_t nothing)
{
    (void)nothing;
    uint64_t waiting = s->arrived - s->taken;
    s->arrived++;
    if (!take_idle(s)) {
        s->result.queue_blocked += waiting >= s->o.input_queue;
        uint64_t queued = waiting + 1 < s->o.input_queue ? waiting + 1 : s->o.input_queue;
        if (queued > s->result.queue_longest)
            s->result.queue_longest = (uint32_t)queued;
    }
    if (s->arrived < s->total)
        event_put(&s->heap, i64_max(s->arrival[s->arrived], s->heap.now), 0, EVENT_ARRIVE, 0);
}

static void handle_event(Sim *s, const SimEvent *e)
{
    if (e->kind < EVENT_LAUNCHED)
        npu_engine(s, e->arg, (Engine)(e->kind - EVENT_ENGINE));
    else if (e->kind >= EVENT_DRAM)
        npu_dram(s, e->kind - EVENT_DRAM, e->arg);
    else {
        static void (*const handler[])(Sim *, uint32_t) = {npu_launched, npu_recurred, task_event,
                                                           setup_done,   stage_event,  enter_stage,
                                                           on_arrival,   on_prepared,  on_received};
        handler[e->kind - EVENT_LAUNCHED](s, e->arg);
    }
}

void sim_submit(Sim *s, uint64_t n)
{
    s->total += n;
    assert(s->o.arrivals == ARRIVALS_CLOSED && s->total <= s->o.runs + s->o.warmup);
    for (uint32_t w = 0; w < s->o.workers && has_waiting_request(s); w++)
        if (!s->working[w])
            take_request(s, w);
    application_prepare(s);
}

Ps sim_now(const Sim *s)
{
    return s->heap.now;
}

Status sim_advance(Sim *s, uint64_t completed, Diag *diag)
{
    for (SimEvent e; s->completed < completed && event_take(&s->heap, &e);) {
        if (s->heap.now > PS_END)
            return diag_set(diag, STATUS_INPUT, s->plan->program->model->path, NULL,
                            "simulated time runs past %lld days; ask for fewer runs",
                            (long long)(PS_END / PS_PER_S / 86400));
        handle_event(s, &e);
    }
    return STATUS_OK;
}

Status sim_run(Arena *a, const RunPlan *plan, const SimOptions *o, const SimSink *sink,
               SimResult *ret, Diag *diag)
{
    Sim *s;
    Status st = sim_create(a, plan, o, sink, &s, diag);
    if (st)
        return st;
    if (o->arrivals == ARRIVALS_CLOSED)
        sim_submit(s, o->runs + o->warmup);
    st = sim_advance(s, o->runs + o->warmup, diag);
    if (!st)
        sim_result(s, ret);
    return st;
}
