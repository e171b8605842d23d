/* Recognises channel shuffles, by Reshape, Transpose and Reshape or by a Gather of every other
 * channel. */
#include "passes/patterns.h"

static const char NAME[] = "channel shuffle";

/* Only the groups (axis 1) and their channels (axis 2) change places. */
static bool swaps_groups(const Node *n, int32_t rank)
{
    const int64_t *perm;
    if (rank < 4 || node_attr_ints(n, "perm", &perm) != (size_t)rank || perm[1] != 2 ||
        perm[2] != 1)
        return false;
    for (int32_t i = 3; i < rank; i++) /* then the first stays where it is, too */
        if (perm[i] != i)
            return false;
    return true;
}

static void at_transpose(Patterns *p, NodeId node)
{
    const Graph *g = p->graph;
    const Node *n = &g->node[node], *above = pattern_maker(g, n->input[0]);
    const Tensor *x = node_input(g, n, 0);
    NodeId below = pattern_reader(g, node);
    if (!above || above->op_id != OP_Reshape || below == NODE_NONE ||
        g->node[below].op_id != OP_Reshape || !swaps_groups(n, x->shape.rank))
        return;
    pattern_mark(p, (NodeId)(above - g->node), NAME, below);
    pattern_mark(p, node, NAME, below);
    pattern_mark(p, below, NAME, below);
}

/* Channels of an image, by constant numbers that do not follow each other. */
static bool picks_channels(const Graph *g, const Node *n)
{
    const Tensor *index = node_input(g, n, 1), *x = node_input(g, n, 0);
    int64_t a, b;
    return x && index && index->value && x->shape.rank == 4 && node_attr_int(n, "axis", 0) == 1 &&
           const_int(index->value, 0, &a) && const_int(index->value, 1, &b) && b != a + 1;
}

void pattern_shuffles(Patterns *p)
{
    for (size_t i = 0; i < p->graph->nnode; i++) {
        const Node *n = &p->graph->node[i];
        if (n->op_id == OP_Transpose && n->ninput)
            at_transpose(p, (NodeId)i);
        else if (n->op_id == OP_Gather && picks_channels(p->graph, n))
            pattern_mark(p, (NodeId)i, NAME, (NodeId)i);
    }
}
