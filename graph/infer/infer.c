/* Implements what every shape function uses: inputs, parameters, outputs, dimensions. */
#include "graph/infer/infer.h"

/* ---- inputs ---- */

static const Shape unknown_shape = {RANK_UNKNOWN, NULL};

const Tensor *infer_input(const InferContext *c, uint32_t index)
{
    return node_input(c->graph, c->node, index);
}

bool infer_has(const InferContext *c, uint32_t index)
{
    return infer_input(c, index) != NULL;
}

DType infer_dtype(const InferContext *c, uint32_t index)
{
    const Tensor *t = infer_input(c, index);
    return t ? t->dtype : DT_UNKNOWN;
}

const Shape *infer_shape(const InferContext *c, uint32_t index)
{
    const Tensor *t = infer_input(c, index);
    return t ? &t->shape : &unknown_shape;
}

int32_t infer_rank(const InferContext *c, uint32_t index)
{
    return infer_shape(c, index)->rank;
}

Dim infer_dim(const InferContext *c, uint32_t index, int32_t axis)
{
    const Shape *s = infer_shape(c, index);
    if (axis < 0 || axis >= s->rank)
        return dim_of(DIM_UNKNOWN);
    return symbols_resolve(&c->run->symbols, s->dim[axis]);
}

bool infer_axis(InferContext *c, int64_t axis, int32_t rank, int32_t *ret)
{
    if (axis < -rank || axis >= rank) {
        infer_conflict(c, MESSAGE_ID(NO_SUCH_AXIS), arg_count(axis), arg_count(rank));
        return false;
    }
    *ret = (int32_t)(axis < 0 ? axis + rank : axis);
    assert(*ret >= 0 && *ret < rank);
    return true;
}

/* ---- outputs ---- */

/* The graph is the run's own; model.h hands it out as const because readers share it. */
static Tensor *output_tensor(InferContext *c, uint32_t index)
{
    if (index >= c->node->noutput || c->node->output[index] == TENSOR_NONE)
        return NULL;
    return &c->graph->tensor[c->node->output[index]];
}

void infer_set_dtype(InferContext *c, uint32_t index, DType t)
{
    Tensor *out = output_tensor(c, index);
    if (out)
        out->dtype = t;
}

void infer_set_shape(InferContext *c, uint32_t index, int32_t rank, const Dim *dim)
{
    Tensor *out = output_tensor(c, index);
    if (out && (rank <= 0 || dim))
        out->shape = (Shape){rank, dim};
}

void infer_set(InferContext *c, uint32_t index, DType t, int32_t rank, const Dim *dim)
{
    infer_set_dtype(c, index, t);
    infer_set_shape(c, index, rank, dim);
}

void infer_copy(InferContext *c, uint32_t index, uint32_t input)
{
    const Shape *s = infer_shape(c, input);
    infer_set(c, index, infer_dtype(c, input), s->rank, s->dim);
}

Dim *infer_dims(InferContext *c, int64_t rank)
{
    if (rank < 0 || rank > INFER_MAX_RANK) {
        infer_conflict(c, MESSAGE_ID(RANK_TOO_HIGH), arg_count(rank), arg_count(INFER_MAX_RANK));
        return NULL;
    }
    Dim *dim = ARENA_ARRAY(c->run->arena, Dim, (size_t)(rank > 0 ? rank : 1));
    for (int64_t i = 0; i < rank; i++)
        dim[i].value = DIM_UNKNOWN;
    return dim;
}

Dim *infer_dims_of(InferContext *c, uint32_t input, int32_t more)
{
    int32_t rank = infer_rank(c, input);
    Dim *dim = rank == RANK_UNKNOWN ? NULL : infer_dims(c, (int64_t)rank + more);
    for (int32_t i = 0; dim && i < rank; i++)
        dim[i] = infer_dim(c, input, i);
    return dim;
}

void infer_set_value(InferContext *c, uint32_t index, const Const *value)
{
    Tensor *out = output_tensor(c, index);
    if (out)
        out->value = value;
}

const MemberType *infer_member(const InferContext *c, uint32_t input)
{
    return infer_has(c, input) ? c->member[c->node->input[input]] : NULL;
}

void infer_set_member(InferContext *c, uint32_t index, const MemberType *m)
{
    if (!m || index >= c->node->noutput || c->node->output[index] == TENSOR_NONE)
        return;
    MemberType *kept = ARENA_NEW(c->run->arena, MemberType);
    *kept = *m;
    c->member[c->node->output[index]] = kept;
}

void infer_conflict_message(InferContext *c, const Message *fact)
{
    InferRun *run = c->run;
    for (uint32_t k = 0; k < c->node->noutput; k++)
        if (c->node->output[k] != TENSOR_NONE)
            c->graph->tensor[c->node->output[k]].conflict = fact;
    if (!run->model->notes || run->conflicts++ >= NOTES_MAX_CONFLICTS)
        return;
    const char *label = node_label(run->arena, c->node),
               *what = message_format(run->arena, NULL, fact);
    notes_add(run->model->notes, arena_printf(run->arena, "shape-conflict %s: %s", label, what),
              MESSAGE_ID(SHAPE_CONFLICT), arg_text(label), arg_text(c->node->op),
              arg_message(fact));
}

/* ---- dimensions ---- */

Dim dim_of(int64_t value)
{
    bool usable = value >= 0 && value <= INT64_MAX / 16;
    return (Dim){.value = usable ? value : DIM_UNKNOWN};
}

Dim dim_with_max(int64_t most)
{
    return (Dim){.value = DIM_UNKNOWN, .most = most > 0 && most <= INT64_MAX / 16 ? most : 0};
}

int64_t dim_max(Dim d)
{
    return dim_known(d) ? d.value : d.most;
}

bool dim_is(Dim d, int64_t value)
{
    return d.value == value && value != DIM_UNKNOWN;
}

bool dim_known(Dim d)
{
    return d.value != DIM_UNKNOWN;
}

Dim dim_add(Dim a, Dim b)
{
    if (dim_is(a, 0))
        return b;
    if (dim_is(b, 0))
        return a;
    int64_t sum, ma = dim_max(a), mb = dim_max(b);
    if (!ma || !mb || __builtin_add_overflow(ma, mb, &sum))
        return dim_of(DIM_UNKNOWN);
    return dim_known(a) && dim_known(b) ? dim_of(sum) : dim_with_max(sum);
}

Dim dim_mul(Dim a, Dim b)
{
    int64_t product;
    if (dim_is(a, 1))
        return b;
    if (dim_is(b, 1))
        return a;
    if (dim_is(a, 0) || dim_is(b, 0))
        return dim_of(0);
    if (__builtin_mul_overflow(dim_max(a), dim_max(b), &product))
        return dim_of(DIM_UNKNOWN);
    return dim_known(a) && dim_known(b) ? dim_of(product) : dim_with_max(product);
}

Dim dim_div(Dim a, int64_t b)
{
    if (b == 1)
        return a;
    if (b <= 0)
        return dim_of(DIM_UNKNOWN);
    return dim_known(a) ? dim_of(a.value / b) : dim_with_max(a.most / b);
}

Dim infer_equate(InferContext *c, Dim a, Dim b, const MessageId *what)
{
    Dim better;
    if (!symbols_equate(&c->run->symbols, a, b, &better)) {
        a = symbols_resolve(&c->run->symbols, a);
        b = symbols_resolve(&c->run->symbols, b);
        infer_conflict(c, MESSAGE_ID(DIMS_DISAGREE), arg_message_id(what), arg_count(a.value),
                       arg_count(b.value));
        return dim_of(DIM_UNKNOWN);
    }
    return better;
}

Dim infer_broadcast_dim(InferContext *c, Dim a, Dim b)
{
    a = symbols_resolve(&c->run->symbols, a);
    b = symbols_resolve(&c->run->symbols, b);
    if (dim_is(a, 1))
        return b;
    if (dim_is(b, 1))
        return a;
    if (dim_known(a) && dim_known(b) && a.value != b.value) {
        infer_conflict(c, MESSAGE_ID(NO_BROADCAST), arg_count(a.value), arg_count(b.value));
        return dim_of(DIM_UNKNOWN);
    }
    if (dim_known(a) || dim_known(b)) /* the unknown one is 1 or equal */
        return dim_known(a) ? a : b;
    if (a.symbol && a.symbol == b.symbol)
        return a;
    return a.most && b.most ? dim_with_max(a.most > b.most ? a.most : b.most) : dim_of(DIM_UNKNOWN);
}

Shape infer_broadcast(InferContext *c, const Shape *a, const Shape *b)
{
    if (a->rank == RANK_UNKNOWN || b->rank == RANK_UNKNOWN)
        return unknown_shape;
    int32_t rank = a->rank > b->rank ? a->rank : b->rank;
    Dim *dim = infer_dims(c, rank);
    if (!dim)
        return unknown_shape;
    for (int32_t i = 0; i < rank; i++) {
        int32_t ia = i - (rank - a->rank), ib = i - (rank - b->rank);
        Dim one = dim_of(1);
        dim[i] = infer_broadcast_dim(c, ia < 0 ? one : a->dim[ia], ib < 0 ? one : b->dim[ib]);
    }
    return (Shape){rank, dim};
}

Shape infer_common(InferContext *c, const Shape *a, const Shape *b)
{
    if (a->rank != b->rank || a->rank == RANK_UNKNOWN)
        return unknown_shape;
    Dim *dim = infer_dims(c, a->rank);
    for (int32_t i = 0; dim && i < a->rank; i++) {
        Dim x = symbols_resolve(&c->run->symbols, a->dim[i]);
        Dim y = symbols_resolve(&c->run->symbols, b->dim[i]);
        int64_t mx = dim_max(x), my = dim_max(y);
        if (x.value == y.value && x.symbol == y.symbol)
            dim[i] = x;
        if (!dim_known(dim[i])) /* what bounds both */
            dim[i].most = mx && my ? (mx > my ? mx : my) : 0;
    }
    return dim ? (Shape){a->rank, dim} : unknown_shape;
}
