/* Computes the work of a step, which the cost model counts. That is multiplications, and what a
 * host operator reads beside its activations. */
#include "graph/compile/compile_state.h"

int64_t compile_macs(const Compile *c, const NodeId *node, uint32_t n)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        int64_t macs = node_macs(c->graph, &c->graph->node[node[i]]);
        if (macs > 0)
            sum = layout_size_add(sum, layout_size_mul(macs, c->options->batch));
    }
    return sum;
}

static int64_t weight_bytes(const Compile *c, const Node *n)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < n->ninput; i++) {
        const Tensor *t = node_input(c->graph, n, i);
        if (!t || !compile_is_constant(c, n->input[i]))
            continue;
        int64_t count = shape_elements(&t->shape), bytes = dtype_bytes(t->dtype, count);
        sum = layout_size_add(sum, count > 0 && bytes > 0 ? bytes : 0);
    }
    return sum;
}

static bool reads_single_elements(const Node *n, const Shape *weight)
{
    const int64_t *stride;
    size_t nstride = node_attr_ints(n, "strides", &stride);
    for (int i = 2; i < weight->rank; i++)
        if (weight->dim[i].value != 1)
            return false;
    return LIST_ALL(i, nstride, stride[i] == 1);
}

/* Of every output element of a group's channel, the window that it multiplies. */
static int64_t gathered_bytes(const Compile *c, const Ir *op, int64_t macs)
{
    const Node *n = ir_node(c, op);
    const Tensor *x = node_input(c->graph, n, 0), *w = node_input(c->graph, n, 1);
    if (op->op != OP_Conv || !x || !w || w->shape.rank < 3 || w->shape.dim[0].value <= 0 ||
        reads_single_elements(n, &w->shape))
        return 0;
    int64_t elements = macs / w->shape.dim[0].value;
    int64_t bytes = dtype_bytes(x->dtype, layout_size_mul(elements, node_attr_int(n, "group", 1)));
    return bytes > 0 ? bytes : 0;
}

void compile_host_work(const Compile *c, const Ir *op, Step *s)
{
    s->macs = compile_macs(c, s->node, s->nnode);
    for (uint32_t i = 0; i < s->nnode; i++)
        s->weight_bytes =
            layout_size_add(s->weight_bytes, weight_bytes(c, &c->graph->node[s->node[i]]));
    s->gathered_bytes = gathered_bytes(c, op, s->macs);
}
