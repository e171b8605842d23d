/* Writes out activations, normalizations and attention of newer opsets, and what the quantizer
 * leaves in float. */
#include "graph/edit/opset_form.h"
#include "graph/edit/spell.h"

#include <float.h>

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

const char *opset_form_bound(OpsetNode *x)
{
    bool is_max = x->was.op_id == OP_Max;
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

const char *opset_form_batch_norm(OpsetNode *x)
{
    if (node_attr_int(&x->was, "training_mode", 0))
        return opset_refuse(x, "it is in training mode; export the model in inference mode");
    rewrite_drop_attr(x->e, x->node, "training_mode");
    return NULL;
}

/* ---- the sequence that the quantizer fuses ---- */

static TensorId mean_over_axes(OpsetNode *x, TensorId of, const OpsetInts *axes)
{
    TensorId mean = opset_step(x, "ReduceMean", of, TENSOR_NONE);
    rewrite_set_ints(x->e, opset_last(x), "axes", axes->v, axes->n);
    rewrite_set_int(x->e, opset_last(x), "keepdims", 1);
    return mean;
}

/* (a - mean) / sqrt(variance + epsilon) */
static TensorId standard_score(OpsetNode *x, TensorId a, const OpsetInts *axes)
{
    float epsilon = (float)node_attr_float(&x->was, "epsilon", 1e-5);
    TensorId off = opset_step(x, "Sub", a, mean_over_axes(x, a, axes));
    TensorId square = opset_step(x, "Pow", off, opset_scalar(x, "_two", 2));
    TensorId variance = mean_over_axes(x, square, axes);
    TensorId above = opset_step(x, "Add", variance, opset_scalar(x, "_epsilon", epsilon));
    return opset_step(x, "Div", off, opset_step(x, "Sqrt", above, TENSOR_NONE));
}

static bool layer_axes(OpsetNode *x, OpsetInts *ret)
{
    int32_t rank = opset_rank(x);
    *ret = (OpsetInts){.given = true, .known = true, .n = 1};
    ret->v[0] = node_attr_int(&x->was, "axis", -1);
    if (rank < 0 || !opset_axes(x, ret, rank))
        return false;
    for (int64_t axis = ret->v[0] + 1; axis < rank; axis++)
        ret->v[ret->n++] = axis;
    return true;
}

const char *opset_form_layer_norm(OpsetNode *x)
{
    OpsetInts axes;
    if (!opset_is_float(x) || !layer_axes(x, &axes))
        return NULL;
    if (opset_is_used(x, 1) || opset_is_used(x, 2))
        return opset_refuse(x, "its mean or its deviation is used as well");
    if (!opset_input(x, 1))
        return opset_refuse(x, "it has no scale");
    TensorId score = standard_score(x, x->was.input[0], &axes);
    if (!opset_input(x, 2)) {
        opset_end(x, "Mul", score, x->was.input[1]);
        return "ReduceMean, Sub, Pow, ReduceMean, Add, Sqrt, Div, Mul";
    }
    opset_end(x, "Add", opset_step(x, "Mul", score, x->was.input[1]), x->was.input[2]);
    return "ReduceMean, Sub, Pow, ReduceMean, Add, Sqrt, Div, Mul, Add";
}

/* As spell-out writes it. */
const char *opset_form_attention(OpsetNode *x)
{
    const Scene s = {.graph = x->e->graph, .opset = OPSET_CONVERTED};
    const Spelling spelling = {x->e, &s, x->was, x->was.output[0]};
    const char *why = spell_not_attention(&s, &x->was);
    if (why)
        return opset_refuse(x, why);
    opset_end(x, "Identity", spell_attention(&spelling), TENSOR_NONE);
    return "MatMul, Mul, Softmax, MatMul";
}

/* ---- groups ---- */

typedef struct {
    const Shape *shape; /* of the input; all axes but the first are known */
    int64_t group, channels;
    bool by_group; /* scale and bias have one number for each group (opset 18), not channel (21) */
} Groups;

static bool read_groups(OpsetNode *x, Groups *ret)
{
    const Tensor *a = opset_input(x, 0);
    Groups q = {.shape = &a->shape,
                .group = node_attr_int(&x->was, "num_groups", 0),
                .by_group = x->opset < 21};
    bool known = q.shape->rank >= 3 && q.shape->rank <= OPSET_MAX_RANK;
    for (int32_t i = 1; known && i < q.shape->rank; i++)
        known = q.shape->dim[i].value > 0;
    q.channels = known ? q.shape->dim[1].value : 0;
    *ret = q;
    if (known && q.group > 0 && q.channels % q.group == 0 && opset_input(x, 1) && opset_input(x, 2))
        return true;
    opset_refuse(x, known ? "its groups do not divide the channels" : "its shape is not known");
    return false;
}

/* One number for each group or channel, shaped to meet them. */
static TensorId group_factor(OpsetNode *x, const Groups *q, TensorId list)
{
    int64_t dim[OPSET_MAX_RANK];
    int32_t rank = q->by_group ? 2 : q->shape->rank - 1;
    for (int32_t i = 0; i < rank; i++)
        dim[i] = 1;
    dim[0] = q->by_group ? q->group : q->channels;
    return opset_view(x, list, dim, rank);
}

/* Back from [N, G, rest]. */
static TensorId image_shape(OpsetNode *x, const Groups *q)
{
    int64_t dim[OPSET_MAX_RANK] = {0};
    for (int32_t i = 1; i < q->shape->rank; i++)
        dim[i] = q->shape->dim[i].value;
    return opset_list(x, "_shape", dim, (size_t)q->shape->rank);
}

const char *opset_form_group_norm(OpsetNode *x)
{
    const OpsetInts last = {.given = true, .known = true, .n = 1, .v = {2}};
    Groups q;
    if (!opset_is_float(x) || !read_groups(x, &q))
        return NULL;
    const int64_t grouped[3] = {0, q.group, -1};
    TensorId rows = opset_step(x, "Reshape", x->was.input[0], opset_list(x, "_groups", grouped, 3));
    TensorId score = standard_score(x, rows, &last);
    TensorId scale = group_factor(x, &q, x->was.input[1]),
             bias = group_factor(x, &q, x->was.input[2]);
    if (q.by_group) {
        TensorId y = opset_step(x, "Add", opset_step(x, "Mul", score, scale), bias);
        opset_end(x, "Reshape", y, image_shape(x, &q));
        return "Reshape, ReduceMean, Sub, Pow, ReduceMean, Add, Sqrt, Div, Mul, Add, Reshape";
    }
    TensorId image = opset_step(x, "Reshape", score, image_shape(x, &q));
    opset_end(x, "Add", opset_step(x, "Mul", image, scale), bias);
    return "Reshape, ReduceMean, Sub, Pow, ReduceMean, Add, Sqrt, Div, Reshape, Mul, Add";
}

/* ---- LpNormalization, which the quantizer leaves in float, or refuses ---- */

/* It exists in opset 13: without a shape it stays. */
static bool read_norm(const OpsetNode *x, OpsetInts *ret_axis, int64_t *ret_p)
{
    const Tensor *a = opset_input(x, 0);
    OpsetNode asked = *x;
    *ret_p = node_attr_int(&x->was, "p", 2);
    *ret_axis = (OpsetInts){.given = true, .known = true, .n = 1};
    ret_axis->v[0] = node_attr_int(&x->was, "axis", -1);
    return a && tensor_dtype(a) == DT_FLOAT32 && (*ret_p == 1 || *ret_p == 2) &&
           shape_is_known(&a->shape) && a->shape.rank > 0 && a->shape.rank <= OPSET_MAX_RANK &&
           opset_axes(&asked, ret_axis, a->shape.rank);
}

/* With Expand the quantizer fuses the four to one L2Normalization. onnxruntime divides by 1 where
 * the norm is 0; the smallest normal number gives the same, 0. */
const char *opset_form_lp_norm(OpsetNode *x)
{
    OpsetInts axis;
    int64_t p, dim[OPSET_MAX_RANK];
    if (!read_norm(x, &axis, &p))
        return NULL;
    const Shape *shape = &opset_input(x, 0)->shape;
    for (int32_t i = 0; i < shape->rank; i++)
        dim[i] = shape->dim[i].value;
    TensorId size = opset_list(x, "_shape", dim, (size_t)shape->rank);
    TensorId norm = opset_step(x, p == 1 ? "ReduceL1" : "ReduceL2", x->was.input[0], TENSOR_NONE);
    rewrite_set_ints(x->e, opset_last(x), "axes", axis.v, 1);
    rewrite_set_int(x->e, opset_last(x), "keepdims", 1);
    TensorId whole = opset_step(x, "Expand", opset_clip(x, norm, FLT_MIN, INFINITY), size);
    opset_end(x, "Div", x->was.input[0], whole);
    return p == 1 ? "ReduceL1, Clip, Expand, Div" : "ReduceL2, Clip, Expand, Div";
}
