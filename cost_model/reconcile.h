/* Reconciliation: which span of the trace is which step of the program, and how far the prediction
 * is off.  Time that nobody explains is a line of its own. */
#ifndef COST_MODEL_RECONCILE_H
#define COST_MODEL_RECONCILE_H

#include "cost_model/handoffs.h"
#include "cost_model/predict.h"
#include "cost_model/residual.h"
#include "cost_model/suspects.h"
#include "trace/stats/stats.h"

typedef struct {
    int64_t median_ns, lo_ns, hi_ns; /* 90 % interval of the median */
    uint32_t count;                  /* inferences that carry it; 0: not measured */
    double skew; /* mean over median, without what takes MEASURED_OUTLIER times as long or more */
} Measured;
#define MEASURED_OUTLIER 4

/* What an issue puts in doubt: EVIDENCE_ABOUT(id, name in the facts document) */
#define EVIDENCE_ABOUTS(X)                                                                         \
    X(MATCH, "match")             /* that the trace shows this model */                            \
    X(IDENTITY, "identity")       /* that its figures fit each other */                            \
    X(SAMPLE, "sample")           /* that there are enough of them, and steady ones */             \
    X(CONCURRENCY, "concurrency") /* that a latency is that of one request alone */                \
    X(ATTRIBUTION, "attribution") /* that the time is accounted for */                             \
    X(MODEL, "model")             /* that the cost model knows this host and this card */

typedef enum {
#define X(id, text) ABOUT_##id,
    EVIDENCE_ABOUTS(X)
#undef X
} EvidenceAbout;

typedef struct {
    const char *code; /* "few-inferences", "drift", "wrapped-counter", "sum-identity",
                         "unattributed", "low-match", "orphans", "repaired", "one-inference" … */
    EvidenceAbout about;
    double observed, threshold; /* in `unit`; it is an issue because observed is … */
    bool at_least;              /* … below the threshold; else: above it */
    const MessageId *unit;      /* "%", "inferences", "tasks" … */
    const Message *said;        /* one sentence with the figure */
} EvidenceIssue;

/* "match", "identity" … */
const char *evidence_about_name(EvidenceAbout about);

/* A measured step or op by its key, for replay; sorted by key, then by place in the program. */
typedef struct {
    uint64_t key;
    uint32_t item;
} KeyedItem;

/* Why nothing in a trace counts. REFUTED(id, key) */
#define REFUTATIONS(X)                                                                             \
    X(NOT, NULL)                                                                                   \
    X(SETUP, "setup") /* it shows another set-up than was said */                                  \
    X(MODEL, "model") /* it is of another model */                                                 \
    X(SIZE, "size")   /* its times are those of pictures of another size */

typedef enum {
#define X(id, key) REFUTED_##id,
    REFUTATIONS(X)
#undef X
} Refutation;
const char *refutation_key(Refutation r); /* NULL for REFUTED_NOT */

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
    char grade; /* 'A'..'D' */
    EvidenceIssue *issue;
    size_t nissue;
    double widen;             /* factor >= 1 on intervals that rest on this evidence */
    const Residual *residual; /* what the cost model cannot explain, largest first */
    size_t nresidual;
    Suspect suspect[SUSPECTS_MAX]; /* totals outside their intervals */
    size_t nsuspect;
    bool types_doubted; /* what an input is fed was read off Quantize, against the file */
    KeyedItem *step_by_key, *op_by_key; /* of what is measured */
    size_t nstep_by_key, nop_by_key;
    Handoffs handoffs;
    const Costs *costs; /* those that the trace was read with; where it serves more requests at once
                           than a runtime before SDK 0.10 is said to, without that cap */
    const Costs *carried; /* the costs with the NPU's terms fitted to this trace's operators: what
                             replay predicts changed ones with */
} Reconciliation;

/* `p` is the program whose run the trace shows, `pred` its pure prediction by `c`. A trace without
 * inferences gives grade D. */
Status reconcile(Arena *a, const Program *p, const Costs *c, const Prediction *pred,
                 const TraceStats *stats, Reconciliation **ret, Diag *diag);

/* Median of n values with the 90 % interval of the median by order statistics (their ends below 8
 * values); sorts them. */
Measured measured_of(int64_t *value, size_t n);

/* Fills grade, widen and issues from everything else (evidence_grade.c). */
void evidence_grade(Arena *a, const Program *p, Reconciliation *r);

/* One more issue, before the others; the text is complete.  Holds the grade at `worst` or below. */
void evidence_object(Reconciliation *r, char worst, EvidenceIssue x);

/* True when the trace is refuted, or less than half of the trace fits this program, or of the
 * program the trace: it is of another model, or of another build of it, and none of its times is
 * one of this program's. */
bool evidence_is_foreign(const Reconciliation *r);

/* True when, besides, nothing in it ran on an NPU: a profile of the model on a CPU, whose latency
 * is no baseline for anything. */
bool evidence_lacks_npu(const Reconciliation *r);

/* Replay: the prediction for `variant`, where a step or op that is the same (step_key,
 * program_lowop_key) as one measured in the baseline takes its measured median, unmatched ones stay
 * predicted, and unexplained time stays as a delay. With r == NULL, or a foreign trace, it is
 * predict(). */
Prediction *replay(Arena *a, const Program *baseline, const Reconciliation *r,
                   const Program *variant, const Costs *c, const RunOptions *run);

#endif
