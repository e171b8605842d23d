/* Orders the events of a simulation by time, priority and sequence.  A binary heap keyed (time,
 * priority, sequence): two events at the same picosecond come out by priority, then in the order
 * they were put in, on every platform. */
#pragma once

#include "graph/base/arena.h"
#include "npu_exec/sim/ps.h"

typedef struct {
    Ps at;
    uint64_t order; /* priority in the top 8 bits, sequence below */
    uint32_t kind;  /* the owner's business */
    uint32_t arg;
} SimEvent;

typedef struct { /* begins with its arena alone */
    Arena *arena;
    SimEvent *event; /* event[0] is the earliest */
    size_t count, cap;
    uint64_t sequence; /* events put in so far */
    Ps now;            /* time of the last event taken out */
} EventHeap;

/* `at` >= h->now. */
void event_put(EventHeap *h, Ps at, uint8_t priority, uint32_t kind, uint32_t arg);

/* Takes the earliest event and moves `now` to it; false when there is none. */
bool event_take(EventHeap *h, SimEvent *ret);
