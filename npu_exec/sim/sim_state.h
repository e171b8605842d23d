/* Holds the state of a running simulation for sim.c, sim_setup.c, sim_application.c, sim_time.c
 * and npu.c. */
#pragma once

#include "npu_exec/sim/sim.h"

typedef enum {
    EVENT_ENGINE = 0,                             /* + Engine, argument stream */
    EVENT_LAUNCHED = EVENT_ENGINE + ENGINE_COUNT, /* stream */
    EVENT_RECURRED,                               /* stream: a whole task is done */
    EVENT_COMMITTED,                              /* stream */
    EVENT_SETUP,                                  /* job: ready for the link */
    EVENT_STAGE,                                  /* job: the stage is done */
    EVENT_HANDOFF,                                /* job: may enter the next stage */
    EVENT_ARRIVE,                                 /* a request of the open loop */
    EVENT_PREPARED,                               /* the application is done with a request */
    EVENT_RECEIVED,                               /* … with a result; blocking: job, the caller */
    EVENT_DRAM                                    /* + device, argument generation */
} EventKind;

enum { DRAW_SERVICE, DRAW_OUTLIER, DRAW_HANDOFF, DRAW_COMMIT, DRAW_PHASE };

/* A PE, or two fused, and the tasks that wait for it. */
typedef struct {
    Stream engines;
    Fifo waiting; /* jobs */
    uint32_t job; /* ID_NONE: idle */
    uint32_t device;
    uint32_t load; /* requests in flight that use it */
    Ps launched;
    Ps busy;
} Lane;

typedef struct {
    Dram dram;
    Station io, link[2];                 /* link: to the device, from it */
    uint32_t lane_of[DRAM_MAX_REQUESTS]; /* per requester on the channel: its PE */
} Device;

struct Sim {
    Arena *arena;
    const RunPlan *plan;
    const Silicon *silicon;
    SimOptions o;
    EventHeap heap;
    Device *device;
    Lane *lane;
    uint32_t nlane;
    Station cores;
    bool preparing;    /* the application is busy with a request */
    bool receiving;    /* … with a result … */
    uint32_t results;  /* … and so many wait in the output queue */
    uint64_t received; /* results that it is done with */
    Fifo blocked;      /* workers whose result found it full */
    Job *job;          /* per worker */
    bool *working;
    Ps **recurred;    /* per task: retirement times by recurrence, or NULL */
    Ps *arrival;      /* open loop: per request */
    uint64_t total;   /* requests to run */
    uint64_t arrived; /* in the input queue, or through it */
    uint64_t taken, completed;
    uint32_t in_flight;
    Ps in_flight_since;
    Ps first_begin, last_end;
    SimSink sink;
    SimResult result;
};

/* Closed loop: whether the application asks once more after so many requests. */
bool application_asks(const Sim *s, uint64_t asked);
/* It prepares requests one after the other and leaves them in the input queue. */
bool application_queues(const Sim *s);
/* Begins the next request, unless one is being prepared or the queue is full. */
void application_prepare(Sim *s);
/* Blocking calls: the caller prepares the worker's request before it begins. */
bool application_holds(Sim *s, uint32_t worker);
/* The application is done with the next request. */
void application_prepared(Sim *s, uint32_t caller);
/* Takes the worker's result; false when the worker is held until it is done with another. */
bool application_takes(Sim *s, uint32_t worker);
/* It is done with a result; returns the worker that was held for it, or ID_NONE. */
uint32_t application_received(Sim *s, uint32_t caller);

/* A factor for the job's stage: lognormal noise, or 1 without noise. */
int64_t sim_noise(const Sim *s, const Job *j, const Stage *g, uint64_t draw, int64_t sigma_ppm);

/* Factor of the request's host parts, of NOISE_ONE: caches, pages and clocks warm up. */
int64_t sim_warm_factor(const Sim *s, uint64_t request);
/* Service of a host operator, a submit or a transfer's set-up; the hand-over before a stage. */
Ps sim_host_time(const Sim *s, const Job *j, const Stage *g);
Ps sim_handoff_time(const Sim *s, const Job *j, const Stage *g);

static inline const Stage *sim_stage(const Sim *s, const Job *j)
{
    return &s->plan->stage[j->at];
}
