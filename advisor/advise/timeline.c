/* Collects and sorts blocks and gaps, and drops the shortest beyond the limits. */
#include "advisor/advise/timeline.h"
#include "graph/base/statistics.h"

void timeline_block(Arena *a, Timeline *t, TimelineBlock b)
{
    assert((unsigned)b.lane < RESULT_LANE_COUNT && b.name);
    *VEC_PUSH(a, t->block, t->nblock, t->block_cap) = b;
}

void timeline_gap(Arena *a, Timeline *t, ResultGap g)
{
    if (g.end_ns <= g.start_ns)
        return;
    *VEC_PUSH(a, t->gap, t->ngap, t->gap_cap) = g;
    ResultCause *c = &t->cause[g.cause];
    *c = (ResultCause){g.cause, c->ns + g.end_ns - g.start_ns, c->count + 1};
}

void timeline_inner(Arena *a, Timeline *t, TimelineBlock b)
{
    *VEC_PUSH(a, t->inner, t->ninner, t->inner_cap) = b;
}

ORDER_BY(compare_blocks_by_start, TimelineBlock, COMPARE(a->start_ns, b->start_ns),
         COMPARE(a->lane, b->lane), COMPARE(a->index, b->index), COMPARE(b->end_ns, a->end_ns))

ORDER_BY(gap_by_start, ResultGap, COMPARE(a->start_ns, b->start_ns))

/* The smallest length of the `keep` longest of n; sorts them. */
static int64_t shortest_kept(int64_t *length, size_t n, size_t keep)
{
    if (n <= keep)
        return 0;
    statistics_sort_ints(length, n);
    return length[n - keep];
}

static void limit_blocks(Arena *a, Timeline *t)
{
    int64_t *length = ARENA_ARRAY(a, int64_t, t->nblock + 1);
    for (size_t i = 0; i < t->nblock; i++)
        length[i] = t->block[i].end_ns - t->block[i].start_ns;
    int64_t least = shortest_kept(length, t->nblock, TIMELINE_BLOCKS);
    size_t kept = 0;
    for (size_t i = 0; i < t->nblock; i++)
        if (t->block[i].end_ns - t->block[i].start_ns >= least && kept < TIMELINE_BLOCKS)
            t->block[kept++] = t->block[i];
    t->omitted = t->nblock - kept;
    t->nblock = kept;
}

static void limit_gaps(Arena *a, Timeline *t)
{
    int64_t *length = ARENA_ARRAY(a, int64_t, t->ngap + 1);
    for (size_t i = 0; i < t->ngap; i++)
        length[i] = t->gap[i].end_ns - t->gap[i].start_ns;
    int64_t least = shortest_kept(length, t->ngap, TIMELINE_GAPS);
    size_t kept = 0;
    for (size_t i = 0; i < t->ngap; i++)
        if (t->gap[i].end_ns - t->gap[i].start_ns >= least && kept < TIMELINE_GAPS)
            t->gap[kept++] = t->gap[i];
    t->gaps_omitted = t->ngap - kept;
    t->ngap = kept;
}

void timeline_close(Timeline *t)
{
    ORDER_LIST(t->block, t->nblock, compare_blocks_by_start);
    ORDER_LIST(t->inner, t->ninner, compare_blocks_by_start);
    ORDER_LIST(t->gap, t->ngap, gap_by_start);
}

void timeline_limit(Arena *a, Timeline *t)
{
    limit_blocks(a, t);
    limit_gaps(a, t);
}
