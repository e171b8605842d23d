/* Replaces an If whose condition is constant by the nodes of the branch that it takes. */
#include "graph/edit/editor.h"

#define ORDER_NONE UINT32_MAX /* not in the list of the file's nodes */

static bool has_bodies(const Graph *body)
{
    return LIST_ANY(i, body->nnode, node_has_body(&body->node[i]));
}

/* Everything that it takes from outside is there, and the bytes of its constants. Bodies inside use
 * its names, so none of them may change. */
static bool is_complete(const Graph *g, const Graph *body)
{
    bool nested = has_bodies(body);
    for (size_t i = 0; i < body->ntensor; i++) {
        const Tensor *t = &body->tensor[i];
        bool there = strmap_get(&g->by_name, t->name) != STRMAP_NONE;
        if ((tensor_is_outer(t) ? !there : nested && there) ||
            (t->is_initializer && (!t->value || (t->value->nelem && !t->value->data))))
            return false;
    }
    return true;
}

/* The branch of an If whose condition is known; NULL. */
static const Graph *taken_branch(const Graph *g, const Node *n)
{
    int64_t yes;
    const Tensor *condition = n->op_id == OP_If ? node_input(g, n, 0) : NULL;
    if (!condition || !condition->value || !const_int(condition->value, 0, &yes))
        return NULL;
    const Attr *a = node_attr(n, yes ? "then_branch" : "else_branch");
    const Graph *body = a && a->type == ATTR_GRAPH ? a->graph : NULL;
    return body && body->noutput >= n->noutput && is_complete(g, body) ? body : NULL;
}

/* A tensor of a branch; what a node makes and the branch hands out is the result of the If itself,
 * unless it is `named`: bodies call it by its name. */
static TensorId place_tensor(Editor *e, const Node *n, const Graph *body, bool named, TensorId id)
{
    Graph *g = e->graph;
    const Tensor *t = &body->tensor[id];
    if (tensor_is_outer(t))
        return strmap_get(&g->by_name, t->name);
    for (uint32_t k = 0; k < n->noutput && t->producer != NODE_NONE && !named; k++)
        if (body->output[k] == id && n->output[k] != TENSOR_NONE)
            return n->output[k];
    TensorId to = editor_named(e, t->name);
    const char *name = g->tensor[to].name;
    g->tensor[to] = *t;
    g->tensor[to].name = name;
    g->tensor[to].raw_size = 0;
    g->tensor[to].is_input = g->tensor[to].is_output = false;
    return to;
}

static void inline_branch(Editor *e, const Node *owner, const Graph *body)
{
    Graph *g = e->graph;
    TensorId *place = ARENA_ARRAY(e->arena, TensorId, body->ntensor + 1);
    bool named = has_bodies(body);
    for (size_t t = 0; t < body->ntensor; t++)
        place[t] = place_tensor(e, owner, body, named, (TensorId)t);
    for (size_t i = 0; i < body->nnode; i++) {
        Node n = body->node[i];
        n.input = editor_renumber(e, n.input, n.ninput, place);
        n.output = editor_renumber(e, n.output, n.noutput, place);
        n.order = ORDER_NONE;
        n.rewired = true;
        for (uint32_t k = 0; k < n.nattr; k++)
            if (n.attr[k].type == ATTR_GRAPH)
                ((Graph *)n.attr[k].graph)->parent = g; /* the editor's own copy */
        *VEC_PUSH(e->arena, g->node, g->nnode, e->node_cap) = n;
    }
    for (uint32_t k = 0; k < owner->noutput; k++)
        if (owner->output[k] != TENSOR_NONE && place[body->output[k]] != owner->output[k])
            editor_node(e, "Identity", place[body->output[k]], TENSOR_NONE, TENSOR_NONE,
                        owner->output[k])
                ->order = ORDER_NONE;
}

/* One level of branches; true where there was one. */
static bool inline_level(Editor *e)
{
    Graph *g = e->graph;
    const Node *old = g->node;
    size_t n = g->nnode;
    bool inlined = false;
    for (size_t i = 0; i < n && !inlined; i++)
        inlined = taken_branch(g, &old[i]) != NULL;
    if (!inlined)
        return false;
    g->node = NULL;
    g->nnode = e->node_cap = 0;
    for (size_t i = 0; i < n; i++) {
        const Graph *branch = taken_branch(g, &old[i]);
        if (branch)
            inline_branch(e, &old[i], branch);
        else
            *VEC_PUSH(e->arena, g->node, g->nnode, e->node_cap) = old[i];
    }
    return true;
}

Status editor_inline(Editor *e)
{
    Graph *g = e->graph;
    uint32_t next = (uint32_t)g->nnode;
    Status st = STATUS_OK;
    while (!st && inline_level(e))
        if (!(st = editor_index(e)))
            editor_infer(e);
    for (size_t i = 0; i < g->nnode; i++) /* new nodes are counted after those of the file */
        if (g->node[i].order == ORDER_NONE)
            g->node[i].order = next++;
    return st;
}
