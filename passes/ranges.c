/* Derives ranges from an operator's definition and bounds, or from scale and zero point. */
#include "passes/ranges.h"
#include "graph/infer/ops.h"

enum { NODES_DEEP = 8, CONSTANTS_MAX = 4096 };

typedef struct {
    double lo, hi;
} Span;

static const Span anything = {-INFINITY, INFINITY};

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

static Span span_of_constant(const Const *c)
{
    Span r = {INFINITY, -INFINITY};
    double v = 0;
    for (int64_t i = 0; i < c->nelem; i++) {
        if (i == CONSTANTS_MAX || !const_float(c, i, &v))
            return anything;
        r = (Span){fmin(r.lo, v), fmax(r.hi, v)};
    }
    return r;
}

static Span multiply_spans(Span a, Span b)
{
    const double x[] = {a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi};
    return isfinite(x[0] + x[1] + x[2] + x[3]) ? (Span){fmin(fmin(x[0], x[1]), fmin(x[2], x[3])),
                                                        fmax(fmax(x[0], x[1]), fmax(x[2], x[3]))}
                                               : anything;
}

static Span combine_spans(OpId op, Span a, Span b)
{
    switch (op) {
    case OP_Add:
        return (Span){a.lo + b.lo, a.hi + b.hi};
    case OP_Sub:
        return (Span){a.lo - b.hi, a.hi - b.lo};
    case OP_Min:
        return (Span){fmin(a.lo, b.lo), fmin(a.hi, b.hi)};
    case OP_Max:
        return (Span){fmax(a.lo, b.lo), fmax(a.hi, b.hi)};
    case OP_Div:
        return b.lo > 0 || b.hi < 0 ? multiply_spans(a, (Span){1 / b.hi, 1 / b.lo}) : anything;
    default:
        return multiply_spans(a, b);
    }
}

static Span span_after(const Graph *g, const Node *n, int depth);

/* Its own values where they are known, else what the operators before it prove. */
static Span span_of(const Graph *g, const Tensor *t, int depth)
{
    if (t && t->value)
        return span_of_constant(t->value);
    bool made = t && t->producer != NODE_NONE && depth < NODES_DEEP;
    return made ? span_after(g, &g->node[t->producer], depth + 1) : anything;
}

/* A bound of Clip: an input, an attribute of old opsets, or none. */
static Span span_of_bound(const Graph *g, const Node *n, uint32_t input, int depth)
{
    double none = input == 1 ? -INFINITY : INFINITY;
    double v = node_attr_float(n, input == 1 ? "min" : "max", none);
    const Tensor *t = node_input(g, n, input);
    return t ? span_of(g, t, depth) : (Span){v, v};
}

static Span span_after(const Graph *g, const Node *n, int depth)
{
    const Tensor *x = node_input(g, n, 0);
    const Node *before = x && x->producer != NODE_NONE ? &g->node[x->producer] : NULL;
    if (op_is(n->op_id, OP_Sigmoid, OP_HardSigmoid, OP_Softmax))
        return (Span){0, 1};
    if (op_is(n->op_id, OP_Tanh, OP_Erf, OP_Softsign, OP_Sin, OP_Cos))
        return (Span){-1, 1};
    if (n->op_id == OP_DequantizeLinear) /* codes are other numbers */
        return before && before->op_id == OP_QuantizeLinear
                   ? span_of(g, node_input(g, before, 0), depth)
                   : anything;
    if (n->op_id == OP_Relu)
        return combine_spans(OP_Max, span_of(g, x, depth), (Span){0, 0});
    if (n->op_id == OP_Clip)
        return combine_spans(
            OP_Min, combine_spans(OP_Max, span_of(g, x, depth), span_of_bound(g, n, 1, depth)),
            span_of_bound(g, n, 2, depth));
    if (op_is(n->op_id, OP_Add, OP_Sub, OP_Mul, OP_Div, OP_Min, OP_Max) && n->ninput == 2)
        return combine_spans(n->op_id, span_of(g, x, depth),
                             span_of(g, node_input(g, n, 1), depth));
    bool keeps = op_info(n->op_id)->op_class == CLASS_VIEW ||
                 op_is(n->op_id, OP_Identity, OP_Transpose, OP_DepthToSpace, OP_MaxPool);
    return keeps ? span_of(g, x, depth) : anything;
}

bool range_proven(const Graph *g, const Node *n, double *ret_lo, double *ret_hi)
{
    Span r = span_after(g, n, 0);
    *ret_lo = r.lo;
    *ret_hi = r.hi;
    return isfinite(r.lo) || isfinite(r.hi);
}
