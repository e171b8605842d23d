/* Adds the parts of spellings, and spells operators that choose, cut or join. */
#include "graph/edit/spell.h"

enum { OPSET_SPLIT_INPUT = 13, OPSET_SLICE = 10, PARTS_MAX = 16 };

/* ---- parts of all spellings ---- */

TensorId spell_scalar(const Spelling *x, const char *suffix, float value)
{
    return editor_scalar(x->e, x->like, suffix, value);
}

TensorId spell_integers(const Spelling *x, const char *suffix, const int64_t *value, int64_t n)
{
    return editor_integers(x->e, x->like, suffix, value, (size_t)n);
}

TensorId spell_unary(const Spelling *x, const char *op, const char *suffix, TensorId a)
{
    NodeId node;
    return rewrite_add_node(x->e, op, x->like, suffix, a, &node);
}

TensorId spell_binary(const Spelling *x, const char *op, const char *suffix, TensorId a, TensorId b)
{
    NodeId node;
    TensorId out = rewrite_add_node(x->e, op, x->like, suffix, a, &node);
    rewrite_set_input(x->e, node, 1, b);
    return out;
}

TensorId spell_sized(const Spelling *x, const char *op, const char *suffix, TensorId t,
                     const Shape *to)
{
    int64_t size[EDIT_PERMUTE_MAX_RANK];
    for (int32_t i = 0; i < to->rank; i++)
        size[i] = to->dim[i].value;
    return spell_binary(x, op, suffix, t, spell_integers(x, "_size", size, to->rank));
}

const Shape *spell_shape(const Scene *s, TensorId t)
{
    return &s->graph->tensor[t].shape;
}

size_t spell_axes(const Scene *s, const Node *n, int64_t axis[EDIT_PERMUTE_MAX_RANK])
{
    const int64_t *given;
    const Const *c = node_constant(s->graph, n, 1);
    int32_t rank = spell_shape(s, n->input[0])->rank;
    size_t count = node_attr_ints(n, "axes", &given);
    if (!count && c)
        count = (size_t)c->nelem;
    for (size_t i = 0; i < count && i < EDIT_PERMUTE_MAX_RANK; i++) {
        if (c ? !const_int(c, (int64_t)i, &axis[i]) : (axis[i] = given[i], false))
            return 0;
        axis[i] += axis[i] < 0 ? rank : 0;
        if (axis[i] < 0 || axis[i] >= rank)
            return 0;
    }
    return rank > EDIT_PERMUTE_MAX_RANK || count > EDIT_PERMUTE_MAX_RANK ? 0 : count;
}

/* ---- Gather ---- */

static int32_t gather_axis(const Scene *s, const Node *n)
{
    int32_t rank = spell_shape(s, n->input[0])->rank;
    int64_t axis = node_attr_int(n, "axis", 0);
    axis += axis < 0 ? rank : 0;
    return axis >= 0 && axis < rank ? (int32_t)axis : -1;
}

bool spell_index_at(const Scene *s, const Node *n, int64_t i, int64_t size, int64_t *ret)
{
    const Const *c = node_constant(s->graph, n, 1);
    if (!c || i >= c->nelem || !const_int(c, i, ret))
        return false;
    *ret += *ret < 0 ? size : 0;
    return *ret >= 0 && *ret < size;
}

/* The first of indices that follow each other; -1 when they do not. */
static int64_t run_start(const Scene *s, const Node *n)
{
    int64_t size = spell_shape(s, n->input[0])->dim[gather_axis(s, n)].value, first = 0, next = 0;
    for (int64_t k = 0; k < node_input(s->graph, n, 1)->value->nelem; k++) {
        if (!spell_index_at(s, n, k, size, &next) || (k && next != first + k))
            return -1;
        first = k ? first : next;
    }
    return first;
}

/* The indices are one number, or a list of them. */
const char *spell_not_choice(const Scene *s, const Node *n)
{
    const Shape *in = spell_shape(s, n->input[0]), *out = spell_shape(s, n->output[0]);
    const Tensor *index = node_input(s->graph, n, 1);
    int32_t axis = gather_axis(s, n);
    int64_t i;
    if (!index || !index->value || index->shape.rank > 1 || axis < 0 || in->dim[axis].value <= 0 ||
        !shape_is_known(out) || out->rank < 1 || out->rank > EDIT_PERMUTE_MAX_RANK)
        return "its indices are not known";
    if (s->opset < OPSET_SLICE)
        return "it needs Slice of opset 10";
    return LIST_VALUE(k, index->value->nelem, !spell_index_at(s, n, k, in->dim[axis].value, &i),
                      "its indices are not known",
                      run_start(s, n) >= 0 || (in->rank == 4 && axis == 1)
                          ? NULL
                          : "its indices do not follow each other");
}

/* The indices follow each other. */
const char *spell_not_run(const Scene *s, const Node *n)
{
    const char *why = spell_not_choice(s, n);
    return why || run_start(s, n) >= 0 ? why : "its indices do not follow each other";
}

/* In any order: a Conv that multiplies one channel by 1, and all others by 0. */
static TensorId choose_channels(const Spelling *x, int64_t from, int64_t count)
{
    Dim dim[4] = {{.value = count}, {.value = from}, {.value = 1}, {.value = 1}};
    const Shape shape = {.rank = 4, .dim = dim};
    float *w = ARENA_ARRAY(x->e->arena, float, (size_t)(count * from));
    int64_t i = 0;
    for (int64_t k = 0; k < count; k++)
        if (spell_index_at(x->s, &x->n, k, from, &i))
            w[k * from + i] = 1;
    return spell_binary(x, "Conv", "_chosen", x->n.input[0],
                        rewrite_add_floats(x->e, x->like, "_one_hot", &shape, w));
}

/* Of stacked images ([2,1,24,44,44] along its first axis) the channels of one; 0 when the axis is
 * not alone before a single image. */
static int64_t flat_scale(const Shape *in, int32_t axis)
{
    if (in->rank < 5 || axis > in->rank - 4)
        return 0;
    return LIST_VALUE(i, in->rank,
                      in->dim[i].value <= 0 ||
                          (i != axis && i < in->rank - 3 && in->dim[i].value != 1),
                      0, in->dim[in->rank - 3].value);
}

TensorId spell_gather(const Spelling *x)
{
    const Shape *in = spell_shape(x->s, x->n.input[0]);
    const Tensor *index = node_input(x->s->graph, &x->n, 1);
    int64_t axis = gather_axis(x->s, &x->n), count = index->value->nelem,
            first = run_start(x->s, &x->n);
    if (first < 0)
        return choose_channels(x, in->dim[axis].value, count);
    TensorId from = x->n.input[0];
    int64_t scale = flat_scale(in, (int32_t)axis);
    if (scale) { /* the axis before the image's, and all are its channels */
        const int64_t flat[4] = {1, in->dim[axis].value * scale, in->dim[in->rank - 2].value,
                                 in->dim[in->rank - 1].value};
        from = spell_binary(x, "Reshape", "_flat", from, spell_integers(x, "_flat_shape", flat, 4));
        first *= scale;
        count *= scale;
        axis = 1;
    }
    TensorId part = rewrite_add_slice(x->e, x->like, from, axis, first, first + count);
    if (index->shape.rank == 1 && !scale)
        return part;
    return spell_sized(x, "Reshape", "_chosen", part, spell_shape(x->s, x->n.output[0]));
}

/* ---- Tile along axes of one element ---- */

const char *spell_not_expand(const Scene *s, const Node *n)
{
    const Shape *in = spell_shape(s, n->input[0]), *out = spell_shape(s, n->output[0]);
    bool fits = shape_is_known(in) && shape_is_known(out) && in->rank == out->rank &&
                out->rank > 0 && out->rank <= EDIT_PERMUTE_MAX_RANK;
    for (int32_t i = 0; fits && i < in->rank; i++)
        fits = in->dim[i].value == 1 || in->dim[i].value == out->dim[i].value;
    return fits ? NULL : "it repeats an axis of several elements";
}

TensorId spell_tile(const Spelling *x)
{
    return spell_sized(x, "Expand", "_expanded", x->n.input[0], spell_shape(x->s, x->n.output[0]));
}

/* ---- moving along an axis that the NPU's operator does not take ---- */

/* A list that is an attribute in old opsets and an input in others. */
static bool int_at(const Scene *s, const Node *n, uint32_t input, const char *attr, int64_t *ret)
{
    const int64_t *list;
    const Const *c = node_constant(s->graph, n, input);
    size_t count = node_attr_ints(n, attr, &list);
    if (count == 1)
        *ret = list[0];
    return count == 1 || (c && c->nelem == 1 && const_int(c, 0, ret));
}

bool spell_read_cut(const Scene *s, const Node *n, Cut *ret)
{
    Cut c = {.step = 1};
    const Shape *in = spell_shape(s, n->input[0]);
    bool stepped = n->ninput > 4 && n->input[4] != TENSOR_NONE;
    if (!int_at(s, n, 1, "starts", &c.first) || !int_at(s, n, 2, "ends", &c.end) ||
        !int_at(s, n, 3, "axes", &c.axis) || (stepped && !int_at(s, n, 4, "steps", &c.step)))
        return false;
    c.axis += c.axis < 0 ? in->rank : 0;
    if (c.step < 1 || c.axis < 0 || c.axis >= in->rank || in->dim[c.axis].value <= 0)
        return false;
    c.size = in->dim[c.axis].value;
    c.first += c.first < 0 ? c.size : 0;
    c.end += c.end < 0 ? c.size : 0;
    c.end = c.end > c.size ? c.size : c.end;
    *ret = c;
    return c.first >= 0 && c.first < c.end;
}

const char *spell_not_cut(const Scene *s, const Node *n)
{
    Cut c;
    return spell_read_cut(s, n, &c) && c.step == 1
               ? NULL
               : "it takes no single run of elements along one axis";
}

static bool is_quantized_at_once(const Scene *s, TensorId t)
{
    const Node *q = rewrite_only_reader(s->graph, t);
    return q && editor_is_op(q, "QuantizeLinear");
}

/* The Slice of the tensor that begins there along the axis, and where it ends; NULL. */
static const Node *slice_from(const Scene *s, TensorId t, int64_t axis, int64_t first, Cut *ret)
{
    const Tensor *x = &s->graph->tensor[t];
    for (uint32_t k = 0; k < x->nconsumer; k++) {
        const Node *n = &s->graph->node[x->consumer[k]];
        if (n->op_id == OP_Slice && !spell_not_cut(s, n) && spell_read_cut(s, n, ret) &&
            ret->axis == axis && ret->first == first)
            return s->graph->tensor[n->output[0]].is_output ? NULL : n;
    }
    return NULL;
}

/* The Slices that take a tensor apart, of which the node is one: how many, and their sizes. */
static size_t slices_beside(const Scene *s, const Node *n, NodeId slice[PARTS_MAX],
                            int64_t size[PARTS_MAX])
{
    Cut own, part = {.end = 0};
    size_t count = 0;
    for (bool whole = !spell_read_cut(s, n, &own); !whole; whole = part.end == own.size) {
        const Node *next = slice_from(s, n->input[0], own.axis, part.end, &part);
        if (!next || count == PARTS_MAX)
            return 0;
        slice[count] = node_id(s->graph, next);
        size[count++] = part.end - part.first;
    }
    return count;
}

/* One that is not read any more is a part of a Split already. */
bool spell_cuts_quantized(const Scene *s, const Node *n)
{
    NodeId slice[PARTS_MAX];
    int64_t size[PARTS_MAX];
    const Tensor *result = node_output(s->graph, n, 0);
    if (n->op_id != OP_Slice || result->is_output || !result->nconsumer)
        return n->op_id == OP_Slice && !result->is_output;
    size_t count = slices_beside(s, n, slice, size);
    return count && LIST_ALL(i, count, is_quantized_at_once(s, s->graph->node[slice[i]].output[0]));
}

/* Else the Split is of what is before the Slice, in it and after it. */
TensorId spell_slice(const Spelling *x)
{
    Cut c;
    NodeId node, slice[PARTS_MAX];
    int64_t size[PARTS_MAX];
    TensorId out[PARTS_MAX], result = x->n.output[0];
    size_t n = 0, count = slices_beside(x->s, &x->n, slice, size);
    if (!spell_read_cut(x->s, &x->n, &c))
        return result;
    const int64_t alone[3] = {c.first, c.end - c.first, c.size - c.end};
    for (size_t i = 0; i < 3 && !count; i++)
        if (alone[i])
            size[n++] = alone[i];
    n = count ? count : n;
    out[0] = rewrite_add_node(x->e, "Split", x->like, "_part", x->n.input[0], &node);
    for (size_t i = 1; i < n; i++)
        out[i] = editor_tensor(x->e, x->like, "_part");
    if (x->s->opset >= OPSET_SPLIT_INPUT)
        rewrite_set_input(x->e, node, 1, spell_integers(x, "_sizes", size, (int64_t)n));
    else
        rewrite_set_ints(x->e, node, "split", size, n);
    rewrite_set_int(x->e, node, "axis", c.axis);
    rewrite_set_outputs(x->e, node, out, (uint32_t)n);
    for (size_t i = 0, at = 0; i < n; at += (size_t)size[i++])
        if ((int64_t)at == c.first)
            result = out[i];
        else if (count)
            rewrite_take_over(x->e, slice[i], out[i]);
    return result;
}

/* ---- joining along an axis that the NPU's Concat does not take: a Transpose swaps it with the one
 * before ---- */

static int64_t join_axis(const Scene *s, const Node *n)
{
    int64_t axis = node_attr_int(n, "axis", 1);
    return axis < 0 ? axis + spell_shape(s, n->output[0])->rank : axis;
}

const char *spell_not_join(const Scene *s, const Node *n)
{
    int32_t rank = spell_shape(s, n->output[0])->rank;
    int64_t axis = join_axis(s, n);
    return rank >= 3 && rank <= EDIT_PERMUTE_MAX_RANK && axis > 1 && axis < rank
               ? NULL
               : "it does not join along an axis after the channels";
}

/* Converts with one scale, from which every int8 value comes back, and one zero point. */
static bool has_one_scale(const Scene *s, const Node *n, const char *op)
{
    return n && editor_is_op(n, op) && n->ninput == 3 && n->input[1] != TENSOR_NONE &&
           n->input[2] != TENSOR_NONE && spell_shape(s, n->input[1])->rank == 0 &&
           spell_shape(s, n->input[2])->rank == 0 &&
           editor_is_8_bit(s->graph->tensor[n->input[2]].dtype) &&
           rewrite_scale_is_sound(s->graph, n->input[1]);
}

bool spell_joins_quantized(const Scene *s, const Node *n)
{
    return LIST_ALL(i, n->ninput,
                    has_one_scale(s, tensor_maker(s->graph, n->input[i]), "DequantizeLinear")) &&
           has_one_scale(s, rewrite_only_reader(s->graph, n->output[0]), "QuantizeLinear");
}

/* `t` quantized and dequantized with a scale and a zero point; as it is when they are NULL. */
static TensorId requantize(const Spelling *x, TensorId t, const TensorId *parameter)
{
    static const char *const op[2] = {"QuantizeLinear", "DequantizeLinear"};
    for (int i = 0; i < 2 && parameter; i++) {
        NodeId node;
        t = rewrite_add_node(x->e, op[i], x->like, i ? "_dequantized" : "_quantized", t, &node);
        rewrite_set_input(x->e, node, 1, parameter[0]);
        rewrite_set_input(x->e, node, 2, parameter[1]);
    }
    return t;
}

static TensorId swap_join_axis(const Spelling *x, TensorId t)
{
    int64_t perm[EDIT_PERMUTE_MAX_RANK], axis = join_axis(x->s, &x->n);
    int32_t rank = spell_shape(x->s, x->n.output[0])->rank;
    NodeId node;
    for (int32_t i = 0; i < rank; i++)
        perm[i] = i == axis ? axis - 1 : i == axis - 1 ? axis : i;
    TensorId out = rewrite_add_node(x->e, "Transpose", x->like, "_turned", t, &node);
    rewrite_set_ints(x->e, node, "perm", perm, (size_t)rank);
    return out;
}

TensorId spell_concat(const Spelling *x)
{
    const Graph *g = x->s->graph;
    bool quantized = spell_joins_quantized(x->s, &x->n);
    const TensorId *result = quantized ? rewrite_only_reader(g, x->n.output[0])->input + 1 : NULL;
    TensorId *part = ARENA_ARRAY(x->e->arena, TensorId, x->n.ninput);
    for (uint32_t i = 0; i < x->n.ninput; i++) {
        const TensorId *own = quantized ? tensor_maker(g, x->n.input[i])->input + 1 : NULL;
        part[i] = requantize(x, swap_join_axis(x, x->n.input[i]), own);
    }
    NodeId node;
    TensorId out = rewrite_add_node(x->e, "Concat", x->like, "_joined", part[0], &node);
    for (uint32_t i = 1; i < x->n.ninput; i++)
        rewrite_set_input(x->e, node, i, part[i]);
    rewrite_set_int(x->e, node, "axis", join_axis(x->s, &x->n) - 1);
    return swap_join_axis(x, requantize(x, out, result));
}
