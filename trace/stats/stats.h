/* Computes figures of inferences and operators from one or several files.
 *
 * Definitions are the vendor's (profiling guide of SDK 0.10, legacy profiler): NPU Total is the
 * task's span, Run the sum of its operators without Load and Store, IoWait = Total - Run.
 *
 * A span belongs to the inference that shares its trace id or is its parent; else to one that is
 * open in the middle of the span: on the span's own thread if there is one, else the one that has
 * got fewest spans of that name so far, the earliest first (so that the n-th task joins the n-th
 * inference); a task to the one that waits for its commit, where every task has such a wait.  Where
 * the clocks of host and NPU disagree so much that most tasks fall between inferences, tasks are
 * dealt out in order. */
#pragma once

#include "trace/readers/reader.h"

#define INFERENCE_NONE UINT32_MAX

typedef struct {
    int64_t start_ns, dur_ns;
    const char *label; /* enclosing user label, or NULL */
    bool warm_up;      /* labelled so, or before the drift settles */
    uint32_t first_task, ntask;
    uint32_t first_host, nhost; /* into TraceStats.host_span */
    int64_t pid, tid;
    uint64_t trace_id_high, trace_id, span_id; /* 0: the file has none */
} InferenceStat;

typedef struct {
    uint64_t trace_id_high, trace_id, span_id;
    int32_t pe_index, execution_index;
    uint32_t lane; /* the same for tasks of one process and thread */
    int64_t start_ns, total_ns;
    bool has_run; /* the file has the task's operators, or states their sum; else the next are 0 */
    int64_t run_ns, io_wait_ns;
    uint32_t inference;     /* INFERENCE_NONE when none contains it */
    uint32_t first_op, nop; /* into TraceStats.op_span, in time order */
} ExecutionStat;

typedef struct {
    const char *name;
    SpanKind kind;
    int64_t start_ns, dur_ns;
    int32_t operator_index; /* of host operators; instruction_index of NPU operators */
    uint32_t inference;
    const OpDetail *detail; /* of this run, or NULL */
} OpSpan;

static inline const char *op_span_type(const OpSpan *s)
{
    return s->detail ? s->detail->op : NULL;
}

/* What only host spans have; beside host_span, same index. */
typedef struct {
    int64_t pid, tid;
    uint64_t trace_id_high, trace_id, span_id;
    bool nominal;    /* the time is a stand-in: no measurement */
    int64_t self_ns; /* without the host spans nested in it on its thread */
} HostDetail;

typedef struct {
    const char *name;
    SpanKind kind;
    uint64_t count;
    double average_ns;
    int64_t median_ns, p90_ns, p95_ns, p99_ns, min_ns, max_ns, total_ns; /* as Distribution; -1:
                                          unknown, as the file has a mean of runs alone */
    bool is_mean;                                                        /* so it is: … */
    uint64_t runs;             /* … of so many runs; 0: unknown */
    double mean_ns;            /* … per run, all spans of the name together */
    int64_t self_ns;           /* of total, what no nested span of host_span explains */
    const char *op;            /* type, where the file tells it apart from the name, or NULL */
    const OpDetail *detail;    /* of one of the runs, or NULL */
    uint64_t shapes;           /* different ones among the runs */
    double flop, memory_bytes; /* of all runs; 0: unknown */
} NameStat;                    /* spans of one name, kind and type */

typedef struct {
    uint64_t count;
    int64_t min, max, median, p90, p95, p97, p99, p99_9;
    double mean;
} Distribution; /* ns; percentiles by linear interpolation and cut to integers, as the vendor's */

/* What a file calls a process or thread of the NPU: "npu:0:0-1" is a fused pair, "npu:0:1" a PE. */
typedef struct {
    int card, first_pe, last_pe;
} DeviceLane;
enum { DEVICE_LANES_MAX = 256 };

/* What the application's threads do for each inference, where labels tell (application.h). */
typedef struct {
    const char *label; /* that takes most of it; NULL: none tells */
    double work_ns;    /* for one inference, on one thread after another */
    uint32_t threads;  /* that share it, each with separate inferences */
    bool blocks;       /* each waits for its inference before it does the next one's */
} Application;

/* What one of the files is. */
typedef struct {
    uint64_t digest[2];  /* of its spans, whatever their order */
    bool is_again;       /* … which an earlier file had: they count once */
    uint32_t same_as;    /* that file, where is_again */
    uint64_t inferences; /* 0: a part of a run that other files have the rest of */
    double concurrency;  /* mean of the inferences in flight */
    double npu_ns;       /* of its tasks, per inference */
    int pes, cards;      /* by the names of its lanes; 0: not told */
} FileRun;

/* In what two runs were set up differently. */
typedef enum {
    FILES_ALIKE,
    FILES_SDK,       /* 9 and 10 */
    FILES_PES,       /* of one program */
    FILES_CARDS,     /* … in use */
    FILES_HOST_RUNS, /* of `name` per inference */
    FILES_HOST_TIME, /* of `name`, ns per inference */
    FILES_REQUESTS,  /* in flight, in the mean */
    FILES_NPU_TIME,  /* ns per inference */
} FileTrait;

typedef struct {
    FileTrait trait; /* FILES_ALIKE: in nothing */
    uint32_t a, b;   /* files */
    const char *name;
    double value_a, value_b;
} FileDifference;

typedef struct {
    Arena *arena;
    TraceInfo *file;
    FileRun *run;          /* per file; figures only where there are several */
    FileDifference differ; /* the first that two runs among the files show */
    size_t nfile;
    TraceFormat format; /* of the first file */
    uint64_t spans;
    int64_t first_ns; /* start of the earliest span; INT64_MAX without any */
    int sdk;
    InferenceStat *inference; /* by start */
    size_t ninference, nwarm_up;
    const char *model[2];     /* two of those that inferences are named after, or NULL */
    ExecutionStat *execution; /* by inference, then start; orphans last */
    size_t nexecution;
    OpSpan *op_span; /* NPU operators and Load/Store, grouped by execution; orphans last */
    size_t nop_span;
    OpSpan *host_span; /* host operators, transfers, submits: by inference, then start */
    HostDetail *host_detail;
    size_t nhost_span;
    NameStat *npu_name; /* of NPU operators, sorted by total */
    size_t nnpu_name;
    NameStat *host_name; /* of host_span, likewise */
    size_t nhost_name;
    NameStat *other_name; /* of all other spans: inferences, tasks, labels, Load and Store,
                             what compiles and registers, what no kind fits */
    size_t nother_name;
    Distribution latency;    /* of all Inference spans */
    Distribution warm;       /* without warm-up */
    uint64_t lanes;          /* most inferences open at once: how many workers ran */
    Application application; /* of threads with different labels, the busiest */
    /* Of the tasks, those whose operators the files hold: below 1 where a profiler records them of
     * some inferences only, or has lost some.  1 where there are no tasks, or no operators. */
    double op_share;
    DeviceLane
        *device_lane; /* distinct, in the order of the files; more than the limit are not kept */
    size_t ndevice_lane;
    int64_t compile_ns; /* sum of SPAN_COMPILE: kept apart from inference */
    uint64_t ncompile;
    /* Of those, the ones that begin after the first inference has; nested ones counted once. */
    int64_t service_compile_ns;
    uint64_t nservice_compile;
    /* Identities that every table of the vendor's guide obeys (the operators sum to Run, IoWait =
     * Total - Run), as counts over executions. */
    uint64_t sum_mismatch;     /* the file states Run, and its operators sum to another (> 1 %) */
    uint64_t negative_io_wait; /* Total < Run */
    uint64_t orphan_tasks;     /* within no inference */
    uint64_t orphan_host;      /* host operators within no inference */
    uint64_t orphan_ops;       /* NPU operators within no task */
    bool dealt_in_order;       /* clocks disagree: tasks were assigned by order alone */
} TraceStats;

/* Reads every path (several files of one run are merged) and gathers. */
Status trace_stats(Arena *a, const char *const *path, size_t npath, const TraceReadOptions *o,
                   TraceStats **ret, Diag *diag);

/* How often an inference runs what has the name, and what of its time that takes without what is
 * nested in it, by the files' mean; NPU operators are scaled up to the tasks whose operators the
 * files do not hold.  Over all where there is no inference. */
double name_runs_per_inference(const TraceStats *s, const NameStat *n);
double name_ns_per_inference(const TraceStats *s, const NameStat *n);

/* Shapes of the inputs or outputs: those of all runs, or "3 shapes"; NULL: unknown. */
typedef enum { SHAPES_IN, SHAPES_OUT } ShapesOf;
const char *name_stat_shapes(Arena *a, const NameStat *n, ShapesOf of);

/* Which value is a percentile: in between, as the vendor's tables have it, or one of them, as
 * trtexec's log has it. */
typedef enum { PERCENTILE_LINEAR, PERCENTILE_TRTEXEC } PercentileRule;
PercentileRule stats_percentile_rule(const TraceStats *s);

/* Distribution of n values; sorts them. */
Distribution distribution_of(int64_t *value, size_t n);
Distribution distribution_by(PercentileRule rule, int64_t *value, size_t n);
