/* Recognises attention, a Softmax between two products of activations. */
#include "passes/patterns.h"

enum { WALK_MAX = 64, SCALINGS_MAX = 4 };

static const char NAME[] = "attention";

static bool multiplies_activations(const Graph *g, const Node *n)
{
    return n && n->op_id == OP_MatMul && n->ninput == 2 && !pattern_is_constant(g, n->input[0]) &&
           !pattern_is_constant(g, n->input[1]);
}

/* Scales or masks the scores. */
static bool is_score_scaling(const Node *n)
{
    bool op = op_is(n->op_id, OP_Mul, OP_Div, OP_Add, OP_Where);
    return op && n->ninput > 1 && n->noutput == 1;
}

/* The product that makes the scores, and what stands between it and the Softmax is marked. */
static const Node *scores_of(Patterns *p, const Node *softmax, NodeId end)
{
    const Graph *g = p->graph;
    const Node *n = pattern_maker(g, softmax->input[0]), *between[SCALINGS_MAX];
    size_t count = 0;
    while (n && is_score_scaling(n) && count < SCALINGS_MAX) {
        between[count++] = n;
        const Node *next = NULL;
        for (uint32_t i = 0; i < n->ninput && !next; i++)
            if (!pattern_is_constant(g, n->input[i]))
                next = pattern_maker(g, n->input[i]);
        n = next;
    }
    if (!multiplies_activations(g, n))
        return NULL;
    for (size_t i = 0; i < count; i++)
        pattern_mark(p, (NodeId)(between[i] - g->node), NAME, end);
    return n;
}

/* Splits, turns or scales the projections, and computes nothing else. */
static bool prepares_projection(const Graph *g, const Node *n)
{
    OpClass k = op_info(n->op_id)->op_class;
    bool scales = (n->op_id == OP_Mul || n->op_id == OP_Div) && n->ninput == 2 &&
                  pattern_is_constant(g, n->input[1]);
    return k == CLASS_VIEW || k == CLASS_MOVE || scales;
}

static void mark_above(Patterns *p, TensorId from, NodeId end)
{
    const Graph *g = p->graph;
    TensorId t = pattern_root(g, from);
    for (int i = 0; i < WALK_MAX; i++) {
        const Node *n = pattern_maker(g, t);
        if (!n || !prepares_projection(g, n) || !n->ninput)
            return;
        pattern_mark(p, (NodeId)(n - g->node), NAME, end);
        t = pattern_input(g, n, 0);
    }
}

static void at_softmax(Patterns *p, NodeId node)
{
    const Graph *g = p->graph;
    NodeId end = pattern_reader(g, node);
    if (end == NODE_NONE || !multiplies_activations(g, &g->node[end]))
        return;
    const Node *scores = scores_of(p, &g->node[node], end);
    if (!scores)
        return;
    pattern_mark(p, node, NAME, end);
    pattern_mark(p, end, NAME, end);
    pattern_mark(p, (NodeId)(scores - g->node), NAME, end);
    for (uint32_t i = 0; i < 2; i++) {
        mark_above(p, scores->input[i], end);
        mark_above(p, g->node[end].input[i], end);
    }
}

void pattern_attention(Patterns *p)
{
    for (size_t i = 0; i < p->graph->nnode; i++)
        if (p->graph->node[i].op_id == OP_Softmax && p->graph->node[i].ninput)
            at_softmax(p, (NodeId)i);
}
