/* Declares what one NPU task asks of the engines of its PEs, in integer picoseconds.
 *
 * A task is a list of entries in program order: Load, the low-level ops, Store.  An entry is
 * streamed through the engines in blocks.  The engines and their rules are in engine.h; this is the
 * only place where geometry becomes time. */
#pragma once

#include "npu_exec/sim/silicon.h"

typedef struct {
    LowOpId op;       /* LOWOP_NONE_LOAD, LOWOP_NONE_STORE or an op of the program */
    uint32_t nblock;  /* >= 1 */
    uint64_t first;   /* number of its first block in the task */
    uint32_t after;   /* entries that must have retired before the first block may compute */
    bool waits_store; /* retires only when its bytes are in DRAM */
    Ps command;       /* sequencer: fetch and descriptors, before the first block */
    Ps reload;        /* DRAM work: instructions that did not fit the instruction memory */
    Ps weights;       /* DRAM work: weights that are not resident, before the first block */
    Ps feed;          /* weights broadcast to the slices, before the first block */
    Ps load, array, vector, store;   /* per block; load and store are DRAM work … */
    int64_t load_bytes, store_bytes; /* … for so many bytes … */
    int64_t first_bytes; /* … weights and reloaded instructions before the first block */
    Ps barrier;          /* all slices done: before it retires */
} PlanEntry;

#define LOWOP_NONE_LOAD  UINT32_MAX
#define LOWOP_NONE_STORE (UINT32_MAX - 1)

typedef struct {
    PlanEntry *entry;
    uint32_t nentry;
    uint64_t nblock;
    bool overlap;  /* blocks are fetched while others compute */
    bool in_order; /* what an entry reads is in DRAM only when those before it have retired */
    Ps launch, commit;
} TaskPlan;

/* The plan of step `s` (STEP_NPU) of a program compiled for `p->options.pe` PEs; lives in `a`.
 * Re-derives the padded sizes, and notes any that differ from the compiler's. */
TaskPlan *task_plan(Arena *a, const Silicon *si, const Program *p, const Step *s, Notes *notes);
