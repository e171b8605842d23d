/* Declares a bounded FIFO of ids, and a station of equal servers with one queue. */
#pragma once

#include "graph/base/arena.h"
#include "npu_exec/sim/ps.h"

#define ID_NONE UINT32_MAX

typedef struct {
    uint32_t *id;
    uint32_t cap, head, count;
    uint32_t longest; /* most that ever waited */
} Fifo;

void fifo_init(Fifo *f, Arena *a, uint32_t cap);
/* False when it is full. */
bool fifo_put(Fifo *f, uint32_t id);
/* ID_NONE when it is empty. */
uint32_t fifo_take(Fifo *f);

/* Who waits is served in order of arrival; of free servers the lowest is taken. */
typedef struct {
    uint32_t *serving; /* per server: who, or ID_NONE */
    Ps *since;
    uint32_t servers, free;
    Ps busy; /* summed over servers */
    Fifo waiting;
} Station;

/* At most `clients` ids are ever at the station at once. */
void station_init(Station *s, Arena *a, uint32_t servers, uint32_t clients);

/* The server that takes `id` now, or ID_NONE when it has to wait. */
uint32_t station_enter(Station *s, uint32_t id, Ps now);

/* `id` leaves its server; returns who is served next on it, or ID_NONE. */
uint32_t station_leave(Station *s, uint32_t id, Ps now);

/* The server that serves `id`; it must be one. */
uint32_t station_server_of(const Station *s, uint32_t id);
