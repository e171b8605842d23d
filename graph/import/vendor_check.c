/* Checks a vendor's graph after it was read, and sorts its operators. */
#include "graph/import/vendor_read.h"

typedef struct {
    VendorGraph *g;
    Diag *diag;
    bool has_other; /* an operator whose tensors are not known */
} Check;

const char *vendor_op_label(Arena *a, const VendorOp *op)
{
    return *op->name ? arena_printf(a, "operator '%s' (%s)", op->name, op->type)
                     : arena_printf(a, "%s without a name", op->type);
}

static Status check_error(const Check *c, const char *place, const char *fact)
{
    return diag_set(c->diag, STATUS_INPUT, c->g->path, place, "%s", fact);
}

static Status tensor_error(const Check *c, const VendorTensor *t, const char *fact)
{
    return check_error(c, arena_printf(c->g->arena, "tensor %" PRIu32, t->id), fact);
}

static Status op_error(const Check *c, const VendorOp *op, const char *fact)
{
    return check_error(c, vendor_op_label(c->g->arena, op), fact);
}

/* ---- ids */

ORDER_BY(by_id, VendorTensor, COMPARE(a->id, b->id))

static Status sort_tensors(const Check *c)
{
    VendorGraph *g = c->g;
    ORDER_LIST(g->tensor, g->ntensor, by_id);
    for (size_t i = 1; i < g->ntensor; i++)
        if (g->tensor[i - 1].id == g->tensor[i].id)
            return tensor_error(c, &g->tensor[i], "is described twice");
    return STATUS_OK;
}

/* Index of the tensor with that id, or VENDOR_NONE. */
static uint32_t tensor_index(const VendorGraph *g, uint32_t id)
{
    const VendorTensor wanted = {.id = id};
    const VendorTensor *found =
        g->ntensor ? bsearch(&wanted, g->tensor, g->ntensor, sizeof wanted, by_id) : NULL;
    return found ? (uint32_t)(found - g->tensor) : VENDOR_NONE;
}

static Status resolve_ids(const Check *c, const VendorOp *op, uint32_t *id, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t index = tensor_index(c->g, id[i]);
        if (index == VENDOR_NONE)
            return check_error(c, op ? vendor_op_label(c->g->arena, op) : "inputs and outputs",
                               arena_printf(c->g->arena,
                                            "tensor %" PRIu32 " is not in the file: it is damaged "
                                            "or cut off",
                                            id[i]));
        id[i] = index;
    }
    return STATUS_OK;
}

static Status resolve_all(const Check *c)
{
    VendorGraph *g = c->g;
    Status st = resolve_ids(c, NULL, g->input.tensor, g->input.count);
    st = st ? st : resolve_ids(c, NULL, g->output.tensor, g->output.count);
    for (size_t i = 0; i < g->nop && !st; i++) {
        VendorOp *op = &g->op[i];
        st = resolve_ids(c, op, op->input.tensor, op->input.count);
        st = st ? st : resolve_ids(c, op, op->output.tensor, op->output.count);
        if (!st && op->model != VENDOR_NONE)
            st = resolve_ids(c, op, &op->model, 1);
    }
    return st;
}

/* ---- tensors */

static Status check_shape(const Check *c, const VendorTensor *t)
{
    int64_t n = 1;
    for (int i = 0; i < t->shape.rank; i++)
        if (t->shape.dim[i] < 0 || __builtin_mul_overflow(n, t->shape.dim[i], &n) ||
            n > (int64_t)1 << 40)
            return tensor_error(c, t, "its shape has more than 2^40 elements");
    if (t->is_constant && (uint64_t)dtype_bytes(t->dtype, n) != t->constant_bytes)
        return tensor_error(c, t,
                            arena_printf(c->g->arena,
                                         "holds %zu bytes, and its shape and type need %" PRId64,
                                         t->constant_bytes, dtype_bytes(t->dtype, n)));
    return STATUS_OK;
}

static Status check_ranges(const Check *c, const VendorTensor *t)
{
    if (!t->quantized)
        return STATUS_OK;
    if (t->axis >= t->shape.rank || (t->axis < 0 && t->nscale != 1) ||
        (t->axis >= 0 && (int64_t)t->nscale != t->shape.dim[t->axis]))
        return tensor_error(c, t, "the number of its ranges is not the size of their axis");
    return LIST_ANY(i, t->nrange, !vendor_range_is_usable(t, i))
               ? tensor_error(c, t, "a range is not finite, is empty or does not contain 0")
               : STATUS_OK;
}

/* ---- who writes what */

static Status mark_producers(const Check *c)
{
    VendorGraph *g = c->g;
    for (size_t i = 0; i < g->nop; i++)
        for (size_t k = 0; k < g->op[i].output.count; k++) {
            VendorTensor *t = &g->tensor[g->op[i].output.tensor[k]];
            if (t->producer != VENDOR_NONE || t->is_constant)
                return tensor_error(c, t,
                                    t->is_constant ? "is a constant, and an operator writes it"
                                                   : "two operators write it");
            t->producer = (uint32_t)i;
        }
    return LIST_VALUE(
        i, g->input.count, g->tensor[g->input.tensor[i]].producer != VENDOR_NONE,
        tensor_error(c, &g->tensor[g->input.tensor[i]], "is an input, and an operator writes it"),
        STATUS_OK);
}

/* Every value that is read comes from somewhere, unless an unknown operator may write it. */
static Status check_written(const Check *c)
{
    VendorGraph *g = c->g;
    bool *has_value = ARENA_ARRAY(g->arena, bool, g->ntensor + 1);
    for (size_t i = 0; i < g->input.count; i++)
        has_value[g->input.tensor[i]] = true;
    for (size_t i = 0; i < g->ntensor; i++)
        has_value[i] |= g->tensor[i].is_constant || g->tensor[i].producer != VENDOR_NONE;
    for (size_t i = 0; i < g->nop && !c->has_other; i++)
        for (size_t k = 0; k < g->op[i].input.count; k++)
            if (!has_value[g->op[i].input.tensor[k]])
                return tensor_error(c, &g->tensor[g->op[i].input.tensor[k]],
                                    "is read, and nothing writes it");
    for (size_t i = 0; i < g->output.count && !c->has_other; i++)
        if (!has_value[g->output.tensor[i]])
            return tensor_error(c, &g->tensor[g->output.tensor[i]],
                                "is an output, and nothing writes it");
    return STATUS_OK;
}

/* ---- operators */

static Status check_operator(const Check *c, const VendorOp *op)
{
    if (op->kind == VENDOR_OTHER)
        return STATUS_OK;
    if (!op->input.count || !op->output.count)
        return op_error(c, op, "reads nothing or writes nothing");
    if (op->model != VENDOR_NONE && !c->g->tensor[op->model].is_constant)
        return op_error(c, op, "its ONNX model is not a constant");
    return STATUS_OK;
}

typedef enum { VISIT_NEW, VISIT_OPEN, VISIT_DONE } Visit;

typedef struct {
    uint32_t op;
    size_t next; /* input to look at */
} Frame;

typedef struct {
    const Check *c;
    Visit *visit;
    Frame *stack;
    size_t depth, nsorted;
    VendorOp *sorted;
} Sort;

static void enter_operator(Sort *s, uint32_t op)
{
    s->visit[op] = VISIT_OPEN;
    s->stack[s->depth++] = (Frame){op, 0};
}

/* Continues with the operator on top of the stack: enters its next input, or finishes it. */
static Status visit_next(Sort *s)
{
    VendorGraph *g = s->c->g;
    Frame *top = &s->stack[s->depth - 1];
    const VendorOp *op = &g->op[top->op];
    if (top->next == op->input.count) {
        s->visit[top->op] = VISIT_DONE;
        s->sorted[s->nsorted++] = *op;
        s->depth--;
        return STATUS_OK;
    }
    uint32_t maker = g->tensor[op->input.tensor[top->next++]].producer;
    if (maker != VENDOR_NONE && s->visit[maker] == VISIT_OPEN)
        return op_error(s->c, op, "reads what is computed from its own result");
    if (maker != VENDOR_NONE && s->visit[maker] == VISIT_NEW)
        enter_operator(s, maker);
    return STATUS_OK;
}

/* The file lists them from the graph's end to its start: from the last one, each after what it
 * reads. */
static Status sort_operators(const Check *c)
{
    VendorGraph *g = c->g;
    Sort s = {.c = c,
              .visit = ARENA_ARRAY(g->arena, Visit, g->nop + 1),
              .stack = ARENA_ARRAY(g->arena, Frame, g->nop + 1),
              .sorted = ARENA_ARRAY(g->arena, VendorOp, g->nop + 1)};
    for (size_t i = g->nop; i-- > 0;) {
        if (s.visit[i] == VISIT_NEW)
            enter_operator(&s, (uint32_t)i);
        while (s.depth) {
            Status st = visit_next(&s);
            if (st)
                return st;
        }
    }
    assert(s.nsorted == g->nop);
    g->op = s.sorted;
    g->op_cap = g->nop;
    for (size_t i = 0; i < g->nop; i++)
        for (size_t k = 0; k < g->op[i].output.count; k++)
            g->tensor[g->op[i].output.tensor[k]].producer = (uint32_t)i;
    return STATUS_OK;
}

Status vendor_read_end(VendorGraph *g, Diag *diag)
{
    Check c = {.g = g, .diag = diag};
    Status st = sort_tensors(&c);
    for (size_t i = 0; i < g->nop; i++)
        c.has_other |= g->op[i].kind == VENDOR_OTHER;
    st = st ? st : resolve_all(&c);
    for (size_t i = 0; i < g->ntensor && !st; i++) {
        st = check_shape(&c, &g->tensor[i]);
        st = st ? st : check_ranges(&c, &g->tensor[i]);
    }
    st = st ? st : mark_producers(&c);
    st = st ? st : check_written(&c);
    for (size_t i = 0; i < g->nop && !st; i++)
        st = check_operator(&c, &g->op[i]);
    return st ? st : sort_operators(&c);
}
