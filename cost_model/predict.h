/* Prediction: the time of every step and low-level op, and the objective, as 90 % intervals. */
#ifndef COST_MODEL_PREDICT_H
#define COST_MODEL_PREDICT_H

#include "cost_model/costs.h"
#include "graph/program.h"

typedef enum { OBJECTIVE_LATENCY, OBJECTIVE_THROUGHPUT } Objective;

/* Options of the run, as opposed to the compile. */
typedef struct {
    int workers;         /* requests processed at the same time */
    bool workers_given;
    int devices;         /* cards; each has machine.pe_count PEs */
} RunOptions;

/* What limits a step or op. LIMIT(id, key) */
#define LIMITS(X)                                                                                  \
    X(UNKNOWN, "unknown") X(MAC, "mac") X(VECTOR, "vector") X(SRAM, "sram") X(DRAM, "dram")        \
    X(PCIE, "pcie") X(LAUNCH, "launch") X(HOST, "host")

typedef enum {
#define X(id, key) LIMIT_##id,
    LIMITS(X)
#undef X
} Limit;
const char *limit_key(Limit l);

typedef struct {
    Interval total_ns;
    double load_ns, compute_ns, store_ns; /* mids; sum = total mid */
    double mac_ns, vector_ns, fixed_ns, memory_ns;
    Limit limit;
    double utilisation; /* MACs / (peak MACs in that time), 0 for what multiplies nothing */
} OpPrediction;

typedef struct {
    Interval total_ns;
    bool known;
    Limit limit;
} StepPrediction;

typedef struct Prediction {
    StepPrediction *step; /* per Program.step */
    OpPrediction *op;     /* per Program.op */
    Interval npu_ns, host_ns, io_ns, gap_ns; /* per task */
    Interval latency_ns;     /* one task, nothing else running: sum of the above */
    Interval throughput_per_s; /* images per second with `workers` workers */
    Interval unattributed_ns;  /* delay carried by replay; 0 for the pure model */
    double host_free_ns, npu_free_ns; /* ceilings: latency with all host work 0, NPU 0 */
    size_t nunknown;         /* steps whose cost nobody knows */
} Prediction;

/* Pure model; lives in `a`. */
Prediction *predict(Arena *a, const Program *p, const Costs *c, const RunOptions *run);

/* Fills npu_ns … throughput_per_s from the per-step figures (replay changes those first). */
void predict_totals(const Program *p, const Costs *c, const RunOptions *run, Prediction *ret);

/* Objective in its own unit: latency in ns, throughput in 1/s. */
Interval prediction_objective(const Prediction *p, Objective o);

Interval interval_add(Interval a, Interval b);
Interval interval_scale(Interval a, double k); /* k >= 0 */
/* Sum of independent intervals: mids add, half-widths add in quadrature. */
Interval interval_sum_independent(const Interval *v, size_t n);

#endif
