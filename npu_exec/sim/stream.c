/* Simulates a task with one event at the end of each engine's work. */
#include "npu_exec/sim/stream.h"

enum { ENGINE_PRIORITY = 10 };

enum {
    DMA = 1 << ENGINE_DMA,
    FEED = 1 << ENGINE_FEED,
    ARRAY = 1 << ENGINE_ARRAY,
    VECTOR = 1 << ENGINE_VECTOR,
    RETIRE = 1 << ENGINE_RETIRE,
    ALL = DMA | FEED | ARRAY | VECTOR | RETIRE
};

/* Which engines a finished piece of work may let go on, by the rules in the header. */
static const uint32_t wakes[ENGINE_COUNT] = {
    [ENGINE_DMA] = DMA | FEED | ARRAY | RETIRE,   [ENGINE_FEED] = FEED | ARRAY,
    [ENGINE_ARRAY] = DMA | FEED | ARRAY | VECTOR, [ENGINE_VECTOR] = DMA | ARRAY | VECTOR | RETIRE,
    [ENGINE_RETIRE] = DMA | ARRAY | RETIRE,
};

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
    assert(c->entry < s->plan->nentry);
    c->index++;
    if (++c->block == entry_at(s, c)->nblock) {
        c->block = 0;
        c->entry++;
    }
}

/* What an attempt to start an engine led to. */
typedef enum { BLOCKED, STARTED, DONE /* it took no time */ } Outcome;

static Outcome occupy_engine(Stream *s, Engine e, Ps ps)
{
    if (ps == 0)
        return DONE;
    s->busy[e] = true;
    s->busy_since[e] = s->heap->now;
    if (e == ENGINE_DMA)
        dram_request(s->dram, s->heap->now, s->requester, ps);
    else
        event_put(s->heap, s->heap->now + ps, (uint8_t)(ENGINE_PRIORITY + e), s->kind_base + e,
                  s->id);
    return STARTED;
}

static Ps load_work(const Stream *s)
{
    const PlanEntry *e = entry_at(s, &s->load);
    return e->load + (s->load.block == 0 ? e->weights + e->reload : 0);
}

static int64_t load_bytes(const Stream *s)
{
    const PlanEntry *e = entry_at(s, &s->load);
    return e->load_bytes + (s->load.block == 0 ? e->first_bytes : 0);
}

static bool waits_for_entries(const Stream *s)
{
    return s->plan->in_order && s->load.block == 0 && s->retire < entry_at(s, &s->load)->after;
}

/* Loads run one block ahead of stores; what moves no bytes asks for nothing. */
static Outcome try_dma(Stream *s)
{
    bool load =
        !at_end(s, &s->load) && s->load.index <= s->store.index + 1 && !waits_for_entries(s);
    if (!load && at_end(s, &s->store))
        return BLOCKED;
    Ps work = load ? load_work(s) : entry_at(s, &s->store)->store;
    bool ahead = s->plan->overlap ? s->load.index < 2 || s->array.index > s->load.index - 2
                                  : s->vector.index >= s->load.index;
    bool ready = load ? ahead : s->vector.index > s->store.index;
    if (work > 0 && !ready)
        return BLOCKED;
    s->storing = !load;
    s->moving = load ? load_bytes(s) : entry_at(s, &s->store)->store_bytes;
    s->moving_work = work;
    return occupy_engine(s, ENGINE_DMA, work);
}

static Outcome try_feed(Stream *s)
{
    while (s->feed < s->plan->nentry && s->plan->entry[s->feed].feed == 0)
        s->feed++;
    if (s->feed == s->plan->nentry)
        return BLOCKED;
    const PlanEntry *e = &s->plan->entry[s->feed];
    if (s->load.index <= e->first || s->array.index < s->fed_until[1])
        return BLOCKED;
    return occupy_engine(s, ENGINE_FEED, e->feed);
}

static Outcome try_array(Stream *s)
{
    if (at_end(s, &s->array))
        return BLOCKED;
    const PlanEntry *e = entry_at(s, &s->array);
    uint64_t k = s->array.index;
    bool first = s->array.block == 0;
    if (s->load.index <= k || (k >= 2 && s->vector.index <= k - 2))
        return BLOCKED; /* store(k-2) is done too: it comes before load(k) on the DMA engine */
    if (first && (s->retire < e->after || (e->feed > 0 && s->feed <= s->array.entry)))
        return BLOCKED;
    return occupy_engine(s, ENGINE_ARRAY, e->array + (first ? e->command : 0));
}

static Outcome try_vector(Stream *s)
{
    if (at_end(s, &s->vector) || s->array.index <= s->vector.index)
        return BLOCKED;
    return occupy_engine(s, ENGINE_VECTOR, entry_at(s, &s->vector)->vector);
}

static Outcome try_retire(Stream *s)
{
    if (s->retire == s->plan->nentry || s->vector.entry <= s->retire)
        return BLOCKED;
    const PlanEntry *e = &s->plan->entry[s->retire];
    if (e->waits_store && s->store.entry <= s->retire)
        return BLOCKED;
    return occupy_engine(s, ENGINE_RETIRE, e->barrier);
}

/* Bytes of the transfer in flight that are done. */
static int64_t moved_of_transfer(const Stream *s)
{
    if (!s->busy[ENGINE_DMA])
        return 0;
    Ps left = dram_left(s->dram, s->heap->now, s->requester);
    return i64_mul_div(s->moving, s->moving_work - left, s->moving_work);
}

/* What the engine was doing is done: its cursor moves on. */
static void finish_engine(Stream *s, Engine e)
{
    if (e == ENGINE_DMA) {
        s->moved = i64_add(s->moved, s->moving);
        move_on(s, s->storing ? &s->store : &s->load);
    } else if (e == ENGINE_FEED) {
        const PlanEntry *fed = &s->plan->entry[s->feed++];
        s->fed_until[1] = s->fed_until[0];
        s->fed_until[0] = fed->first + fed->nblock;
    } else if (e == ENGINE_ARRAY) {
        move_on(s, &s->array);
    } else if (e == ENGINE_VECTOR) {
        move_on(s, &s->vector);
    } else {
        assert(s->retire < s->plan->nentry);
        s->moved_at[s->retire] = i64_add(s->moved, moved_of_transfer(s));
        s->retired_at[s->retire++] = s->heap->now;
    }
}

/* Starts every engine of the mask that can start; one that finishes at once wakes those that wait
 * for it. */
static void start_engines(Stream *s, uint32_t engines)
{
    static Outcome (*const attempt[ENGINE_COUNT])(Stream *) = {
        [ENGINE_DMA] = try_dma,       [ENGINE_FEED] = try_feed,     [ENGINE_ARRAY] = try_array,
        [ENGINE_VECTOR] = try_vector, [ENGINE_RETIRE] = try_retire,
    };
    while (engines) {
        Engine e = (Engine)__builtin_ctz(engines);
        engines &= engines - 1;
        if (s->busy[e] || attempt[e](s) != DONE)
            continue;
        finish_engine(s, e);
        engines |= wakes[e];
    }
}

void stream_start(Stream *s, const TaskPlan *plan, Ps *retired_at, int64_t *moved_at)
{
    assert(!s->plan && plan->nentry > 0 && plan->entry[plan->nentry - 1].waits_store);
    s->plan = plan;
    s->retired_at = retired_at;
    s->moved_at = moved_at;
    s->moved = 0;
    s->load = s->store = s->array = s->vector = (Cursor){0};
    s->feed = s->retire = 0;
    s->fed_until[0] = s->fed_until[1] = 0;
    start_engines(s, ALL);
}

bool stream_done(Stream *s, Engine e)
{
    assert(s->plan && s->busy[e]);
    s->busy[e] = false;
    s->busy_time[e] += s->heap->now - s->busy_since[e];
    finish_engine(s, e);
    start_engines(s, wakes[e]);
    if (s->retire < s->plan->nentry)
        return false;
    s->plan = NULL;
    return true;
}
