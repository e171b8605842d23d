/* Spells attention, and the rotated halves of its rotary embeddings, as MatMuls. */
#include "graph/edit/spell.h"

#include "graph/infer/ops.h"

#include <math.h>
#include <string.h>

enum { OPSET_SOFTMAX_AXIS = 13, HEAD_AXES = 4, BIAS = 3, ROTATED_MAX = 512 };

typedef struct {
    const Shape *query, *key, *value;
    int64_t heads; /* 0: they are an axis of the inputs */
    TensorId mask, bias;
    float scale;
} Attending;

static TensorId given(const Node *n, uint32_t i)
{
    return i < n->ninput ? n->input[i] : TENSOR_NONE;
}

/* All that is not query, key, value, mask and bias: what was seen before, lengths, padding. */
static bool has_state(const Scene *s, const Node *n, uint32_t mask)
{
    for (uint32_t i = BIAS; i < n->ninput; i++)
        if (i != mask && n->input[i] != TENSOR_NONE && (i != BIAS || n->op_id == OP_Attention))
            return true;
    for (uint32_t k = 1; k < n->noutput; k++) {
        const Tensor *t = node_output(s->graph, n, k);
        if (t && (t->nconsumer || t->is_output))
            return true;
    }
    return node_attr_int(n, "is_causal", 0) || node_attr_int(n, "unidirectional", 0) ||
           node_attr_float(n, "softcap", 0) != 0;
}

static bool is_float_shape(const Scene *s, TensorId t, int32_t rank)
{
    return t != TENSOR_NONE && s->graph->tensor[t].dtype == DT_FLOAT32 &&
           spell_shape(s, t)->rank == rank && shape_is_known(spell_shape(s, t));
}

/* Heads are an axis, or the attribute says how many share the last one. */
static bool read_heads(const Scene *s, const Node *n, Attending *a)
{
    int32_t rank = spell_shape(s, n->input[0])->rank;
    if ((rank != 3 && rank != HEAD_AXES) || !is_float_shape(s, n->input[0], rank) ||
        !is_float_shape(s, given(n, 1), rank) || !is_float_shape(s, given(n, 2), rank))
        return false;
    const Dim *q = (a->query = spell_shape(s, n->input[0]))->dim,
              *k = (a->key = spell_shape(s, n->input[1]))->dim,
              *v = (a->value = spell_shape(s, n->input[2]))->dim;
    bool own = n->op_id == OP_Attention;
    a->heads = rank == 3 ? node_attr_int(n, own ? "q_num_heads" : "num_heads", 0) : 0;
    if (rank == HEAD_AXES)
        return own && q[1].value == k[1].value && k[1].value == v[1].value;
    return a->heads > 0 && (!own || a->heads == node_attr_int(n, "kv_num_heads", 0)) &&
           q[2].value == k[2].value && q[2].value % a->heads == 0 && v[2].value % a->heads == 0;
}

static bool read_attention(const Scene *s, const Node *n, Attending *a)
{
    uint32_t mask = n->op_id == OP_Attention ? 3 : 5;
    *a = (Attending){.mask = given(n, mask), .bias = TENSOR_NONE};
    if (n->op_id == OP_MsMultiHeadAttention)
        a->bias = given(n, BIAS);
    if (s->opset < OPSET_SOFTMAX_AXIS || has_state(s, n, mask) || !read_heads(s, n, a))
        return false;
    int32_t rank = a->query->rank;
    int64_t size = a->query->dim[rank - 1].value / (a->heads ? a->heads : 1);
    a->scale = (float)node_attr_float(n, "scale", 0);
    a->scale = a->scale != 0 ? a->scale : (float)(1 / sqrt((double)size));
    const Shape *m = a->mask == TENSOR_NONE ? NULL : spell_shape(s, a->mask);
    bool masked = !m || (is_float_shape(s, a->mask, m->rank) && m->rank >= 2 &&
                         m->dim[m->rank - 1].value == a->key->dim[rank - 2].value);
    const Const *bias = a->bias == TENSOR_NONE ? NULL : node_constant(s->graph, n, BIAS);
    bool biased =
        a->bias == TENSOR_NONE ||
        (bias && rank == 3 && bias->dtype == DT_FLOAT32 &&
         bias->nelem == a->query->dim[2].value + a->key->dim[2].value + a->value->dim[2].value);
    return masked && biased && size > 0;
}

const char *spell_not_attention(const Scene *s, const Node *n)
{
    Attending a;
    return read_attention(s, n, &a) ? NULL : "it keeps state, or its heads or mask are not known";
}

static TensorId turned(const Spelling *x, TensorId t, const int64_t perm[HEAD_AXES])
{
    NodeId node;
    TensorId out = rewrite_add_node(x->e, "Transpose", x->like, "_turned", t, &node);
    rewrite_set_ints(x->e, node, "perm", perm, HEAD_AXES);
    return out;
}

/* Adds numbers `from` to `from` + n of the bias to the last axis. */
static TensorId plus_bias(const Spelling *x, TensorId t, int64_t from, int64_t n)
{
    Dim dim = {.value = n};
    const Shape shape = {1, &dim};
    float *v = ARENA_ARRAY(x->e->arena, float, (size_t)n);
    double number = 0;
    for (int64_t i = 0;
         i < n && const_float(node_constant(x->s->graph, &x->n, BIAS), from + i, &number); i++)
        v[i] = (float)number;
    return spell_binary(x, "Add", "_biased", t,
                        rewrite_add_floats(x->e, x->like, "_bias", &shape, v));
}

/* Input `i` with its heads as an axis; `perm` is the order of [batch, length, heads, size]. */
static TensorId by_heads(const Spelling *x, const Attending *a, uint32_t i,
                         const int64_t perm[HEAD_AXES])
{
    const int64_t size[HEAD_AXES] = {0, 0, a->heads, -1};
    const int64_t start[3] = {0, a->query->dim[2].value,
                              a->query->dim[2].value + a->key->dim[2].value};
    TensorId t = x->n.input[i];
    if (!a->heads)
        return t;
    if (a->bias != TENSOR_NONE)
        t = plus_bias(x, t, start[i], spell_shape(x->s, t)->dim[2].value);
    return turned(
        x,
        spell_binary(x, "Reshape", "_heads", t, spell_integers(x, "_heads_size", size, HEAD_AXES)),
        perm);
}

TensorId spell_attention(const Spelling *x)
{
    static const int64_t head[HEAD_AXES] = {0, 2, 1, 3}, column[HEAD_AXES] = {0, 2, 3, 1},
                         swap[HEAD_AXES] = {0, 1, 3, 2}, joined[3] = {0, 0, -1};
    Attending a;
    NodeId node;
    read_attention(x->s, &x->n, &a);
    TensorId query = by_heads(x, &a, 0, head), value = by_heads(x, &a, 2, head);
    TensorId key = a.heads ? by_heads(x, &a, 1, column) : turned(x, x->n.input[1], swap);
    TensorId score = spell_binary(x, "MatMul", "_products", query, key);
    score = spell_binary(x, "Mul", "_scaled", score, spell_scalar(x, "_scale", a.scale));
    if (a.mask != TENSOR_NONE)
        score = spell_binary(x, "Add", "_masked", score, a.mask);
    TensorId share = rewrite_add_node(x->e, "Softmax", x->like, "_shares", score, &node);
    rewrite_set_int(x->e, node, "axis", -1);
    TensorId y = spell_binary(x, "MatMul", "_attended", share, value);
    return a.heads ? spell_binary(x, "Reshape", "_joined", turned(x, y, head),
                                  spell_integers(x, "_joined_size", joined, 3))
                   : y;
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
