/* Plans groups of images, tiles ops and sums what SRAM and DRAM hold.
 *
 * Weights are pinned from address 0 in the order of their ops while room for the activations
 * remains; others stream in one op ahead.  Activations may take what the weights leave, but always
 * half of the SRAM.  More SRAM never spills more: the capacity for activations grows with it, and
 * what is spilled at an op is a prefix of one order of all buffers that does not depend on it. */
#include "graph/compile/compile_sram.h"

enum { GROUPS_MAX = 64 };

static uint32_t root_buffer(const Sram *s, uint32_t buf)
{
    const LowBuf *b = s->e->buf;
    while (b[buf].root != buf)
        buf = b[buf].root;
    return buf;
}

/* ---- live ranges ---- */

/* Longest wait between two uses times size: what gains most room for one trip to DRAM. */
typedef struct {
    uint32_t buf;
    int64_t worth;
} Rank;

ORDER_BY(by_worth, Rank, COMPARE(b->worth, a->worth), COMPARE(a->buf, b->buf))

static void extend_lifetime(Sram *s, uint32_t buf, LowOpId op, int64_t *gap)
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
        uint32_t buf = root_buffer(s, s->e->op_buf[u->first + k]);
        extend_lifetime(s, buf, id, gap);
    }
}

static void set_ranges(Sram *s)
{
    CompileEmit *e = s->e;
    int64_t *gap = ARENA_ARRAY(e->c->scratch, int64_t, e->nbuf + 1);
    for (size_t i = 0; i < e->nbuf; i++)
        e->buf[i].first = e->buf[i].last = LOWOP_NONE;
    for (size_t i = 0; i < s->p->nstep; i++)
        for (uint32_t k = 0; k < s->p->step[i].nop; k++)
            touch_op(s, s->p->step[i].first_op + k, gap);
    Rank *rank = ARENA_ARRAY(e->c->scratch, Rank, e->nbuf + 1);
    for (size_t i = 0; i < e->nbuf; i++)
        if (e->buf[i].root == i && e->buf[i].first != LOWOP_NONE)
            rank[s->nroot++] = (Rank){(uint32_t)i, layout_size_mul(gap[i], e->buf[i].bytes)};
    qsort(rank, s->nroot, sizeof *rank, by_worth);
    for (uint32_t i = 0; i < s->nroot; i++) {
        s->by_rank[i] = rank[i].buf;
    }
}

static void set_live(Sram *s)
{
    size_t nop = s->p->nop;
    memset(s->live, 0, (nop + 2) * sizeof *s->live);
    for (uint32_t i = 0; i < s->nroot; i++) {
        const LowBuf *b = &s->e->buf[s->by_rank[i]];
        s->live[b->first] += b->bytes;
        if (b->last + 1 < nop)
            s->live[b->last + 1] -= b->bytes;
    }
    for (size_t i = 1; i < nop; i++)
        s->live[i] += s->live[i - 1];
}

/* ---- tiles and traffic ---- */

static int64_t rows_cost(int64_t bytes, int64_t rows)
{
    return rows > 0 ? (bytes + rows - 1) / rows : bytes;
}

/* Rows of the output per tile so that two tiles of input and output fit `room`. */
static void tile_op(LowOp *op, int64_t in, int64_t out, int64_t room)
{
    int64_t row_in = rows_cost(in, op->h_in), row_out = rows_cost(out, op->h_out);
    int64_t extent = (int64_t)op->dilation_h * (op->kernel_h - 1) + 1;
    int64_t half = room / 2, first = layout_size_mul(row_in, extent) + row_out;
    int64_t per_row = layout_size_mul(row_in, op->stride_h) + row_out;
    int64_t rows = half >= first && per_row > 0 ? 1 + (half - first) / per_row : 0;
    int64_t height = op->h_out > 0 ? op->h_out : 1;
    if (rows < 1) { /* not even one row: its channels are split as well */
        int64_t parts = half > 0 ? first / half + 1 : 1;
        op->tiles = layout_size_mul(height, parts);
        rows = 1;
    } else {
        op->tiles = (height + rows - 1) / rows;
    }
    int64_t seams = (height + rows - 1) / rows - 1, overlap = extent - op->stride_h;
    op->halo_bytes = overlap > 0 ? layout_size_mul(layout_size_mul(seams, overlap), row_in) : 0;
}

static void schedule_op(Sram *s, LowOpId id, const int64_t *resident)
{
    LowOp *op = &s->p->op[id];
    const LowUse *u = &s->e->use[id];
    int64_t in = 0, out = 0;
    assert(resident[id] >= 0);
    for (uint32_t k = 0; k < u->nin + u->nout && !op->zero_cost; k++) {
        uint32_t buf = root_buffer(s, s->e->op_buf[u->first + k]);
        if (!s->spilled[buf])
            continue;
        int64_t bytes = s->e->buf[buf].bytes;
        in += k < u->nin ? bytes : 0;
        out += k < u->nin ? 0 : bytes;
    }
    int64_t weights = id < s->npinned ? 0 : u->weight_bytes;
    op->live_bytes = s->pinned + resident[id] + (weights ? sram_stream_bytes(s, id) : 0);
    if (in + out > 0) {
        tile_op(op, in, out, s->act_cap - resident[id]);
        op->live_bytes += i64_min(in + out, s->act_cap - resident[id]);
    }
    op->halo_bytes = layout_size_mul(s->parts, op->halo_bytes);
    /* Where all groups' activations fit side by side, the op takes them one after the other. */
    bool together = layout_size_mul(s->parts, s->live[id]) <= s->act_cap;
    op->streamed_bytes = layout_size_mul(together ? 1 : s->parts, weights);
    op->spill_bytes = layout_size_add(
        layout_size_add(layout_size_mul(s->parts, in + out), op->streamed_bytes), op->halo_bytes);
    if (!op->zero_cost)
        op->tiles = layout_size_mul(op->tiles, s->parts);
    assert(op->tiles >= 1);
}

static void summarise_sram(Sram *s, const int64_t *resident)
{
    ProgramSummary *sum = &s->p->summary;
    for (size_t i = 0; i < s->p->nbox; i++)
        sum->sram_peak_bytes =
            i64_max(sum->sram_peak_bytes, s->p->box[i].address + s->p->box[i].bytes);
    for (size_t i = 0; i < s->p->nop; i++) {
        sum->activation_peak_bytes = i64_max(sum->activation_peak_bytes, resident[i]);
        sum->sram_peak_bytes =
            i64_max(sum->sram_peak_bytes, i64_min(s->p->op[i].live_bytes, s->arena));
        if (i >= s->npinned)
            sum->dram_spill_bytes =
                layout_size_add(sum->dram_spill_bytes, s->e->use[i].weight_bytes);
    }
    for (uint32_t r = 0; r < s->nroot; r++)
        if (s->spilled[s->by_rank[r]])
            sum->dram_spill_bytes =
                layout_size_add(sum->dram_spill_bytes, s->e->buf[s->by_rank[r]].bytes);
    sum->sram_bytes = s->arena;
    sum->weights_resident = sum->dram_spill_bytes == 0;
}

/* ---- groups of images ---- */

/* A buffer holds one group's share, if its images can be told apart. */
static void set_group(Sram *s, int64_t parts)
{
    assert(parts > 0);
    s->parts = parts;
    for (size_t i = 0; i < s->e->nbuf; i++) {
        LowBuf *b = &s->e->buf[i];
        b->bytes = b->g.n % parts == 0 ? b->whole / parts : b->whole;
    }
}

/* Bytes to and from DRAM of all groups. */
static int64_t dram_traffic_bytes(const Sram *s)
{
    int64_t sum = 0;
    for (size_t i = 0; i < s->p->nop; i++) {
        const LowUse *u = &s->e->use[i];
        sum = layout_size_add(sum, i < s->npinned ? 0 : u->weight_bytes);
        for (uint32_t k = 0; k < u->nin + u->nout; k++) {
            uint32_t buf = root_buffer(s, s->e->op_buf[u->first + k]);
            sum = layout_size_add(sum, s->spilled[buf] ? s->e->buf[buf].bytes : 0);
        }
    }
    return layout_size_mul(sum, s->parts);
}

static int64_t plan_traffic(Sram *s, int64_t parts)
{
    set_group(s, parts);
    set_live(s);
    sram_pin_weights(s);
    if (s->nroot)
        sram_choose_spilled(s);
    sram_place(s);
    return dram_traffic_bytes(s);
}

/* Layer by layer over all images reads weights once and holds all activations; group by group reads
 * them again and holds less.  The fewest groups of the least traffic. */
static void plan_groups(Sram *s, int64_t images)
{
    int64_t best = 1, least_traffic = plan_traffic(s, 1);
    for (int64_t parts = 2; least_traffic && parts <= images && parts <= GROUPS_MAX; parts++) {
        if (images % parts)
            continue;
        int64_t now = plan_traffic(s, parts);
        if (now < least_traffic) {
            least_traffic = now;
            best = parts;
        }
    }
    plan_traffic(s, best);
}

/* Bytes of the activations that are in SRAM at each op. */
static int64_t *resident_bytes(const Sram *s)
{
    int64_t *resident = ARENA_ARRAY(s->e->c->scratch, int64_t, s->p->nop + 2);
    for (uint32_t r = 0; r < s->nroot; r++) {
        const LowBuf *b = &s->e->buf[s->by_rank[r]];
        if (s->spilled[s->by_rank[r]])
            continue;
        resident[b->first] += b->bytes;
        resident[b->last + 1] -= b->bytes;
    }
    for (size_t i = 1; i < s->p->nop; i++)
        resident[i] += resident[i - 1];
    return resident;
}

void sram_schedule(CompileEmit *e)
{
    const Compile *c = e->c;
    Arena *a = c->scratch;
    Sram s = {.e = e,
              .p = e->p,
              .arena = layout_sram_bytes(c->machine, c->options->pe),
              .live = ARENA_ARRAY(a, int64_t, e->p->nop + 2),
              .by_rank = ARENA_ARRAY(a, uint32_t, e->nbuf + 1),
              .spilled = ARENA_ARRAY(a, bool, e->nbuf + 1)};
    for (size_t i = 0; i < e->nbuf; i++)
        e->buf[i].whole = e->buf[i].bytes;
    set_ranges(&s);
    plan_groups(&s, layout_size_mul(c->images, c->options->batch));
    const int64_t *resident = resident_bytes(&s);
    for (size_t i = 0; i < e->p->nop; i++)
        schedule_op(&s, (LowOpId)i, resident);
    summarise_sram(&s, resident);
}
