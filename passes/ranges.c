/* Derives ranges from an operator's definition and bounds, or from scale and zero point. */
#include "passes/ranges.h"
#include "graph/infer/ops.h"

static bool clip_bound(const Graph *g, const Node *n, uint32_t input, const char *attr, double *ret)
{
    const Tensor *t = node_input(g, n, input);
    if (t && t->value && const_float(t->value, 0, ret))
        return true;
    const Attr *a = node_attr(n, attr);
    if (a)
        *ret = a->f;
    return a != NULL;
}

bool range_of_codes(const Graph *g, const Node *n, double *ret_lo, double *ret_hi)
{
    const Tensor *scale = node_input(g, n, 1), *zero = node_input(g, n, 2);
    double s = 0, z = 0;
    if (!scale || !scale->value || scale->value->nelem != 1 || !const_float(scale->value, 0, &s))
        return false;
    DType code = zero ? zero->dtype : DT_UINT8;
    if (zero && (!zero->value || !const_float(zero->value, 0, &z)))
        return false;
    if (code != DT_INT8 && code != DT_UINT8)
        return false;
    double least = code == DT_INT8 ? -128 : 0;
    *ret_lo = (least - z) * s;
    *ret_hi = (least + 255 - z) * s;
    return true;
}

bool range_proven(const Graph *g, const Node *n, double *ret_lo, double *ret_hi)
{
    double lo = 0, hi = 1;
    if (n->op_id == OP_Clip) {
        if (!clip_bound(g, n, 1, "min", &lo) || !clip_bound(g, n, 2, "max", &hi))
            return false;
    } else if (n->op_id == OP_Tanh) {
        lo = -1;
    } else if (n->op_id == OP_Relu) {
        hi = INFINITY;
    } else if (!op_is(n->op_id, OP_Sigmoid, OP_HardSigmoid, OP_Softmax)) {
        return false;
    }
    *ret_lo = lo;
    *ret_hi = hi;
    return true;
}
