/* Changes a graph for the rewrites and keeps it indexed. */
#include "graph/edit/rewriter.h"

/* ---- who reads what ---- */

static NodeId *remove_reader(Editor *e, TensorId t, NodeId node)
{
    Tensor *x = &e->graph->tensor[t];
    NodeId *list = ARENA_ARRAY(e->arena, NodeId, (size_t)x->nconsumer + 1);
    uint32_t n = 0;
    for (uint32_t i = 0; i < x->nconsumer; i++)
        if (x->consumer[i] != node)
            list[n++] = x->consumer[i];
    x->consumer = list;
    x->nconsumer = n;
    return list; /* with room for one more */
}

static void add_reader(Editor *e, TensorId t, NodeId node)
{
    NodeId *list = remove_reader(e, t, node);
    uint32_t at = e->graph->tensor[t].nconsumer++;
    for (; at > 0 && list[at - 1] > node; at--)
        list[at] = list[at - 1];
    list[at] = node;
}

static bool is_needed(const Graph *g, const Node *n)
{
    return LIST_ANY(k, n->noutput,
                    n->output[k] != TENSOR_NONE &&
                        (g->tensor[n->output[k]].nconsumer || g->tensor[n->output[k]].is_output));
}

/* An unneeded node releases its inputs, and so do the nodes that this leaves unneeded. */
static void release_unused(Editor *e, NodeId first)
{
    const Graph *g = e->graph;
    NodeId *stack = NULL;
    size_t n = 0, cap = 0;
    *VEC_PUSH(e->arena, stack, n, cap) = first;
    while (n) {
        NodeId id = stack[--n];
        if (is_needed(g, &g->node[id]))
            continue;
        for (uint32_t i = 0; i < g->node[id].ninput; i++) {
            TensorId t = g->node[id].input[i];
            if (t == TENSOR_NONE || g->tensor[t].nconsumer == 0)
                continue;
            remove_reader(e, t, id);
            if (g->tensor[t].producer != NODE_NONE)
                *VEC_PUSH(e->arena, stack, n, cap) = g->tensor[t].producer;
        }
    }
}

void rewrite_set_input(Editor *e, NodeId node, uint32_t i, TensorId t)
{
    assert(node < e->graph->nnode && (t == TENSOR_NONE || t < e->graph->ntensor));
    Node *n = &e->graph->node[node];
    uint32_t count = i < n->ninput ? n->ninput : i + 1;
    TensorId *list = ARENA_ARRAY(e->arena, TensorId, count);
    TensorId old = i < n->ninput ? n->input[i] : TENSOR_NONE;
    if (n->ninput)
        memcpy(list, n->input, n->ninput * sizeof *list);
    for (uint32_t k = n->ninput; k < count; k++)
        list[k] = TENSOR_NONE;
    list[i] = t;
    n->input = list;
    n->ninput = count;
    n->rewired = true;
    if (t != TENSOR_NONE)
        add_reader(e, t, node);
    if (old == TENSOR_NONE || LIST_ANY(k, n->ninput, n->input[k] == old))
        return;
    remove_reader(e, old, node);
    if (e->graph->tensor[old].producer != NODE_NONE)
        release_unused(e, e->graph->tensor[old].producer);
}

void rewrite_become(Editor *e, NodeId node, const char *op, const TensorId *input, uint32_t n)
{
    Node *x = &e->graph->node[node];
    editor_become(x, op);
    while (x->ninput > n) {
        rewrite_set_input(e, node, x->ninput - 1, TENSOR_NONE);
        x->ninput--;
    }
    for (uint32_t i = 0; i < n; i++)
        rewrite_set_input(e, node, i, input[i]);
    x->noutput = 1;
}

void rewrite_replace_result(Editor *e, NodeId node, TensorId to)
{
    Graph *g = e->graph;
    TensorId from = g->node[node].output[0];
    if (g->tensor[from].is_output) {
        rewrite_become(e, node, "Identity", &to, 1);
        return;
    }
    const NodeId *reader = g->tensor[from].consumer;
    uint32_t nreader = g->tensor[from].nconsumer;
    for (uint32_t k = 0; k < nreader; k++)
        for (uint32_t i = 0; i < g->node[reader[k]].ninput; i++)
            if (g->node[reader[k]].input[i] == from)
                rewrite_set_input(e, reader[k], i, to);
}

void rewrite_take_over(Editor *e, NodeId node, TensorId to)
{
    TensorId from = e->graph->node[node].output[0];
    e->graph->tensor[to].dtype = e->graph->tensor[from].dtype;
    e->graph->tensor[to].shape = e->graph->tensor[from].shape;
    rewrite_replace_result(e, node, to);
}

TensorId rewrite_add_node(Editor *e, const char *op, TensorId like, const char *suffix, TensorId in,
                          NodeId *ret_node)
{
    TensorId out = editor_tensor(e, like, suffix);
    NodeId id = (NodeId)e->graph->nnode;
    editor_node(e, op, in, TENSOR_NONE, TENSOR_NONE, out);
    assert(e->graph->nnode == (size_t)id + 1);
    e->graph->tensor[out].producer = id;
    if (in != TENSOR_NONE)
        add_reader(e, in, id);
    *ret_node = id;
    return out;
}

TensorId rewrite_add_slice(Editor *e, TensorId like, TensorId in, int64_t axis, int64_t first,
                           int64_t end)
{
    NodeId node;
    TensorId out = rewrite_add_node(e, "Slice", like, "_part", in, &node);
    rewrite_set_input(e, node, 1, editor_integers(e, like, "_starts", &first, 1));
    rewrite_set_input(e, node, 2, editor_integers(e, like, "_ends", &end, 1));
    rewrite_set_input(e, node, 3, editor_integers(e, like, "_axes", &axis, 1));
    return out;
}

void rewrite_set_outputs(Editor *e, NodeId node, const TensorId *output, uint32_t n)
{
    assert(n > 0 && node < e->graph->nnode);
    TensorId *list = ARENA_ARRAY(e->arena, TensorId, n);
    for (uint32_t i = 0; i < n; i++) {
        list[i] = output[i];
        e->graph->tensor[list[i]].producer = node;
    }
    e->graph->node[node].output = list;
    e->graph->node[node].noutput = n;
}

/* ---- attributes and constants ---- */

static Attr *own_attr(Editor *e, NodeId node, const char *name, AttrType type)
{
    Node *n = &e->graph->node[node];
    Attr *list = ARENA_ARRAY(e->arena, Attr, (size_t)n->nattr + 1);
    uint32_t at = 0;
    if (n->nattr)
        memcpy(list, n->attr, n->nattr * sizeof *list);
    while (at < n->nattr && strcmp(list[at].name, name) != 0)
        at++;
    list[at] = (Attr){.name = name, .type = type};
    n->nattr += at == n->nattr;
    n->attr = list;
    n->raw_size = 0;
    return &list[at];
}

void rewrite_set_ints(Editor *e, NodeId node, const char *name, const int64_t *value, size_t n)
{
    int64_t *copy = ARENA_ARRAY(e->arena, int64_t, n);
    memcpy(copy, value, n * sizeof *copy);
    Attr *a = own_attr(e, node, name, ATTR_INTS);
    a->ints = copy;
    a->count = n;
}

void rewrite_set_int(Editor *e, NodeId node, const char *name, int64_t value)
{
    own_attr(e, node, name, ATTR_INT)->i = value;
}

void rewrite_set_float(Editor *e, NodeId node, const char *name, double value)
{
    own_attr(e, node, name, ATTR_FLOAT)->f = (float)value;
}

void rewrite_drop_attr(Editor *e, NodeId node, const char *name)
{
    Node *n = &e->graph->node[node];
    Attr *list = ARENA_ARRAY(e->arena, Attr, (size_t)n->nattr + 1);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n->nattr; i++)
        if (strcmp(n->attr[i].name, name) != 0)
            list[kept++] = n->attr[i];
    n->raw_size = kept == n->nattr ? n->raw_size : 0;
    n->attr = list;
    n->nattr = kept;
}

void rewrite_clear_tensor_type(Editor *e, TensorId t)
{
    Tensor *x = &e->graph->tensor[t];
    x->dtype = x->declared_dtype = DT_UNKNOWN;
    x->shape = x->declared_shape = (Shape){.rank = RANK_UNKNOWN};
    x->value = NULL;
}

TensorId rewrite_add_floats(Editor *e, TensorId like, const char *suffix, const Shape *shape,
                            const float *data)
{
    int64_t dim[EDIT_PERMUTE_MAX_RANK];
    for (int32_t i = 0; i < shape->rank; i++)
        dim[i] = shape->dim[i].value;
    return editor_constant(e, like, suffix, DT_FLOAT32, dim, shape->rank, data);
}
