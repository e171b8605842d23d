/* Writes out activations of newer opsets, and those that the quantizer leaves in float. */
#include "graph/edit/opset_form.h"

#include <math.h>

/* alpha * Clip(a + beta / alpha, 0, 1 / alpha): HardSigmoid without its last product. */
static TensorId hard_gate(OpsetNode *x, double alpha, double beta)
{
    TensorId shift = opset_scalar(x, "_shift", (float)(beta / alpha));
    return opset_clip(x, opset_step(x, "Add", x->was.input[0], shift), 0, (float)(1 / alpha));
}

/* For a slope that falls: Clip(alpha * (a + beta / alpha), 0, 1). With Mul before Add the quantizer
 * of 0.9 panics after a Conv. */
static const char *falling_gate(OpsetNode *x, double alpha, double beta)
{
    TensorId shift = opset_scalar(x, "_shift", (float)(beta / alpha));
    TensorId shifted = opset_step(x, "Add", x->was.input[0], shift);
    TensorId scaled = opset_step(x, "Mul", shifted, opset_scalar(x, "_alpha", (float)alpha));
    const TensorId input[3] = {scaled, opset_scalar(x, "_min", 0), opset_scalar(x, "_max", 1)};
    opset_end(x, "Clip", scaled, TENSOR_NONE);
    opset_set_inputs(x, x->node, input, 3);
    return "Add, Mul, Clip";
}

/* It exists in opset 13: where float32 would lose the sum, it stays. */
const char *opset_form_hard_sigmoid(OpsetNode *x)
{
    const Tensor *a = opset_input(x, 0);
    double alpha = node_attr_float(&x->was, "alpha", 0.2),
           beta = node_attr_float(&x->was, "beta", 0.5);
    if (!a || tensor_dtype(a) != DT_FLOAT32 || !(fabs(beta / alpha) < 0x1p10))
        return NULL;
    if (alpha < 0)
        return falling_gate(x, alpha, beta);
    TensorId gate = hard_gate(x, alpha, beta);
    opset_end(x, "Mul", gate, opset_scalar(x, "_alpha", (float)alpha));
    return "Add, Clip, Mul";
}

const char *opset_form_hard_swish(OpsetNode *x)
{
    if (!opset_is_float(x))
        return NULL;
    TensorId gated = opset_step(x, "Mul", x->was.input[0], hard_gate(x, 1.0 / 6, 0.5));
    opset_end(x, "Mul", gated, opset_scalar(x, "_alpha", 1.0F / 6));
    return "Add, Clip, Mul, Mul";
}

const char *opset_form_mish(OpsetNode *x)
{
    if (!opset_is_float(x))
        return NULL;
    TensorId soft = opset_step(x, "Softplus", x->was.input[0], TENSOR_NONE);
    opset_end(x, "Mul", x->was.input[0], opset_step(x, "Tanh", soft, TENSOR_NONE));
    return "Softplus, Tanh, Mul";
}

/* Half of x times 1 and a gate between -1 and 1. */
static void gelu_product(OpsetNode *x, TensorId gate)
{
    TensorId above = opset_step(x, "Add", gate, opset_scalar(x, "_one", 1));
    TensorId whole = opset_step(x, "Mul", x->was.input[0], above);
    opset_end(x, "Mul", whole, opset_scalar(x, "_half", 0.5F));
}

static const char *gelu_by_tanh(OpsetNode *x)
{
    static const double pi = 3.14159265358979323846;
    TensorId a = x->was.input[0];
    TensorId cube = opset_step(x, "Pow", a, opset_scalar(x, "_three", 3));
    TensorId part = opset_step(x, "Mul", cube, opset_scalar(x, "_cubic", 0.044715F));
    TensorId sum = opset_step(x, "Add", a, part);
    TensorId scaled = opset_step(x, "Mul", sum, opset_scalar(x, "_scale", (float)sqrt(2 / pi)));
    gelu_product(x, opset_step(x, "Tanh", scaled, TENSOR_NONE));
    return "Pow, Mul, Add, Mul, Tanh, Add, Mul, Mul";
}

const char *opset_form_gelu(OpsetNode *x)
{
    if (!opset_is_float(x))
        return NULL;
    const Attr *a = node_attr(&x->was, "approximate");
    if (a && a->s && a->slen == 4)
        return gelu_by_tanh(x);
    TensorId root = opset_scalar(x, "_root", (float)sqrt(2));
    TensorId scaled = opset_step(x, "Div", x->was.input[0], root);
    gelu_product(x, opset_step(x, "Erf", scaled, TENSOR_NONE));
    return "Div, Erf, Add, Mul, Mul";
}

/* ---- Max and Min with one number ---- */

/* All elements of input `i` are one number, and the other input has the output's shape. */
static bool bound_value(const OpsetNode *x, uint32_t i, float *ret)
{
    const Graph *g = x->e->graph;
    const Tensor *bound = opset_input(x, i), *other = opset_input(x, 1 - i);
    const Tensor *out = node_output(g, &x->was, 0);
    const Const *c = bound && other ? bound->value : NULL;
    double first, v;
    if (!c || !c->data || !const_float(c, 0, &first) || !isfinite(first) || other->value ||
        !rewrite_shapes_equal(&other->shape, &out->shape))
        return false;
    for (int64_t k = 1; k < c->nelem; k++)
        if (!const_float(c, k, &v) || v != first)
            return false;
    *ret = (float)first;
    return true;
}

static const char *one_sided_clip(OpsetNode *x, bool is_max)
{
    const Tensor *a = opset_input(x, 0);
    float v = 0;
    if (x->was.ninput != 2 || !a || tensor_dtype(a) != DT_FLOAT32)
        return NULL;
    uint32_t i = bound_value(x, 0, &v) ? 0 : 1;
    if (i == 1 && !bound_value(x, 1, &v))
        return NULL;
    const TensorId input[3] = {x->was.input[1 - i],
                               is_max ? opset_scalar(x, "_min", v) : TENSOR_NONE,
                               is_max ? TENSOR_NONE : opset_scalar(x, "_max", v)};
    opset_end(x, "Clip", input[0], TENSOR_NONE);
    opset_set_inputs(x, x->node, input, is_max ? 2 : 3);
    return "Clip";
}

const char *opset_form_max(OpsetNode *x)
{
    return one_sided_clip(x, true);
}

const char *opset_form_min(OpsetNode *x)
{
    return one_sided_clip(x, false);
}
