/* Plans one inference as stages in order, each on one resource.
 *
 *   host     a core of the host pool: Quantize, Lower, Pad, Unlower, Slice, Dequantize, fallbacks
 *   write    an I/O thread, then the link to the device: WriteToDram
 *   submit   an I/O thread: SendOperandTriple
 *   task     a PE, or two fused
 *   read     an I/O thread, then the link from the device: ReadFromDram
 * Times are without noise, warm-up and profiler. */
#pragma once

#include "npu_exec/sim/devices.h"
#include "npu_exec/sim/task_plan.h"

typedef enum { STAGE_HOST, STAGE_WRITE, STAGE_SUBMIT, STAGE_TASK, STAGE_READ } StageKind;

typedef struct {
    StageKind kind;
    const char *name; /* of the span */
    StepId step;
    uint64_t noise_key; /* of its draws: equal in variants of a model that share the step */
    Ps service;         /* host: the work; write, read: set-up; submit: all of it */
    Ps wire;            /* write, read: on the link */
    Ps host_left;       /* the work of host operators from this stage on */
    int64_t sigma_ppm;
    int32_t operator_index; /* host operators in order, else INDEX_NONE */
    uint32_t task;          /* of RunPlan.task */
    bool handoff;           /* the runtime hands the request over before it */
    bool known;             /* false: a nominal time */
    bool measured;          /* on this machine: no noise of our own on top */
} Stage;

typedef struct {
    Stage *stage;
    uint32_t nstage;
    TaskPlan **task;
    uint32_t ntask;
    const Silicon *silicon;
    const Program *program;
    DeviceSet devices;  /* where it runs */
    uint32_t nunknown;  /* stages with a nominal time */
    bool host_measured; /* conversions were run on this machine (real_host.h) */
} RunPlan;

/* Lives in `a`.  `devices` as devices_parse reads it, NULL for all PEs of one card.  What has a
 * nominal time, or sizes that disagree, is noted. */
Status run_plan(Arena *a, const Silicon *si, const Program *p, const char *devices, Notes *notes,
                RunPlan **ret, Diag *diag);
