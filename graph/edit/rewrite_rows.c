/* Chooses rows of a tensor before what works on each row by itself. */
#include "graph/edit/spell.h"

enum {
    INPUTS_MAX = 16, /* of a node that works on rows */
    OPSET_SOFTMAX_AXIS = 13,
};

/* ---- parts of a Concat, cut out again ---- */

/* Output `t` of a Split or Slice takes elements that follow each other along one axis. */
static bool read_range(const Scene *s, const Node *n, TensorId t, Piece *p)
{
    Cut c;
    int32_t rank = spell_shape(s, n->input[0])->rank;
    int64_t axis = node_attr_int(n, "axis", 0);
    *p = (Piece){.t = TENSOR_NONE, .axis = (int32_t)(axis + (axis < 0 ? rank : 0))};
    if (n->op_id == OP_Slice && spell_read_cut(s, n, &c) && c.step == 1) {
        *p = (Piece){.t = TENSOR_NONE, .axis = (int32_t)c.axis, .first = c.first};
        p->count = c.end - c.first;
        return true;
    }
    if (n->op_id != OP_Split || p->axis < 0 || p->axis >= rank)
        return false;
    for (uint32_t k = 0; k < n->noutput && n->output[k] != TENSOR_NONE; k++) {
        const Shape *out = spell_shape(s, n->output[k]);
        p->count = out->rank == rank ? out->dim[p->axis].value : 0;
        if (p->count < 1 || n->output[k] == t)
            return p->count > 0;
        p->first += p->count;
    }
    return false;
}

bool rewrite_find_part(const Scene *s, TensorId t, Piece *p)
{
    const Graph *g = s->graph;
    const Node *cut = tensor_maker(g, t), *joins;
    int64_t perm[EDIT_PERMUTE_MAX_RANK], first = 0;
    int32_t rank;
    if (!cut || !op_is(cut->op_id, OP_Split, OP_Slice) || !read_range(s, cut, t, p))
        return false;
    joins = tensor_maker(g, cut->input[0]);
    int64_t axis = p->axis;
    if (joins && joins->op_id == OP_Transpose && rewrite_read_perm(s, joins, perm, &rank)) {
        p->turn = joins;
        axis = perm[axis];
        joins = tensor_maker(g, joins->input[0]);
    }
    if (!joins || joins->op_id != OP_Concat)
        return false;
    int64_t along = node_attr_int(joins, "axis", 1);
    along += along < 0 ? spell_shape(s, joins->output[0])->rank : 0;
    for (uint32_t k = 0; along == axis && k < joins->ninput && first <= p->first; k++) {
        const Shape *in = spell_shape(s, joins->input[k]);
        int64_t size = axis < in->rank ? in->dim[axis].value : 0;
        p->t = joins->input[k];
        if (size < 1 || (first == p->first && size == p->count))
            return size > 0;
        first += size;
    }
    return false;
}

/* ---- rows of a tensor ---- */

static TensorId choose_rows(const RowChoice *r, TensorId t, int32_t axis)
{
    NodeId node;
    if (!r->x.e)
        return t;
    TensorId out = rewrite_add_node(r->x.e, "Gather", r->x.like, "_rows", t, &node);
    rewrite_set_input(r->x.e, node, 1, r->index);
    rewrite_set_int(r->x.e, node, "axis", axis);
    return out;
}

/* The node again, of fewer rows. */
static TensorId repeat_node(const RowChoice *r, const Node *n, const TensorId *input)
{
    NodeId node;
    if (!r->x.e)
        return input[0];
    TensorId out = rewrite_add_node(r->x.e, n->op, r->x.like, "_few", input[0], &node);
    for (uint32_t i = 1; i < n->ninput; i++)
        rewrite_set_input(r->x.e, node, i, input[i]);
    r->x.e->graph->node[node].attr = n->attr;
    r->x.e->graph->node[node].nattr = n->nattr;
    return out;
}

static bool works_on_elements(const Node *n)
{
    OpClass k = op_info(n->op_id)->op_class;
    return !op_is(n->op_id, OP_BatchNormalization, OP_LRN, OP_ImageScaler, OP_RotaryEmbedding) &&
           (k == CLASS_ELEMENTWISE || k == CLASS_ACTIVATION ||
            op_is(n->op_id, OP_Cast, OP_Identity));
}

static TensorId rows_of_inputs(RowChoice *r, const Node *n, int32_t axis)
{
    TensorId in[INPUTS_MAX];
    int32_t rank = spell_shape(r->x.s, n->output[0])->rank;
    for (uint32_t i = 0; i < n->ninput; i++) {
        in[i] = n->input[i];
        const Shape *shape = in[i] == TENSOR_NONE ? NULL : spell_shape(r->x.s, in[i]);
        int32_t at = shape ? axis - rank + shape->rank : -1;
        if (at >= 0 && shape->dim[at].value != 1)
            in[i] = rewrite_rows_of(r, in[i], at);
    }
    return repeat_node(r, n, in);
}

/* With the first input's rows alone. */
static TensorId rows_of_first(RowChoice *r, const Node *n, int32_t axis)
{
    TensorId in[INPUTS_MAX];
    memcpy(in, n->input, n->ninput * sizeof *in);
    in[0] = rewrite_rows_of(r, in[0], axis);
    return repeat_node(r, n, in);
}

static int64_t elements_before(const Shape *shape, int32_t axis)
{
    int64_t n = 1;
    for (int32_t i = 0; i < axis; i++)
        n *= shape->dim[i].value;
    return n;
}

/* The axis of the input of a view that is this one of its result; -1: none is. */
static int32_t viewed_axis(const Scene *s, const Node *n, int32_t axis)
{
    const Shape *in = spell_shape(s, n->input[0]), *out = spell_shape(s, n->output[0]);
    bool known = shape_is_known(in) && shape_is_known(out) && out->rank <= EDIT_PERMUTE_MAX_RANK;
    for (int32_t i = 0; known && i < in->rank; i++)
        if (in->dim[i].value == out->dim[axis].value &&
            elements_before(in, i) == elements_before(out, axis))
            return i;
    return -1;
}

static TensorId rows_of_view(RowChoice *r, const Node *n, int32_t axis, int32_t before)
{
    const Shape *out = spell_shape(r->x.s, n->output[0]);
    int64_t size[EDIT_PERMUTE_MAX_RANK];
    int32_t rank = out->rank;
    for (int32_t i = 0; i < rank; i++)
        size[i] = i == axis ? r->count : out->dim[i].value;
    TensorId in = rewrite_rows_of(r, n->input[0], before);
    return r->x.e ? spell_binary(&r->x, "Reshape", "_view", in,
                                 spell_integers(&r->x, "_view_shape", size, rank))
                  : in;
}

/* Along that axis its window is one pixel, which it neither skips nor pads. */
static bool is_pointwise_conv(const Scene *s, const Node *n, int32_t axis)
{
    Window2 w;
    if (n->op_id != OP_Conv || axis < 2 || !window2_read(s->graph, n, &w) || !w.explicit_pads)
        return false;
    int i = axis - 2;
    return w.kernel[i] == 1 && w.stride[i] == 1 && !w.pad[i] && !w.pad[i + 2];
}

static bool is_softmax_across(const Scene *s, const Node *n, int32_t axis)
{
    int64_t own = node_attr_int(n, "axis", -1), rank = spell_shape(s, n->output[0])->rank;
    return s->opset >= OPSET_SOFTMAX_AXIS && op_is(n->op_id, OP_Softmax, OP_LogSoftmax) &&
           (own < 0 ? own + rank : own) != axis;
}

static TensorId rows_turned(RowChoice *r, const Node *turn, TensorId from, int32_t axis)
{
    int64_t perm[EDIT_PERMUTE_MAX_RANK];
    int32_t rank;
    if (!rewrite_read_perm(r->x.s, turn, perm, &rank))
        return TENSOR_NONE;
    Node n = *turn;
    from = rewrite_rows_of(r, from, (int32_t)perm[axis]);
    n.ninput = 1;
    return repeat_node(r, &n, &from);
}

/* A part of a Concat is that part; of anything else it is cut out of fewer rows. */
static TensorId rows_of_part(RowChoice *r, const Node *n, TensorId t, int32_t axis)
{
    Piece p;
    if (rewrite_find_part(r->x.s, t, &p))
        return p.turn ? rows_turned(r, p.turn, p.t, axis) : rewrite_rows_of(r, p.t, axis);
    if (!read_range(r->x.s, n, t, &p) || p.axis == axis)
        return TENSOR_NONE;
    TensorId in = rewrite_rows_of(r, n->input[0], axis);
    return r->x.e ? rewrite_add_slice(r->x.e, r->x.like, in, p.axis, p.first, p.first + p.count)
                  : in;
}

/* The rows by way of the node that makes them all; TENSOR_NONE where that mixes rows. */
static TensorId rows_before(RowChoice *r, const Node *n, TensorId t, int32_t axis)
{
    const Scene *s = r->x.s;
    int32_t before;
    if (*n->domain || n->ninput < 1 || n->ninput > INPUTS_MAX || n->input[0] == TENSOR_NONE ||
        node_has_body(n))
        return TENSOR_NONE;
    if (op_is(n->op_id, OP_Split, OP_Slice))
        return rows_of_part(r, n, t, axis);
    if (n->noutput != 1)
        return TENSOR_NONE;
    if (n->op_id == OP_Transpose)
        return rows_turned(r, n, n->input[0], axis);
    int64_t along = node_attr_int(n, "axis", 1);
    along += along < 0 ? spell_shape(s, t)->rank : 0;
    if (n->op_id == OP_Concat)
        return along == axis ? TENSOR_NONE : rows_of_inputs(r, n, axis);
    if (op_is(n->op_id, OP_Reshape, OP_Flatten, OP_Squeeze, OP_Unsqueeze)) {
        before = viewed_axis(s, n, axis);
        return before < 0 ? TENSOR_NONE : rows_of_view(r, n, axis, before);
    }
    if (works_on_elements(n)) {
        r->work++;
        return rows_of_inputs(r, n, axis);
    }
    if (!is_pointwise_conv(s, n, axis) && !is_softmax_across(s, n, axis))
        return TENSOR_NONE;
    r->work++;
    return rows_of_first(r, n, axis);
}

TensorId rewrite_rows_of(RowChoice *r, TensorId t, int32_t axis)
{
    for (size_t i = 0; i < r->nknown; i++)
        if (r->known[i].of == t && r->known[i].axis == axis)
            return r->known[i].rows;
    const Node *maker = tensor_maker(r->x.s->graph, t);
    TensorId rows = TENSOR_NONE;
    if (maker && !r->x.s->graph->tensor[t].value && r->nknown < ROWS_NODES_MAX) {
        const Node n = *maker; /* nodes move */
        rows = rows_before(r, &n, t, axis);
    }
    rows = rows == TENSOR_NONE ? choose_rows(r, t, axis) : rows;
    if (r->nknown < ROWS_NODES_MAX)
        r->known[r->nknown++] = (Known){t, rows, axis};
    return rows;
}
