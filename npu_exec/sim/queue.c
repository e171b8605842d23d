/* Implements the FIFO as a ring and the station as a list of servers. */
#include "npu_exec/sim/queue.h"

void fifo_init(Fifo *f, Arena *a, uint32_t cap)
{
    *f = (Fifo){.id = ARENA_ARRAY(a, uint32_t, cap), .cap = cap};
}

bool fifo_put(Fifo *f, uint32_t id)
{
    if (f->count == f->cap)
        return false;
    f->id[(f->head + f->count) % f->cap] = id;
    f->count++;
    f->longest = f->count > f->longest ? f->count : f->longest;
    return true;
}

uint32_t fifo_take(Fifo *f)
{
    if (f->count == 0)
        return ID_NONE;
    uint32_t id = f->id[f->head];
    f->head = (f->head + 1) % f->cap;
    f->count--;
    return id;
}

void station_init(Station *s, Arena *a, uint32_t servers, uint32_t clients)
{
    *s = (Station){.servers = servers,
                   .free = servers,
                   .serving = ARENA_ARRAY(a, uint32_t, servers),
                   .since = ARENA_ARRAY(a, Ps, servers)};
    for (uint32_t i = 0; i < servers; i++)
        s->serving[i] = ID_NONE;
    fifo_init(&s->waiting, a, clients);
}

uint32_t station_server_of(const Station *s, uint32_t id)
{
    uint32_t i = LIST_INDEX(k, s->servers, s->serving[k] == id);
    assert(i < s->servers);
    return i;
}

static void start_serving(Station *s, uint32_t server, uint32_t id, Ps now)
{
    s->serving[server] = id;
    s->since[server] = now;
}

uint32_t station_enter(Station *s, uint32_t id, Ps now)
{
    if (s->free == 0) {
        bool room = fifo_put(&s->waiting, id);
        assert(room);
        (void)room;
        return ID_NONE;
    }
    uint32_t server = station_server_of(s, ID_NONE);
    s->free--;
    start_serving(s, server, id, now);
    return server;
}

uint32_t station_leave(Station *s, uint32_t id, Ps now)
{
    uint32_t server = station_server_of(s, id);
    s->busy += now - s->since[server];
    uint32_t next = fifo_take(&s->waiting);
    s->free += next == ID_NONE;
    assert(s->free <= s->servers);
    start_serving(s, server, next, now);
    return next;
}
