/* Chooses rows before they are worked on, and the largest score before Sigmoid.
 *
 * A detector's tail decodes thousands of boxes, and then keeps those of the best scores.  Each box
 * is decoded from its own row: the same rows chosen first give the same boxes. */
#include "graph/edit/spell.h"

enum { OPSET_MAX_AXES_INPUT = 18 };

/* ---- the choice ---- */

/* What a node chooses from: along `axis`, by indices that follow each other in `index`. */
typedef struct {
    TensorId index; /* of any shape: as many elements as rows are chosen */
    int64_t column; /* of the index; -1: all of it */
    int64_t count;
    int32_t axis;
} Choice;

static bool ones_before(const Shape *shape, int32_t axis)
{
    return shape->rank > axis && LIST_ALL(i, axis, shape->dim[i].value == 1);
}

/* One index per row, repeated for each of its values. */
static bool read_gather_elements(const Scene *s, const Node *n, Choice *c)
{
    const Node *repeats = tensor_maker(s->graph, n->input[1]);
    if (!repeats || !op_is(repeats->op_id, OP_Expand, OP_Tile))
        return false;
    const Shape *data = spell_shape(s, n->input[0]), *out = spell_shape(s, n->output[0]),
                *one = spell_shape(s, repeats->input[0]);
    if (out->rank != data->rank || !shape_is_known(out) || !ones_before(out, c->axis) ||
        shape_elements(one) != out->dim[c->axis].value)
        return false;
    c->index = repeats->input[0];
    return LIST_ALL(i, out->rank, i <= c->axis || out->dim[i].value == data->dim[i].value);
}

/* Coordinates whose last one counts rows; those before can only be 0. */
static bool read_gather_nd(const Scene *s, const Node *n, Choice *c)
{
    const Shape *data = spell_shape(s, n->input[0]), *index = spell_shape(s, n->input[1]);
    int64_t size = index->rank == 2 ? index->dim[1].value : 0;
    c->axis = (int32_t)size - 1;
    c->column = c->axis;
    c->count = index->rank == 2 ? index->dim[0].value : -1;
    return size > 0 && size <= data->rank && ones_before(data, c->axis) &&
           !node_attr_int(n, "batch_dims", 0);
}

static bool read_choice(const Scene *s, const Node *n, Choice *c)
{
    if (n->ninput < 2 || n->input[1] == TENSOR_NONE || s->graph->tensor[n->input[1]].value)
        return false;
    const Shape *data = spell_shape(s, n->input[0]), *index = spell_shape(s, n->input[1]);
    int64_t axis = node_attr_int(n, "axis", 0);
    *c = (Choice){.index = n->input[1], .column = -1, .axis = (int32_t)axis};
    c->axis += axis < 0 ? data->rank : 0;
    if (!shape_is_known(data) || data->rank > EDIT_PERMUTE_MAX_RANK || c->axis < 0 ||
        c->axis >= data->rank)
        return false;
    c->count = n->op_id == OP_Gather ? shape_elements(index) : 0;
    bool fits = n->op_id == OP_Gather ? index->rank == 1
                : n->op_id == OP_GatherElements
                    ? read_gather_elements(s, n, c)
                    : n->op_id == OP_GatherND && read_gather_nd(s, n, c);
    c->count = n->op_id == OP_GatherElements && fits ? shape_elements(spell_shape(s, c->index))
               : c->count < 1                        ? -1
                                                     : c->count;
    int64_t kept = c->count < 0 ? EDIT_BOXES_KEPT : c->count; /* a threshold's are not known */
    return fits && kept <= data->dim[c->axis].value / 2;
}

static bool is_worth_it(const Scene *s, const Node *n, const Choice *c)
{
    RowChoice r = {
        .x = {.s = s, .n = *n, .like = n->output[0]}, .index = c->index, .count = c->count};
    rewrite_rows_of(&r, n->input[0], c->axis);
    return r.work > 0 && r.nknown < ROWS_NODES_MAX;
}

/* The indices as a list. */
static TensorId list_of(const Spelling *x, const Choice *c)
{
    static const int64_t list[1] = {-1};
    NodeId node;
    TensorId t = c->index;
    if (c->column >= 0) {
        t = rewrite_add_node(x->e, "Gather", x->like, "_column", t, &node);
        rewrite_set_input(x->e, node, 1, spell_integers(x, "_last", &c->column, 1));
        rewrite_set_int(x->e, node, "axis", 1);
    }
    return spell_binary(x, "Reshape", "_index", t, spell_integers(x, "_list", list, 1));
}

static void choose_before(Editor *e, const Scene *s, NodeId id, const Choice *c)
{
    RowChoice r = {.x = {e, s, s->graph->node[id], s->graph->node[id].output[0]},
                   .count = c->count};
    int64_t size[EDIT_PERMUTE_MAX_RANK], rank = 0;
    const Shape *data = spell_shape(s, r.x.n.input[0]);
    for (int32_t i = c->axis; i < data->rank; i++)
        size[rank++] = i == c->axis ? c->count : data->dim[i].value;
    r.index = list_of(&r.x, c);
    TensorId t = rewrite_rows_of(&r, r.x.n.input[0], c->axis);
    if (c->column > 0) /* the axes of one element before the rows are gone */
        t = spell_binary(&r.x, "Reshape", "_chosen", t,
                         spell_integers(&r.x, "_chosen_shape", size, rank));
    rewrite_replace_result(e, id, t);
}

/* ---- the largest of Sigmoids ---- */

/* A ReduceMax over one axis of Sigmoid(x), which parts and Transposes may follow. */
typedef struct {
    TensorId of;
    int64_t axis;
    bool squashed;
} Largest;

/* Without the axis the others keep their order. */
static bool keeps_others(const int64_t *perm, int32_t rank, int64_t without)
{
    int64_t last = -1;
    for (int32_t i = 0; i < rank; i++) {
        if (perm[i] != without && perm[i] < last)
            return false;
        last = perm[i] != without ? perm[i] : last;
    }
    return true;
}

static bool step_up(const Scene *s, const Node *n, Largest *l)
{
    int64_t perm[EDIT_PERMUTE_MAX_RANK];
    int32_t rank;
    if (!rewrite_read_perm(s, n, perm, &rank) || !keeps_others(perm, rank, perm[l->axis]))
        return false;
    l->axis = perm[l->axis];
    return true;
}

static bool find_largest(const Scene *s, const Node *n, Largest *l)
{
    int64_t axis[EDIT_PERMUTE_MAX_RANK];
    Piece p;
    *l = (Largest){.of = n->input[0]};
    if (n->op_id != OP_ReduceMax || spell_axes(s, n, axis) != 1 || node_attr_int(n, "keepdims", 1))
        return false;
    l->axis = axis[0];
    for (int hop = 0; hop < ROWS_NODES_MAX; hop++) {
        const Node *from = tensor_maker(s->graph, l->of);
        bool part = rewrite_find_part(s, l->of, &p);
        if (part && (!p.turn || step_up(s, p.turn, l)))
            l->of = p.t;
        else if (from && from->op_id == OP_Transpose && step_up(s, from, l))
            l->of = from->input[0];
        else if (from && from->op_id == OP_Sigmoid && !l->squashed) {
            l->squashed = true;
            l->of = from->input[0];
        } else
            break;
    }
    return l->squashed;
}

static TensorId largest_first(const Spelling *x, const Largest *l)
{
    NodeId node;
    TensorId t = rewrite_add_node(x->e, "ReduceMax", x->like, "_largest", l->of, &node);
    if (x->s->opset >= OPSET_MAX_AXES_INPUT)
        rewrite_set_input(x->e, node, 1, spell_integers(x, "_axes", &l->axis, 1));
    else
        rewrite_set_ints(x->e, node, "axes", &l->axis, 1);
    rewrite_set_int(x->e, node, "keepdims", 0);
    return spell_unary(x, "Sigmoid", "_score", t);
}

const char *rewrite_check_filter_first(const Scene *s, NodeId node)
{
    const Node *n = &s->graph->node[node];
    Choice c;
    Largest l;
    if (n->ninput < 1 || n->input[0] == TENSOR_NONE || n->noutput < 1 ||
        n->output[0] == TENSOR_NONE || *n->domain)
        return "it chooses nothing";
    if (!find_largest(s, n, &l) && (!read_choice(s, n, &c) || !is_worth_it(s, n, &c)))
        return "it does not choose few of many rows, each worked on by itself";
    return rewrite_is_rewirable(s->graph, n->output[0]) ? NULL : "a body reads its result";
}

void rewrite_filter_first(Editor *e, const Scene *s, NodeId node)
{
    Choice c;
    Largest l;
    const Spelling x = {e, s, s->graph->node[node], s->graph->node[node].output[0]};
    if (find_largest(s, &x.n, &l))
        rewrite_replace_result(e, node, largest_first(&x, &l));
    else if (read_choice(s, &x.n, &c))
        choose_before(e, s, node, &c);
}
