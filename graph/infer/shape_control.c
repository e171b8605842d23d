/* Infers the bodies of If, Loop and Scan with the types that come from outside.
 *
 * Values that an iteration carries to the next are first taken as they enter.  If the body gives
 * back other facts, those that differ are forgotten and the body is inferred again; the remaining
 * facts hold before and after every iteration. */
#include "graph/infer/infer.h"

enum {
    MAX_PASSES = 4,          /* of one body; in the last one carried shapes are unknown */
    MAX_REPEATING_DEPTH = 2, /* deeper bodies take the last pass only: passes multiply */
};

/* ---- If ---- */

typedef struct {
    InferContext context;
    bool there;
} Branch;

static Branch branch_of(InferContext *c, const char *name)
{
    Branch b = {.there = false};
    Graph *body = (Graph *)node_body(c->node, name);
    if (body && body->noutput >= c->node->noutput)
        b.there = c->run->body(c, body, NULL, &b.context);
    return b;
}

static void set_from(InferContext *c, uint32_t k, const Branch *b)
{
    TensorId id = b->context.graph->output[k];
    const Tensor *t = &b->context.graph->tensor[id];
    infer_set(c, k, t->dtype, t->shape.rank, t->shape.dim);
    infer_set_value(c, k, t->value);
    infer_set_member(c, k, b->context.member[id]);
    if (c->node->output[k] != TENSOR_NONE)
        c->partial[c->node->output[k]] = b->context.partial[id];
}

static void set_common(InferContext *c, uint32_t k, const Branch *a, const Branch *b)
{
    TensorId ia = a->context.graph->output[k], ib = b->context.graph->output[k];
    const Tensor *ta = &a->context.graph->tensor[ia], *tb = &b->context.graph->tensor[ib];
    const MemberType *ma = a->context.member[ia], *mb = b->context.member[ib];
    Shape s = infer_common(c, &ta->shape, &tb->shape);
    infer_set(c, k, ta->dtype == tb->dtype ? ta->dtype : DT_UNKNOWN, s.rank, s.dim);
    if (!ma || !mb || ma->kind != mb->kind)
        return;
    MemberType m = {ma->kind, ma->dtype == mb->dtype ? ma->dtype : DT_UNKNOWN,
                    infer_common(c, &ma->shape, &mb->shape),
                    ma->count == mb->count ? ma->count : -1};
    infer_set_member(c, k, &m);
}

void shape_if(InferContext *c)
{
    Branch yes = branch_of(c, "then_branch"), no = branch_of(c, "else_branch");
    List condition = infer_list(c, NULL, 0);
    int64_t value = 0;
    bool decided = list_int(&condition, 0, &value);
    for (uint32_t k = 0; k < c->node->noutput; k++) {
        if (decided && (value ? yes : no).there)
            set_from(c, k, value ? &yes : &no);
        else if (!decided && yes.there && no.there)
            set_common(c, k, &yes, &no);
    }
}

/* ---- what Loop and Scan carry from one iteration to the next ---- */

typedef struct {
    DType dtype;
    Shape shape;
    const MemberType *member;
} Carried;

typedef struct {
    Graph *body;
    uint32_t first_in, first_out; /* of the carried values among the body's inputs and outputs */
    uint32_t n;
    Carried *state;
} Iteration;

static Tensor *body_input(const Iteration *it, uint32_t index)
{
    return &it->body->tensor[it->body->input[index]];
}

/* A type from outside; where that is unknown, the body's declaration stays. */
static void give_type(Tensor *t, DType dtype, const Shape *s)
{
    if (dtype != DT_UNKNOWN)
        t->dtype = dtype;
    t->shape = *s;
    t->value = NULL;
}

static bool is_equal(const Shape *a, const Shape *b)
{
    return a->rank == b->rank &&
           LIST_ALL(i, a->rank,
                    a->dim[i].value == b->dim[i].value && a->dim[i].symbol == b->dim[i].symbol);
}

/* One iteration more may break them. */
static void forget_bounds(Shape *s)
{
    for (int32_t i = 0; i < s->rank; i++)
        ((Dim *)s->dim)[i].most = 0; /* made by infer_common, not shared */
}

/* Forgets what the body did not give back as it got it; true when nothing had to be forgotten. */
static bool merge_state(InferContext *c, Iteration *it, const InferContext *end)
{
    bool stable = true;
    for (uint32_t k = 0; k < it->n; k++) {
        TensorId id = it->body->output[it->first_out + k];
        const Tensor *out = &it->body->tensor[id];
        Shape common = infer_common(c, &it->state[k].shape, &out->shape);
        forget_bounds(&common);
        stable = stable && is_equal(&common, &it->state[k].shape);
        it->state[k].shape = common;
        if (it->state[k].dtype == DT_UNKNOWN)
            it->state[k].dtype = out->dtype;
        if (!it->state[k].member)
            it->state[k].member = end->member[id];
    }
    return stable;
}

/* Infers the body until the carried types hold; *ret is the context it ended with. */
static bool infer_to_fixpoint(InferContext *c, Iteration *it, InferContext *ret)
{
    int pass = c->depth > MAX_REPEATING_DEPTH ? MAX_PASSES - 1 : 0;
    const MemberType **member = ARENA_ARRAY(c->run->arena, const MemberType *, it->body->ninput);
    for (uint32_t k = 0; k < it->n; k++) {
        it->state[k].shape = infer_common(c, &it->state[k].shape, &it->state[k].shape);
        forget_bounds(&it->state[k].shape);
    }
    for (; pass < MAX_PASSES; pass++) {
        if (pass == MAX_PASSES - 1)
            for (uint32_t k = 0; k < it->n; k++)
                it->state[k].shape = (Shape){RANK_UNKNOWN, NULL};
        for (uint32_t k = 0; k < it->n; k++) {
            give_type(body_input(it, it->first_in + k), it->state[k].dtype, &it->state[k].shape);
            member[it->first_in + k] = it->state[k].member;
        }
        if (!c->run->body(c, it->body, member, ret))
            return false;
        if (merge_state(c, it, ret))
            return true;
    }
    return true;
}

static bool has_enough_values(const Iteration *it)
{
    return it->body && it->body->ninput >= (size_t)it->first_in + it->n &&
           it->body->noutput >= (size_t)it->first_out + it->n;
}

/* A sequence that grows or shrinks keeps only its members' type. */
static const MemberType *without_count(InferContext *c, const MemberType *m)
{
    if (!m)
        return NULL;
    MemberType *out = ARENA_NEW(c->run->arena, MemberType);
    *out = (MemberType){m->kind, m->dtype, {RANK_UNKNOWN, NULL}, -1};
    return out;
}

/* The values of all iterations, one after the other on a new axis. */
static void set_stacked(InferContext *c, uint32_t output, const Tensor *each, int64_t at, Dim count)
{
    int32_t axis, from = 0;
    infer_set_dtype(c, output, each->dtype);
    if (each->shape.rank == RANK_UNKNOWN || !infer_axis(c, at, each->shape.rank + 1, &axis))
        return;
    Dim *dim = infer_dims(c, each->shape.rank + 1);
    for (int32_t i = 0; dim && i <= each->shape.rank; i++)
        dim[i] = i == axis ? count : each->shape.dim[from++];
    if (dim)
        infer_set_shape(c, output, each->shape.rank + 1, dim);
}

/* ---- Loop ---- */

static const uint8_t one = 1;
static const Const truth = {.dtype = DT_BOOL, .nelem = 1, .nbyte = 1, .data = &one};
static const Shape scalar = {0, NULL};

static bool is_true(const Tensor *t)
{
    int64_t v;
    return tensor_int(t, &v) && v != 0;
}

/* The trip count, when nothing else can end the loop: the condition is true before the first
 * iteration, and the body, told that it is true, gives it back so. */
static Dim trip_count(InferContext *c, const Graph *body)
{
    List trips = infer_list(c, NULL, 0), start = infer_list(c, NULL, 1);
    int64_t n, condition = 1;
    Dim bound = list_dim(&trips, 0);
    bool starts = !start.given || (list_int(&start, 0, &condition) && condition);
    if (start.given && list_int(&start, 0, &condition) && !condition)
        return dim_of(0);
    if (!starts || !is_true(&body->tensor[body->output[0]]) || !list_int(&trips, 0, &n))
        return dim_with_max(dim_max(bound));
    return dim_of(n > 0 ? n : 0);
}

void shape_loop(InferContext *c)
{
    uint32_t n = c->node->ninput > 2 ? c->node->ninput - 2 : 0;
    Iteration it = {(Graph *)node_body(c->node, "body"), 2, 1, n,
                    ARENA_ARRAY(c->run->arena, Carried, n + 1)};
    InferContext end = {.graph = NULL};
    if (!has_enough_values(&it))
        return;
    for (uint32_t k = 0; k < n; k++)
        it.state[k] = (Carried){infer_dtype(c, k + 2), *infer_shape(c, k + 2),
                                without_count(c, infer_member(c, k + 2))};
    give_type(body_input(&it, 0), DT_INT64, &scalar);
    give_type(body_input(&it, 1), DT_BOOL, &scalar);
    body_input(&it, 1)->value = &truth;
    if (!infer_to_fixpoint(c, &it, &end))
        return;
    Dim trips = trip_count(c, it.body);
    for (uint32_t k = 0; k < c->node->noutput && k + 1 < it.body->noutput; k++) {
        if (k < n) {
            infer_set(c, k, it.state[k].dtype, it.state[k].shape.rank, it.state[k].shape.dim);
            infer_set_member(c, k, without_count(c, it.state[k].member));
        } else {
            set_stacked(c, k, &it.body->tensor[it.body->output[k + 1]], 0, trips);
        }
    }
}

/* ---- Scan ---- */

/* A shape without one axis; unknown when it has no such axis. */
static Shape without_axis(InferContext *c, const Shape *s, int64_t at)
{
    int32_t axis, n = 0;
    if (s->rank < 1 || !infer_axis(c, at, s->rank, &axis))
        return (Shape){RANK_UNKNOWN, NULL};
    Dim *dim = infer_dims(c, s->rank - 1);
    for (int32_t i = 0; i < s->rank; i++)
        if (i != axis)
            dim[n++] = s->dim[i];
    return (Shape){n, dim};
}

static int64_t scan_axis(const List *axes, uint32_t k)
{
    int64_t axis = 0;
    list_int(axes, k, &axis);
    return axis;
}

/* Opset 8 has the lengths of sequences as its first input, and a batch axis before everything. */
typedef struct {
    Iteration it;
    bool batched;
    uint32_t first, nscan; /* the node's first carried input; its scanned inputs */
    Dim batch, length;
} Scan;

static void give_scanned(InferContext *c, Scan *s)
{
    List axes = infer_list(c, "scan_input_axes", -1);
    for (uint32_t k = 0; k < s->nscan; k++) {
        uint32_t input = s->first + s->it.n + k;
        Shape shape = *infer_shape(c, input);
        int64_t axis = s->batched ? 0 : scan_axis(&axes, k);
        if (s->batched)
            shape = without_axis(c, &shape, 0);
        int32_t at;
        if (shape.rank > 0 && infer_axis(c, axis, shape.rank, &at))
            s->length = infer_equate(c, s->length, shape.dim[at], &message_SCANNED_LENGTHS);
        Shape each = without_axis(c, &shape, axis);
        give_type(body_input(&s->it, s->it.n + k), infer_dtype(c, input), &each);
    }
}

static void give_carried(InferContext *c, Scan *s)
{
    for (uint32_t k = 0; k < s->it.n; k++) {
        Shape shape = *infer_shape(c, s->first + k);
        if (s->batched && shape.rank > 0)
            s->batch = infer_equate(c, s->batch, shape.dim[0], &message_CARRIED_BATCH);
        if (s->batched)
            shape = without_axis(c, &shape, 0);
        s->it.state[k] = (Carried){infer_dtype(c, s->first + k), shape, NULL};
    }
}

static void set_batched(InferContext *c, uint32_t k, DType t, const Shape *s, Dim batch)
{
    Tensor each = {.dtype = t, .shape = *s};
    set_stacked(c, k, &each, 0, batch);
}

static void set_scan_output(InferContext *c, const Scan *s, uint32_t k, const List *axes)
{
    const Tensor *each = &s->it.body->tensor[s->it.body->output[k]];
    const Carried *state = &s->it.state[k];
    if (k < s->it.n && s->batched)
        set_batched(c, k, state->dtype, &state->shape, s->batch);
    else if (k < s->it.n)
        infer_set(c, k, state->dtype, state->shape.rank, state->shape.dim);
    else
        set_stacked(c, k, each, s->batched ? 0 : scan_axis(axes, k - s->it.n), s->length);
    const Tensor *out = node_output(c->graph, c->node, k);
    if (out && k >= s->it.n && s->batched)
        set_batched(c, k, out->dtype, &(Shape){out->shape.rank, out->shape.dim}, s->batch);
}

void shape_scan(InferContext *c)
{
    int64_t nscan = node_attr_int(c->node, "num_scan_inputs", 1);
    Scan s = {.batched = c->opset == 8, .batch = dim_of(-1), .length = dim_of(-1)};
    s.first = s.batched;
    if (nscan < 0 || nscan > (int64_t)c->node->ninput - s.first)
        return;
    s.nscan = (uint32_t)nscan;
    uint32_t n = c->node->ninput - s.first - s.nscan;
    s.it = (Iteration){(Graph *)node_body(c->node, "body"), 0, 0, n,
                       ARENA_ARRAY(c->run->arena, Carried, n + 1)};
    InferContext end = {.graph = NULL};
    if (!has_enough_values(&s.it) || s.it.body->ninput < (size_t)n + s.nscan)
        return;
    give_carried(c, &s);
    give_scanned(c, &s);
    if (!infer_to_fixpoint(c, &s.it, &end))
        return;
    List axes = infer_list(c, "scan_output_axes", -1);
    for (uint32_t k = 0; k < c->node->noutput && k < s.it.body->noutput; k++)
        set_scan_output(c, &s, k, &axes);
}
