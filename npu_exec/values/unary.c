/* Computes functions of one number. */
#include "npu_exec/values/kernels.h"
#include "npu_exec/values/loops.h"

#include "graph/model/dtype.h"
#include "graph/base/compare.h"

#include <math.h>

/* One element. */
typedef float UnaryFunction(float x, float alpha, float beta);

#define UNARY(name, expression)                                                                    \
    static float name(float x, float alpha, float beta)                                            \
    {                                                                                              \
        (void)alpha, (void)beta;                                                                   \
        return expression;                                                                         \
    }
UNARY(f_relu, x < 0 ? 0 : x)
UNARY(f_leaky, x < 0 ? alpha * x : x)
UNARY(f_sigmoid, 1 / (1 + expf(-x)))
UNARY(f_tanh, tanhf(x))
UNARY(f_exp, expf(x))
UNARY(f_log, logf(x))
UNARY(f_sqrt, sqrtf(x))
UNARY(f_abs, fabsf(x))
UNARY(f_neg, -x)
UNARY(f_floor, floorf(x))
UNARY(f_ceil, ceilf(x))
UNARY(f_round, rintf(x))
UNARY(f_reciprocal, 1 / x)
UNARY(f_erf, erff(x))
UNARY(f_elu, x < 0 ? alpha * (expf(x) - 1) : x)
UNARY(f_selu, x > 0 ? beta * x : beta * (alpha * expf(x) - alpha))
UNARY(f_celu, (x > 0 ? x : 0) + fminf(0, alpha *(expf(x / alpha) - 1)))
UNARY(f_thresholded, x > alpha ? x : 0)
UNARY(f_softplus, fmaxf(x, 0) + log1pf(expf(-fabsf(x)))) /* exp(x) overflows from 89 on */
UNARY(f_softsign, x / (1 + fabsf(x)))
UNARY(f_hard_sigmoid, fmaxf(0, fminf(1, alpha *x + beta)))
UNARY(f_hard_swish, x *fmaxf(0, fminf(1, x / 6 + 0.5f)))
UNARY(f_gelu, 0.5f * x * (1 + erff(x * 0.70710678f)))
UNARY(f_mish, x *tanhf(logf(expf(x) + 1)))
UNARY(f_sign, x > 0 ? 1 : x < 0 ? -1 : 0)
UNARY(f_sin, sinf(x))
UNARY(f_cos, cosf(x))
UNARY(f_tan, tanf(x))
UNARY(f_asin, asinf(x))
UNARY(f_acos, acosf(x))
UNARY(f_atan, atanf(x))
UNARY(f_sinh, sinhf(x))
UNARY(f_cosh, coshf(x))
UNARY(f_asinh, asinhf(x))
UNARY(f_acosh, acoshf(x))
UNARY(f_atanh, atanhf(x))
UNARY(f_shrink, x<-alpha ? x + beta : x> alpha ? x - beta : 0)

static const struct {
    OpIndex op;
    UnaryFunction *f;
    double alpha, beta;         /* defaults … */
    const char *first, *second; /* … of these attributes */
} unary[] = {
    {OP_Relu, f_relu, 0, 0, NULL, NULL},
    {OP_LeakyRelu, f_leaky, 0.01, 0, "alpha", NULL},
    {OP_Sigmoid, f_sigmoid, 0, 0, NULL, NULL},
    {OP_Tanh, f_tanh, 0, 0, NULL, NULL},
    {OP_Exp, f_exp, 0, 0, NULL, NULL},
    {OP_Log, f_log, 0, 0, NULL, NULL},
    {OP_Sqrt, f_sqrt, 0, 0, NULL, NULL},
    {OP_Abs, f_abs, 0, 0, NULL, NULL},
    {OP_Neg, f_neg, 0, 0, NULL, NULL},
    {OP_Floor, f_floor, 0, 0, NULL, NULL},
    {OP_Ceil, f_ceil, 0, 0, NULL, NULL},
    {OP_Round, f_round, 0, 0, NULL, NULL},
    {OP_Reciprocal, f_reciprocal, 0, 0, NULL, NULL},
    {OP_Erf, f_erf, 0, 0, NULL, NULL},
    {OP_Elu, f_elu, 1, 0, "alpha", NULL},
    {OP_Selu, f_selu, 1.67326319217681884765625, 1.05070102214813232421875, "alpha", "gamma"},
    {OP_Celu, f_celu, 1, 0, "alpha", NULL},
    {OP_ThresholdedRelu, f_thresholded, 1, 0, "alpha", NULL},
    {OP_Softplus, f_softplus, 0, 0, NULL, NULL},
    {OP_Softsign, f_softsign, 0, 0, NULL, NULL},
    {OP_HardSigmoid, f_hard_sigmoid, 0.2, 0.5, "alpha", "beta"},
    {OP_HardSwish, f_hard_swish, 0, 0, NULL, NULL},
    {OP_Gelu, f_gelu, 0, 0, NULL, NULL},
    {OP_MsGelu, f_gelu, 0, 0, NULL, NULL},
    {OP_Mish, f_mish, 0, 0, NULL, NULL},
    {OP_Sign, f_sign, 0, 0, NULL, NULL},
    {OP_Sin, f_sin, 0, 0, NULL, NULL},
    {OP_Cos, f_cos, 0, 0, NULL, NULL},
    {OP_Tan, f_tan, 0, 0, NULL, NULL},
    {OP_Asin, f_asin, 0, 0, NULL, NULL},
    {OP_Acos, f_acos, 0, 0, NULL, NULL},
    {OP_Atan, f_atan, 0, 0, NULL, NULL},
    {OP_Sinh, f_sinh, 0, 0, NULL, NULL},
    {OP_Cosh, f_cosh, 0, 0, NULL, NULL},
    {OP_Asinh, f_asinh, 0, 0, NULL, NULL},
    {OP_Acosh, f_acosh, 0, 0, NULL, NULL},
    {OP_Atanh, f_atanh, 0, 0, NULL, NULL},
    {OP_Shrink, f_shrink, 0.5, 0, "lambd", "bias"},
};

static int64_t whole_relu(int64_t x)
{
    return x < 0 ? 0 : x;
}

static int64_t whole_neg(int64_t x)
{
    return kernel_wrap_int64(-(uint64_t)x);
}

static int64_t whole_abs(int64_t x)
{
    return x < 0 ? whole_neg(x) : x;
}

static int64_t whole_sign(int64_t x)
{
    return COMPARE(x, 0);
}

static int64_t whole_not(int64_t x)
{
    return !x;
}

/* Whole numbers stay whole: a float holds 24 bits of them. */
static const struct {
    OpIndex op;
    int64_t (*f)(int64_t x);
} whole_unary[] = {
    {OP_Relu, whole_relu}, {OP_Neg, whole_neg}, {OP_Abs, whole_abs},
    {OP_Sign, whole_sign}, {OP_Not, whole_not},
};

static Status unary_ints(Call *c)
{
    size_t k = 0, n = sizeof whole_unary / sizeof whole_unary[0];
    while (k < n && whole_unary[k].op != (OpIndex)c->node->op_id)
        k++;
    const int64_t *x = NULL;
    int64_t *y = kernel_out_ints(c->out[0]);
    Status st = kernel_in_ints(c, 0, &x);
    if (st || !y || k == n || call_in(c, 0)->count != c->out[0]->count)
        return st ? st : call_refuse(c, "its shapes or its type are not handled");
    for (int64_t i = 0; i < c->out[0]->count; i++)
        y[i] = whole_unary[k].f(x[i]);
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
