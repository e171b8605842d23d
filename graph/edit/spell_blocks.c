/* Spells SpaceToDepth, also with its blocks in another order, and the halves of rotary embeddings.
 */
#include "graph/edit/spell.h"

#include "graph/infer/ops.h"

#include <string.h>

/* ---- SpaceToDepth of 2x2 pixels: four Slices and a Concat, which the vendor's tools take for one
 * ---- */

enum { QUARTERS = 4, OPSET_SLICE_STEPS = 10, ROTATED_MAX = 512 };

static bool equal_codes(const Scene *s, const Node *a, const Node *b)
{
    return a->ninput == 3 && b->ninput == 3 &&
           rewrite_same_constant(s->graph, a->input[1], b->input[1]) &&
           rewrite_same_constant(s->graph, a->input[2], b->input[2]) &&
           rewrite_scale_is_sound(s->graph, a->input[1]);
}

/* Past a Quantize and Dequantize that change no value, because `source` has the same codes. */
static TensorId before_codes(const Scene *s, TensorId t)
{
    const Graph *g = s->graph;
    const Node *dq = tensor_maker(g, t);
    const Node *q =
        dq && editor_is_op(dq, "DequantizeLinear") ? tensor_maker(g, dq->input[0]) : NULL;
    const Node *op = q && editor_is_op(q, "QuantizeLinear") ? tensor_maker(g, q->input[0]) : NULL;
    const Node *from = op && op->op_id == OP_SpaceToDepth ? tensor_maker(g, op->input[0]) : NULL;
    return from && editor_is_op(from, "DequantizeLinear") && equal_codes(s, dq, q) &&
                   equal_codes(s, q, from) && rewrite_only_reader(g, dq->input[0])
               ? q->input[0]
               : t;
}

/* The SpaceToDepth whose result is the node's, and the order of its blocks; NULL. */
static const Node *blocks_of(const Scene *s, const Node *n, int64_t order[QUARTERS])
{
    TensorId t = n->op_id == OP_Gather ? before_codes(s, n->input[0]) : TENSOR_NONE;
    const Node *d = n->op_id == OP_Gather ? tensor_maker(s->graph, t) : n;
    if (!d || d->op_id != OP_SpaceToDepth || node_attr_int(d, "blocksize", 0) != 2 ||
        (d != n && !rewrite_only_reader(s->graph, t)))
        return NULL;
    const Shape *in = spell_shape(s, d->input[0]);
    int64_t index, channels = in->rank == 4 ? in->dim[1].value : 0, seen = 0;
    for (int k = 0; k < QUARTERS; k++)
        order[k] = k;
    if (d == n)
        return channels > 0 ? d : NULL;
    const Tensor *list = node_input(s->graph, n, 1);
    if (channels <= 0 || node_attr_int(n, "axis", 0) != 1 || !list || list->shape.rank != 1 ||
        list->shape.dim[0].value != QUARTERS * channels)
        return NULL;
    for (int64_t i = 0; i < QUARTERS * channels; i++) {
        if (!spell_index_at(s, n, i, QUARTERS * channels, &index))
            return NULL;
        if (i % channels == 0)
            seen |= 1 << (order[i / channels] = index / channels);
        if (index != order[i / channels] * channels + i % channels)
            return NULL;
    }
    return seen == (1 << QUARTERS) - 1 ? d : NULL;
}

const char *spell_not_blocks(const Scene *s, const Node *n)
{
    int64_t order[QUARTERS];
    return s->opset >= OPSET_SLICE_STEPS && blocks_of(s, n, order)
               ? NULL
               : "it does not make blocks of 2x2 pixels channels";
}

TensorId spell_blocks(const Spelling *x)
{
    static const int64_t end[2] = {INT64_MAX, INT64_MAX}, axis[2] = {2, 3}, step[2] = {2, 2};
    int64_t order[QUARTERS];
    const TensorId source = blocks_of(x->s, &x->n, order)->input[0];
    const TensorId list[] = {spell_integers(x, "_ends", end, 2),
                             spell_integers(x, "_axes", axis, 2),
                             spell_integers(x, "_steps", step, 2)};
    TensorId part[QUARTERS];
    NodeId node;
    for (int k = 0; k < QUARTERS; k++) {
        const int64_t start[2] = {order[k] / 2, order[k] % 2};
        part[k] = rewrite_add_node(x->e, "Slice", x->like, "_quarter", source, &node);
        rewrite_set_input(x->e, node, 1, spell_integers(x, "_starts", start, 2));
        for (uint32_t i = 0; i < 3; i++)
            rewrite_set_input(x->e, node, i + 2, list[i]);
    }
    TensorId out = rewrite_add_node(x->e, "Concat", x->like, "_quarters", part[0], &node);
    for (uint32_t k = 1; k < QUARTERS; k++)
        rewrite_set_input(x->e, node, k, part[k]);
    rewrite_set_int(x->e, node, "axis", 1);
    return out;
}

/* ---- parts of the last axis, some of them negative, joined in another order: a MatMul ---- */

typedef struct {
    TensorId source;
    int64_t width, count; /* elements of the source's last axis; those taken so far */
    int64_t from[ROTATED_MAX];
    float sign[ROTATED_MAX];
    bool negates, interleaved;
} Rotation;

/* Where a part of a Split begins. */
static bool part_of_split(const Scene *s, const Node *n, TensorId t, Cut *ret)
{
    int64_t rank = spell_shape(s, n->input[0])->rank, axis = node_attr_int(n, "axis", 0);
    *ret = (Cut){.axis = axis + (axis < 0 ? rank : 0), .step = 1};
    for (uint32_t k = 0; rank > 0 && ret->axis < rank && k < n->noutput; k++) {
        const Shape *part = spell_shape(s, n->output[k]);
        if (part->rank != rank || part->dim[ret->axis].value <= 0)
            return false;
        ret->end = ret->first + part->dim[ret->axis].value;
        if (n->output[k] == t)
            return true;
        ret->first = ret->end;
    }
    return false;
}

static bool add_part(const Scene *s, TensorId t, Rotation *r)
{
    Cut c;
    const Node *n = tensor_maker(s->graph, t);
    if (r->interleaved && n) {
        const Shape *out = spell_shape(s, t);
        if (n->op_id != OP_Unsqueeze || out->dim[out->rank - 1].value != 1)
            return false;
        n = tensor_maker(s->graph, t = n->input[0]);
    }
    float sign = n && n->op_id == OP_Neg ? -1 : 1;
    if (sign < 0)
        n = tensor_maker(s->graph, t = n->input[0]);
    if (!n || !(n->op_id == OP_Split ? part_of_split(s, n, t, &c)
                                     : n->op_id == OP_Slice && spell_read_cut(s, n, &c)))
        return false;
    const Shape *in = spell_shape(s, n->input[0]);
    if ((r->source != TENSOR_NONE && r->source != n->input[0]) || c.axis != in->rank - 1 ||
        in->rank < 2 || in->dim[c.axis].value > ROTATED_MAX)
        return false;
    r->source = n->input[0];
    r->width = in->dim[c.axis].value;
    r->negates |= sign < 0;
    for (int64_t i = c.first; i < c.end; i += c.step, r->count++) {
        if (r->count >= ROTATED_MAX)
            return false;
        r->from[r->count] = i;
        r->sign[r->count] = sign;
    }
    return true;
}

static bool find_rotation(const Scene *s, const Node *n, Rotation *r)
{
    int64_t rank = spell_shape(s, n->output[0])->rank, axis = node_attr_int(n, "axis", 1);
    *r = (Rotation){.source = TENSOR_NONE};
    if (rank < 2 || n->ninput < 2 || axis + (axis < 0 ? rank : 0) != rank - 1 ||
        !shape_is_known(spell_shape(s, n->output[0])))
        return false;
    const Node *first = tensor_maker(s->graph, n->input[0]);
    r->interleaved = first && first->op_id == OP_Unsqueeze;
    for (uint32_t k = 0; k < n->ninput; k++)
        if (n->input[k] == TENSOR_NONE || !add_part(s, n->input[k], r) ||
            (r->interleaved && r->count % (k + 1)))
            return false;
    return r->negates && spell_shape(s, r->source)->rank == rank - (r->interleaved ? 1 : 0) &&
           (!r->interleaved ||
            spell_shape(s, n->output[0])->dim[rank - 2].value * (int64_t)n->ninput == r->count);
}

const char *spell_not_rotation(const Scene *s, const Node *n)
{
    Rotation r;
    return find_rotation(s, n, &r) ? NULL : "it does not turn parts of one tensor's last axis";
}

TensorId spell_rotation(const Spelling *x)
{
    Rotation r;
    find_rotation(x->s, &x->n, &r);
    const Shape *out = spell_shape(x->s, x->n.output[0]);
    Dim dim[2] = {{.value = r.width}, {.value = r.count}};
    const Shape shape = {2, dim};
    float *v = ARENA_ARRAY(x->e->arena, float, (size_t)(r.width * r.count));
    int64_t parts = r.interleaved ? x->n.ninput : 1, each = r.count / parts;
    for (int64_t i = 0; i < r.count; i++)
        v[r.from[i] * r.count + i % each * parts + i / each] = r.sign[i];
    TensorId turned = spell_binary(x, "MatMul", "_turned", r.source,
                                   rewrite_add_floats(x->e, x->like, "_turn", &shape, v));
    int64_t size[EDIT_PERMUTE_MAX_RANK];
    for (int32_t i = 0; i < out->rank && r.interleaved; i++)
        size[i] = out->dim[i].value;
    return r.interleaved ? spell_binary(x, "Reshape", "_pairs", turned,
                                        spell_integers(x, "_pairs_size", size, out->rank))
                         : turned;
}
