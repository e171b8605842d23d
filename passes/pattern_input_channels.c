/* Recognises input channels that are scaled, shifted or reordered.
 *
 * Input normalisation: each channel is scaled and shifted by constants, and all are joined again
 * (torchvision's transform_input).  Channel selection: they are joined in another order (RGB of
 * BGR), or one Gather picks them. */
#include "passes/patterns.h"

static const char NORMALISATION[] = "input normalisation", SELECTION[] = "channel selection";

enum { PARTS_MAX = 64, CHAIN_NODES_MAX = 8 };

static bool scales_or_shifts(const Graph *g, const Node *n)
{
    bool op = op_is(n->op_id, OP_Mul, OP_Add, OP_Sub, OP_Div);
    return op && n->ninput == 2 &&
           (pattern_is_constant(g, n->input[0]) || pattern_is_constant(g, n->input[1]));
}

static bool takes_channel(const Node *n)
{
    return op_is(n->op_id, OP_Gather, OP_Slice, OP_Split);
}

/* From one input of the Concat up to the input of the graph; its nodes are added to `part`, and
 * *scales says whether one of them computes.  TENSOR_NONE when something else stands there. */
static TensorId follow_to_input(const Graph *g, TensorId t, NodeId *part, size_t *n, bool *scales)
{
    bool taken = false;
    t = pattern_root(g, t);
    for (int i = 0; i < CHAIN_NODES_MAX && t != TENSOR_NONE; i++) {
        const Node *maker = pattern_maker(g, t);
        if (!maker)
            return taken && g->tensor[t].is_input ? t : TENSOR_NONE;
        taken |= takes_channel(maker);
        *scales |= scales_or_shifts(g, maker);
        bool view = op_info(maker->op_id)->op_class == CLASS_VIEW;
        bool known = takes_channel(maker) || view || scales_or_shifts(g, maker);
        if (!known || !maker->ninput || *n == PARTS_MAX)
            return TENSOR_NONE;
        part[(*n)++] = (NodeId)(maker - g->node);
        t = pattern_input(g, maker, pattern_is_constant(g, maker->input[0]) ? 1 : 0);
    }
    return TENSOR_NONE;
}

static void at_concat(Patterns *p, NodeId node)
{
    const Graph *g = p->graph;
    const Node *n = &g->node[node];
    NodeId part[PARTS_MAX];
    size_t count = 0;
    bool scales = false;
    TensorId input = TENSOR_NONE;
    for (uint32_t i = 0; i < n->ninput; i++) {
        TensorId from = follow_to_input(g, n->input[i], part, &count, &scales);
        if (from == TENSOR_NONE || (i && from != input))
            return;
        input = from;
    }
    const char *name = scales ? NORMALISATION : SELECTION;
    for (size_t i = 0; i < count && n->ninput > 1; i++)
        pattern_mark(p, part[i], name, node);
    if (n->ninput > 1)
        pattern_mark(p, node, name, node);
}

/* Several channels of an image that is fed, by constant numbers. */
static bool selects_channels(const Graph *g, const Node *n)
{
    TensorId x = pattern_input(g, n, 0);
    const Tensor *index = node_input(g, n, 1);
    return x != TENSOR_NONE && g->tensor[x].is_input && g->tensor[x].shape.rank == 4 &&
           node_attr_int(n, "axis", 0) == 1 && index && index->value && index->value->nelem > 1;
}

void pattern_input_channels(Patterns *p)
{
    for (size_t i = 0; i < p->graph->nnode; i++) {
        const Node *n = &p->graph->node[i];
        if (n->op_id == OP_Concat)
            at_concat(p, (NodeId)i);
        else if (n->op_id == OP_Gather && selects_channels(p->graph, n))
            pattern_mark(p, (NodeId)i, SELECTION, (NodeId)i);
    }
}
