/* Removes Q/DQ pairs, Transposes and identities, which only move or rename data. */
#include "graph/edit/rewriter.h"

/* ---- drop-qdq ---- */

/* Moves elements without looking at them, whatever their type. */
static bool moves_elements(const Scene *s, const Node *n)
{
    (void)s;
    return op_is(n->op_id, OP_Reshape, OP_Flatten, OP_Squeeze, OP_Unsqueeze, OP_Transpose,
                 OP_Identity);
}

static TensorId input_or_none(const Node *n, uint32_t i)
{
    return i < n->ninput ? n->input[i] : TENSOR_NONE;
}

bool rewrite_scale_is_sound(const Graph *g, TensorId scale)
{
    const Const *c = g->tensor[scale].value;
    if (!c || !c->data) {
        const Node *maker = tensor_maker(g, scale);
        return maker && editor_is_op(maker, "DynamicQuantizeLinear");
    }
    for (int64_t i = 0; i < c->nelem; i++) {
        double v;
        if (!const_float(c, i, &v) || !(v >= 1e-30) || v > 1e30)
            return false;
    }
    return true;
}

/* The Dequantize that the Quantize undoes; NULL when it does not. */
static const Node *undone_by(const Scene *s, const Node *q, const Node **ret_top)
{
    const Graph *g = s->graph;
    TensorId t = rewrite_walk_up(s, q->input[0], moves_elements, ret_top);
    const Node *dq = tensor_maker(g, t);
    if (!dq || !editor_is_op(dq, "DequantizeLinear") || dq->ninput < 2 ||
        dq->input[0] == TENSOR_NONE || dq->input[1] == TENSOR_NONE ||
        input_or_none(q, 1) == TENSOR_NONE)
        return NULL;
    bool moved = *ret_top != NULL;
    if (moved && shape_elements(&g->tensor[dq->input[1]].shape) != 1)
        return NULL;
    DType from = g->tensor[dq->input[0]].dtype;
    if (!editor_is_8_bit(from) || from != g->tensor[q->output[0]].dtype ||
        node_attr_int(q, "axis", 1) != node_attr_int(dq, "axis", 1) ||
        node_attr_int(q, "block_size", 0) != node_attr_int(dq, "block_size", 0))
        return NULL;
    bool equal = rewrite_same_constant(g, q->input[1], dq->input[1]) &&
                 rewrite_same_constant(g, input_or_none(q, 2), input_or_none(dq, 2));
    return equal && rewrite_scale_is_sound(g, q->input[1]) ? dq : NULL;
}

const char *rewrite_check_drop_qdq(const Scene *s, NodeId node)
{
    const Node *top, *q = scene_node(s, node, "QuantizeLinear");
    if (!q)
        return "not a QuantizeLinear";
    if (!undone_by(s, q, &top))
        return "no DequantizeLinear of equal parameters before it";
    return rewrite_is_rewirable(s->graph, q->output[0]) ? NULL : "a body reads its result";
}

void rewrite_drop_qdq(Editor *e, const Scene *s, NodeId node)
{
    const Node *top, *q = &s->graph->node[node];
    const Node *dq = undone_by(s, q, &top);
    TensorId result = top ? q->input[0] : dq->input[0], source = dq->input[0];
    for (TensorId t = q->input[0]; top && t != top->input[0];) { /* they hold integers now */
        rewrite_clear_tensor_type(e, t);
        t = tensor_maker(s->graph, t)->input[0];
    }
    if (top)
        rewrite_set_input(e, node_id(s->graph, top), 0, source);
    rewrite_replace_result(e, node, result);
}

/* ---- cancel-transposes ---- */

bool rewrite_read_perm(const Scene *s, const Node *n, int64_t axis[EDIT_PERMUTE_MAX_RANK],
                       int32_t *ret_rank)
{
    const int64_t *perm;
    size_t n_perm = node_attr_ints(n, "perm", &perm);
    int32_t rank = s->graph->tensor[n->input[0]].shape.rank;
    unsigned seen = 0;
    if (rank < 1 || rank > EDIT_PERMUTE_MAX_RANK || (n_perm && n_perm != (size_t)rank))
        return false;
    for (int32_t i = 0; i < rank; i++) {
        axis[i] = n_perm ? perm[i] : rank - 1 - i;
        if (axis[i] < 0 || axis[i] >= rank)
            return false;
        seen |= 1u << axis[i];
    }
    *ret_rank = rank;
    return seen == (1u << rank) - 1;
}

/* A list of one scale would be a scale per axis, which then is another axis. */
static bool has_one_element(const Graph *g, TensorId t, bool conversion)
{
    return t == TENSOR_NONE || (g->tensor[t].value && g->tensor[t].value->nelem == 1 &&
                                g->tensor[t].shape.rank <= !conversion);
}

bool rewrite_ignores_order(const Scene *s, const Node *n)
{
    OpClass k = op_info(n->op_id)->op_class;
    bool conversion = k == CLASS_CONVERT || n->op_id == OP_Identity;
    if (*n->domain || (k != CLASS_ELEMENTWISE && k != CLASS_ACTIVATION && !conversion) ||
        op_is(n->op_id, OP_BatchNormalization, OP_LRN, OP_ImageScaler, OP_RotaryEmbedding))
        return false;
    for (uint32_t i = 1; i < n->ninput; i++)
        if (!has_one_element(s->graph, n->input[i], conversion))
            return false;
    const Tensor *in = node_input(s->graph, n, 0), *out = node_output(s->graph, n, 0);
    return in && out && in->shape.rank == out->shape.rank;
}

bool rewrite_moves_ones(const Shape *from, const Shape *to, int64_t *axis)
{
    int32_t next[2] = {0, 0}; /* in `to`: after the last axis of size 1, and of another */
    for (int32_t k = 0; k < from->rank; k++) {
        bool more = from->dim[k].value != 1;
        int32_t *j = &next[more];
        while (*j < to->rank && (to->dim[*j].value != 1) != more)
            (*j)++;
        if (*j == to->rank || to->dim[*j].value != from->dim[k].value)
            return false;
        axis[k] = (*j)++;
    }
    return from->rank == to->rank;
}

/* The order of axes that a Transpose makes, or a Reshape that only moves axes of one element, for
 * one reader or as an output. */
static bool read_move(const Scene *s, const Node *n, int64_t axis[REWRITE_MAX_RANK],
                      int32_t *ret_rank)
{
    if (!n || !n->ninput || n->input[0] == TENSOR_NONE)
        return false;
    const Tensor *out = node_output(s->graph, n, 0);
    const Shape *in = &s->graph->tensor[n->input[0]].shape;
    if (!editor_is_op(n, "Reshape"))
        return editor_is_op(n, "Transpose") && rewrite_read_perm(s, n, axis, ret_rank);
    *ret_rank = in->rank;
    return out && out->nconsumer + out->is_output == 1 && shape_is_known(in) &&
           in->rank <= REWRITE_MAX_RANK && rewrite_moves_ones(&out->shape, in, axis) &&
           LIST_ANY(i, in->rank, axis[i] != i);
}

typedef struct {
    const Node *first, *top;             /* the Transpose before, and what follows it if not ours */
    int64_t axis[EDIT_PERMUTE_MAX_RANK]; /* both in one */
    int32_t rank;
    bool identity;
} Pair;

static bool find_pair(const Scene *s, const Node *second, Pair *ret)
{
    Pair p = {.identity = true};
    int64_t a[EDIT_PERMUTE_MAX_RANK], b[EDIT_PERMUTE_MAX_RANK];
    int32_t rank;
    p.first =
        tensor_maker(s->graph, rewrite_walk_up(s, second->input[0], rewrite_ignores_order, &p.top));
    if (!read_move(s, p.first, a, &rank) || !rewrite_read_perm(s, second, b, &p.rank) ||
        rank != p.rank)
        return false;
    for (int32_t i = 0; i < rank; i++) {
        p.axis[i] = a[b[i]];
        p.identity &= p.axis[i] == i;
    }
    *ret = p;
    return p.identity || editor_is_op(p.first, "Transpose");
}

bool rewrite_transposes_ones(const Graph *g, const Node *n)
{
    int64_t axis[EDIT_PERMUTE_MAX_RANK], last = -1;
    int32_t rank;
    const Shape *shape = &g->tensor[n->input[0]].shape;
    if (!shape_is_known(shape) || !rewrite_read_perm(&(Scene){.graph = g}, n, axis, &rank))
        return false;
    for (int32_t i = 0; i < rank; i++) {
        if (shape->dim[axis[i]].value == 1)
            continue;
        if (axis[i] < last)
            return false;
        last = axis[i];
    }
    return true;
}

const char *rewrite_check_cancel_transposes(const Scene *s, NodeId node)
{
    Pair p;
    const Node *n = scene_node(s, node, "Transpose");
    if (!n)
        return "not a Transpose";
    if (!find_pair(s, n, &p) && !rewrite_transposes_ones(s->graph, n))
        return "no Transpose before it, with nothing but elementwise operators between";
    return rewrite_is_rewirable(s->graph, n->output[0]) ? NULL : "a body reads its result";
}

static void become_reshape(Editor *e, NodeId node)
{
    Node *n = &e->graph->node[node];
    const Shape *out = &e->graph->tensor[n->output[0]].shape;
    int64_t *size = ARENA_ARRAY(e->arena, int64_t, (size_t)out->rank);
    const int64_t dim = out->rank;
    for (int32_t i = 0; i < out->rank; i++)
        size[i] = out->dim[i].value;
    TensorId shape = editor_constant(e, n->output[0], "_shape", DT_INT64, &dim, 1, size);
    rewrite_become(e, node, "Reshape", (const TensorId[]){n->input[0], shape}, 2);
}

void rewrite_cancel_transposes(Editor *e, const Scene *s, NodeId node)
{
    Pair p;
    const Node *n = &s->graph->node[node];
    if (!find_pair(s, n, &p)) {
        become_reshape(e, node);
        return;
    }
    TensorId source = p.first->input[0], below = p.top ? n->input[0] : source;
    for (TensorId t = n->input[0]; p.top && t != p.top->input[0];) { /* axes are in another order */
        rewrite_clear_tensor_type(e, t);
        t = tensor_maker(s->graph, t)->input[0];
    }
    if (p.top)
        rewrite_set_input(e, node_id(s->graph, p.top), 0, source);
    if (p.identity) {
        rewrite_replace_result(e, node, below);
        return;
    }
    rewrite_set_input(e, node, 0, below);
    rewrite_set_ints(e, node, "perm", p.axis, (size_t)p.rank);
}

bool rewrite_order_before(const Scene *s, TensorId output, int64_t back[REWRITE_MAX_RANK],
                          int32_t *ret_rank, bool *ret_direct)
{
    const Node *n = tensor_maker(s->graph, output), *top = NULL;
    int64_t axis[REWRITE_MAX_RANK];
    if (!n || s->graph->tensor[output].nconsumer)
        return false;
    *ret_direct = editor_is_op(n, "Transpose") || read_move(s, n, axis, ret_rank);
    if (!*ret_direct && n->ninput && n->input[0] != TENSOR_NONE && n->noutput == 1 &&
        rewrite_ignores_order(s, n))
        n = tensor_maker(s->graph, rewrite_walk_up(s, n->input[0], rewrite_ignores_order, &top));
    if (!read_move(s, n, axis, ret_rank) || !tensor_maker(s->graph, n->input[0]))
        return false;
    for (int32_t i = 0; i < *ret_rank; i++)
        back[axis[i]] = i;
    return true;
}

/* ---- drop-identity ---- */

static bool adds_nothing(const Scene *s, const Node *n)
{
    const Const *c = node_constant(s->graph, n, 1);
    return c && const_is_all(c, 0);
}

static bool scales_by_one(const Scene *s, const Node *n)
{
    const Const *c = node_constant(s->graph, n, 1);
    return c && const_is_all(c, 1);
}

static bool has_one_input(const Scene *s, const Node *n)
{
    (void)s;
    return n->ninput == 1;
}

static bool always_true(const Scene *s, const Node *n)
{
    (void)s;
    (void)n;
    return true;
}

static bool has_one_output(const Scene *s, const Node *n)
{
    (void)s;
    return n->noutput == 1;
}

static bool takes_single_pixels(const Scene *s, const Node *n)
{
    Window2 w;
    return n->noutput == 1 && window2_read(s->graph, n, &w) && w.kernel[0] * w.kernel[1] == 1 &&
           LIST_ALL(i, 4, w.pad[i] == 0);
}

/* "ij->ij" */
static bool names_no_other_axes(const Scene *s, const Node *n)
{
    const char *of = node_attr_string(n, "equation", ""), *to = strstr(of, "->");
    (void)s;
    return n->ninput == 1 && to && !strpbrk(of, " .") && strlen(to + 2) == (size_t)(to - of) &&
           strncmp(of, to + 2, (size_t)(to - of)) == 0;
}

static bool dropout_is_off(const Scene *s, const Node *n)
{
    const Tensor *mask = node_output(s->graph, n, 1);
    return !(mask && (mask->nconsumer || mask->is_output)) && input_or_none(n, 2) == TENSOR_NONE;
}

static bool resize_keeps(const Scene *s, const Node *n)
{
    (void)s; /* of equal size every mode but crops takes each pixel at its own place */
    return strcmp(node_attr_string(n, "coordinate_transformation_mode", "half_pixel"),
                  "tf_crop_and_resize") != 0 &&
           !node_attr_int(n, "antialias", 0);
}

/* All its steps are 1: of equal shape it takes everything, in order. */
static bool slice_keeps(const Scene *s, const Node *n)
{
    if (input_or_none(n, 4) == TENSOR_NONE)
        return true;
    const Const *step = node_constant(s->graph, n, 4);
    return step && const_is_all(step, 1);
}

/* A negative pad on one side and a positive one on the other would keep the shape too. */
static bool pad_keeps(const Scene *s, const Node *n)
{
    const int64_t *given;
    const Const *pads = node_constant(s->graph, n, 1);
    size_t count = node_attr_ints(n, "pads", &given);
    return (count || pads) && (!pads || const_is_all(pads, 0)) && LIST_ALL(i, count, given[i] == 0);
}

static bool transpose_keeps(const Scene *s, const Node *n)
{
    int64_t axis[EDIT_PERMUTE_MAX_RANK];
    int32_t rank;
    return rewrite_read_perm(s, n, axis, &rank) && LIST_ALL(i, rank, axis[i] == i);
}

/* Of equal input and output shape: what else makes it return its input. */
static const struct {
    OpIndex op;
    bool (*holds)(const Scene *s, const Node *n);
} identity[] = {
#define SAME(op, holds) {OP_##op, holds},
#include "graph/edit/identities.def"
};

static bool is_view(const Node *n)
{
    return !*n->domain && op_is(n->op_id, OP_Reshape, OP_Flatten, OP_Squeeze, OP_Unsqueeze);
}

/* What the node returns if it is one of the table: its input; of two views, that of the first. */
static TensorId returned_by(const Scene *s, const Node *n)
{
    TensorId in = input_or_none(n, 0);
    const Node *maker = in != TENSOR_NONE && is_view(n) ? tensor_maker(s->graph, in) : NULL;
    return maker && is_view(maker) && input_or_none(maker, 0) != TENSOR_NONE ? maker->input[0] : in;
}

static bool returns_input(const Scene *s, const Node *n)
{
    TensorId source = returned_by(s, n);
    const Tensor *in = source != TENSOR_NONE ? &s->graph->tensor[source] : NULL,
                 *out = node_output(s->graph, n, 0);
    if (!in || !out || *n->domain || in->dtype == DT_UNKNOWN || in->dtype != out->dtype)
        return false;
    if (n->op_id == OP_Identity)
        return true;
    return rewrite_shapes_equal(&in->shape, &out->shape) &&
           LIST_VALUE(i, sizeof identity / sizeof *identity, (OpId)identity[i].op == n->op_id,
                      identity[i].holds(s, n), false);
}

const char *rewrite_check_drop_identity(const Scene *s, NodeId node)
{
    const Node *n = &s->graph->node[node];
    if (!returns_input(s, n))
        return "it does not return its input as it is";
    return rewrite_is_rewirable(s->graph, n->output[0]) ? NULL : "a body reads its result";
}

void rewrite_drop_identity(Editor *e, const Scene *s, NodeId node)
{
    rewrite_replace_result(e, node, returned_by(s, &s->graph->node[node]));
}
