/* Writes completed requests as spans of a trace, as the vendor's runtimes do.
 *
 * SDK 0.10: object form; Inference and WaitForCommitAll as async pairs, host operators on the
 * worker's thread, transfers and submits on I/O threads, one process per PE or fused pair.
 * SDK 0.9 and older: array form; everything of the host nested in Inference on the worker's thread,
 * WaitForCommit on a thread beside it, the device as process 0.
 * Load + low-level operators + Store fill the Task but for launch and commit, so that the operators
 * add up to NPU Run, and NPU Total - Run = IoWait > 0. */
#pragma once

#include "npu_exec/sim/sim.h"
#include "trace/write/writer.h"

typedef enum {
    RECORD_NONE,     /* inferences and tasks */
    RECORD_LAYER,    /* and operators, transfers, submits */
    RECORD_DETAILED, /* and counters (requests in flight, PE busy, tasks waiting, SRAM bytes, DRAM
                        MB/s between retirements), and the flow from a submit to its task */
} RecordVerbosity;

typedef struct {
    const char *trace, *csv; /* files; NULL: not written */
    bool without_host, without_npu;
    RecordVerbosity verbosity;
    uint64_t sample;         /* operators of every so many-th inference; 0, 1: of all */
    uint64_t limit_mb;       /* no inference that might make the trace longer; 0: no limit */
    const char *memory_flow; /* drawing of the SRAM of the first inference; NULL: none */
} RecordOptions;

typedef struct Recorder Recorder;

/* Records the requests after the warm-up into the files that are asked for. */
Status recorder_open(Arena *a, const RecordOptions *what, const RunPlan *plan, const SimOptions *o,
                     Recorder **ret, Diag *diag);

/* A label around the inferences that begin and end within it: the guide's record().  The name must
 * live until close; labels follow one another. */
void recorder_label_start(Recorder *r, const char *name, Ps now);
void recorder_label_end(Recorder *r, Ps now);

/* While paused, requests leave no spans; time goes on. */
void recorder_pause(Recorder *r, bool paused);

/* A JobSink: `user` is the Recorder. */
void recorder_job(void *user, const Job *job);

/* An ApplicationSink: labels "pre" and "post", on threads of the application. */
void recorder_application(void *user, ApplicationWork what, uint32_t caller, Ps begin, Ps end);

/* Inferences that the size limit kept out. */
uint64_t recorder_left_out(const Recorder *r);

Status recorder_close(Recorder *r, Diag *diag);
void recorder_abort(Recorder *r);
