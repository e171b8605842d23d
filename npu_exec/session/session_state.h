/* Holds the state of a session for session.c and session_values.c. */
#pragma once

#include "npu_exec/session/npu_exec.h"

#include "npu_exec/session/recorder.h"

struct NpuSession {
    Arena *arena;
    Notes notes;
    Diag diag;
    Model *model;
    const RunPlan *plan;
    SimOptions options;
    RecordOptions record;
    Sim *sim; /* NULL before the first request */
    Recorder *recorder;
    NpuOperatorCallback callback;
    void *user;
    NpuCompletion *done; /* ring of completions not yet received */
    uint64_t done_cap, done_head, done_count;
    uint64_t submitted, completed;
};
