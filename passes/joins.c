/* Finds every Concat whose inputs were quantized with different scales. */
#include "passes/rewritable.h"

enum { BACK_MAX = 64 };

/* The scale by which the tensor was last quantized; false if it is unknown. */
static bool scale_of(const Graph *g, TensorId t, double *ret)
{
    for (int hop = 0; hop < BACK_MAX && t != TENSOR_NONE; hop++) {
        const Node *n = g->tensor[t].producer == NODE_NONE ? NULL : &g->node[g->tensor[t].producer];
        if (!n || n->ninput < 1)
            return false;
        if (n->op_id == OP_DequantizeLinear || n->op_id == OP_QuantizeLinear) {
            const Tensor *scale = node_input(g, n, 1);
            return scale && scale->value && scale->value->nelem == 1 &&
                   const_float(scale->value, 0, ret) && *ret > 0;
        }
        OpClass k = op_info(n->op_id)->op_class; /* these pass a scale on */
        if (k != CLASS_VIEW && n->op_id != OP_Transpose && n->op_id != OP_MaxPool &&
            n->op_id != OP_Relu)
            return false;
        t = n->input[0];
    }
    return false;
}

typedef struct {
    double lo, hi;
    int64_t known, elements; /* elements of the inputs that have another scale than the widest */
} Scales;

static Scales scales_of(const Graph *g, const Node *n)
{
    Scales s = {.lo = INFINITY};
    double scale;
    for (uint32_t i = 0; i < n->ninput; i++) {
        if (!scale_of(g, n->input[i], &scale))
            continue;
        s.known++;
        s.lo = fmin(s.lo, scale);
        s.hi = fmax(s.hi, scale);
    }
    for (uint32_t i = 0; i < n->ninput; i++) {
        const Tensor *t = node_input(g, n, i);
        int64_t count = t ? shape_elements(&t->shape) : 0;
        if (scale_of(g, n->input[i], &scale) && scale < s.hi && count > 0)
            s.elements += count;
    }
    return s;
}

void pass_joins(const PassInput *in, FindingList *out)
{
    const Graph *g = in->program->model->graph;
    for (size_t i = 0; i < g->nnode; i++) {
        const Node *n = &g->node[i];
        if (n->op_id != OP_Concat)
            continue;
        Scales s = scales_of(g, n);
        if (s.known < 2 || s.lo >= s.hi)
            continue;
        Finding *f = finding_at_node(in, out, "unequal-join", (NodeId)i, 0);
        finding_real(out, f, "ratio", s.hi / s.lo);
        finding_int(out, f, "inputs", s.known);
        finding_int(out, f, "elements", s.elements);
    }
}
