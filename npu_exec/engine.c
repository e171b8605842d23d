/* Streams as events. */
#include "npu_exec/engine.h"

#include <assert.h>

enum { ENGINE_PRIORITY = 10 };

void stream_init(Stream *s, EventHeap *heap, Dram *dram, uint32_t requester, uint32_t kind_base,
                 uint32_t id)
{
    *s = (Stream){
        .heap = heap, .dram = dram, .requester = requester, .kind_base = kind_base, .id = id};
}

static const PlanEntry *entry_at(const Stream *s, const Cursor *c)
{
    return &s->plan->entry[c->entry];
}

static bool at_end(const Stream *s, const Cursor *c)
{
    return c->entry == s->plan->nentry;
}

static void move_on(const Stream *s, Cursor *c)
{
    c->index++;
    if (++c->block == entry_at(s, c)->nblock) {
        c->block = 0;
        c->entry++;
    }
}

/* Starts an engine for `ps`; true when that is no time at all, and it is done already. */
static bool occupy(Stream *s, Engine e, Ps ps)
{
    if (ps == 0)
        return true;
    s->busy[e] = true;
    s->busy_since[e] = s->heap->now;
    if (e == ENGINE_DMA)
        dram_request(s->dram, s->heap->now, s->requester, ps);
    else
        event_put(s->heap, s->heap->now + ps, (uint8_t)(ENGINE_PRIORITY + e), s->kind_base + e,
                  s->id);
    return false;
}

static Ps load_work(const Stream *s)
{
    const PlanEntry *e = entry_at(s, &s->load);
    return e->load + (s->load.block == 0 ? e->weights + e->reload : 0);
}

/* Loads run one block ahead of stores; what moves no bytes asks for nothing. */
static bool try_dma(Stream *s)
{
    bool load = !at_end(s, &s->load) && s->load.index <= s->store.index + 1;
    if (!load && at_end(s, &s->store))
        return false;
    Ps work = load ? load_work(s) : entry_at(s, &s->store)->store;
    bool ready = load ? s->load.index < 2 || s->array.index > s->load.index - 2
                      : s->vector.index > s->store.index;
    if (work > 0 && !ready)
        return false;
    s->storing = !load;
    if (occupy(s, ENGINE_DMA, work))
        move_on(s, load ? &s->load : &s->store);
    return true;
}

/* Block after the last of an entry whose first block is `first`. */
static void feed_finished(Stream *s, uint64_t until)
{
    s->fed_until[1] = s->fed_until[0];
    s->fed_until[0] = until;
    s->feed++;
}

static bool try_feed(Stream *s)
{
    while (s->feed < s->plan->nentry && s->plan->entry[s->feed].feed == 0)
        s->feed++;
    if (s->feed == s->plan->nentry)
        return false;
    const PlanEntry *e = &s->plan->entry[s->feed];
    if (s->load.index <= e->first || s->array.index < s->fed_until[1])
        return false;
    (void)occupy(s, ENGINE_FEED, e->feed);
    return true;
}

static bool try_array(Stream *s)
{
    if (at_end(s, &s->array))
        return false;
    const PlanEntry *e = entry_at(s, &s->array);
    uint64_t k = s->array.index;
    bool first = s->array.block == 0;
    if (s->load.index <= k || (k >= 2 && s->vector.index <= k - 2))
        return false; /* store(k-2) is done too: it comes before load(k) on the DMA engine */
    if (first && (s->retire < e->after || s->feed <= s->array.entry))
        return false;
    if (occupy(s, ENGINE_ARRAY, e->array + (first ? e->command : 0)))
        move_on(s, &s->array);
    return true;
}

static bool try_vector(Stream *s)
{
    if (at_end(s, &s->vector) || s->array.index <= s->vector.index)
        return false;
    if (occupy(s, ENGINE_VECTOR, entry_at(s, &s->vector)->vector))
        move_on(s, &s->vector);
    return true;
}

static void retire_one(Stream *s)
{
    s->retired_at[s->retire++] = s->heap->now;
}

static bool try_retire(Stream *s)
{
    if (s->retire == s->plan->nentry || s->vector.entry <= s->retire)
        return false;
    const PlanEntry *e = &s->plan->entry[s->retire];
    if (e->waits_store && s->store.entry <= s->retire)
        return false;
    if (occupy(s, ENGINE_RETIRE, e->barrier))
        retire_one(s);
    return true;
}

/* Starts everything that can start, until nothing moves. */
static void start_all(Stream *s)
{
    static bool (*const attempt[ENGINE_COUNT])(Stream *) = {
        [ENGINE_DMA] = try_dma,       [ENGINE_FEED] = try_feed,     [ENGINE_ARRAY] = try_array,
        [ENGINE_VECTOR] = try_vector, [ENGINE_RETIRE] = try_retire,
    };
    bool moved = true;
    while (moved) {
        moved = false;
        for (int e = 0; e < ENGINE_COUNT; e++)
            moved |= !s->busy[e] && attempt[e](s);
    }
}

void stream_start(Stream *s, const TaskPlan *plan, Ps *retired_at)
{
    assert(!s->plan && plan->nentry > 0 && plan->entry[plan->nentry - 1].waits_store);
    s->plan = plan;
    s->retired_at = retired_at;
    s->load = s->store = s->array = s->vector = (Cursor){0};
    s->feed = s->retire = 0;
    s->fed_until[0] = s->fed_until[1] = 0;
    start_all(s);
}

bool stream_done(Stream *s, Engine e)
{
    s->busy[e] = false;
    s->busy_time[e] += s->heap->now - s->busy_since[e];
    if (e == ENGINE_DMA)
        move_on(s, s->storing ? &s->store : &s->load);
    else if (e == ENGINE_FEED)
        feed_finished(s, s->plan->entry[s->feed].first + s->plan->entry[s->feed].nblock);
    else if (e == ENGINE_ARRAY)
        move_on(s, &s->array);
    else if (e == ENGINE_VECTOR)
        move_on(s, &s->vector);
    else
        retire_one(s);
    start_all(s);
    if (s->retire < s->plan->nentry)
        return false;
    s->plan = NULL;
    return true;
}
