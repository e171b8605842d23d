/* Simulates one NPU task on the engines of one PE, or of two fused PEs.
 *
 * Five engines, each doing one thing at a time and everything in program order:
 *   DMA     moves bytes between DRAM and SRAM, loads one block ahead of stores
 *   feed    broadcasts an entry's weights to the slices, one entry ahead
 *   array   multiplies (after the entry's commands are fetched)
 *   vector  activations, copies, table look-ups
 *   retire  the barrier that ends an entry
 * Rules for block k:
 *   load(k)    when array(k-2) is done: two blocks in flight, one half-buffer each
 *   feed       when load(first block) is done and the entry fed two before has left the array
 *   array(k)   when load(k), feed, vector(k-2), store(k-2) are done and, for an entry's first
 *              block, its producers have retired
 *   vector(k)  when array(k) is done
 *   store(k)   when vector(k) is done
 *   retire     when vector(last block) is done (and store, where the entry waits for it)
 * This form by events lets PEs contend for DRAM; recurrence.h is the same without a heap for a
 * stream that has the channel to itself, and gives the same picosecond. */
#pragma once

#include "npu_exec/sim/dram.h"
#include "npu_exec/sim/event.h"
#include "npu_exec/sim/task_plan.h"

typedef enum {
    ENGINE_DMA,
    ENGINE_FEED,
    ENGINE_ARRAY,
    ENGINE_VECTOR,
    ENGINE_RETIRE,
    ENGINE_COUNT
} Engine;

/* Position in program order. */
typedef struct {
    uint32_t entry;
    uint32_t block; /* within the entry */
    uint64_t index; /* of the block in the task */
} Cursor;

typedef struct {
    EventHeap *heap;
    Dram *dram;
    uint32_t requester;   /* on the DRAM channel */
    uint32_t kind_base;   /* event kinds kind_base + Engine (DMA ends by the channel's own event) */
    uint32_t id;          /* event argument */
    const TaskPlan *plan; /* NULL: idle */
    Ps *retired_at;       /* per entry, for the caller */
    int64_t *moved_at;    /* per entry: bytes between DRAM and SRAM up to its retirement */
    int64_t moved, moving; /* bytes: of transfers that are done, of the one in flight */
    Ps moving_work;
    bool busy[ENGINE_COUNT];
    Cursor load, store, array, vector; /* next block of each */
    uint32_t feed, retire;             /* next entry of each */
    uint64_t fed_until[2];             /* block after the entries fed last and before that */
    bool storing;                      /* what the DMA engine does now */
    Ps busy_since[ENGINE_COUNT], busy_time[ENGINE_COUNT];
} Stream;

void stream_init(Stream *s, EventHeap *heap, Dram *dram, uint32_t requester, uint32_t kind_base,
                 uint32_t id);

/* Starts an idle stream on `plan` at heap->now; retired_at and moved_at hold plan->nentry values.
 * The last entry must wait for its store, and no other does, unless the plan is in order. */
void stream_start(Stream *s, const TaskPlan *plan, Ps *retired_at, int64_t *moved_at);

/* What the engine was doing is done; starts whatever can start now.  Returns true when the whole
 * task has retired (the stream is idle again). */
bool stream_done(Stream *s, Engine e);
