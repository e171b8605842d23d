/* Follows the graph as if conversions (Q/DQ pairs, Casts, Identities) were not there. */
#include "passes/pattern_parts.h"

enum { CONVERSIONS_SKIPPED_MAX = 8 }; /* between two operators */

static bool is_conversion(const Node *n)
{
    return op_info(n->op_id)->op_class == CLASS_CONVERT || op_is(n->op_id, OP_Identity, OP_Dropout);
}

TensorId pattern_root(const Graph *g, TensorId t)
{
    for (int i = 0; i < CONVERSIONS_SKIPPED_MAX && t != TENSOR_NONE; i++) {
        NodeId p = g->tensor[t].producer;
        if (p == NODE_NONE || !is_conversion(&g->node[p]) || !g->node[p].ninput)
            break;
        t = g->node[p].input[0];
    }
    return t;
}

const Node *pattern_maker(const Graph *g, TensorId t)
{
    t = pattern_root(g, t);
    if (t == TENSOR_NONE || g->tensor[t].producer == NODE_NONE)
        return NULL;
    return &g->node[g->tensor[t].producer];
}

TensorId pattern_input(const Graph *g, const Node *n, uint32_t i)
{
    return i < n->ninput ? pattern_root(g, n->input[i]) : TENSOR_NONE;
}

bool pattern_is_constant(const Graph *g, TensorId t)
{
    t = pattern_root(g, t);
    return t != TENSOR_NONE && (g->tensor[t].value || g->tensor[t].is_initializer);
}

bool pattern_number(const Graph *g, TensorId t, double *ret)
{
    t = pattern_root(g, t);
    const Const *c = t == TENSOR_NONE ? NULL : g->tensor[t].value;
    return c && c->nelem == 1 && const_float(c, 0, ret);
}

NodeId pattern_reader(const Graph *g, NodeId node)
{
    for (int i = 0; i < CONVERSIONS_SKIPPED_MAX; i++) {
        const Tensor *t = node_output(g, &g->node[node], 0);
        if (!t || t->nconsumer != 1 || t->is_output)
            return NODE_NONE;
        node = t->consumer[0];
        if (!is_conversion(&g->node[node]))
            return node;
    }
    return NODE_NONE;
}

void pattern_mark(Patterns *p, NodeId node, const char *name, NodeId end)
{
    assert(name && node < p->graph->nnode && end < p->graph->nnode);
    if (p->name[node])
        return;
    p->name[node] = name;
    p->end[node] = end;
}
