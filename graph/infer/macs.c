/* Counts what the definition of each operator multiplies, from the shapes of its inputs. */
#include "graph/infer/einsum.h"
#include "graph/infer/macs.h"

/* Product that stays -1 once a factor is unknown, and saturates. */
static int64_t mul_saturating(int64_t a, int64_t b)
{
    int64_t product;
    if (a < 0 || b < 0)
        return -1;
    return __builtin_mul_overflow(a, b, &product) ? INT64_MAX / 16 : product;
}

static int64_t add_saturating(int64_t a, int64_t b)
{
    int64_t sum;
    if (a < 0 || b < 0)
        return -1;
    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX / 16 : sum;
}

static int64_t elements_in(const Graph *g, const Node *n, uint32_t index)
{
    const Tensor *t = node_input(g, n, index);
    return t ? shape_elements(&t->shape) : -1;
}

static int64_t elements_out(const Graph *g, const Node *n, uint32_t index)
{
    const Tensor *t = node_output(g, n, index);
    return t ? shape_elements(&t->shape) : -1;
}

/* Dimension of an input; negative axes count from the end; -1 when unknown. */
static int64_t dim_in(const Graph *g, const Node *n, uint32_t index, int32_t axis)
{
    const Tensor *t = node_input(g, n, index);
    if (!t || t->shape.rank == RANK_UNKNOWN)
        return -1;
    axis = axis < 0 ? axis + t->shape.rank : axis;
    return axis >= 0 && axis < t->shape.rank ? t->shape.dim[axis].value : -1;
}

int64_t macs_unknown(const Graph *g, const Node *n)
{
    (void)g;
    (void)n;
    return -1;
}

/* ---- convolutions ---- */

/* Weights per output channel (or per input channel, transposed) for every element. */
static int64_t weighted_macs(const Graph *g, const Node *n, int64_t elements, uint32_t weight)
{
    int64_t all = elements_in(g, n, weight), channels = dim_in(g, n, weight, 0);
    if (all < 0 || channels < 0)
        return -1;
    return channels ? mul_saturating(elements, all / channels) : 0;
}

int64_t macs_conv(const Graph *g, const Node *n)
{
    return weighted_macs(g, n, elements_out(g, n, 0), 1);
}

int64_t macs_qlinear_conv(const Graph *g, const Node *n)
{
    return weighted_macs(g, n, elements_out(g, n, 0), 3);
}

int64_t macs_conv_transpose(const Graph *g, const Node *n)
{
    return weighted_macs(g, n, elements_in(g, n, 0), 1);
}

/* ---- products ---- */

/* Gemm has an attribute that MatMul lacks: whether the first factor is transposed. */
int64_t macs_matmul(const Graph *g, const Node *n)
{
    const Tensor *a = node_input(g, n, 0);
    bool first = a && a->shape.rank > 1 && node_attr_int(n, "transA", 0);
    return mul_saturating(elements_out(g, n, 0), dim_in(g, n, 0, first ? -2 : -1));
}

/* LinearRegressor, LinearClassifier: one coefficient per feature and column. */
int64_t macs_linear_ml(const Graph *g, const Node *n)
{
    return mul_saturating(elements_out(g, n, n->noutput > 1 ? 1 : 0), dim_in(g, n, 0, -1));
}

/* All combinations of letters, once per factor beyond the first. */
int64_t macs_einsum(const Graph *g, const Node *n)
{
    Einsum e;
    int64_t all = (int64_t)n->ninput - 1;
    if (!einsum_read(g, n, NULL, NULL, &e))
        return -1;
    for (int k = 0; k < EINSUM_LETTERS; k++)
        if (e.letter_uses[k])
            all = mul_saturating(all, e.letter[k].value);
    for (int i = 0; i < e.ellipsis_rank; i++)
        all = mul_saturating(all, e.ellipsis[i].value);
    return all;
}

/* ---- recurrences and attention ---- */

/* Every weight of W and R once per step and row: W [directions, gates * hidden, input]. */
int64_t macs_rnn(const Graph *g, const Node *n)
{
    int64_t steps = mul_saturating(dim_in(g, n, 0, 0), dim_in(g, n, 0, 1));
    return mul_saturating(steps, add_saturating(elements_in(g, n, 1), elements_in(g, n, 2)));
}

/* Of TensorFlow Lite, which has a matrix for each gate. */
int64_t macs_tflite_rnn(const Graph *g, const Node *n)
{
    int64_t size = dim_in(g, n, 0, -1), weights = 0;
    for (uint32_t k = 1; k < n->ninput; k++) {
        const Tensor *t = node_input(g, n, k);
        const Node *maker = t && t->producer != NODE_NONE ? &g->node[t->producer] : NULL;
        const Tensor *stored = maker ? node_input(g, maker, 0) : t; /* of float16: it is widened */
        bool is_weight = stored && stored->is_initializer && t->shape.rank == 2; /* else a state */
        weights = is_weight ? add_saturating(weights, elements_in(g, n, k)) : weights;
    }
    return size > 0 ? mul_saturating(elements_in(g, n, 0) / size, weights) : -1;
}

/* Scores and weighted values: [batch, heads, q, k] times the size of a head, twice. */
static int64_t attention_macs(int64_t batch, int64_t heads, int64_t q, int64_t k, int64_t qk_size,
                              int64_t v_size)
{
    return mul_saturating(mul_saturating(mul_saturating(batch, heads), mul_saturating(q, k)),
                          add_saturating(qk_size, v_size));
}

int64_t macs_attention(const Graph *g, const Node *n)
{
    const Tensor *q = node_input(g, n, 0);
    bool split = q && q->shape.rank == 4;
    int64_t heads = split ? dim_in(g, n, 0, 1) : node_attr_int(n, "q_num_heads", -1);
    int64_t kv_heads = split ? 1 : node_attr_int(n, "kv_num_heads", -1);
    int64_t keys = dim_in(g, n, 1, -2), size = dim_in(g, n, 0, -1), v_size = dim_in(g, n, 2, -1);
    if (node_input(g, n, 4))
        keys = add_saturating(keys, dim_in(g, n, 4, 2));
    if (heads < 1 || kv_heads < 1 || size < 0 || v_size < 0)
        return -1;
    return attention_macs(dim_in(g, n, 0, 0), heads, dim_in(g, n, 0, -2), keys,
                          split ? size : size / heads, v_size / kv_heads);
}

/* Input [batch, length, in] times weights [in, q + k + v], then attention. */
int64_t macs_ms_attention(const Graph *g, const Node *n)
{
    int64_t batch = dim_in(g, n, 0, 0), length = dim_in(g, n, 0, 1);
    int64_t all = dim_in(g, n, 1, 1);
    if (node_attr(n, "qkv_hidden_sizes"))
        return -1;
    int64_t project = mul_saturating(mul_saturating(batch, length), elements_in(g, n, 1));
    return add_saturating(project, attention_macs(batch, 1, length, length, all / 3, all / 3));
}
