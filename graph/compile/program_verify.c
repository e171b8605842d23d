/* Checks what a program promises, without code of the compiler. */
#include "graph/compile/program.h"

typedef struct {
    const Program *p;
    Diag *diag;
    Arena *scratch;
} Verify;

#define FAIL(v, place, ...) diag_set((v)->diag, STATUS_INPUT, "program", place, __VA_ARGS__)

static Status claim_node(Verify *v, unsigned char *seen, NodeId node)
{
    if (node >= v->p->model->graph->nnode)
        return FAIL(v, "nodes", "node %" PRIu32 " does not exist", node);
    if (seen[node]++)
        return FAIL(v, "nodes", "node %" PRIu32 " is in two places", node);
    return STATUS_OK;
}

static Status every_node_once(Verify *v)
{
    const Program *p = v->p;
    size_t nnode = p->model->graph->nnode;
    unsigned char *seen = ARENA_ARRAY(v->scratch, unsigned char, nnode + 1);
    Status st = STATUS_OK;
    for (size_t i = 0; i < p->nstep; i++)
        for (uint32_t k = 0; !st && k < p->step[i].nnode; k++)
            st = claim_node(v, seen, p->step[i].node[k]);
    for (size_t i = 0; !st && i < p->nfolded; i++) {
        st = claim_node(v, seen, p->folded[i].node);
        if (!st && !p->folded[i].reason)
            st = FAIL(v, "nodes", "node %" PRIu32 " is folded for no reason", p->folded[i].node);
    }
    for (size_t i = 0; !st && i < nnode; i++)
        if (!seen[i])
            st = FAIL(v, "nodes", "node %zu is in no step and not folded", i);
    return st;
}

/* Bytes of a tensor from its own fields. */
static int64_t expected_bytes(const PTensor *t)
{
    int64_t n = t->layout == LAYOUT_LOWERED  ? t->n * t->ho * t->co * t->hi * t->ci * t->w_padded
                : t->layout == LAYOUT_PADDED ? t->n * t->c * t->h * t->w_padded
                                             : t->n * t->c * t->h * t->w;
    return dtype_bytes(t->dtype, n);
}

static Status tensors_hold_what_they_say(Verify *v)
{
    const Program *p = v->p;
    for (size_t i = 0; i < p->ntensor; i++) {
        const PTensor *t = &p->tensor[i];
        if (t->bytes >= INT64_C(1) << 40 || t->elements >= INT64_C(1) << 40 || t->elements == 0 ||
            dtype_bits(t->dtype) == 0)
            continue;
        if (t->at_most) { /* a bound has no axes */
            if (t->layout != LAYOUT_PLAIN || t->bytes != dtype_bytes(t->dtype, t->elements))
                return FAIL(v, "tensors", "tensor %zu: %" PRId64 " bytes do not fit its bound", i,
                            t->bytes);
            continue;
        }
        if (t->n * t->c * t->h * t->w != t->elements)
            return FAIL(v, "tensors", "tensor %zu: %" PRId64 " elements do not fit its axes", i,
                        t->elements);
        if (t->bytes != expected_bytes(t) || t->bytes < dtype_bytes(t->dtype, t->elements))
            return FAIL(v, "tensors", "tensor %zu: %" PRId64 " bytes do not fit its layout", i,
                        t->bytes);
        if (t->layout == LAYOUT_LOWERED &&
            (t->ho * t->hi < t->h || t->co * t->ci < t->c || t->w_padded < t->w ||
             t->ho * t->co != p->machine->slices_per_pe * p->options.pe))
            return FAIL(v, "tensors", "tensor %zu does not fit its slices", i);
    }
    return STATUS_OK;
}

static int64_t sum_bytes(const Program *p, const PTensorId *id, uint32_t n)
{
    int64_t sum = LIST_SUM(int64_t, i, n, p->tensor[id[i]].bytes);
    return sum > INT64_C(1) << 40 ? INT64_C(1) << 40 : sum;
}

static Status deps_come_first(Verify *v, const Step *s)
{
    if (LIST_ANY(k, s->ndep, s->dep[k] >= s->id || (k && s->dep[k] <= s->dep[k - 1])))
        return FAIL(v, "steps", "step %" PRIu32 " has a dependency out of order", s->id);
    for (uint32_t k = 0; k < s->ninput; k++) {
        StepId from = v->p->tensor[s->input[k]].producer;
        if (!(from == STEP_NONE || LIST_ANY(d, s->ndep, s->dep[d] == from)))
            return FAIL(v, "steps", "step %" PRIu32 " does not wait for what it reads", s->id);
    }
    return STATUS_OK;
}

static Status step_is_sound(Verify *v, const Step *s)
{
    const Program *p = v->p;
    if (s->bytes_in != sum_bytes(p, s->input, s->ninput) ||
        s->bytes_out != sum_bytes(p, s->output, s->noutput))
        return FAIL(v, "steps", "step %" PRIu32 ": bytes differ from its tensors'", s->id);
    if (LIST_ANY(k, s->noutput, p->tensor[s->output[k]].producer != s->id))
        return FAIL(v, "steps", "step %" PRIu32 ": an output has another producer", s->id);
    bool transfer = s->kind == STEP_H2D || s->kind == STEP_D2H;
    if (transfer && s->bytes_in != s->bytes_out)
        return FAIL(v, "steps", "step %" PRIu32 ": a transfer changes the number of bytes", s->id);
    return deps_come_first(v, s);
}

static Status steps_are_sound(Verify *v)
{
    Status st = STATUS_OK;
    for (size_t i = 0; !st && i < v->p->nstep; i++)
        st = v->p->step[i].id == i ? step_is_sound(v, &v->p->step[i])
                                   : FAIL(v, "steps", "step %zu has another number", i);
    return st;
}

static Status ops_are_sound(Verify *v)
{
    const Program *p = v->p;
    size_t next = 0;
    for (size_t i = 0; i < p->nstep; i++) {
        if (p->step[i].nop == 0)
            continue;
        if (p->step[i].kind != STEP_NPU || p->step[i].first_op != next)
            return FAIL(v, "ops", "step %zu: its low-level ops are not in one run", i);
        next += p->step[i].nop;
    }
    for (size_t i = 0; i < p->nop; i++) {
        const LowOp *op = &p->op[i];
        const Step *s = op->step < p->nstep ? &p->step[op->step] : NULL;
        if (!s || op->id != i || i < s->first_op || i >= s->first_op + s->nop || op->tiles < 1)
            return FAIL(v, "ops", "low-level op %zu is not where its step says", i);
        if (LIST_ANY(k, op->ndep, op->dep[k] >= i || op->dep[k] < s->first_op))
            return FAIL(v, "ops", "low-level op %zu has a dependency out of order", i);
    }
    return next == p->nop ? STATUS_OK : FAIL(v, "ops", "low-level ops outside any step");
}

/* ---- boxes: a sweep over time with the boxes that are open, by address ---- */

typedef struct {
    uint32_t box;
    LowOpId time;
    bool opens;
} Event;

/* What ends before an op makes room. */
ORDER_BY(compare_events, Event, COMPARE(a->time, b->time), COMPARE(a->opens, b->opens),
         COMPARE(a->box, b->box))

typedef struct {
    const SramBox *box;
    uint32_t *open; /* by address */
    size_t n;
} Sweep;

static size_t sweep_find(const Sweep *s, int64_t address)
{
    return LIST_BOUND(i, s->n, s->box[s->open[i]].address < address);
}

static bool sweep_open(Sweep *s, uint32_t id)
{
    const SramBox *b = &s->box[id];
    size_t at = sweep_find(s, b->address);
    if (at > 0 && s->box[s->open[at - 1]].address + s->box[s->open[at - 1]].bytes > b->address)
        return false;
    if (at < s->n && b->address + b->bytes > s->box[s->open[at]].address)
        return false;
    for (size_t i = s->n++; i > at; i--)
        s->open[i] = s->open[i - 1];
    s->open[at] = id;
    return true;
}

static void sweep_close(Sweep *s, uint32_t id)
{
    size_t at = sweep_find(s, s->box[id].address);
    for (s->n--; at < s->n; at++)
        s->open[at] = s->open[at + 1];
}

static Status boxes_do_not_overlap(Verify *v)
{
    const Program *p = v->p;
    Event *e = ARENA_ARRAY(v->scratch, Event, 2 * p->nbox + 1);
    Sweep s = {p->box, ARENA_ARRAY(v->scratch, uint32_t, p->nbox + 1), 0};
    for (size_t i = 0; i < p->nbox; i++) {
        const SramBox *b = &p->box[i];
        if (b->address < 0 || b->bytes <= 0 || b->first > b->last || b->last >= p->nop ||
            b->address + b->bytes > p->summary.sram_bytes)
            return FAIL(v, "SRAM", "box %zu lies outside", i);
        e[2 * i] = (Event){(uint32_t)i, b->first, true};
        e[2 * i + 1] = (Event){(uint32_t)i, b->last + 1, false};
    }
    qsort(e, 2 * p->nbox, sizeof *e, compare_events);
    for (size_t i = 0; i < 2 * p->nbox; i++) {
        if (!e[i].opens)
            sweep_close(&s, e[i].box);
        else if (!sweep_open(&s, e[i].box))
            return FAIL(v, "SRAM", "box %" PRIu32 " lies over another that lives", e[i].box);
    }
    return STATUS_OK;
}

Status program_verify(const Program *p, Diag *diag)
{
    Verify v = {p, diag, arena_new(0)};
    Status st = every_node_once(&v);
    st = st ? st : tensors_hold_what_they_say(&v);
    st = st ? st : steps_are_sound(&v);
    st = st ? st : ops_are_sound(&v);
    st = st ? st : boxes_do_not_overlap(&v);
    arena_free(v.scratch);
    return st;
}
