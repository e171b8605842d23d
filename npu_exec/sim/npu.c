/* Moves tasks through queue, launch, engines and commit. */
#include "npu_exec/sim/npu.h"
#include "npu_exec/sim/noise.h"

static TaskRun *run_of(const Sim *s, const Job *j)
{
    assert(sim_stage(s, j)->task < s->plan->ntask);
    return &j->task[sim_stage(s, j)->task];
}

static const TaskPlan *plan_of(const Sim *s, const Job *j)
{
    return s->plan->task[sim_stage(s, j)->task];
}

/* Launch, and a wait for the DRAM's refresh that depends on nothing. */
static Ps launch_time(const Sim *s, const Job *j)
{
    Ps t = plan_of(s, j)->launch;
    if (!s->o.noise || s->silicon->dram_phase == 0)
        return t;
    uint64_t bits = random_bits(s->o.seed, sim_stage(s, j)->noise_key, j->request, DRAW_PHASE);
    return t + (Ps)random_below(bits, (uint64_t)s->silicon->dram_phase + 1);
}

static void start_task(Sim *s, uint32_t lane, uint32_t job)
{
    Lane *l = &s->lane[lane];
    Job *j = &s->job[job];
    assert(l->job == ID_NONE);
    l->job = job;
    run_of(s, j)->begin = s->heap.now;
    run_of(s, j)->stream = lane;
    run_of(s, j)->waiting = l->waiting.count;
    j->stage_begin[j->at] = s->heap.now;
    event_put(&s->heap, s->heap.now + launch_time(s, j), 0, EVENT_LAUNCHED, lane);
}

void npu_submit(Sim *s, uint32_t job)
{
    Lane *l = &s->lane[s->job[job].stream];
    if (l->job == ID_NONE) {
        start_task(s, s->job[job].stream, job);
    } else {
        bool room = fifo_put(&l->waiting, job); /* as many places as workers */
        assert(room);
        (void)room;
    }
}

/* Retired: only the completion word is still on its way to the host. */
static void on_retired(Sim *s, uint32_t lane)
{
    const Job *j = &s->job[s->lane[lane].job];
    const Stage *g = sim_stage(s, j);
    int64_t factor = sim_noise(s, j, g, DRAW_COMMIT, g->sigma_ppm);
    event_put(&s->heap, s->heap.now + noise_apply(plan_of(s, j)->commit, factor), 0,
              EVENT_COMMITTED, lane);
}

/* Tells the heap when the channel is done next, if that changed. */
static void schedule_dram(Sim *s, uint32_t device, uint32_t generation_before)
{
    const Dram *d = &s->device[device].dram;
    Ps at = 0;
    if (d->generation != generation_before && dram_next(d, &at))
        event_put(&s->heap, at, 0, EVENT_DRAM + device, d->generation);
}

void npu_launched(Sim *s, uint32_t lane)
{
    Lane *l = &s->lane[lane];
    const Job *j = &s->job[l->job];
    const TaskPlan *plan = plan_of(s, j);
    l->launched = s->heap.now;
    if (s->o.recurrence) {
        const Ps *at = s->recurred[sim_stage(s, j)->task];
        event_put(&s->heap, s->heap.now + at[plan->nentry - 1], 0, EVENT_RECURRED, lane);
        return;
    }
    uint32_t generation = s->device[l->device].dram.generation;
    stream_start(&l->engines, plan, run_of(s, j)->retired_at, run_of(s, j)->moved_at);
    schedule_dram(s, l->device, generation);
}

void npu_engine(Sim *s, uint32_t lane, Engine e)
{
    Lane *l = &s->lane[lane];
    uint32_t generation = s->device[l->device].dram.generation;
    if (stream_done(&l->engines, e))
        on_retired(s, lane);
    schedule_dram(s, l->device, generation);
}

void npu_dram(Sim *s, uint32_t device, uint32_t generation)
{
    Dram *d = &s->device[device].dram;
    if (d->generation != generation)
        return; /* a requester joined or left since: another event replaces it */
    int who = dram_finish(d, s->heap.now);
    assert(who >= 0); /* the channel announced this very moment */
    uint32_t lane = s->device[device].lane_of[who];
    if (stream_done(&s->lane[lane].engines, ENGINE_DMA))
        on_retired(s, lane);
    schedule_dram(s, device, generation);
}

void npu_recurred(Sim *s, uint32_t lane)
{
    const Lane *l = &s->lane[lane];
    const Job *j = &s->job[l->job];
    const Ps *at = s->recurred[sim_stage(s, j)->task];
    Ps *retired_at = run_of(s, j)->retired_at;
    for (uint32_t i = 0; i < plan_of(s, j)->nentry; i++)
        retired_at[i] = l->launched + at[i];
    on_retired(s, lane);
}

uint32_t npu_committed(Sim *s, uint32_t lane)
{
    Lane *l = &s->lane[lane];
    uint32_t job = l->job;
    TaskRun *run = run_of(s, &s->job[job]);
    run->end = s->heap.now;
    l->busy += run->end - run->begin;
    if (s->job[job].request >= s->o.warmup) {
        const TaskPlan *plan = plan_of(s, &s->job[job]);
        s->result.npu_total += run->end - run->begin;
        s->result.npu_run += run->retired_at[plan->nentry - 2] - run->retired_at[0];
    }
    l->job = ID_NONE;
    uint32_t next = fifo_take(&l->waiting);
    if (next != ID_NONE)
        start_task(s, lane, next);
    return job;
}
