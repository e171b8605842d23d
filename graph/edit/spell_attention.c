/* Spells attention as two MatMuls with a Softmax between them. */
#include "graph/edit/spell.h"

#include "graph/infer/ops.h"

#include <math.h>
#include <string.h>

enum { OPSET_SOFTMAX_AXIS = 13, HEAD_AXES = 4, BIAS = 3 };

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
