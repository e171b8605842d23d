/* Rewrites activations and the sequences that exporters write for them. */
#include "graph/edit/rewriter.h"

enum { SEQUENCE_MAX = 16 }; /* nodes, conversions included */
enum { GELU_MIN = 4 };      /* x * (1 + Erf(x / c)): product, sum, gate, scale */

static const struct {
    OpIndex op;
    const char *name;
} single[] = {
    {OP_Selu, "Selu"},   {OP_Mish, "Mish"},           {OP_Gelu, "GELU"},
    {OP_MsGelu, "GELU"}, {OP_MsFastGelu, "GELU"},     {OP_MsQuickGelu, "GELU"},
    {OP_Swish, "SiLU"},  {OP_HardSwish, "HardSwish"}, {OP_Elu, "Elu"},
    {OP_Celu, "Celu"},   {OP_Softplus, "Softplus"},
};

/* What a sequence is, by the gate that is in it; a later line wins. */
static const struct {
    OpIndex op;
    const char *name;
} gate[] = {
    {OP_Tanh, "GELU"},
    {OP_Sigmoid, "SiLU"},
    {OP_MsQLinearSigmoid, "SiLU"},
    {OP_HardSigmoid, "HardSwish"},
    {OP_Softplus, "Mish"},
    {OP_Erf, "GELU"},
};

TensorId activation_root(const Graph *g, TensorId t)
{
    for (int hop = 0; hop < SEQUENCE_MAX; hop++) {
        const Node *n = tensor_maker(g, t);
        if (!n || !op_is(n->op_id, OP_QuantizeLinear, OP_DequantizeLinear, OP_Identity) ||
            n->ninput < 1 || n->input[0] == TENSOR_NONE)
            break;
        t = n->input[0];
    }
    return t;
}

static bool is_inner(const Node *n)
{
    return op_is(n->op_id, OP_Add, OP_Sub, OP_Mul, OP_Div, OP_Pow, OP_Tanh, OP_Erf, OP_Sigmoid,
                 OP_HardSigmoid, OP_Softplus, OP_MsQLinearAdd, OP_MsQLinearMul,
                 OP_MsQLinearSigmoid);
}

/* The sequence, from its last product backwards. */
typedef struct {
    const Graph *graph;
    TensorId open[2 * SEQUENCE_MAX]; /* values still to explain, by their roots */
    int nopen;
    NodeId seen[SEQUENCE_MAX];
    int nseen;
    int gate; /* of the table above; -1 */
} Sequence;

static bool open_inputs(Sequence *q, const Node *n)
{
    for (uint32_t i = 0; i < n->ninput; i++) {
        TensorId t =
            n->input[i] == TENSOR_NONE ? TENSOR_NONE : activation_root(q->graph, n->input[i]);
        bool there = t == TENSOR_NONE || q->graph->tensor[t].value;
        for (int k = 0; k < q->nopen && !there; k++)
            there = q->open[k] == t;
        if (there)
            continue;
        if (q->nopen == 2 * SEQUENCE_MAX)
            return false;
        q->open[q->nopen++] = t;
    }
    return true;
}

/* The open value that was made last: nodes are taken in reverse order. */
static int latest_open(const Sequence *q)
{
    int best = -1;
    NodeId order = 0;
    for (int k = 0; k < q->nopen; k++) {
        NodeId p = q->graph->tensor[q->open[k]].producer;
        if (p != NODE_NONE && (best < 0 || p > order)) {
            best = k;
            order = p;
        }
    }
    return best;
}

static bool take_node(Sequence *q, NodeId id)
{
    const Node *n = &q->graph->node[id];
    if (!is_inner(n) || q->nseen == SEQUENCE_MAX)
        return false;
    q->seen[q->nseen++] = id;
    for (size_t i = 0; i < sizeof gate / sizeof *gate; i++)
        if ((OpId)gate[i].op == n->op_id && (int)i > q->gate)
            q->gate = (int)i;
    return open_inputs(q, n);
}

static bool is_product(const Node *n)
{
    return op_is(n->op_id, OP_Mul, OP_MsQLinearMul);
}

/* Multiplies by a constant. */
static bool has_constant_factor(const Graph *g, const Node *n)
{
    bool any = false;
    uint32_t step = n->op_id == OP_MsQLinearMul ? 3 : 1; /* to the next factor */
    for (uint32_t i = 0; is_product(n) && i < n->ninput && i < 2 * step; i += step)
        any |= n->input[i] != TENSOR_NONE && g->tensor[n->input[i]].value;
    return any;
}

/* Of GELU a constant 0.5 may come last, of the others the product; Tanh alone is another gate. */
static bool is_whole(const Sequence *q, NodeId node)
{
    const Graph *g = q->graph;
    const Node *reader = rewrite_only_reader(g, g->node[node].output[0]);
    bool gelu = strcmp(gate[q->gate].name, "GELU") == 0;
    if (!gelu)
        return !has_constant_factor(g, &g->node[node]);
    bool half_follows = reader && has_constant_factor(g, reader);
    return q->nseen >= GELU_MIN && !half_follows;
}

/* A product of x and something that is made of x through a gate, and of nothing else. */
static bool sequence_ends_at(const Graph *g, NodeId node, Activation *ret)
{
    Sequence q = {.graph = g, .gate = -1};
    if (!is_product(&g->node[node]) || !take_node(&q, node))
        return false;
    while (q.nopen > 1 || (q.nopen == 1 && q.gate < 0)) {
        int k = latest_open(&q);
        if (k < 0)
            return false;
        TensorId t = q.open[k];
        q.open[k] = q.open[--q.nopen];
        if (!take_node(&q, g->tensor[t].producer))
            return false;
    }
    if (q.nopen != 1 || q.gate < 0 || !is_whole(&q, node))
        return false;
    *ret = (Activation){gate[q.gate].name, q.open[0], (uint32_t)q.nseen};
    return true;
}

bool activation_ends_at(const Graph *g, NodeId node, Activation *ret)
{
    const Node *n = &g->node[node];
    if (n->ninput < 1 || n->input[0] == TENSOR_NONE || n->noutput != 1)
        return false;
    for (size_t i = 0; i < sizeof single / sizeof *single; i++) {
        if ((OpId)single[i].op != n->op_id)
            continue;
        *ret = (Activation){single[i].name, n->input[0], 1};
        return true;
    }
    return sequence_ends_at(g, node, ret);
}
