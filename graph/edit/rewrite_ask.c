/* Answers the rewrites' questions about a graph. */
#include "graph/edit/rewriter.h"

const Node *scene_node(const Scene *s, NodeId node, const char *op)
{
    const Node *n = &s->graph->node[node];
    bool whole = n->noutput > 0 && n->output[0] != TENSOR_NONE && n->ninput > 0 &&
                 n->input[0] != TENSOR_NONE;
    return whole && editor_is_op(n, op) ? n : NULL;
}

const Node *tensor_maker(const Graph *g, TensorId t)
{
    if (t == TENSOR_NONE || g->tensor[t].producer == NODE_NONE)
        return NULL;
    return &g->node[g->tensor[t].producer];
}

NodeId node_id(const Graph *g, const Node *n)
{
    return (NodeId)(n - g->node);
}

const Node *rewrite_only_reader(const Graph *g, TensorId t)
{
    const Tensor *x = &g->tensor[t];
    if (x->nconsumer != 1 || x->is_output || node_has_body(&g->node[x->consumer[0]]))
        return NULL;
    return &g->node[x->consumer[0]];
}

bool rewrite_is_rewirable(const Graph *g, TensorId t)
{
    return LIST_ALL(i, g->tensor[t].nconsumer, !node_has_body(&g->node[g->tensor[t].consumer[i]]));
}

const Const *node_constant(const Graph *g, const Node *n, uint32_t i)
{
    const Tensor *t = node_input(g, n, i);
    return t && t->value && t->value->data ? t->value : NULL;
}

bool rewrite_scalar_value(const Graph *g, TensorId t, double *ret)
{
    const Const *c = t == TENSOR_NONE ? NULL : g->tensor[t].value;
    return c && c->nelem == 1 && c->data && const_float(c, 0, ret);
}

TensorId rewrite_walk_up(const Scene *s, TensorId t, Passing passes, const Node **ret_top)
{
    const Graph *g = s->graph;
    *ret_top = NULL;
    for (const Node *n = tensor_maker(g, t); n && n->ninput && n->input[0] != TENSOR_NONE;
         n = tensor_maker(g, t)) {
        if (n->noutput != 1 || !rewrite_only_reader(g, t) || !passes(s, n))
            break;
        *ret_top = n;
        t = n->input[0];
    }
    return t;
}

static bool dims_equal(const Dim *a, const Dim *b)
{
    if (a->value != DIM_UNKNOWN || b->value != DIM_UNKNOWN)
        return a->value == b->value;
    return a->symbol && b->symbol && strcmp(a->symbol, b->symbol) == 0;
}

bool rewrite_shapes_equal(const Shape *a, const Shape *b)
{
    return a->rank != RANK_UNKNOWN && a->rank == b->rank &&
           LIST_ALL(i, a->rank, dims_equal(&a->dim[i], &b->dim[i]));
}

bool rewrite_same_constant(const Graph *g, TensorId a, TensorId b)
{
    if (a == b)
        return true;
    if (a == TENSOR_NONE || b == TENSOR_NONE)
        return false;
    const Const *x = g->tensor[a].value, *y = g->tensor[b].value;
    return x && y && x->data && y->data && x->dtype == y->dtype && x->nbyte == y->nbyte &&
           rewrite_shapes_equal(&g->tensor[a].shape, &g->tensor[b].shape) &&
           memcmp(x->data, y->data, x->nbyte) == 0;
}

/* Two numbers of an attribute, or `fallback` twice when it is absent. */
static bool two_ints(const Node *n, const char *name, int64_t fallback, int64_t ret[2])
{
    const int64_t *v;
    size_t count = node_attr_ints(n, name, &v);
    ret[0] = count ? v[0] : fallback;
    ret[1] = count > 1 ? v[1] : fallback;
    return count == 0 || count == 2;
}

static bool read_kernel(const Graph *g, const Node *n, Window2 *w)
{
    const int64_t *v;
    const Tensor *weight = node_input(g, n, 1);
    if (node_attr_ints(n, "kernel_shape", &v) == 2) {
        w->kernel[0] = v[0];
        w->kernel[1] = v[1];
        bool fits = !weight || weight->shape.rank != 4 ||
                    (weight->shape.dim[2].value == v[0] && weight->shape.dim[3].value == v[1]);
        return fits && v[0] > 0 && v[1] > 0;
    }
    if (!weight || weight->shape.rank != 4 || !shape_is_known(&weight->shape))
        return false;
    w->kernel[0] = weight->shape.dim[2].value;
    w->kernel[1] = weight->shape.dim[3].value;
    return w->kernel[0] > 0 && w->kernel[1] > 0;
}

bool window2_read(const Graph *g, const Node *n, Window2 *ret)
{
    Window2 w = {.ceil_mode = node_attr_int(n, "ceil_mode", 0) != 0};
    const int64_t *pads;
    size_t npad = node_attr_ints(n, "pads", &pads);
    const char *automatic = node_attr_string(n, "auto_pad", "NOTSET");
    const Tensor *x = node_input(g, n, 0);
    if (!x || x->shape.rank != 4 || (npad && npad != 4) || !read_kernel(g, n, &w) ||
        !two_ints(n, "strides", 1, w.stride) || !two_ints(n, "dilations", 1, w.dilation))
        return false;
    w.explicit_pads = strncmp(automatic, "SAME", 4) != 0;
    for (size_t i = 0; i < npad && strcmp(automatic, "VALID") != 0; i++) {
        w.pad[i] = pads[i];
        if (pads[i] < 0)
            return false;
    }
    *ret = w;
    return true;
}
