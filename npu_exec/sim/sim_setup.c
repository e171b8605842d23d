/* Builds a simulation before its first event, and reads its figures. */
#include "npu_exec/sim/noise.h"
#include "npu_exec/sim/recurrence.h"
#include "npu_exec/sim/sim_state.h"

void sim_options_init(SimOptions *o)
{
    *o = (SimOptions){.runs = 1,
                      .workers = 1,
                      .io_threads = 2,
                      .seed = 1,
                      .noise = true,
                      .overhead_permille = -1};
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
        for (uint32_t t = 0; t < p->ntask; t++) {
            j->task[t].retired_at = ARENA_ARRAY(s->arena, Ps, p->task[t]->nentry);
            j->task[t].moved_at = ARENA_ARRAY(s->arena, int64_t, p->task[t]->nentry);
        }
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

Status sim_create(Arena *a, const RunPlan *plan, const SimOptions *o, const SimSink *sink,
                  Sim **ret, Diag *diag)
{
    if (plan->nstage == 0)
        return diag_set(diag, STATUS_UNDECIDED, plan->program->model->path, NULL,
                        "nothing to run: every output is an input or a constant");
    Sim *s = ARENA_NEW(a, Sim);
    *s = (Sim){.arena = a, .plan = plan, .silicon = plan->silicon, .o = *o};
    if (sink)
        s->sink = *sink;
    if (s->o.input_queue == 0)
        s->o.input_queue = o->workers;
    if (s->o.output_queue == 0)
        s->o.output_queue = o->workers;
    fifo_init(&s->blocked, a, o->workers);
    assert(plan->silicon->pe_count <= DRAM_MAX_REQUESTS);
    s->heap.arena = a;
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
