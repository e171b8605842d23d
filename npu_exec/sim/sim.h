/* Simulates requests through the runtime and the NPU, as discrete events in picoseconds.
 *
 * N workers each carry one request at a time through the stages of a RunPlan.  They share the host
 * cores and, per device, the I/O threads, the link in both directions and the DRAM channel; every
 * PE (or fused pair) has a task queue in order.  A worker takes its next request from a bounded
 * input queue, which a client keeps full (closed loop) or fills at a rate (open loop), and leaves
 * its result in a bounded output queue: while that is full, it takes no other. */
#pragma once

#include "graph/base/random.h"
#include "npu_exec/sim/stream.h"
#include "npu_exec/sim/host.h"
#include "npu_exec/sim/queue.h"

enum { SIM_MAX_WORKERS = 4096, SIM_MAX_RUNS = 10000000 };

typedef enum { ARRIVALS_CLOSED, ARRIVALS_FIXED, ARRIVALS_POISSON } ArrivalProcess;

typedef struct {
    uint64_t runs, warmup; /* requests recorded, and requests before them */
    uint32_t workers;
    uint32_t io_threads;   /* per device */
    uint32_t input_queue;  /* requests that may wait for a worker; 0: as many as workers */
    uint32_t output_queue; /* results that may wait for the application; 0: as many as workers */
    Ps submit;  /* closed loop: the application's time before each request, one after the other,
                   or by each caller that blocks; 0: there is always one waiting */
    Ps receive; /* … and per result, likewise, beside it; 0: it never keeps a worker waiting */
    ArrivalProcess arrivals;
    Ps interval; /* mean time between arrivals of the open loop; 0: all at once */
    Ps duration; /* closed loop: no new request after it; 0: no limit */
    uint64_t seed;
    bool noise;
    bool blocking;             /* the application blocks in run(), instead of a queue */
    bool profiling;            /* the profiler is on: longer host spans and hand-offs … */
    int64_t overhead_permille; /* … by so much; < 0: as the silicon says */
    bool recurrence;           /* tasks by recurrence: faster, no contention for DRAM */
} SimOptions;

void sim_options_init(SimOptions *o);

/* One NPU execution of a request. */
typedef struct {
    Ps begin, end; /* the Task span */
    uint32_t stream;
    uint32_t waiting;  /* tasks after it when it began */
    Ps *retired_at;    /* per entry of the plan */
    int64_t *moved_at; /* bytes to and from DRAM up to then; 0 under recurrence */
} TaskRun;

/* A request in the hands of a worker. */
typedef struct {
    uint64_t request; /* from 0, warm-up included */
    uint32_t worker;
    uint32_t device, stream;
    uint32_t with,
        left;      /* requests in the system when it began, itself included; when it had ended */
    uint32_t at;   /* stage being done */
    Ps submitted;  /* into the input queue */
    Ps begin, end; /* the Inference span */
    int64_t warm;  /* factor of host time, of NOISE_ONE */
    Ps beside;     /* host work that its tasks so far leave room for */
    Ps *stage_begin, *stage_end;
    uint32_t *server; /* per stage: core or I/O thread */
    TaskRun *task;
} Job;

/* Called once per request, when it is complete, warm-up requests included. */
typedef void (*JobSink)(void *user, const Job *job);

typedef enum { APPLICATION_BEFORE, APPLICATION_AFTER } ApplicationWork;
/* Called when the application is done with the work around one request after the warm-up; `caller`
 * is the worker that blocking calls belong to, else 0. */
typedef void (*ApplicationSink)(void *user, ApplicationWork what, uint32_t caller, Ps begin,
                                Ps end);

/* Who watches; any may be NULL. */
typedef struct {
    JobSink job;
    ApplicationSink application;
    void *user;
} SimSink;

typedef struct {
    uint64_t submitted, completed; /* requests */
    uint64_t events;
    Ps duration; /* of the recorded part: first begin to last end */
    Ps total;    /* of everything */
    Ps *latency; /* recorded requests in order of completion, submission to end */
    size_t nlatency, latency_cap;
    Ps in_system;          /* integral over time of the requests begun and not done */
    Ps npu_total, npu_run; /* tasks of recorded requests: their spans; their operators alone */
    Ps *stream_busy;       /* per PE or fused pair */
    uint32_t nstream;
    Ps engine_busy[ENGINE_COUNT]; /* summed over streams; 0 under recurrence */
    Ps core_busy, io_busy, link_busy[2];
    Ps dram_busy;
    uint32_t queue_longest;  /* of the input queue */
    uint64_t queue_blocked;  /* submissions that had to wait for room */
    uint32_t output_longest; /* of the output queue */
    uint64_t output_blocked; /* results that found it full: their workers waited */
} SimResult;

typedef struct Sim Sim;

/* A simulation at time 0 with nothing to do; lives in `a`.  `sink` NULL: no observer.
 * STATUS_UNDECIDED for a plan without stages. */
Status sim_create(Arena *a, const RunPlan *plan, const SimOptions *o, const SimSink *sink,
                  Sim **ret, Diag *diag);

/* Closed loop: `n` more requests for whichever worker is free, up to o->runs + o->warmup in all. */
void sim_submit(Sim *s, uint64_t n);

/* Runs until `completed` requests are done or nothing is left to do.  STATUS_INPUT when simulated
 * time runs past PS_END. */
Status sim_advance(Sim *s, uint64_t completed, Diag *diag);

Ps sim_now(const Sim *s);

/* The figures up to now. */
void sim_result(Sim *s, SimResult *ret);

/* All of it: create, submit, run to the end. */
Status sim_run(Arena *a, const RunPlan *plan, const SimOptions *o, const SimSink *sink,
               SimResult *ret, Diag *diag);
