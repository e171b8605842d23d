/* Computes functions of one number. */
#include "npu_exec/values/kernels.h"
#include "npu_exec/values/loops.h"

/* X(operator, function of x, attributes that are its alpha and beta with their defaults). */
#include "npu_exec/values/unary.def"

typedef float UnaryFunction(float x, float alpha, float beta);

#define X(op, expression, ...)                                                                     \
    static float unary_##op(float x, float alpha, float beta)                                      \
    {                                                                                              \
        (void)alpha, (void)beta;                                                                   \
        return expression;                                                                         \
    }
UNARY_OPERATORS(X)
#undef X

static const struct {
    OpIndex op;
    UnaryFunction *f;
    double alpha, beta;         /* defaults … */
    const char *first, *second; /* … of these attributes */
} unary[] = {
#define X(name, expression, ...) {.op = OP_##name, .f = unary_##name, __VA_ARGS__},
    UNARY_OPERATORS(X)
#undef X
};

static int64_t negated(int64_t x)
{
    return kernel_wrap_int64(-(uint64_t)x);
}

/* Whole numbers stay whole: a float holds 24 bits of them. */
static int64_t whole_unary(OpId op, int64_t x)
{
    return op == OP_Relu   ? i64_max(x, 0)
           : op == OP_Neg  ? negated(x)
           : op == OP_Abs  ? (x < 0 ? negated(x) : x)
           : op == OP_Sign ? COMPARE(x, 0)
                           : !x;
}

static Status unary_ints(Call *c)
{
    OpId op = c->node->op_id;
    bool whole = op == OP_Relu || op == OP_Neg || op == OP_Abs || op == OP_Sign || op == OP_Not;
    const int64_t *x = NULL;
    int64_t *y = kernel_out_ints(c->out[0]);
    Status st = kernel_in_ints(c, 0, &x);
    if (st || !y || !whole || call_in(c, 0)->count != c->out[0]->count)
        return st ? st : call_refuse(c, "its shapes or its type are not handled");
    for (int64_t i = 0; i < c->out[0]->count; i++)
        y[i] = whole_unary(op, x[i]);
    return STATUS_OK;
}

Status kernel_unary(Call *c)
{
    if (!dtype_is_float(c->out[0]->dtype))
        return unary_ints(c);
    size_t k = 0, n = sizeof unary / sizeof unary[0];
    while (k < n && unary[k].op != (OpIndex)c->node->op_id)
        k++;
    const float *x = NULL;
    float *y = kernel_out_floats(c->out[0]);
    Status st = kernel_in_floats(c, 0, &x);
    if (st || !y || k == n || call_in(c, 0)->count != c->out[0]->count)
        return st ? st : call_refuse(c, "its shapes or its type are not handled");
    float alpha = (float)(unary[k].first ? node_attr_float(c->node, unary[k].first, unary[k].alpha)
                                         : unary[k].alpha);
    float beta = (float)(unary[k].second ? node_attr_float(c->node, unary[k].second, unary[k].beta)
                                         : unary[k].beta);
    if (strcmp(node_attr_string(c->node, "approximate", ""), "tanh") == 0)
        alpha = 1; /* of Gelu */
    if (unary[k].op == OP_Relu)
        loop_relu(x, y, (size_t)c->out[0]->count);
    for (int64_t i = 0; unary[k].op != OP_Relu && i < c->out[0]->count; i++)
        y[i] = unary[k].f(x[i], alpha, beta);
    return STATUS_OK;
}
