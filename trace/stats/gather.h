/* Gathers the spans of the statistics in rows as they come. Private to the statistics. */
#pragma once

#include "trace/stats/rows.h"
#include "trace/stats/stats.h"

typedef struct {
    int64_t start_ns, dur_ns;
    uint64_t parent_id;
    uint32_t name; /* into Gather.name */
    uint32_t lane; /* hash of file, pid and tid */
    int32_t instruction_index;
    SpanKind kind;
    const OpDetail *detail;
} OpRow;

typedef struct {
    int64_t start_ns, dur_ns;
    uint64_t parent_id;
    uint32_t name, lane;
    int32_t operator_index;
    SpanKind kind;
    uint32_t inference;
    uint64_t order; /* of its beginning: a span is before those nested in it */
    const OpDetail *op_detail;
    HostDetail detail;
} HostRow;

/* Any other span, and again each inference, task, label, Load and Store: for the table of names. */
typedef struct {
    int64_t start_ns, dur_ns;
    uint32_t name;
    SpanKind kind;
} OtherRow;

typedef struct {
    ExecutionStat stat;
    uint64_t parent_id, order;
    uint32_t lane;
    uint32_t stated_run; /* 1: run_ns comes from the file */
} TaskRow;

typedef struct {
    InferenceStat stat;
    const char *model; /* of a row that is named after one, or NULL */
    uint64_t order;
    uint32_t lane;
} InferenceRow;

typedef struct {
    int64_t start_ns, dur_ns;
} CompileRow;

typedef struct {
    int64_t start_ns, end_ns;
    const char *name;
    uint32_t lane;
    int64_t pid, tid;
} LabelRow;

/* Runs of a name by an inference, and what they take: on the host, and on the NPU. */
typedef struct {
    double host_runs, host_ns, npu_runs, npu_ns;
} NameShare;

/* Where the rows of the file being read begin, and what only it has shown. */
typedef struct {
    size_t op, host, other, inference, task, label, compile;
    int64_t first_ns; /* of the files before */
    uint64_t digest[2];
    DeviceLane lane[16];
    size_t nlane;
} FileMark;

enum { NAME_CACHE = 1024, LANE_CACHE = 16 };

typedef struct {
    Arena *arena;  /* its own, gone before the figures per name need memory */
    uint32_t file; /* that is being read */
    struct {
        uint32_t file, lane;
        int64_t pid, tid;
    } recent[LANE_CACHE]; /* of lane_of */
    StrMap ids;           /* names over all files */
    const char **name;
    size_t nname, name_cap;
    struct {
        const char *text;
        uint32_t id;
    } cache[NAME_CACHE]; /* by address: a file's names are canonical within it */
    Rows op, host, other;
    int64_t first_ns; /* start of the earliest span */
    bool several;     /* more files than one: each gets a mark */
    FileMark now;
    const NameShare *first_share; /* per name, of the first run; files.c */
    size_t nfirst_share;
    InferenceRow *inference;
    size_t ninference, inference_cap;
    TaskRow *task;
    size_t ntask, task_cap;
    LabelRow *label;
    size_t nlabel, label_cap;
    CompileRow *compile;
    size_t ncompile, compile_cap;
} Gather;

/* Never returns NULL. */
Gather *gather_new(void);

/* A SpanSink; `user` is the Gather. */
void gather_span(void *user, const Span *s);

/* Accepts NULL. */
void gather_free(Gather *g);

/* label_inferences.c: takes the label around most of the operators as the inferences. */
void gather_count_labels(Gather *g);

/* assign.c: sorts inferences, tells every host row and task its inference; sets labels. */
void gather_assign_inferences(Gather *g, TraceStats *stats);

/* assign.c: most inferences open at once; they are sorted. */
uint64_t gather_count_lanes(const Gather *g);

/* waits.c: assigns tasks to the inferences that wait for them, if all tasks show one. */
void gather_follow_waits(Gather *g);

/* executions.c: sorts tasks by inference, tells every op row its task (in `lane`, or TASK_NONE). */
#define TASK_NONE UINT32_MAX
void gather_assign_operators(Gather *g);

/* time_window.c: leaves out what lies outside; all is assigned. */
void gather_apply_window(Gather *g, int64_t from_ns, int64_t to_ns);

/* executions.c: moves tasks and op rows into stats, every operator after its task. */
void gather_collect_executions(Gather *g, TraceStats *stats);

/* hosts.c: moves host rows into stats, grouped by inference. */
void gather_collect_hosts(Gather *g, TraceStats *stats);

/* compiles.c: how long the run compiled, and how much of that in service.  Needs the inferences. */
void gather_collect_compiles(Gather *g, TraceStats *stats);

/* lanes.c: keeps the lane that the name of a process or thread tells, if it does. */
void gather_add_device_lane(Gather *g, TraceStats *stats, const char *name);

/* warmup.c: which inferences came before the run settled. */
void gather_mark_warm_up(TraceStats *stats);

/* name_table.c: figures per name of the spans whose kind is in the set (bits 1 << kind).  `detail`
 * has the part of each span that is its own time; NULL: every span is its own time. */
NameStat *gather_name_table(const TraceStats *s, const OpSpan *span, const HostDetail *detail,
                            size_t n, unsigned kinds, size_t *ret_count);

/* The same for spans that are in no other table (OtherRow), by total. */
NameStat *gather_other_names(Gather *g, const TraceStats *s, size_t *ret_count);

/* Figures of the s->count > 0 durations, which change their order. */
void name_stat_fill(NameStat *s, int64_t *duration, PercentileRule rule);

/* Compares by total, name and kind. */
int name_stat_order(const void *a, const void *b);
