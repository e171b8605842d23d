/* Recognises normalisations by statistics of the data, such as (x - mean) / sqrt(variance +
 * epsilon). */
#include "passes/patterns.h"

enum { PARTS_MAX = 8 }; /* quotient, inverse, root, sum, mean, square; mean and difference */

/* One instance, from its quotient upwards. */
typedef struct {
    const Graph *g;
    NodeId part[PARTS_MAX];
    size_t n;
} Norm;

static const Node *take_part(Norm *x, const Node *n)
{
    assert(x->n < PARTS_MAX);
    x->part[x->n++] = (NodeId)(n - x->g->node);
    return n;
}

static bool is_number(const Graph *g, TensorId t, double want)
{
    double v;
    return pattern_number(g, t, &v) && fabs(v - want) < 1e-6;
}

/* The tensor under a root: Sqrt, or Pow by a half. */
static TensorId under_root(Norm *x, const Node *n)
{
    bool is_root = n && (n->op_id == OP_Sqrt || (n->op_id == OP_Pow && n->ninput == 2 &&
                                                 is_number(x->g, n->input[1], 0.5)));
    return is_root ? pattern_input(x->g, take_part(x, n), 0) : TENSOR_NONE;
}

/* The tensor that is squared: Pow by 2, or a product with itself. */
static TensorId under_square(Norm *x, const Node *n)
{
    if (!n || n->ninput != 2)
        return TENSOR_NONE;
    TensorId a = pattern_input(x->g, n, 0), b = pattern_input(x->g, n, 1);
    bool square = (n->op_id == OP_Pow && is_number(x->g, b, 2)) || (n->op_id == OP_Mul && a == b);
    return square ? pattern_input(x->g, take_part(x, n), 0) : TENSOR_NONE;
}

static bool is_mean(const Node *n)
{
    return n && (n->op_id == OP_ReduceMean || n->op_id == OP_GlobalAveragePool);
}

static TensorId under_mean(Norm *x, const Node *n)
{
    return is_mean(n) ? pattern_input(x->g, take_part(x, n), 0) : TENSOR_NONE;
}

/* The other side of an Add of a constant; the tensor itself where nothing is added. */
static TensorId without_epsilon(Norm *x, TensorId t)
{
    const Node *n = pattern_maker(x->g, t);
    if (!n || n->op_id != OP_Add || n->ninput != 2)
        return t;
    uint32_t constant = pattern_is_constant(x->g, n->input[1]);
    if (!pattern_is_constant(x->g, n->input[constant]))
        return t;
    return pattern_input(x->g, take_part(x, n), !constant);
}

/* Of sqrt(mean(t^2) + epsilon): t; TENSOR_NONE when it is something else. */
static TensorId deviation_of(Norm *x, TensorId divisor)
{
    TensorId t = under_root(x, pattern_maker(x->g, divisor));
    if (t == TENSOR_NONE)
        return t;
    t = under_mean(x, pattern_maker(x->g, without_epsilon(x, t)));
    return t == TENSOR_NONE ? t : under_square(x, pattern_maker(x->g, t));
}

/* What is divided, and by what: Div, or Mul with a Reciprocal or 1 / y. */
static bool match_quotient(Norm *x, const Node *n, TensorId *ret_above, TensorId *ret_below)
{
    const Graph *g = x->g;
    if (n->ninput != 2)
        return false;
    *ret_above = pattern_input(g, n, 0);
    *ret_below = pattern_input(g, n, 1);
    for (uint32_t i = 0; n->op_id == OP_Mul && i < 2; i++) {
        const Node *inverse = pattern_maker(g, n->input[i]);
        if (!inverse || inverse->ninput != 1 + (inverse->op_id == OP_Div))
            continue;
        bool one_by = inverse->op_id == OP_Div && is_number(g, inverse->input[0], 1);
        if (!one_by && inverse->op_id != OP_Reciprocal)
            continue;
        *ret_above = pattern_input(g, n, !i);
        *ret_below = pattern_input(g, take_part(x, inverse), one_by);
        return true;
    }
    return n->op_id == OP_Div;
}

/* The mean is taken over height and width, not over features. */
static bool over_image(const Graph *g, const Node *mean)
{
    const int64_t *axis;
    int32_t rank = node_input(g, mean, 0)->shape.rank;
    return mean->op_id == OP_GlobalAveragePool ||
           (rank == 4 && node_attr_ints(mean, "axes", &axis) == 2 && (axis[0] + rank) % rank == 2 &&
            (axis[1] + rank) % rank == 3);
}

static const char *norm_name(Norm *x, TensorId deviation)
{
    const Node *less = pattern_maker(x->g, deviation);
    if (!less || less->op_id != OP_Sub || less->ninput != 2)
        return "RMSNorm";
    const Node *mean = pattern_maker(x->g, less->input[1]);
    TensorId whole = pattern_input(x->g, less, 0);
    if (!is_mean(mean) || whole == TENSOR_NONE || pattern_input(x->g, mean, 0) != whole)
        return "RMSNorm";
    take_part(x, mean);
    take_part(x, less);
    return over_image(x->g, mean) ? "InstanceNorm" : "LayerNorm";
}

/* The operator with a constant that reads nothing but `node`; `node` when there is none. */
static NodeId with_constant(Patterns *p, NodeId node, OpIndex op)
{
    const Graph *g = p->graph;
    NodeId next = pattern_reader(g, node);
    const Node *n = next == NODE_NONE ? NULL : &g->node[next];
    bool is_one = n && (OpIndex)n->op_id == op && n->ninput == 2 &&
                  (pattern_is_constant(g, n->input[0]) || pattern_is_constant(g, n->input[1]));
    return is_one ? next : node;
}

/* Weight and bias after it. */
static NodeId with_weights(Patterns *p, NodeId end)
{
    NodeId weight = with_constant(p, end, OP_Mul);
    return weight == end ? end : with_constant(p, weight, OP_Add);
}

static void at_quotient(Patterns *p, NodeId node)
{
    Norm x = {.g = p->graph};
    TensorId above, below;
    if (!match_quotient(&x, take_part(&x, &p->graph->node[node]), &above, &below))
        return;
    TensorId deviation = deviation_of(&x, below);
    if (deviation == TENSOR_NONE || deviation != above)
        return;
    const char *name = norm_name(&x, deviation);
    NodeId end = with_weights(p, node);
    for (size_t i = 0; i < x.n; i++)
        pattern_mark(p, x.part[i], name, end);
    for (NodeId n = node; n != end;) {
        n = pattern_reader(p->graph, n);
        pattern_mark(p, n, name, end);
    }
}

void pattern_norms(Patterns *p)
{
    for (size_t i = 0; i < p->graph->nnode; i++) {
        const Node *n = &p->graph->node[i];
        if (n->op_id == OP_LayerNormalization)
            pattern_mark(p, (NodeId)i, "LayerNorm", (NodeId)i);
        else if (n->op_id == OP_InstanceNormalization)
            pattern_mark(p, (NodeId)i, "InstanceNorm", (NodeId)i);
        else
            at_quotient(p, (NodeId)i);
    }
}
