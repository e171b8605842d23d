/* Holds the state of a recorder for recorder.c, recorder_npu.c and recorder_span.c. */
#pragma once

#include "npu_exec/session/csv.h"
#include "npu_exec/session/recorder.h"

enum {
    HOST_PID = 1000,
    NPU_PID = 2000, /* + lane, since SDK 0.10 */
    OLD_NPU_PID = 0,
    NPU_TID = 0x10000, /* + lane where the lanes share a process */
    USER_TID = 1,      /* labels, and what the application does before a request … */
    RESULT_TID = 2,    /* … and after its result, where another thread receives */
    WORKER_TID = 32,   /* + worker */
    WAIT_TID = 100000, /* + worker: where an older runtime waits for the device */
    IO_TID = 200000,   /* + device * 100 + thread */
    IO_TIDS_PER_DEVICE = 100,
    STYLE_RUNTIME = 10, /* first SDK whose runtime writes the object form */
    ID_DRAWS = 1 << 20, /* identities of one request */
};

struct Recorder {
    Arena *arena;
    TraceWriter *writer; /* NULL: no trace */
    OutFile csv;
    RecordOptions what;
    const RunPlan *plan;
    SimOptions o;
    int style;
    bool *worker_named;
    bool paused;
    const char *label;
    Ps label_start;
    uint64_t labels;             /* of either kind */
    bool user_named[RESULT_TID]; /* threads of the application, from USER_TID on */
    uint64_t longest_bytes;      /* of trace, per inference so far */
    uint64_t left_out;
    bool drawn;     /* the memory flow is written … */
    Status trouble; /* … or could not be */
    Diag diag;
};

/* Identities of one request: reproducible, never 0. */
typedef struct {
    const Recorder *r;
    uint64_t request;
    uint64_t next;
    uint64_t trace_high, trace_low; /* shared by host spans before SDK 0.10 */
} Ids;

/* The next identity. */
uint64_t recorder_id(Ids *ids);
/* A span with a separate identity; the caller places it on a thread. */
Span recorder_span(Ids *ids, const char *name, SpanKind kind, Ps begin, Ps end);
/* To every file that wants it. */
void recorder_emit(Recorder *r, const Span *s);
/* The same for one that overlaps others of its thread. */
void recorder_emit_async(Recorder *r, const Span *s, uint64_t id);
/* A counter sample, where counters are asked for. */
void recorder_count(Recorder *r, int64_t pid, Ps at, const char *name, const char *series,
                    int64_t value);
bool recorder_is_runtime(const Recorder *r); /* SDK 0.10: object form */
int64_t recorder_worker_tid(const Job *j);
int64_t recorder_stage_tid(const Recorder *r, const Job *j, uint32_t stage);

/* The task at `stage` and what it is made of; the names of a lane. */
void recorder_task(Recorder *r, Ids *ids, const Job *j, uint32_t stage);
void recorder_name_lane(Recorder *r, Arena *a, uint32_t lane);
