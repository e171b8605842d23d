/* Matches spans of the trace to steps and measures the error of the prediction. Time that no step
 * explains is a separate line. */
#pragma once

#include "cost_model/evidence_grade.h"
#include "cost_model/handoffs.h"
#include "cost_model/residual.h"
#include "cost_model/suspects.h"

typedef struct {
    int64_t median_ns, lo_ns, hi_ns; /* 90 % interval of the median */
    uint32_t count;                  /* inferences that carry it; 0: not measured */
    double skew; /* mean over median, without what takes MEASURED_OUTLIER times as long or more */
} Measured;
#define MEASURED_OUTLIER 4

/* A measured step or op by its key, for replay; sorted by key, then by place in the program. */
typedef struct {
    uint64_t key;
    uint32_t item;
} KeyedItem;

typedef struct Reconciliation {
    const TraceStats *stats;
    Measured *step; /* per Program.step */
    Measured *op;   /* per Program.op */
    Measured latency, npu, host, io;
    int64_t waiting_ns;      /* of its tasks, while others had the NPU: of no step, and of no gap */
    int64_t unattributed_ns; /* median latency - (host + npu + io + waiting), >= 0 */
    double npu_utilisation;  /* NPU time / latency */
    double matched_time_share; /* of the inference's attributed time that matched to a step */
    double matched_op_share;   /* of operators in NPU tasks, by their time, and of the program's, by
                                  predicted time: the smaller; 1 where the trace has none */
    uint64_t inferences;       /* after warm-up */
    size_t host_steps, host_steps_measured; /* of the program */
    Refutation refuted;
    size_t compared, outside; /* steps and operators with a measured and a predicted time; of these,
                                 outside their interval */
    char grade;               /* 'A'..'D' */
    EvidenceIssue *issue;
    size_t nissue;
    double widen;             /* factor >= 1 on intervals that rest on this evidence */
    const Residual *residual; /* what the cost model cannot explain, largest first */
    size_t nresidual;
    Suspect suspect[SUSPECTS_MAX]; /* totals outside their intervals */
    size_t nsuspect;
    bool types_doubted; /* what an input is fed was read off Quantize, against the file */
    KeyedItem *step_by_key, *op_by_key; /* of the measured ones */
    size_t nstep_by_key, nop_by_key;
    Handoffs handoffs;
    const Costs *costs; /* those that the trace was read with; where it serves more requests at once
                           than a runtime before SDK 0.10 is said to, without that cap */
    const Costs *carried; /* the costs with the NPU's terms fitted to this trace's operators: what
                             replay predicts changed ones with */
} Reconciliation;

/* `p` is the program whose run the trace shows, `pred` its pure prediction by `c`. A trace without
 * inferences gives grade D. */
Reconciliation *reconcile(Arena *a, const Program *p, const Costs *c, const Prediction *pred,
                          const TraceStats *stats);

/* Median of n values with the 90 % interval of the median by order statistics (their ends below 8
 * values); sorts them. */
Measured measured_of(int64_t *value, size_t n);
