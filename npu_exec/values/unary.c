/* Computes functions of one number. */
#include "npu_exec/values/kernels.h"
#include "npu_exec/values/loops.h"

/* X(operator, function of x, attributes that are its alpha and beta with their defaults). */
#define UNARY_OPERATORS(X)                                                                         \
    X(Relu, x < 0 ? 0 : x)                                                                         \
    X(LeakyRelu, x < 0 ? alpha * x : x, .first = "alpha", .alpha = 0.01)                           \
    X(Sigmoid, 1 / (1 + expf(-x)))                                                                 \
    X(Tanh, tanhf(x))                                                                              \
    X(Exp, expf(x))                                                                                \
    X(Log, logf(x))                                                                                \
    X(Sqrt, sqrtf(x))                                                                              \
    X(Abs, fabsf(x))                                                                               \
    X(Neg, -x)                                                                                     \
    X(Floor, floorf(x))                                                                            \
    X(Ceil, ceilf(x))                                                                              \
    X(Round, rintf(x))                                                                             \
    X(Reciprocal, 1 / x)                                                                           \
    X(Erf, erff(x))                                                                                \
    X(Elu, x < 0 ? alpha * (expf(x) - 1) : x, .first = "alpha", .alpha = 1)                        \
    X(Selu, x > 0 ? beta * x : beta * (alpha * expf(x) - alpha), .first = "alpha",                 \
      .alpha = 1.67326319217681884765625, .second = "gamma", .beta = 1.05070102214813232421875)    \
    X(Celu, (x > 0 ? x : 0) + fminf(0, alpha * (expf(x / alpha) - 1)), .first = "alpha",           \
      .alpha = 1)                                                                                  \
    X(ThresholdedRelu, x > alpha ? x : 0, .first = "alpha", .alpha = 1)                            \
    X(Softplus, fmaxf(x, 0) + log1pf(expf(-fabsf(x)))) /* exp(x) overflows from 89 on */           \
    X(Softsign, x / (1 + fabsf(x)))                                                                \
    X(HardSigmoid, fmaxf(0, fminf(1, (alpha)*x + beta)), .first = "alpha", .alpha = 0.2,           \
      .second = "beta", .beta = 0.5)                                                               \
    X(HardSwish, (x)*fmaxf(0, fminf(1, x / 6 + 0.5f)))                                             \
    X(Gelu, 0.5f * x * (1 + erff(x * 0.70710678f)))                                                \
    X(MsGelu, 0.5f * x * (1 + erff(x * 0.70710678f)))                                              \
    X(Mish, (x)*tanhf(logf(expf(x) + 1)))                                                          \
    X(Sign, x > 0 ? 1 : x < 0 ? -1 : 0)                                                            \
    X(Sin, sinf(x))                                                                                \
    X(Cos, cosf(x))                                                                                \
    X(Tan, tanf(x))                                                                                \
    X(Asin, asinf(x))                                                                              \
    X(Acos, acosf(x))                                                                              \
    X(Atan, atanf(x))                                                                              \
    X(Sinh, sinhf(x))                                                                              \
    X(Cosh, coshf(x))                                                                              \
    X(Asinh, asinhf(x))                                                                            \
    X(Acosh, acoshf(x))                                                                            \
    X(Atanh, atanhf(x))                                                                            \
    X(Shrink,                                                                                      \
      (x < -alpha)  ? x + beta                                                                     \
      : (x > alpha) ? x - beta                                                                     \
                    : 0,                                                                           \
      .first = "lambd", .alpha = 0.5, .second = "bias", .beta = 0)

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
    if (unary[k].op == OP_Relu)
        loop_relu(x, y, (size_t)c->out[0]->count);
    for (int64_t i = 0; unary[k].op != OP_Relu && i < c->out[0]->count; i++)
        y[i] = unary[k].f(x[i], alpha, beta);
    return STATUS_OK;
}
