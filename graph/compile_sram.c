/* SRAM: which weights stay, which activations are spilled, who lies where, and how ops are tiled.
 *
 * Weights are pinned from address 0 in the order of their ops while room for the activations
 * remains; others stream in one op ahead.  Activations may take what the weights leave, but always
 * half of the SRAM.  More SRAM never spills more: the capacity for activations grows with it, and
 * what is spilled at an op is a prefix of one order of all buffers that does not depend on it. */
#include "graph/compile_emit.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    Emit *e;
    Program *p;
    int64_t arena;     /* SRAM of the program */
    int64_t act_cap;   /* what activations may take */
    LowOpId npinned;   /* ops below it have their weights pinned */
    int64_t pinned;    /* bytes of those */
    int64_t *live;     /* per op: activations, views counted once */
    uint32_t *by_rank; /* roots, the first to be spilled first */
    uint32_t *rank_of; /* per buffer */
    uint32_t nroot;
    bool *spilled; /* per buffer */
    size_t box_cap;
} Sram;

static uint32_t root_of(const Sram *s, uint32_t buf)
{
    const LowBuf *b = s->e->buf;
    while (b[buf].root != buf)
        buf = b[buf].root;
    return buf;
}

/* --- live ranges
 * ------------------------------------------------------------------------------------ */

/* Longest wait between two uses times size: what gains most room for one trip to DRAM. */
typedef struct {
    uint32_t buf;
    int64_t worth;
} Rank;

static int by_worth(const void *pa, const void *pb)
{
    const Rank *a = pa, *b = pb;
    if (a->worth != b->worth)
        return a->worth > b->worth ? -1 : 1;
    return a->buf < b->buf ? -1 : a->buf > b->buf;
}

static void touch(Sram *s, uint32_t buf, LowOpId op, int64_t *gap)
{
    LowBuf *b = &s->e->buf[buf];
    if (b->first == LOWOP_NONE) {
        b->first = b->last = op;
        return;
    }
    if ((int64_t)op - b->last > gap[buf])
        gap[buf] = (int64_t)op - b->last;
    if (op > b->last)
        b->last = op;
}

/* Calls of touch for one op's buffers.  What comes by a transfer is loaded when it is first read,
 * what leaves is stored when it is made: neither holds room beyond its use. */
static void touch_op(Sram *s, LowOpId id, int64_t *gap)
{
    const LowUse *u = &s->e->use[id];
    for (uint32_t k = 0; k < u->nin + u->nout; k++) {
        uint32_t buf = root_of(s, s->e->op_buf[u->first + k]);
        touch(s, buf, id, gap);
    }
}

static void set_ranges(Sram *s)
{
    Emit *e = s->e;
    int64_t *gap = ARENA_ARRAY(e->c->scratch, int64_t, e->nbuf + 1);
    for (size_t i = 0; i < e->nbuf; i++)
        e->buf[i].first = e->buf[i].last = LOWOP_NONE;
    for (size_t i = 0; i < s->p->nstep; i++)
        for (uint32_t k = 0; k < s->p->step[i].nop; k++)
            touch_op(s, s->p->step[i].first_op + k, gap);
    Rank *rank = ARENA_ARRAY(e->c->scratch, Rank, e->nbuf + 1);
    for (size_t i = 0; i < e->nbuf; i++)
        if (e->buf[i].root == i && e->buf[i].first != LOWOP_NONE)
            rank[s->nroot++] = (Rank){(uint32_t)i, size_mul(gap[i], e->buf[i].bytes)};
    qsort(rank, s->nroot, sizeof *rank, by_worth);
    for (uint32_t i = 0; i < s->nroot; i++) {
        s->by_rank[i] = rank[i].buf;
        s->rank_of[rank[i].buf] = i;
    }
}

static void set_live(Sram *s)
{
    size_t nop = s->p->nop;
    for (uint32_t i = 0; i < s->nroot; i++) {
        const LowBuf *b = &s->e->buf[s->by_rank[i]];
        s->live[b->first] += b->bytes;
        if (b->last + 1 < nop)
            s->live[b->last + 1] -= b->bytes;
    }
    for (size_t i = 1; i < nop; i++)
        s->live[i] += s->live[i - 1];
}

/* --- weights
 * ----------------------------------------------------------------------------------------- */

/* SRAM that the weights of an op take while they stream: large ones come in parts. */
static int64_t stream_bytes(const Sram *s, size_t op)
{
    int64_t w = op < s->p->nop ? s->e->use[op].weight_bytes : 0;
    return w < s->arena / 4 ? w : s->arena / 4;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* The longest prefix of ops whose weights can be pinned: the rest streams one op ahead. */
static void pin_weights(Sram *s)
{
    size_t nop = s->p->nop;
    int64_t total = 0, held = 0;
    int64_t *reserve = ARENA_ARRAY(s->e->c->scratch, int64_t, nop + 2);
    for (size_t i = 0; i < nop; i++)
        total = size_add(total, s->e->use[i].weight_bytes);
    s->act_cap = most(s->arena / 2, s->arena - total);
    for (size_t i = 0; i < nop; i++)
        held = most(held, least(s->live[i], s->act_cap));
    for (size_t i = nop; i-- > 0;) {
        int64_t here = least(s->live[i], s->act_cap) + stream_bytes(s, i) + stream_bytes(s, i + 1);
        reserve[i] = most(here, reserve[i + 1]);
    }
    int64_t sum = 0;
    for (size_t k = 0; k < nop; k++) {
        sum = size_add(sum, s->e->use[k].weight_bytes);
        /* Ops from k on: k itself is pinned, but the next one's weights come while it runs. */
        int64_t need =
            most(held, k + 1 < nop ? least(s->live[k], s->act_cap) + stream_bytes(s, k + 1) : 0);
        need = most(need, reserve[k + 1]);
        if (sum + need > s->arena)
            break;
        s->npinned = (LowOpId)(k + 1);
        s->pinned = sum;
    }
}

/* --- what is spilled
 * ----------------------------------------------------------------------------------- */

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

static void choose_spilled(Sram *s)
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

/* --- where things lie
 * ---------------------------------------------------------------------------------- */

typedef struct {
    int64_t address, bytes;
} Hole;

typedef struct {
    Hole *hole; /* by address */
    size_t n, cap;
} Holes;

/* First fit; -1 when no hole is large enough. */
static int64_t holes_take(Holes *h, int64_t bytes)
{
    for (size_t i = 0; i < h->n; i++) {
        if (h->hole[i].bytes < bytes)
            continue;
        int64_t address = h->hole[i].address;
        h->hole[i].address += bytes;
        h->hole[i].bytes -= bytes;
        if (h->hole[i].bytes == 0)
            memmove(&h->hole[i], &h->hole[i + 1], (--h->n - i) * sizeof *h->hole);
        return address;
    }
    return -1;
}

static void holes_give(Arena *a, Holes *h, Hole back)
{
    size_t lo = 0, hi = h->n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (h->hole[mid].address < back.address)
            lo = mid + 1;
        else
            hi = mid;
    }
    bool left = lo > 0 && h->hole[lo - 1].address + h->hole[lo - 1].bytes == back.address;
    bool right = lo < h->n && back.address + back.bytes == h->hole[lo].address;
    if (left && right) {
        h->hole[lo - 1].bytes += back.bytes + h->hole[lo].bytes;
        memmove(&h->hole[lo], &h->hole[lo + 1], (--h->n - lo) * sizeof *h->hole);
    } else if (left) {
        h->hole[lo - 1].bytes += back.bytes;
    } else if (right) {
        h->hole[lo].address = back.address;
        h->hole[lo].bytes += back.bytes;
    } else {
        (void)VEC_PUSH(a, h->hole, h->n, h->cap);
        memmove(&h->hole[lo + 1], &h->hole[lo], (h->n - 1 - lo) * sizeof *h->hole);
        h->hole[lo] = back;
    }
}

/* Boxes that end at an op, as lists. */
typedef struct {
    Sram *s;
    Holes holes;
    uint32_t *ending; /* per op: 1-based box */
    uint32_t *next;
    size_t next_cap;
} Placer;

static bool put(Placer *pl, int64_t bytes, LowOpId first, LowOpId last, TensorId tensor,
                bool weight)
{
    Program *p = pl->s->p;
    bytes = size_mul((bytes + p->machine->io_align_bytes - 1) / p->machine->io_align_bytes,
                     p->machine->io_align_bytes);
    int64_t address = bytes ? holes_take(&pl->holes, bytes) : -1;
    if (address < 0)
        return bytes == 0;
    size_t n = p->nbox;
    *VEC_PUSH(p->arena, p->box, p->nbox, pl->s->box_cap) =
        (SramBox){address, bytes, first, last, tensor, weight};
    *VEC_PUSH(pl->s->e->c->scratch, pl->next, n, pl->next_cap) = pl->ending[last];
    pl->ending[last] = (uint32_t)p->nbox;
    return true;
}

static void release(Placer *pl, LowOpId op)
{
    for (uint32_t b = pl->ending[op]; b; b = pl->next[b - 1]) {
        const SramBox *box = &pl->s->p->box[b - 1];
        holes_give(pl->s->e->c->scratch, &pl->holes, (Hole){box->address, box->bytes});
    }
}

/* Weights of the op, which stay for its duration and come one op earlier. */
static void put_stream(Placer *pl, size_t op, LowOpId now)
{
    const Program *p = pl->s->p;
    if (op < pl->s->npinned || op >= p->nop)
        return;
    put(pl, stream_bytes(pl->s, op), now, (LowOpId)op, TENSOR_NONE, true);
}

static void put_buffer(Placer *pl, uint32_t buf)
{
    Sram *s = pl->s;
    const LowBuf *b = &s->e->buf[buf];
    if (!s->spilled[buf] && !put(pl, b->bytes, b->first, b->last, b->tensor, false))
        s->spilled[buf] = true; /* room enough, but in pieces */
}

static void put_roots(Placer *pl, LowOpId id, const uint32_t *start, const uint32_t *next)
{
    for (uint32_t r = start[id]; r; r = next[r - 1])
        put_buffer(pl, pl->s->by_rank[r - 1]);
}

static void place_segment(Placer *pl, const Step *step, const uint32_t *start, const uint32_t *next)
{
    LowOpId end = step->first_op + step->nop;
    for (LowOpId i = step->first_op; i < end; i++) {
        if (i == step->first_op)
            put_stream(pl, i, i);
        put_roots(pl, i, start, next);
        if (i + 1 < end)
            put_stream(pl, (size_t)i + 1, i);
        release(pl, i);
    }
}

static void place_all(Sram *s)
{
    Arena *a = s->e->c->scratch;
    Placer pl = {.s = s, .ending = ARENA_ARRAY(a, uint32_t, s->p->nop + 1)};
    uint32_t *start = ARENA_ARRAY(a, uint32_t, s->p->nop + 1);
    uint32_t *next = ARENA_ARRAY(a, uint32_t, (size_t)s->nroot + 1);
    holes_give(a, &pl.holes, (Hole){0, s->arena});
    LowOpId last = s->p->nop ? (LowOpId)(s->p->nop - 1) : 0;
    for (LowOpId i = 0; i < s->npinned; i++)
        put(&pl, s->e->use[i].weight_bytes, 0, last, TENSOR_NONE, true);
    for (uint32_t r = s->nroot; r-- > 0;) {
        LowOpId first = s->e->buf[s->by_rank[r]].first;
        next[r] = start[first];
        start[first] = r + 1;
    }
    for (size_t i = 0; i < s->p->nstep; i++)
        if (s->p->step[i].nop)
            place_segment(&pl, &s->p->step[i], start, next);
}

/* --- tiles and traffic
 * ----------------------------------------------------------------------------------- */

static int64_t rows_cost(int64_t bytes, int64_t rows)
{
    return rows > 0 ? (bytes + rows - 1) / rows : bytes;
}

/* Rows of the output per tile so that two tiles of input and output fit `room`. */
static void tile(LowOp *op, int64_t in, int64_t out, int64_t room)
{
    int64_t row_in = rows_cost(in, op->h_in), row_out = rows_cost(out, op->h_out);
    int64_t extent = (int64_t)op->dilation_h * (op->kernel_h - 1) + 1;
    int64_t half = room / 2, first = size_mul(row_in, extent) + row_out;
    int64_t per_row = size_mul(row_in, op->stride_h) + row_out;
    int64_t rows = half >= first && per_row > 0 ? 1 + (half - first) / per_row : 0;
    int64_t height = op->h_out > 0 ? op->h_out : 1;
    if (rows < 1) { /* not even one row: its channels are split as well */
        int64_t parts = half > 0 ? first / half + 1 : 1;
        op->tiles = size_mul(height, parts);
        rows = 1;
    } else {
        op->tiles = (height + rows - 1) / rows;
    }
    int64_t seams = (height + rows - 1) / rows - 1, overlap = extent - op->stride_h;
    op->halo_bytes = overlap > 0 ? size_mul(size_mul(seams, overlap), row_in) : 0;
}

static void schedule_op(Sram *s, LowOpId id, const int64_t *resident)
{
    LowOp *op = &s->p->op[id];
    const LowUse *u = &s->e->use[id];
    int64_t in = 0, out = 0;
    for (uint32_t k = 0; k < u->nin + u->nout && !op->zero_cost; k++) {
        uint32_t buf = root_of(s, s->e->op_buf[u->first + k]);
        if (!s->spilled[buf])
            continue;
        int64_t bytes = s->e->buf[buf].bytes;
        in += k < u->nin ? bytes : 0;
        out += k < u->nin ? 0 : bytes;
    }
    int64_t weights = id < s->npinned ? 0 : u->weight_bytes;
    op->spill_bytes = size_add(size_add(in, out), weights);
    op->live_bytes = s->pinned + resident[id] + (weights ? stream_bytes(s, id) : 0);
    if (in + out > 0) {
        tile(op, in, out, s->act_cap - resident[id]);
        op->spill_bytes = size_add(op->spill_bytes, op->halo_bytes);
        op->live_bytes += least(in + out, s->act_cap - resident[id]);
    }
}

static void summarise(Sram *s, const int64_t *resident)
{
    ProgramSummary *sum = &s->p->summary;
    for (size_t i = 0; i < s->p->nbox; i++)
        sum->sram_peak_bytes =
            most(sum->sram_peak_bytes, s->p->box[i].address + s->p->box[i].bytes);
    for (size_t i = 0; i < s->p->nop; i++) {
        sum->activation_peak_bytes = most(sum->activation_peak_bytes, resident[i]);
        sum->sram_peak_bytes = most(sum->sram_peak_bytes, least(s->p->op[i].live_bytes, s->arena));
        if (i >= s->npinned)
            sum->dram_spill_bytes = size_add(sum->dram_spill_bytes, s->e->use[i].weight_bytes);
    }
    for (uint32_t r = 0; r < s->nroot; r++)
        if (s->spilled[s->by_rank[r]])
            sum->dram_spill_bytes = size_add(sum->dram_spill_bytes, s->e->buf[s->by_rank[r]].bytes);
    sum->sram_bytes = s->arena;
    sum->weights_resident = sum->dram_spill_bytes == 0;
}

void sram_schedule(Emit *e)
{
    Arena *a = e->c->scratch;
    Sram s = {.e = e,
              .p = e->p,
              .arena = layout_sram_bytes(e->c->machine, e->c->options->pe),
              .live = ARENA_ARRAY(a, int64_t, e->p->nop + 2),
              .by_rank = ARENA_ARRAY(a, uint32_t, e->nbuf + 1),
              .rank_of = ARENA_ARRAY(a, uint32_t, e->nbuf + 1),
              .spilled = ARENA_ARRAY(a, bool, e->nbuf + 1)};
    set_ranges(&s);
    set_live(&s);
    pin_weights(&s);
    if (s.nroot)
        choose_spilled(&s);
    place_all(&s);
    int64_t *resident = ARENA_ARRAY(a, int64_t, e->p->nop + 2);
    for (uint32_t r = 0; r < s.nroot; r++) {
        const LowBuf *b = &e->buf[s.by_rank[r]];
        if (s.spilled[s.by_rank[r]])
            continue;
        resident[b->first] += b->bytes;
        resident[b->last + 1] -= b->bytes;
    }
    for (size_t i = 1; i < e->p->nop; i++)
        resident[i] += resident[i - 1];
    for (size_t i = 0; i < e->p->nop; i++)
        schedule_op(&s, (LowOpId)i, resident);
    summarise(&s, resident);
}
