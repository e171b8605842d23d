/* Spells attention, and the rotated halves of its rotary embeddings, as MatMuls. */
#include "graph/edit/spell.h"

enum { OPSET_SOFTMAX_AXIS = 13, MASK = 3, BIAS_OF_MICROSOFT = 3, MASK_OF_MICROSOFT = 5 };
enum { ROTATED_MAX = 512 };

/* com.microsoft has a bias and a padding mask before its mask. */
static uint32_t mask_input(const Node *n)
{
    return n->op_id == OP_Attention ? MASK : MASK_OF_MICROSOFT;
}

static bool has_bias(const Node *n)
{
    return n->op_id != OP_Attention && n->ninput > BIAS_OF_MICROSOFT &&
           n->input[BIAS_OF_MICROSOFT] != TENSOR_NONE;
}

/* It reads what came before or lengths, gives more than its result, or looks at no later positions.
 */
static bool has_state(const Scene *s, const Node *n)
{
    for (uint32_t i = MASK; i < n->ninput; i++)
        if (n->input[i] != TENSOR_NONE && i != mask_input(n) &&
            !(i == BIAS_OF_MICROSOFT && has_bias(n)))
            return true;
    for (uint32_t k = 1; k < n->noutput; k++) {
        const Tensor *t = node_output(s->graph, n, k);
        if (t && (t->nconsumer || t->is_output))
            return true;
    }
    return node_attr_int(n, "is_causal", 0) || node_attr_int(n, "unidirectional", 0) ||
           node_attr_float(n, "softcap", 0) != 0;
}

/* [batch, heads, length, size] of an input, whose last axis may be all heads. */
typedef struct {
    int64_t dim[4];
} Heads;

static bool read_heads(const Scene *s, const Node *n, uint32_t i, Heads *r)
{
    const Tensor *t = node_input(s->graph, n, i);
    int64_t count =
        node_attr_int(n, i ? "kv_num_heads" : "q_num_heads", node_attr_int(n, "num_heads", 0));
    if (!t || t->dtype != DT_FLOAT32 || !shape_is_known(&t->shape))
        return false;
    const Dim *d = t->shape.dim;
    bool flat = t->shape.rank == 3;
    if (flat && (count < 1 || d[2].value % count))
        return false;
    for (int k = 0; k < 4 && t->shape.rank == 4; k++)
        r->dim[k] = d[k].value;
    if (flat)
        *r = (Heads){{d[0].value, count, d[1].value, d[2].value / count}};
    return flat || t->shape.rank == 4;
}

static int64_t last_size(const Scene *s, TensorId t)
{
    const Shape *shape = spell_shape(s, t);
    return shape->dim[shape->rank - 1].value;
}

const char *spell_not_attention(const Scene *s, const Node *n)
{
    Heads h[3];
    const Tensor *mask = node_input(s->graph, n, mask_input(n));
    int32_t rank = mask ? mask->shape.rank : 0, heads = spell_shape(s, n->input[0])->rank;
    if (s->opset < OPSET_SOFTMAX_AXIS || has_state(s, n))
        return "it keeps state, hides later positions, or caps its scores";
    for (uint32_t i = 0; i < 3; i++)
        if (!read_heads(s, n, i, &h[i]) || h[i].dim[1] < 1 || h[0].dim[1] % h[i].dim[1] ||
            h[0].dim[3] < 1 || spell_shape(s, n->input[i])->rank != heads)
            return "its heads are no axis of the inputs, or cannot share keys";
    if (h[1].dim[1] != h[2].dim[1] || h[1].dim[3] != h[0].dim[3])
        return "its keys have other heads than its values, or other sizes than its queries";
    if (has_bias(n) && (heads != 3 || !node_constant(s->graph, n, BIAS_OF_MICROSOFT) ||
                        node_constant(s->graph, n, BIAS_OF_MICROSOFT)->nelem !=
                            2 * last_size(s, n->input[0]) + last_size(s, n->input[2])))
        return "its bias is not a constant for queries, keys and values";
    return !mask || (mask->dtype == DT_FLOAT32 && rank >= 2 &&
                     mask->shape.dim[rank - 1].value == h[1].dim[2])
               ? NULL
               : "its mask is not of numbers";
}

static TensorId permute_heads(const Spelling *x, TensorId t, const int64_t perm[4])
{
    NodeId node;
    TensorId out = rewrite_add_node(x->e, "Transpose", x->like, "_heads", t, &node);
    rewrite_set_ints(x->e, node, "perm", perm, 4);
    return out;
}

static TensorId shaped(const Spelling *x, TensorId t, int64_t heads, int64_t length)
{
    Heads h = {.dim = {0}};
    read_heads(x->s, &x->n, 0, &h);
    return spell_binary(
        x, "Reshape", "_heads", t,
        spell_integers(x, "_heads_size", (const int64_t[]){h.dim[0], heads, length, -1}, 4));
}

/* The input with its part of the bias: that of queries is first, then keys and values. */
static TensorId biased_input(const Spelling *x, uint32_t i)
{
    double v = 0;
    TensorId t = x->n.input[i];
    if (!has_bias(&x->n))
        return t;
    int64_t first = i * last_size(x->s, x->n.input[0]);
    Dim dim = {.value = last_size(x->s, t)};
    float *part = ARENA_ARRAY(x->e->arena, float, (size_t)dim.value);
    for (int64_t k = 0; k < dim.value; k++) {
        const_float(node_constant(x->s->graph, &x->n, BIAS_OF_MICROSOFT), first + k, &v);
        part[k] = (float)v;
    }
    return spell_binary(x, "Add", "_biased", t,
                        rewrite_add_floats(x->e, x->like, "_bias", &(Shape){1, &dim}, part));
}

/* The input, its heads an axis of their own. */
static TensorId split_heads(const Spelling *x, uint32_t i, bool flat)
{
    static const int64_t perm[2][4] = {{0, 2, 1, 3}, {0, 2, 3, 1}}, keys[4] = {0, 1, 3, 2};
    Heads h;
    if (!flat || !read_heads(x->s, &x->n, i, &h))
        return i == 1 ? permute_heads(x, x->n.input[i], keys) : x->n.input[i];
    const int64_t size[4] = {h.dim[0], h.dim[2], h.dim[1], h.dim[3]};
    TensorId t = spell_binary(x, "Reshape", "_split", biased_input(x, i),
                              spell_integers(x, "_split_size", size, 4));
    return permute_heads(x, t, perm[i == 1]);
}

/* Queries that share a head of keys follow each other: they are more rows of that head. */
TensorId spell_attention(const Spelling *x)
{
    static const int64_t back[4] = {0, 2, 1, 3}, flat_size[3] = {0, 0, -1};
    NodeId node;
    Heads h = {.dim = {0}}, key = h;
    const uint32_t mask = mask_input(&x->n);
    bool flat = spell_shape(x->s, x->n.input[0])->rank == 3;
    read_heads(x->s, &x->n, 0, &h);
    read_heads(x->s, &x->n, 1, &key);
    bool shares = h.dim[1] != key.dim[1];
    int64_t rows = h.dim[2] * h.dim[1] / key.dim[1];
    TensorId query = split_heads(x, 0, flat);
    double scale = node_attr_float(&x->n, "scale", 0);
    scale = scale != 0 ? scale : 1 / sqrt((double)h.dim[3]);
    if (shares)
        query = shaped(x, query, key.dim[1], rows);
    TensorId score = spell_binary(x, "MatMul", "_products", query, split_heads(x, 1, flat));
    score = spell_binary(x, "Mul", "_scaled", score, spell_scalar(x, "_scale", (float)scale));
    if (node_input(x->s->graph, &x->n, mask)) {
        score = shares ? shaped(x, score, h.dim[1], h.dim[2]) : score;
        score = spell_binary(x, "Add", "_masked", score, x->n.input[mask]);
        score = shares ? shaped(x, score, key.dim[1], rows) : score;
    }
    TensorId share = rewrite_add_node(x->e, "Softmax", x->like, "_shares", score, &node);
    rewrite_set_int(x->e, node, "axis", -1);
    TensorId out = spell_binary(x, "MatMul", "_attended", share, split_heads(x, 2, flat));
    out = shares ? shaped(x, out, h.dim[1], h.dim[2]) : out;
    return flat ? spell_binary(x, "Reshape", "_joined", permute_heads(x, out, back),
                               spell_integers(x, "_joined_size", flat_size, 3))
                : out;
}

/* ---- parts of the last axis, some of them negative, joined in another order: a MatMul ---- */

typedef struct {
    TensorId source;
    int64_t width, count; /* elements of the source's last axis; those taken so far */
    int64_t from[ROTATED_MAX];
    float sign[ROTATED_MAX];
    bool negates, interleaved;
} Rotation;

/* The node that makes `t`, if it reads anything. */
static const Node *reading_maker(const Scene *s, TensorId t)
{
    const Node *n = tensor_maker(s->graph, t);
    return n && n->ninput && n->input[0] != TENSOR_NONE ? n : NULL;
}

static bool add_part(const Scene *s, TensorId t, Rotation *r)
{
    Cut c;
    const Node *n = reading_maker(s, t);
    if (r->interleaved && n) {
        const Shape *out = spell_shape(s, t);
        if (n->op_id != OP_Unsqueeze || out->rank < 1 || out->dim[out->rank - 1].value != 1)
            return false;
        n = reading_maker(s, n->input[0]);
    }
    float sign = n && n->op_id == OP_Neg ? -1 : 1;
    if (sign < 0)
        n = reading_maker(s, n->input[0]);
    if (!n || n->op_id != OP_Slice || !spell_read_cut(s, n, &c))
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
            (r->count % n->ninput == 0 &&
             spell_shape(s, n->output[0])->dim[rank - 2].value == r->count / n->ninput));
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
    Dim dim[2] = {{.value = r.width}, {.value = r.count}};
    const Shape shape = {2, dim};
    float *v = ARENA_ARRAY(x->e->arena, float, (size_t)(r.width * r.count));
    int64_t parts = r.interleaved ? x->n.ninput : 1, each = r.count / parts;
    for (int64_t i = 0; i < r.count; i++)
        v[r.from[i] * r.count + i % each * parts + i / each] = r.sign[i];
    TensorId turned = spell_binary(x, "MatMul", "_turned", r.source,
                                   rewrite_add_floats(x->e, x->like, "_turn", &shape, v));
    return r.interleaved
               ? spell_sized(x, "Reshape", "_pairs", turned, spell_shape(x->s, x->n.output[0]))
               : turned;
}
