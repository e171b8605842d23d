/* Predicts the times of steps and low-level operators, and the objective, as intervals. */
#pragma once

#include "cost_model/op_model.h"
#include "cost_model/queueing.h"

typedef enum { OBJECTIVE_LATENCY, OBJECTIVE_THROUGHPUT } Objective;

/* Options of the run, as opposed to the compile. */
typedef struct {
#define RUN_OPTION(field, ...) int field;
#include "graph/compile/run_options.def" /* which says what each is */
    bool workers_given, devices_given;
    double spared_ns;        /* work before an inference that the application no longer does */
    Interval application_ns; /* work per task that the application now does instead of the runtime:
                                it takes host cores in a rate, and is no part of latency_ns */
    int patches;             /* tasks that one image takes, one after another; 0: one */
    int application_threads; /* that share the application's own work; 0: as the trace shows */
} RunOptions;

typedef struct {
    Interval total_ns; /* as part of a network: errors of its kind go together */
    Interval alone_ns; /* the pure model's, of this operator alone, to compare with measurements */
    double load_ns, compute_ns, store_ns; /* mids; sum = total mid */
    double mac_ns, fixed_ns, memory_ns;
    double dram_ns; /* predict_traffic_ns; replay: that the op waits for the channel */
    Limit limit;
    double utilisation; /* MACs / (peak MACs in that time), 0 for what multiplies nothing */
} OpPrediction;

typedef struct {
    Interval total_ns; /* STEP_NPU: the vendor's Run, the sum of its ops; launch is in gap_ns */
    bool known;
    Limit limit;
} StepPrediction;

enum { REST_HANDOFF, REST_LAUNCH, REST_REQUEST, REST_COUNT };

typedef struct Prediction {
    StepPrediction *step; /* per Program.step */
    OpPrediction *op;     /* per Program.op */
    /* Per task.  npu, host and io are the sums of their steps; gap is hand-offs between stages and
     * the launch of each NPU task (the vendor's Total - Run). */
    Interval npu_ns, host_ns, io_ns, gap_ns;
    Interval latency_ns;      /* one task, nothing else running: sum of the above and of the next */
    Interval unattributed_ns; /* delay carried by replay; 0 for the pure model */
    double waiting_ns;        /* replay: part of that, which a loaded run waits for the NPU */
    /* Replay of a loaded run: the wait is that of predict_line plus waits_more_ns (the wait in the
     * trace less the one that predict_line gives for it), as far as the busiest station has as
     * large a share of idle time as it had then: where it is always busy, requests wait by Little's
     * law. */
    bool in_line;
    double waits_more_ns, idle_share;
    Interval throughput_per_s;       /* images per second with `workers` workers */
    double throughput_ceiling_per_s; /* with enough workers */
    /* Ceilings: latency with all host work 0, which then scatters no more, and with the NPU 0. */
    double host_free_ns, npu_free_ns;
    double launch_ns; /* part of gap_ns that the NPU is held: queueing needs it */
    double dram_ns;   /* the DRAM channel is busy with one task, which the PEs share */
    /* The pure model's: what is left of the time of host steps after the first task, since part of
     * it goes by while the NPU works (beside_npu of the figures). */
    double host_share;
    /* Replay: what of npu_ns is a wait for the bytes of tasks that were measured beside it. */
    bool replayed;
    double dram_others_ns;
    double one_way_share; /* of io_ns: that the busier direction of the link is busy */
    double submit_ns; /* replay: part of gap_ns that an I/O thread is busy with, submitting tasks */
    /* Replay: host times are skewed.  By how much the mean host time of a task exceeds host_ns,
     * which throughput pays; and what of that is in unattributed_ns, since the median of a sum
     * exceeds the sum of medians too. */
    double host_more_ns, host_skew_ns;
    /* Replay: the application's own work for a task, its threads, and whether each of them waits
     * for its inference in between. */
    double application_ns;
    int application_threads;
    bool application_blocks;
    /* What gap_ns is made of: hand-offs, launches, and the request itself.  Their errors are not
     * one error; replay knows the first alone. */
    Interval gap_part[REST_COUNT];
    size_t nunknown; /* steps of unknown cost */
} Prediction;

/* Pure model; lives in `a`. */
Prediction *predict(Arena *a, const Program *p, const Costs *c, const RunOptions *run);

/* A program without the NPU, in one call of ONNX Runtime on one thread; 0: the cost of a step is
 * not known. */
Interval predict_host_alone(const Program *p, const Costs *c);

/* The middle of each low-level op, in `a`. */
double *predict_op_times(Arena *a, const Program *p, const Prediction *t);

/* Fills npu_ns … nunknown from the per-step figures, gap_ns and unattributed_ns (replay changes
 * those first). */
void predict_totals(const Program *p, const Costs *c, const RunOptions *run, Prediction *ret);

/* Fills gap_ns, gap_part and launch_ns of a program. */
void predict_gaps(const Program *p, const Costs *c, Prediction *t);
Interval predict_launches(const Program *p, const Costs *c);
/* Fills one_way_share. */
void predict_link(const Program *p, const Costs *c, Prediction *t);
/* Between stages alone, in a run that is traced: at most as slow as the profiler makes them. */
Interval predict_traced_handoffs(const Program *p, const Costs *c);

/* That the op keeps the DRAM channel busy.  Traffic is that of the compiled program: also what the
 * op's own time hides, since nothing waits for it, takes its turn on the channel. */
double predict_traffic_ns(const Costs *c, const LowOp *op);

/* How long the DRAM channel is busy with one task, of which `dram_wait_ns` is what it waited with
 * `others` at work on the other PEs of the card. */
double predict_dram_alone(double npu_ns, double dram_wait_ns, double others);

/* By how much the mean latency exceeds the median, since host times are skewed. */
double predict_skew(const Prediction *t);

/* How long a request waits for others: with `workers` in flight that are served at the throughput
 * of `t` (Little's law, which is of means), less its own time. */
double predict_line(const Program *p, const Costs *c, const RunOptions *run, const Prediction *t);
/* Of the station that limits throughput. */
double predict_idle_share(const Prediction *t);

/* On how many of `most` other PEs a task runs, with `at_once` requests in flight that take
 * `whole_ns` each, `npu_ns` of it on the NPU. */
double predict_others(double npu_ns, double whole_ns, double at_once, int most);

/* Demands of one task on the stations of the queueing network, from the totals' mids. */
QueueDemand predict_demand(const Program *p, const RunOptions *run, const Prediction *t);

/* What the NPU takes for a task beside those on the card's other PEs: if they never ask for the
 * DRAM at the same time (and did when that was measured), by chance, and always. */
Interval predict_npu_beside(const Program *p, const RunOptions *run, const Prediction *t);

/* Requested images of a task, the ones that throughput counts. */
double predict_images(const Program *p, const RunOptions *run);

/* Workers that still help: the runtime before SDK 0.10 gains nothing beyond a few. */
int predict_worker_cap(const Program *p, const Costs *c);
/* Workers of the run that count: at least 1, at most the cap. */
int predict_workers(const Program *p, const Costs *c, const RunOptions *run);

/* Objective in its own unit: latency in ns, throughput in 1/s. */
Interval prediction_objective(const Prediction *p, Objective o);

/* The op takes `total` instead, and waits for the channel for dram_ns of it; what else it does
 * keeps its proportions. */
void predict_set_op_time(OpPrediction *op, Interval total, double dram_ns);

/* The part of `measured_ns` that the op waited for the channel.  The error is shared between
 * wait and rest as either may be off: the wait by all of it, the rest by a tenth (what a fit
 * leaves of a row, calibrate_npu.c). */
double predict_op_wait(const OpPrediction *op, double measured_ns);

/* Time of one op; fills its work per term. */
OpPrediction predict_op(const OpModel *m, const Costs *c, const LowOp *op, double work[TERM_MAX]);
