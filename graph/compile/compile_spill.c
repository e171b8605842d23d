/* Chooses the weights to pin in SRAM and the activations to spill. */
#include "graph/compile/compile_sram.h"

int64_t sram_stream_bytes(const Sram *s, size_t op)
{
    int64_t w = op < s->p->nop ? s->e->use[op].weight_bytes : 0;
    return w < s->arena / 4 ? w : s->arena / 4;
}

void sram_pin_weights(Sram *s)
{
    size_t nop = s->p->nop;
    int64_t total = 0, held = 0;
    int64_t *reserve = ARENA_ARRAY(s->e->c->scratch, int64_t, nop + 2);
    for (size_t i = 0; i < nop; i++)
        total = layout_size_add(total, s->e->use[i].weight_bytes);
    s->act_cap = i64_max(s->arena / 2, s->arena - total);
    for (size_t i = 0; i < nop; i++)
        held = i64_max(held, i64_min(s->live[i], s->act_cap));
    for (size_t i = nop; i-- > 0;) {
        int64_t here =
            i64_min(s->live[i], s->act_cap) + sram_stream_bytes(s, i) + sram_stream_bytes(s, i + 1);
        reserve[i] = i64_max(here, reserve[i + 1]);
    }
    int64_t sum = 0;
    s->npinned = 0;
    s->pinned = 0;
    for (size_t k = 0; k < nop; k++) {
        sum = layout_size_add(sum, s->e->use[k].weight_bytes);
        /* Ops from k on: k itself is pinned, but the next one's weights come while it runs. */
        int64_t need = i64_max(
            held, k + 1 < nop ? i64_min(s->live[k], s->act_cap) + sram_stream_bytes(s, k + 1) : 0);
        need = i64_max(need, reserve[k + 1]);
        if (sum + need > s->arena)
            break;
        s->npinned = (LowOpId)(k + 1);
        s->pinned = sum;
    }
}

/* ---- what is spilled ---- */

/* Bytes of live roots by rank, as a Fenwick tree. */
typedef struct {
    int64_t *sum;
    uint32_t n, top;
} Tree;

static void tree_add(Tree *t, uint32_t rank, int64_t bytes)
{
    for (uint32_t i = rank + 1; i <= t->n; i += i & -i)
        t->sum[i] += bytes;
}

/* The shortest prefix of ranks that holds at least `bytes`; its length. */
static uint32_t tree_prefix(const Tree *t, int64_t bytes)
{
    uint32_t at = 0;
    for (uint32_t step = t->top; step; step >>= 1)
        if (at + step <= t->n && t->sum[at + step] < bytes) {
            at += step;
            bytes -= t->sum[at];
        }
    return at + 1;
}

/* cut[i]: roots of a rank below it are spilled if they live at op i. */
static uint32_t *cuts_find(Sram *s)
{
    Arena *a = s->e->c->scratch;
    size_t nop = s->p->nop;
    uint32_t *cut = ARENA_ARRAY(a, uint32_t, nop + 1);
    uint32_t *starts = ARENA_ARRAY(a, uint32_t, nop + 2), *ends = ARENA_ARRAY(a, uint32_t, nop + 2);
    uint32_t *next_start = ARENA_ARRAY(a, uint32_t, (size_t)s->nroot + 1);
    uint32_t *next_end = ARENA_ARRAY(a, uint32_t, (size_t)s->nroot + 1);
    Tree t = {.sum = ARENA_ARRAY(a, int64_t, (size_t)s->nroot + 2), .n = s->nroot, .top = 1};
    while (t.top * 2 <= t.n)
        t.top *= 2;
    for (uint32_t r = s->nroot; r-- > 0;) { /* lists of ranks, 1-based, per first and last op */
        const LowBuf *b = &s->e->buf[s->by_rank[r]];
        next_start[r] = starts[b->first];
        starts[b->first] = r + 1;
        next_end[r] = ends[b->last];
        ends[b->last] = r + 1;
    }
    for (size_t i = 0; i < nop; i++) {
        for (uint32_t r = starts[i]; r; r = next_start[r - 1])
            tree_add(&t, r - 1, s->e->buf[s->by_rank[r - 1]].bytes);
        if (s->live[i] > s->act_cap)
            cut[i] = tree_prefix(&t, s->live[i] - s->act_cap);
        for (uint32_t r = ends[i]; r; r = next_end[r - 1])
            tree_add(&t, r - 1, -s->e->buf[s->by_rank[r - 1]].bytes);
    }
    return cut;
}

/* Largest of cut[first..last], by a tree of maxima. */
static uint32_t range_max(const uint32_t *tree, size_t n, size_t first, size_t last)
{
    uint32_t m = 0;
    for (size_t lo = first + n, hi = last + n + 1; lo < hi; lo /= 2, hi /= 2) {
        if (lo & 1)
            m = tree[lo] > m ? tree[lo] : m, lo++;
        if (hi & 1)
            hi--, m = tree[hi] > m ? tree[hi] : m;
    }
    return m;
}

void sram_choose_spilled(Sram *s)
{
    size_t n = s->p->nop;
    uint32_t *cut = cuts_find(s), *tree = ARENA_ARRAY(s->e->c->scratch, uint32_t, 2 * n + 2);
    memcpy(tree + n, cut, n * sizeof *cut);
    for (size_t i = n; i-- > 1;)
        tree[i] = tree[2 * i] > tree[2 * i + 1] ? tree[2 * i] : tree[2 * i + 1];
    for (uint32_t r = 0; r < s->nroot; r++) {
        const LowBuf *b = &s->e->buf[s->by_rank[r]];
        s->spilled[s->by_rank[r]] = r < range_max(tree, n, b->first, b->last);
    }
}
