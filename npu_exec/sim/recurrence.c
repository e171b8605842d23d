/* Follows the rules of stream.h block by block, without a heap. */
#include "npu_exec/sim/recurrence.h"

/* Of pairs, [0] belongs to block k-2 and [1] to block k-1. */
typedef struct {
    Ps array[2], vector[2]; /* done */
    Ps pending_store[2];    /* work */
    Ps dma, feed;           /* engine free */
    Ps fed_left_array[2];   /* when the entries fed before last and last left the array */
    Ps retired;
} Times;

static void shift_pair(Ps pair[2], Ps newest)
{
    pair[0] = pair[1];
    pair[1] = newest;
}

/* store(k-2) comes before load(k) in the DMA's order. */
static void run_store(Times *t)
{
    if (t->pending_store[0] > 0)
        t->dma = i64_max(t->dma, t->vector[0]) + t->pending_store[0];
}

static Ps run_load(Times *t, const PlanEntry *e, uint32_t block, bool overlap)
{
    Ps work = e->load + (block == 0 ? e->weights + e->reload : 0);
    if (work > 0)
        t->dma = i64_max(t->dma, overlap ? t->array[0] : t->vector[1]) + work;
    return t->dma;
}

static Ps run_feed(Times *t, const PlanEntry *e, Ps loaded)
{
    if (e->feed > 0)
        t->feed = i64_max(t->feed, i64_max(loaded, t->fed_left_array[0])) + e->feed;
    return t->feed;
}

static void run_block(Times *t, const PlanEntry *e, uint32_t block, bool overlap,
                      const Ps *retired_at)
{
    run_store(t);
    Ps loaded = run_load(t, e, block, overlap);
    Ps start = i64_max(i64_max(t->array[1], loaded), t->vector[0]);
    if (block == 0) {
        start = i64_max(start, run_feed(t, e, loaded));
        if (e->after > 0)
            start = i64_max(start, retired_at[e->after - 1]);
        start += e->command;
    }
    shift_pair(t->array, start + e->array);
    shift_pair(t->vector, i64_max(t->vector[1], t->array[1]) + e->vector);
    shift_pair(t->pending_store, e->store);
}

/* The stores still to come after the last block. */
static void drain_stores(Times *t)
{
    for (int i = 0; i < 2; i++) {
        run_store(t);
        shift_pair(t->pending_store, 0);
        t->vector[0] = t->vector[1];
    }
}

void recurrence(const TaskPlan *plan, Ps *ret_retired_at)
{
    Times t = {0};
    for (uint32_t i = 0; i < plan->nentry; i++) {
        const PlanEntry *e = &plan->entry[i];
        assert(e->after <= i && e->nblock > 0);
        if (plan->in_order && e->after > 0)
            t.dma = i64_max(t.dma, ret_retired_at[e->after - 1]);
        for (uint32_t block = 0; block < e->nblock; block++)
            run_block(&t, e, block, plan->overlap, ret_retired_at);
        if (e->feed > 0)
            shift_pair(t.fed_left_array, t.array[1]);
        if (e->waits_store)
            drain_stores(&t);
        t.retired =
            i64_max(i64_max(t.retired, t.vector[1]), e->waits_store ? t.dma : 0) + e->barrier;
        ret_retired_at[i] = t.retired;
    }
}
