/* Simulates the memory channel of one device, which its PEs share.
 *
 * A request is an amount of work: the picoseconds it takes alone, bursts, row misses and the first
 * access included (dram_work).  Requests of different PEs are served burst by burst in turns; that
 * is simulated in its fluid limit: each of n active requests gets 1/n of the channel, and while
 * they interleave, they break each other's rows (dram_shared_efficiency; above 1000, the channel
 * is more than one of them can use). */
#pragma once

#include "npu_exec/sim/silicon.h"

enum { DRAM_MAX_REQUESTS = 8 };

typedef struct {
    int64_t efficiency_permille; /* of the channel while it is shared */
    Ps updated;                  /* time up to which `left` is true */
    Ps left[DRAM_MAX_REQUESTS];  /* work left per requester; 0: idle */
    uint32_t nactive;
    uint32_t generation; /* of the completion announced last; an older event is void */
    Ps busy;             /* time with at least one active request */
} Dram;

void dram_init(Dram *d, const Silicon *s);

/* Time that moving `bytes` takes alone; 0 for 0 bytes. */
Ps dram_work(const Silicon *s, int64_t bytes);

/* Requester `who` (idle until now) asks for `work` > 0 at time `now`. */
void dram_request(Dram *d, Ps now, uint32_t who, Ps work);

/* Work that `who` has left at `now`, which no event of the channel lies before. */
Ps dram_left(const Dram *d, Ps now, uint32_t who);

/* The next completion if nothing else is asked meanwhile: false when idle. */
bool dram_next(const Dram *d, Ps *ret_at);

/* Moves to `now`; returns the lowest requester that is done (and is idle from now on), or -1. */
int dram_finish(Dram *d, Ps now);
