/* Assigns SRAM addresses first fit, one op after the other. */
#include "graph/compile/compile_sram.h"

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
    size_t lo = LIST_BOUND(i, h->n, h->hole[i].address < back.address);
    assert(lo == 0 || h->hole[lo - 1].address + h->hole[lo - 1].bytes <= back.address);
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

static bool place_box(Placer *pl, int64_t bytes, LowOpId first, LowOpId last, TensorId tensor,
                      bool weight)
{
    Program *p = pl->s->p;
    bytes = layout_size_mul((bytes + p->machine->io_align_bytes - 1) / p->machine->io_align_bytes,
                            p->machine->io_align_bytes);
    int64_t address = bytes ? holes_take(&pl->holes, bytes) : -1;
    if (address < 0)
        return bytes == 0;
    assert(address + bytes <= pl->s->arena);
    size_t n = p->nbox;
    *VEC_PUSH(p->arena, p->box, p->nbox, pl->s->box_cap) =
        (SramBox){address, bytes, first, last, tensor, weight};
    *VEC_PUSH(pl->s->e->c->scratch, pl->next, n, pl->next_cap) = pl->ending[last];
    pl->ending[last] = (uint32_t)p->nbox;
    return true;
}

static void release_boxes(Placer *pl, LowOpId op)
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
    place_box(pl, sram_stream_bytes(pl->s, op), now, (LowOpId)op, TENSOR_NONE, true);
}

static void put_buffer(Placer *pl, uint32_t buf)
{
    Sram *s = pl->s;
    const LowBuf *b = &s->e->buf[buf];
    if (!s->spilled[buf] && !place_box(pl, b->bytes, b->first, b->last, b->tensor, false))
        s->spilled[buf] = true; /* room enough, but in pieces */
}

static void place_segment(Placer *pl, const Step *step, const uint32_t *start, const uint32_t *next)
{
    LowOpId end = step->first_op + step->nop;
    for (LowOpId i = step->first_op; i < end; i++) {
        if (i == step->first_op)
            put_stream(pl, i, i);
        for (uint32_t r = start[i]; r; r = next[r - 1])
            put_buffer(pl, pl->s->by_rank[r - 1]);
        if (i + 1 < end)
            put_stream(pl, (size_t)i + 1, i);
        release_boxes(pl, i);
    }
}

void sram_place(Sram *s)
{
    Arena *a = s->e->c->scratch;
    Placer pl = {.s = s, .ending = ARENA_ARRAY(a, uint32_t, s->p->nop + 1)};
    uint32_t *start = ARENA_ARRAY(a, uint32_t, s->p->nop + 1);
    uint32_t *next = ARENA_ARRAY(a, uint32_t, (size_t)s->nroot + 1);
    s->p->nbox = 0;
    holes_give(a, &pl.holes, (Hole){0, s->arena});
    LowOpId last = s->p->nop ? (LowOpId)(s->p->nop - 1) : 0;
    for (LowOpId i = 0; i < s->npinned; i++)
        place_box(&pl, s->e->use[i].weight_bytes, 0, last, TENSOR_NONE, true);
    for (uint32_t r = s->nroot; r-- > 0;) {
        LowOpId first = s->e->buf[s->by_rank[r]].first;
        next[r] = start[first];
        start[first] = r + 1;
    }
    for (size_t i = 0; i < s->p->nstep; i++)
        if (s->p->step[i].nop)
            place_segment(&pl, &s->p->step[i], start, next);
}
