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

/* Keeps the `most` longest items of a list, in their order; *ret_omitted counts the others. */
#define KEEP_LONGEST(a, item, n, most, ret_omitted)                                                \
    do {                                                                                           \
        int64_t *length_ = ARENA_ARRAY((a), int64_t, (n) + 1);                                     \
        size_t kept_ = 0;                                                                          \
        for (size_t i_ = 0; i_ < (n); i_++)                                                        \
            length_[i_] = (item)[i_].end_ns - (item)[i_].start_ns;                                 \
        int64_t least_ = shortest_kept(length_, (n), (most));                                      \
        for (size_t i_ = 0; i_ < (n); i_++)                                                        \
            if ((item)[i_].end_ns - (item)[i_].start_ns >= least_ && kept_ < (most))               \
                (item)[kept_++] = (item)[i_];                                                      \
        *(ret_omitted) = (n)-kept_;                                                                \
        (n) = kept_;                                                                               \
    } while (0)

void timeline_close(Timeline *t)
{
    ORDER_LIST(t->block, t->nblock, compare_blocks_by_start);
    ORDER_LIST(t->inner, t->ninner, compare_blocks_by_start);
    ORDER_LIST(t->gap, t->ngap, gap_by_start);
}

void timeline_limit(Arena *a, Timeline *t)
{
    KEEP_LONGEST(a, t->block, t->nblock, TIMELINE_BLOCKS, &t->omitted);
    KEEP_LONGEST(a, t->gap, t->ngap, TIMELINE_GAPS, &t->gaps_omitted);
}
